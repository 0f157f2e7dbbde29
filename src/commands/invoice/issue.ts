import type { Text } from '../../contract/text.js';
import type { Given } from '../../cli/command.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { belowStateTax, issueFacts, merchandiseCall, serviceCall } from '../../jobs/kinds/invoice-issue.js';
import { type InvoiceModel, type IssueItem, sendsExternalId } from '../../jobs/kinds/invoice-items.js';
import type { Context } from '../../services/context.js';
import { previewOne, type DryRun } from '../../services/calls/one-call.js';
import { companyOf } from '../../services/scope/companies.js';
import { runSingle } from '../../services/batch/single-job.js';
import { concludeIssue, findEarlier, repeatEarlier } from './issue-result.js';
import { externalIdOf, issueItem, issueKey, itemDigest, labelOf, type Issuer } from './identity.js';
import { createInvoice } from './create.js';
import { confirmIssue, environmentOf } from './issue-words.js';
import { modelNames } from './invoice.js';
import type { issue } from './issue-commands.js';
import { modelMissing, modelOfBody } from './model.js';
import { everyModel } from './options.js';
import {
  checkedInvoice,
  type InvoiceFields,
  invalidInvoice,
  readContent,
  sampleInvoice,
  takeRegistration,
} from './written-invoice.js';

/**
 * Issues one invoice, of the model that is named, or that its content tells; or shows a minimal body of it. Errors: those of
 * `modelOfBody`, `readContent`, `createInvoice` and `issueDocument`.
 */
export async function issueInvoice(context: Context, given: Given<typeof issue>): Promise<Outcome> {
  if (given.sample) {
    if (given.model === undefined) throw await modelMissing(context, everyModel);
    return { data: sampleInvoice(given.model, (await context.settings()).sends) };
  }
  const content = await readContent(context, given);
  const model = given.model ?? (await modelOfBody(context, content));
  context.goOn.found({ model });
  return model === 'general'
    ? await createInvoice(context, content, given)
    : await issueDocument(context, content, { ...given, model });
}

interface DocumentGiven extends Given<typeof issue> {
  readonly model: InvoiceModel;
}

/**
 * Issues one NF-e, NFC-e or NFS-e as a job of one item. Its externalId is in the row before the send; a send whose outcome is
 * unknown is looked up by it before anything is sent again, and the same externalId is never issued twice by this machine.
 * Errors: `input.*`, `usage.*`, `invoice.*`, `job.key_held`, `outcome.unknown` (exit 3), with `wait` `outcome.ended_badly`
 * and `outcome.still_pending`, and those of the client.
 */
async function issueDocument(context: Context, content: unknown, given: DocumentGiven): Promise<Outcome> {
  const { model, again } = given;
  const { dryRun, sends, storeNamespace } = await context.settings();
  const isInBody = given.externalIdInBody || sends.externalId;
  const written = checkedInvoice(content, { ...given, isInBody, forms: sends });
  const registered = takeRegistration(model, written, given.stateTax);
  if ('problems' in registered) throw invalidInvoice(registered.problems, modelNames[model]);
  const { invoice, stateTaxId } = registered;
  const issuer: Issuer = { model, companyId: await companyOf(context) };
  if (again && typeof invoice['externalId'] === 'string') throw anotherIdNeeded();
  const externalId = externalIdOf(issuer, invoice, again ? context.random.uuid() : undefined);
  const item = issueItem(issuer, invoice, { externalId, isInBody, stateTaxId });
  if (dryRun) {
    const billedCalls = issueFacts(model).billed(item) ? 1 : 0;
    return { data: { ...(await previewIssue(context, item)), billedCalls }, notices: madeId(invoice, item) };
  }
  if (again) context.goOn.byJobOnly();
  const earlier = await findEarlier(context, item);
  if (earlier !== undefined) return await repeatEarlier(context, earlier, given);
  const { companyId } = issuer;
  await confirmIssue(context, { model, invoice, environment: environmentOf(item.invoice) }, companyId);
  const key = issueKey(companyId, externalId);
  const single = await runSingle(
    context,
    {
      kind: issueFacts(model),
      profile: storeNamespace,
      inputDigest: `issue ${key} ${itemDigest(item)}`,
      scope: { companyId },
      items: [{ ordinal: 1, label: labelOf(invoice, externalId), dedupeKey: key, input: item }],
    },
    given,
  );
  return await concludeIssue(context, { single, item, given, notices: madeId(invoice, item) });
}

/** The request that would issue it. */
export async function previewIssue(context: Context, item: IssueItem): Promise<DryRun> {
  if (item.model === 'nfse') return await previewOne(context, 'nfse.issue', serviceCall(item));
  const below = belowStateTax(item);
  return below === undefined
    ? await previewOne(context, `${item.model}.issue`, merchandiseCall(item))
    : await previewOne(context, below.operation, below.input);
}

/** Reports the generated externalId. */
function madeId(invoice: InvoiceFields, item: IssueItem): readonly Text[] {
  if (typeof invoice['externalId'] === 'string') return [];
  const { externalId } = item;
  const why: Text = sendsExternalId(item)
    ? { en: 'so that it can be found again', pt: 'para que possa ser reencontrada' }
    : { en: 'so that this machine knows it again', pt: 'para que esta máquina a reconheça' };
  return [
    {
      en: `it has no externalId; ${externalId} was derived from its content, ${why.en}`,
      pt: `não tem externalId; ${externalId} foi formado a partir do conteúdo, ${why.pt}`,
    },
  ];
}

function anotherIdNeeded(): FiscalError {
  const message = {
    en: '--again issues another invoice, which needs its own externalId: give another --external-id instead of --again',
    pt: '--again emite outra nota, que precisa de um externalId próprio: informe outro --external-id e retire --again',
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}
