import { keepOldHeapSmall } from '../../jobs/small-heap.js';
import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { PlannedItem } from '../../jobs/engine.js';
import { issueFacts } from '../../jobs/kinds/invoice-issue.js';
import type { InvoiceModel, IssueItem } from '../../jobs/kinds/invoice-items.js';
import { sendsOf, dryRunOnly, leftOutNotices, RunningDigest } from '../../services/batch/import.js';
import { runBatch, type BatchOptions } from '../../services/batch/run-batch.js';
import type { Context } from '../../services/context.js';
import type { InputFormat } from '../../services/input/record.js';
import { missing, namedCompany } from '../../services/scope/companies.js';
import { companyOfRow, type RowCompany } from '../../services/scope/row.js';
import { companyOfLabel, companyText } from '../../services/scope/text.js';
import { invoiceFamily } from './family.js';
import { externalIdOf, issueItem, issueKey, labelOf, type Issuer } from './identity.js';
import {
  digestLine,
  type InvoiceInputs,
  openInvoices,
  validateAll,
  type ValidatedFile,
} from './import-file.js';
import { previewIssue } from './issue.js';
import { modelNames } from './invoice.js';

export interface ImportRequest {
  readonly model: InvoiceModel;
  /** A file, a folder, or `-` for standard input. */
  readonly path: string;
  readonly format: InputFormat | undefined;
  readonly environment: string | undefined;
  readonly skipInvalid: boolean;
  readonly unchecked: boolean;
  readonly options: BatchOptions;
}

/**
 * Issues many invoices as one job. The input is read twice, in constant memory: first to check every record, so that
 * nothing is sent while one is bad; then to write the job, with an externalId in every row. The same content again resumes the
 * same job, and an externalId that was used before is skipped. Errors: `input.*`, `usage.confirmation_required`, those of `runBatch`.
 */
export async function importInvoices(context: Context, request: ImportRequest): Promise<Outcome> {
  keepOldHeapSmall();
  const { model, path } = request;
  const named = await namedCompany(context);
  const companyOf = async (cell: unknown): Promise<RowCompany> =>
    (await companyOfRow(context, cell)) ?? { companyId: named ?? (await missing(context)) };
  const { dryRun, space } = await context.settings();
  const inputs = await openInvoices(context, path, { ...request, companyOf, again: !dryRun });
  try {
    const found = await validateAll(inputs.records(), inputs.name);
    if (found.problems.lines > 0 && !request.skipInvalid) throw found.problems.error(inputs.name);
    if (dryRun) return await dryRunOf(context, model, found);
    if (found.valid === 0) throw new FiscalError('input.empty', { path: inputs.name });
    const sending = { request, inputs, found };
    const counts = await countSends(context, sending);
    if (counts.sends > 0)
      await context.consent({
        what: await issuing(context, { model, companies: found.companies, counts, space }),
      });
    return await send(context, sending);
  } finally {
    await inputs.close();
  }
}

interface Sending {
  readonly request: ImportRequest;
  readonly inputs: InvoiceInputs;
  readonly found: ValidatedFile;
}

interface SendCounts {
  readonly sends: number;
  readonly billed: number;
}

/** What this run will send: nothing of what an earlier one has sent. */
async function countSends(context: Context, sending: Sending): Promise<SendCounts> {
  const { space: profile } = await context.settings();
  const { request, found } = sending;
  const intended = {
    ...{ kind: issueFacts(request.model), profile, inputDigest: inputDigest(found) },
    items: () => plan(sending),
    retryBillable: request.options.retryBillable,
  };
  let sends = 0;
  let billed = 0;
  for await (const send of sendsOf(context, intended)) {
    sends += 1;
    if (send.billed) billed += 1;
  }
  return { sends, billed };
}

function inputDigest({ digest }: ValidatedFile): string {
  return `import ${digest}`;
}

async function send(context: Context, sending: Sending): Promise<Outcome> {
  const { request, found } = sending;
  const [companyId = '', ...others] = found.companies;
  const settings = await context.settings();
  const outcome = await runBatch<IssueItem>(context, {
    family: invoiceFamily,
    options: request.options,
    summary: () => ({ invalid: found.problems.lines }),
    job: {
      kind: issueFacts(request.model),
      profile: settings.space,
      inputDigest: inputDigest(found),
      scope: { companyId: others.length === 0 ? companyId : '' },
      items: plan(sending),
    },
  });
  return { ...outcome, notices: [...noticesOf(found), ...(outcome.notices ?? [])] };
}

/** The second reading. What differs from the first is no file that anybody has seen: nothing is sent. */
async function* plan({ request: { model }, inputs, found }: Sending): AsyncIterable<PlannedItem<IssueItem>> {
  const digest = new RunningDigest();
  for await (const record of inputs.records()) {
    if ('problems' in record) continue;
    const { line, invoice, companyId } = record;
    const issuer: Issuer = { model, companyId };
    digest.add(digestLine(record));
    const externalId = externalIdOf(issuer, invoice);
    yield {
      ordinal: line,
      label: labelOf(invoice, externalId),
      dedupeKey: issueKey(companyId, externalId),
      input: issueItem(issuer, invoice, externalId),
    };
  }
  if (digest.text() !== found.digest) throw new FiscalError('input.changed', { path: inputs.name });
}

async function dryRunOf(context: Context, model: InvoiceModel, found: ValidatedFile): Promise<Outcome> {
  const { first, valid, billed, problems } = found;
  const preview =
    first === undefined
      ? { type: 'dry-run', operation: `${model}.issue` }
      : await previewIssue(context, firstItem(model, first));
  const counts = { records: valid + problems.lines, valid, invalid: problems.lines, billedCalls: billed };
  return { data: { ...preview, ...counts }, notices: [...noticesOf(found), dryRunOnly] };
}

function noticesOf({ problems, unnamed }: ValidatedFile): readonly Text[] {
  return [...(unnamed > 0 ? [madeIds(unnamed)] : []), ...leftOutNotices(problems)];
}

function madeIds(count: number): Text {
  return {
    en: `${count} records have no externalId: one was made of the content of each, so that two records of the same content are one invoice`,
    pt: `${count} registros não têm externalId: um foi formado do conteúdo de cada um, de modo que dois registros iguais são uma só nota`,
  };
}

function firstItem(
  model: InvoiceModel,
  { invoice, companyId }: NonNullable<ValidatedFile['first']>,
): IssueItem {
  const issuer: Issuer = { model, companyId };
  return issueItem(issuer, invoice, externalIdOf(issuer, invoice));
}

interface Issuing {
  readonly model: InvoiceModel;
  readonly companies: ReadonlySet<string>;
  readonly counts: SendCounts;
  readonly space: string;
}

async function issuing(context: Context, { model, companies, counts, space }: Issuing): Promise<Text> {
  const { sends, billed } = counts;
  const name = modelNames[model];
  const label = await (await context.scope()).labels();
  const list = [...companies].map((id) => companyText(companyOfLabel(id, label(id)))).join('; ');
  const calls = counted(billed, nouns.billedCall);
  const [company, empresa] = companies.size === 1 ? ['company', 'empresa'] : ['companies', 'empresas'];
  return {
    en: `issuing ${sends} ${name.en} with ${calls.en} (profile ${space}, ${company} ${list})`,
    pt: `emitir ${sends} ${name.pt} com ${calls.pt} (perfil ${space}, ${empresa} ${list})`,
  };
}
