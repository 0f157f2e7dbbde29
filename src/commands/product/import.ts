import { keepOldHeapSmall } from '../../jobs/small-heap.js';
import type { ProductInput } from '../../contract/product.js';
import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { PlannedItem } from '../../jobs/engine.js';
import { productCreate, type ProductCreateInput } from '../../jobs/kinds/product.js';
import { sendsOf, dryRunOnly, leftOutNotices, RunningDigest } from '../../services/batch/import.js';
import { type BatchOptions, runBatch } from '../../services/batch/run-batch.js';
import type { Context } from '../../services/context.js';
import type { InputFormat } from '../../services/input/record.js';
import { openSource, type Source } from '../../services/input/source.js';
import { previewOne } from '../../services/calls/one-call.js';
import { tenantOf } from '../../services/scope/companies.js';
import type { Store } from '../../store/store.js';
import { problemOfExisting, productFamily } from './family.js';
import { productRecords, validateAll, type ValidatedFile } from './import-file.js';
import { contentDigest, createKey, findCreated, labelOf, type ProductScope } from './known-products.js';

export interface ImportRequest {
  /** A path, or `-` for standard input. */
  readonly file: string;
  readonly format: InputFormat | undefined;
  readonly skipInvalid: boolean;
  readonly unchecked: boolean;
  readonly options: BatchOptions;
}

/**
 * Creates many products as one job. The input is read twice, in constant memory: first to check every record, so that nothing
 * is sent while one is bad; then to write the job. The same content again resumes the same job.
 * Errors: `input.*`, `usage.confirmation_required` when calls are billed, and those of `runBatch`.
 */
export async function importProducts(context: Context, request: ImportRequest): Promise<Outcome> {
  keepOldHeapSmall();
  const settings = await context.settings();
  const tenantId = await tenantOf(context);
  const source = await openSource(context, request.file, { again: !settings.dryRun });
  try {
    const found = await validateAll(productRecords(source, request), source.name, tenantId);
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
  readonly found: ValidatedFile;
  readonly tenantId: string;
}

/** Counts what this run sends: not what an earlier one has sent, and not what exists already. */
async function countSends(context: Context, sending: Sending) {
  const { space } = await context.settings();
  const { found, tenantId, request } = sending;
  const skipped = new SkippedRows(await context.store(), { space, tenantId });
  let sends = 0;
  let billed = 0;
  const intended = { kind: productCreate, profile: space, inputDigest: inputDigest(tenantId, found) };
  const { retryBillable } = request.options;
  for await (const send of sendsOf(context, {
    ...intended,
    retryBillable,
    items: () => plan(sending, skipped),
  })) {
    sends += 1;
    if (send.billed) billed += 1;
  }
  return { sends, billed };
}

function inputDigest(tenantId: string, { digest }: ValidatedFile): string {
  return `import ${tenantId} ${digest}`;
}

async function send(context: Context, sending: Sending): Promise<Outcome> {
  const { request, found, tenantId } = sending;
  const settings = await context.settings();
  const skipped = new SkippedRows(await context.store(), { space: settings.space, tenantId });
  const outcome = await runBatch<ProductCreateInput>(context, {
    family: productFamily(context, settings.space),
    options: request.options,
    summary: () => ({ invalid: found.problems.lines, leftOut: skipped.count }),
    blocked: () => skipped.problems,
    job: {
      kind: productCreate,
      profile: settings.space,
      inputDigest: inputDigest(tenantId, found),
      scope: { tenantId },
      items: plan(sending, skipped),
    },
  });
  const notices = [...noticesOf(found), ...skipped.notices(), ...(outcome.notices ?? [])];
  return { ...outcome, notices };
}

/** Reads the file again. If it differs from the first reading, nothing is sent: nobody has agreed to it. */
async function* plan(sending: Sending, skipped: SkippedRows): AsyncIterable<PlannedItem<ProductCreateInput>> {
  const { request, source, found, tenantId } = sending;
  const digest = new RunningDigest();
  for await (const record of productRecords(source, request)) {
    if ('problems' in record) continue;
    const { line, product } = record;
    digest.add(contentDigest(product));
    if (await skipped.skips(line, product)) continue;
    const dedupeKey = createKey(tenantId, product);
    yield { ordinal: line, label: labelOf(product), dedupeKey, input: { tenantId, product } };
  }
  if (digest.text() !== found.digest) throw new FiscalError('input.changed', { path: source.name });
}

async function dryRun(context: Context, tenantId: string, found: ValidatedFile): Promise<Outcome> {
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

function noticesOf({ problems, notes }: ValidatedFile): readonly Text[] {
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

const SHOWN = 20;

/**
 * Records whose product exists although no item holds its key any more, because its job was pruned. They are skipped: a create
 * would make a second product. Where the product differs from the record, it needs an update.
 */
export class SkippedRows {
  count = 0;
  /** Those whose product differs from the record. */
  problems = 0;
  readonly #store: Store;
  readonly #scope: ProductScope;
  readonly #shown: Text[] = [];

  constructor(store: Store, scope: ProductScope) {
    this.#store = store;
    this.#scope = scope;
  }

  async skips(line: number, wanted: ProductInput): Promise<boolean> {
    const { space, tenantId } = this.#scope;
    const key = createKey(tenantId, wanted);
    const created = await findCreated(this.#store, { ...this.#scope, key });
    if (created === undefined) return false;
    const holder = await this.#store.items.holder({
      profile: space,
      kind: productCreate.name,
      dedupeKey: key,
    });
    // The engine skips this record itself, with a link to the item.
    if (holder !== undefined) return false;
    const { productId: id, status } = created;
    const name = labelOf(wanted);
    const problem = await problemOfExisting(this.#store, this.#scope, { id, name, wanted, status });
    this.count += 1;
    if (problem !== undefined) this.problems += 1;
    if (this.#shown.length < SHOWN) this.#shown.push(sentence(line, name, id, problem?.error));
    return true;
  }

  notices(): readonly Text[] {
    return this.#shown;
  }
}

function sentence(line: number, label: string, productId: string, problem: string | undefined): Text {
  const why = problem === undefined ? '' : `: ${problem}`;
  return {
    en: `line ${line}: ${label} exists as ${productId} and is skipped${why}`,
    pt: `linha ${line}: ${label} já existe como ${productId} e é ignorado${why}`,
  };
}
