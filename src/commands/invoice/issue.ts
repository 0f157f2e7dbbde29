import type { Text } from '../../contract/text.js';
import type { CheckedModel } from '../../domain/invoice-check.js';
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
import { modelNames } from './invoice.js';
import { modelMissing, modelOfBody } from './model.js';
import { everyModel } from './options.js';
import { takeRegistration } from './registration.js';
import {
  checkedInvoice,
  type InvoiceFields,
  invalidInvoice,
  type IssueRequest,
  readContent,
  sampleInvoice,
} from './written-invoice.js';

/**
 * Issues one invoice, of the model that is named, or that its content tells; or shows a minimal body of it. Errors: those of
 * `modelOfBody`, `readContent`, `createInvoice` and `issueDocument`.
 */
export async function issueInvoice(
  context: Context,
  request: IssueRequest & { readonly model: CheckedModel | undefined; readonly sample: boolean },
): Promise<Outcome> {
  if (request.sample) {
    if (request.model === undefined) throw await modelMissing(context, everyModel);
    return { data: sampleInvoice(request.model, (await context.settings()).sends) };
  }
  const content = await readContent(context, request);
  const model = request.model ?? (await modelOfBody(context, content));
  context.goOn.found({ model });
  return model === 'general'
    ? await createInvoice(context, content, request)
    : await issueDocument(context, content, { ...request, model });
}

interface DocumentRequest extends IssueRequest {
  readonly model: InvoiceModel;
}

/**
 * Issues one NF-e, NFC-e or NFS-e as a job of one item. Its externalId is in the row before the send; a send whose outcome is
 * unknown is looked up by it before anything is sent again, and the same externalId is never issued twice by this machine.
 * Errors: `input.*`, `usage.*`, `invoice.*`, `job.key_held`, `outcome.unknown` (exit 3), with `wait` `outcome.ended_badly`
 * and `outcome.still_pending`, and those of the client.
 */
async function issueDocument(context: Context, content: unknown, request: DocumentRequest): Promise<Outcome> {
  const { model, again } = request;
  const { dryRun, sends } = await context.settings();
  const isInBody = request.idInBody || sends.externalId;
  const written = checkedInvoice(content, { ...request, isInBody, forms: sends });
  const registered = takeRegistration(model, written, request.stateTaxId);
  if ('problems' in registered) throw invalidInvoice(registered.problems, modelNames[model]);
  const { invoice, stateTaxId } = registered;
  const issuer: Issuer = { model, companyId: await companyOf(context) };
  if (again && typeof invoice['externalId'] === 'string') throw anotherIdNeeded();
  const externalId = externalIdOf(issuer, invoice, again ? context.random.uuid() : undefined);
  const item = issueItem(issuer, invoice, { externalId, isInBody, stateTaxId });
  if (dryRun) {
    const billedCalls = issueFacts(model).billed(item) ? 1 : 0;
    return {
      data: { ...(await previewIssue(context, item)), billedCalls },
      notices: madeId(invoice, item),
    };
  }
  if (again) context.goOn.byJobOnly();
  const earlier = await findEarlier(context, item);
  if (earlier !== undefined) return await repeatEarlier(context, { earlier, request });
  return await send(context, { request, invoice, item });
}

interface Sending {
  readonly request: DocumentRequest;
  readonly invoice: InvoiceFields;
  readonly item: IssueItem;
}

async function send(context: Context, { request, invoice, item }: Sending): Promise<Outcome> {
  const settings = await context.settings();
  const { companyId, externalId } = item;
  const key = issueKey(companyId, externalId);
  const single = await runSingle(
    context,
    {
      kind: issueFacts(request.model),
      profile: settings.storeNamespace,
      inputDigest: `issue ${key} ${itemDigest(item)}`,
      scope: { companyId },
      items: [{ ordinal: 1, label: labelOf(invoice, externalId), dedupeKey: key, input: item }],
    },
    request,
  );
  return await concludeIssue(context, { single, item, request, notices: madeId(invoice, item) });
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
