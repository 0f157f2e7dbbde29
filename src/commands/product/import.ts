import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { PlannedItem } from '../../jobs/engine.js';
import { productCreate, type ProductCreateInput } from '../../jobs/kinds/product.js';
import { sendsOf } from '../../services/batch-sends.js';
import { runBatch, type BatchOptions } from '../../services/batch.js';
import type { Context } from '../../services/context.js';
import type { InputFormat } from '../../services/input/record.js';
import { dryRunOnly, leftOutNotices } from '../../services/input/import-notices.js';
import { openSource, type Source } from '../../services/input/source.js';
import { previewOne } from '../../services/preview.js';
import { contentDigest, createKey, labelOf } from './identity.js';
import { productFamily } from './import-family.js';
import { productRecords } from './import-records.js';
import { LeftOut } from './left-out.js';
import { survey, type Survey } from './import-survey.js';
import { RunningDigest } from '../../services/input/running-digest.js';
import { tenantOf } from '../../services/read-tenant.js';

export interface ImportRequest {
  /** A path, or `-` for standard input. */
  readonly file: string;
  readonly format: InputFormat | undefined;
  readonly skipInvalid: boolean;
  readonly unchecked: boolean;
  readonly options: BatchOptions;
}

/**
 * Creates many products as one job. The input is read twice, in flat memory: first every record is checked, so that one
 * bad record means that nothing is sent; then the job is written. The same content again resumes the same job.
 * Errors: `input.*`, `usage.confirmation_required` when calls are billed, and those of `runBatch`.
 */
export async function importProducts(context: Context, request: ImportRequest): Promise<Outcome> {
  const settings = await context.settings();
  const tenantId = await tenantOf(context);
  const source = await openSource(context, request.file, { again: !settings.dryRun });
  try {
    const found = await survey(productRecords(source, request), source.name, tenantId);
    if (found.problems.lines > 0 && !request.skipInvalid) throw found.problems.error(source.name);
    if (settings.dryRun) return await dryRun(context, tenantId, found);
    if (found.valid === 0) throw new FiscalError('input.empty', { path: source.name });
    const sending = { request, source, found, tenantId };
    const { sends, billed } = await countSends(context, sending);
    if (billed > 0)
      await context.consent({ what: billedCalls({ sends, billed, space: settings.space, tenantId }) });
    return await send(context, sending);
  } finally {
    await source.close();
  }
}

interface Sending {
  readonly request: ImportRequest;
  readonly source: Source;
  readonly found: Survey;
  readonly tenantId: string;
}

/** What this run will send: nothing of what an earlier one has sent, or of what exists already. */
async function countSends(context: Context, sending: Sending) {
  const { space } = await context.settings();
  const { found, tenantId, request } = sending;
  const leftOut = new LeftOut(await context.store(), { space, tenantId });
  let sends = 0;
  let billed = 0;
  const intended = { kind: productCreate, profile: space, inputDigest: inputDigest(tenantId, found) };
  const { retryBillable } = request.options;
  for await (const send of sendsOf(context, {
    ...intended,
    retryBillable,
    items: () => plan(sending, leftOut),
  })) {
    sends += 1;
    if (send.billed) billed += 1;
  }
  return { sends, billed };
}

function inputDigest(tenantId: string, { digest }: Survey): string {
  return `import ${tenantId} ${digest}`;
}

async function send(context: Context, sending: Sending): Promise<Outcome> {
  const { request, found, tenantId } = sending;
  const settings = await context.settings();
  const leftOut = new LeftOut(await context.store(), { space: settings.space, tenantId });
  const outcome = await runBatch<ProductCreateInput>(context, {
    family: productFamily(context, settings.space),
    options: request.options,
    summary: () => ({ invalid: found.problems.lines, leftOut: leftOut.count }),
    blocked: () => leftOut.problems,
    job: {
      kind: productCreate,
      profile: settings.space,
      inputDigest: inputDigest(tenantId, found),
      scope: { tenantId },
      items: plan(sending, leftOut),
    },
  });
  const notices = [...noticesOf(found), ...leftOut.notices(), ...(outcome.notices ?? [])];
  return { ...outcome, notices };
}

/** The second reading. What differs from the first is no plan that anybody has seen: nothing is sent. */
async function* plan(sending: Sending, leftOut: LeftOut): AsyncIterable<PlannedItem<ProductCreateInput>> {
  const { request, source, found, tenantId } = sending;
  const digest = new RunningDigest();
  for await (const record of productRecords(source, request)) {
    if ('problems' in record) continue;
    const { line, product } = record;
    digest.add(contentDigest(product));
    if (await leftOut.takes(line, product)) continue;
    const dedupeKey = createKey(tenantId, product);
    yield { ordinal: line, label: labelOf(product), dedupeKey, input: { tenantId, product } };
  }
  if (digest.text() !== found.digest) throw new FiscalError('input.changed', { path: source.name });
}

async function dryRun(context: Context, tenantId: string, found: Survey): Promise<Outcome> {
  const { first, valid, billed, problems } = found;
  const preview =
    first === undefined
      ? { type: 'dry-run', operation: 'product.create' }
      : await previewOne(context, 'product.create', { path: { tenantId }, body: first });
  return {
    data: {
      ...preview,
      records: valid + problems.lines,
      valid,
      invalid: problems.lines,
      billedCalls: billed,
    },
    notices: [...noticesOf(found), dryRunOnly],
  };
}

function noticesOf({ problems, notes }: Survey): readonly Text[] {
  const noted = notes.map(({ field, message }) => ({
    en: `${field} ${message.en}`,
    pt: `${field} ${message.pt}`,
  }));
  return [...noted, ...leftOutNotices(problems)];
}

interface Question {
  readonly sends: number;
  readonly billed: number;
  readonly space: string;
  readonly tenantId: string;
}

function billedCalls({ sends, billed, space, tenantId }: Question): Text {
  const [products, calls] = [counted(sends, nouns.product), counted(billed, nouns.billedCall)];
  return {
    en: `creating ${products.en} with ${calls.en} (profile ${space}, tenant ${tenantId})`,
    pt: `criar ${products.pt} com ${calls.pt} (perfil ${space}, tenant ${tenantId})`,
  };
}
