import type { Given } from '../../cli/command.js';
import type { apply } from './commands.js';
import type { Text } from '../../contract/text.js';
import type { DataRecord } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { sumOfBilled } from '../../jobs/billed-calls.js';
import { endsRun, isWorkedThrough, type JobResult, type PlannedItem, type StopReason } from '../../jobs/engine.js';
import {
  productCreate,
  productUpdate,
  seenBy,
  type ProductCreateInput,
  type ProductUpdateInput,
} from '../../jobs/kinds/product.js';
import { batchExitCode, batchNotices } from '../../services/batch/notices.js';
import {
  conflictNotices,
  continueBatch,
  runBatch,
  type BatchOptions,
  type BatchOutcome,
  type OwnRecords,
} from '../../services/batch/run-batch.js';
import type { EarlyRecords } from '../../services/batch/early.js';
import { withWholeCommands } from '../../services/batch/records.js';
import type { Context } from '../../services/context.js';
import { type ImportInput, readAgain } from '../../services/batch/import-input.js';
import type { Source } from '../../services/input/source.js';
import { forEachConcurrent } from '../../jobs/concurrency.js';
import { validated, type PlannedRow } from './apply-plan.js';
import { endNotices, repeatRecords, rowRecord, type Sent, sentRecord } from './apply-report.js';
import { createKey, type ProductScope, skuOf, updateKey } from './known-products.js';
import { productFamily } from './family.js';
import { productInput, type ProductRecord, type ValidatedProducts, type ValidProduct } from './import-file.js';
import { untilValidated } from './validation.js';

export type ApplyGiven = Given<typeof apply>;

/** The checked file, and the tenant of its products. */
export interface Work extends ProductScope {
  readonly given: ApplyGiven;
  readonly input: ImportInput<ValidProduct>;
  readonly found: ValidatedProducts;
  readonly early: EarlyRecords;
}

/** The products of the file. A row without a SKU is invalid: its product could not be found again. */
export function namedProducts(source: Source, given: ApplyGiven): ImportInput<ValidProduct> {
  const input = productInput(source, given);
  return { ...input, records: () => requireSkus(input.records()) };
}

async function* requireSkus(records: AsyncIterable<ProductRecord>): AsyncIterable<ProductRecord> {
  for await (const record of records) {
    const isNamed = 'problems' in record || skuOf(record.product) !== undefined;
    yield isNamed ? record : { line: record.line, problems: [{ field: 'sku', message: skuNeeded }] };
  }
}

interface Result extends Sent {
  readonly notices: readonly Text[];
}

/** Creates and updates the products of the plan, as one job each, and with `wait` follows them. */
export async function send(context: Context, work: Work, planned: readonly PlannedRow[]): Promise<Result> {
  const { given } = work;
  const startedAt = context.clock.uptime();
  const rows = await takeOver(context, planned);
  const runs = new Map<'create' | 'update', JobResult>();
  for (const action of ['create', 'update'] as const) {
    if (!rows.some((row) => row.action === action)) continue;
    if ([...runs.values()].some(({ stopped }) => !isWorkedThrough(stopped))) break;
    const options = leftOf(given, [...runs.values()]);
    const besides = runs.size === 0 && work.early.isWanted ? await unsentRecords(context, work, rows) : [];
    const { result } = await runJob(context, { work, rows, action, options, besides });
    runs.set(action, result);
  }
  const billed = sumOfBilled([...runs.values()].map((result) => result.billed));
  const isSent = [...runs.values()].every(({ stopped }) => isWorkedThrough(stopped));
  const deadline = startedAt + given.timeout;
  if (given.wait && isSent) await followJobs(context, work, { runs, deadline, rows });
  const results = [...runs.values()];
  const ended = results.find(({ stopped }) => endsRun(stopped));
  const isFollowed = given.wait && isSent && ended === undefined;
  const { rows: after, error } = isFollowed
    ? await followRows(context, work, { rows, deadline })
    : { rows, error: ended?.error };
  const skipped = results.reduce((sum, { counts }) => sum + counts.skipped, 0);
  const exitCode = error?.exitCode ?? exitCodeOf({ rows: after, results, skipped, wait: given.wait });
  const notices = results.flatMap((result) => batchNotices({ ...result, billed: sumOfBilled([]) }));
  const family = productFamily(context, work.storeNamespace);
  if (error === undefined)
    for (const result of results) notices.push(...(await conflictNotices(context, family, result)));
  const jobs = { create: runs.get('create')?.job.id, update: runs.get('update')?.job.id };
  return {
    ...{ rows: after, jobs, billed, exitCode, error, stopped: stoppedBy({ results, error, exitCode }) },
    notices: [...notices, ...endNotices({ rows: after, results, billed })],
  };
}

/** Of several runs, the first that left something to do. */
function stoppedBy({
  results,
  error,
  exitCode,
}: Pick<Applied, 'results'> & Pick<Sent, 'error' | 'exitCode'>): StopReason {
  const all = results.map(({ stopped }) => stopped);
  const early = all.find((stopped) => !isWorkedThrough(stopped));
  if (early !== undefined) return early;
  if (error !== undefined) return error.code === 'job.interrupted' ? 'interrupted' : 'error';
  if (exitCode === ExitCode.pending) return 'timeout';
  return all.find((stopped) => stopped !== 'complete') ?? 'complete';
}

/** Takes over the items that an earlier run stored and never sent. */
async function takeOver(context: Context, rows: readonly PlannedRow[]): Promise<readonly PlannedRow[]> {
  const jobs = await context.jobs();
  const result: PlannedRow[] = [];
  for (const row of rows) {
    const { replaces, label } = row;
    if (replaces === undefined || (await jobs.cancelItem(replaces, { is: 'cancelled', because: 'sent-again' }))) {
      result.push(row);
      continue;
    }
    const problem = new FiscalError('product.in_work', { name: label, job: replaces.jobId });
    result.push({ ...row, action: 'blocked', state: 'failed', billed: false, problem });
  }
  return result;
}

/** The remaining limits, which apply to the whole command. */
function leftOf(options: BatchOptions, results: readonly JobResult[]): BatchOptions {
  const { billed, unknown } = sumOfBilled(results.map((result) => result.billed));
  const failed = results.reduce((sum, { counts }) => sum + counts.failed + counts.rejected, 0);
  const { maxBillable, maxFailures } = options;
  return {
    ...options,
    ...{ wait: false, report: undefined, metricsFile: undefined },
    maxBillable: maxBillable === undefined ? undefined : maxBillable - billed - unknown,
    maxFailures: maxFailures === undefined ? undefined : maxFailures - failed,
  };
}

interface JobWork {
  readonly work: Work;
  readonly rows: readonly PlannedRow[];
  readonly action: 'create' | 'update';
  readonly options: BatchOptions;
  readonly besides: readonly DataRecord[];
}

/** The records of rows that are not sent and that nobody follows. */
async function unsentRecords(
  context: Context,
  { given, found }: Work,
  rows: readonly PlannedRow[],
): Promise<readonly DataRecord[]> {
  const isOpen = ({ action, state }: PlannedRow): boolean =>
    action === 'create' || action === 'update' || (given.wait && state === 'pending');
  const ended = rows.filter((row) => !isOpen(row)).map((row) => withWholeCommands(context, rowRecord(row)));
  return [...(await Promise.all(ended)), ...repeatRecords(found.repeats)];
}

/** What is accepted has ended unless it is followed. */
function earlyOf(context: Context, { early, given }: Work, rows: readonly PlannedRow[]): OwnRecords {
  const byLine = new Map(rows.map((row) => [row.line, row]));
  return {
    records: early,
    async recordOf(item) {
      const row = byLine.get(item.ordinal);
      if (row === undefined || (given.wait && item.state === 'pending')) return undefined;
      return await withWholeCommands(context, sentRecord(row, item, undefined));
    },
  };
}

async function runJob(context: Context, { work, rows, action, options, besides }: JobWork): Promise<BatchOutcome> {
  const { storeNamespace, tenantId } = work;
  const isBoth = ['create', 'update'].every((each) => rows.some((row) => row.action === each));
  const names = {
    profile: storeNamespace,
    // The job of one action is not the whole file.
    needsInput: isBoth && work.input.file !== undefined,
    // Every apply writes its own jobs: it takes over the open items of an earlier one row by row.
    inputDigest: `apply ${tenantId} ${action} ${context.random.uuid()}`,
    scope: { tenantId },
  };
  const early = earlyOf(context, work, rows);
  const batch = { family: productFamily(context, storeNamespace), options, besides, early };
  const items = itemsOf(work, rows, action);
  if (action === 'update') {
    return await runBatch(context, { ...batch, job: { ...names, kind: productUpdate, items } });
  }
  return await runBatch<ProductCreateInput>(context, { ...batch, job: { ...names, kind: productCreate, items } });
}

async function* itemsOf(
  { input, found, tenantId }: Work,
  rows: readonly PlannedRow[],
  action: 'create' | 'update',
): AsyncIterable<PlannedItem<ProductUpdateInput>> {
  const wanted = new Map(rows.filter((row) => row.action === action).map((row) => [row.line, row]));
  for await (const { line, product } of readAgain(input, found)) {
    const row = wanted.get(line);
    if (row === undefined) continue;
    const { label, productId = '', changes = [] } = row;
    const dedupeKey = action === 'create' ? createKey(tenantId, product) : updateKey(tenantId, productId, product);
    yield { ordinal: line, label, dedupeKey, input: { tenantId, productId, product, seen: seenBy(changes) } };
  }
}

interface Following {
  readonly deadline: number;
}

async function followJobs(
  context: Context,
  work: Work,
  { runs, deadline, rows }: Following & Pick<Sent, 'rows'> & { readonly runs: Map<'create' | 'update', JobResult> },
): Promise<void> {
  const { storeNamespace, given } = work;
  const early = earlyOf(context, work, rows);
  for (const [action, { job, counts }] of runs) {
    if (counts.pending === 0) continue;
    const timeout = Math.max(0, deadline - context.clock.uptime());
    const options = { ...given, report: undefined, metricsFile: undefined, timeout };
    const family = productFamily(context, storeNamespace);
    runs.set(action, (await continueBatch(context, job.id, { family, options, early })).result);
  }
}

/** Follows products that match the file, but whose validation was still running when they were read. `error`: what ended that. */
async function followRows(
  context: Context,
  { storeNamespace, tenantId, given }: Work,
  { rows, deadline }: Following & { readonly rows: readonly PlannedRow[] },
): Promise<Pick<Sent, 'rows' | 'error'>> {
  const { interval } = given;
  const followed = new Map<number, PlannedRow>();
  async function* open() {
    yield* rows.filter((row) => row.action === 'unchanged' && row.state === 'pending');
  }
  const { concurrency } = await context.settings();
  const following = forEachConcurrent(open(), concurrency, async (row) => {
    const timeout = Math.max(0, deadline - context.clock.uptime());
    const { productId = '' } = row;
    const { product } = await untilValidated(context, tenantId, { productId, timeout, interval });
    followed.set(row.line, validated(row, product));
  });
  const error = await following.then(
    () => undefined,
    (failure: unknown) => {
      if (failure instanceof FiscalError) return failure;
      throw failure;
    },
  );
  context.progress.stop();
  const resourceIds = [...followed.values()].flatMap(({ productId }) => productId ?? []);
  const nudge = { profile: storeNamespace, resourceIds, intervalMs: interval, signal: context.interruption };
  // Items of earlier runs may still wait for these products.
  if (resourceIds.length > 0 && error === undefined) await (await context.jobs()).nudge(nudge);
  return { rows: rows.map((row) => followed.get(row.line) ?? row), error };
}

interface Applied {
  readonly rows: readonly PlannedRow[];
  readonly results: readonly JobResult[];
  /** Rows that another run sent in the meantime. */
  readonly skipped: number;
  readonly wait: boolean;
}

/** The cause of a stop comes first, then rows that differ from the file, then pending rows. */
function exitCodeOf({ rows, results, skipped, wait }: Applied): ExitCode {
  const codes = results.map(batchExitCode);
  const stop = codes.find((code) => code !== ExitCode.ok && code !== ExitCode.partial);
  if (stop !== undefined) return stop;
  const isPartial = codes.includes(ExitCode.partial) || rows.some(({ action }) => action === 'blocked');
  if (isPartial || skipped > 0) return ExitCode.partial;
  return wait && rows.some(({ state }) => state === 'pending') ? ExitCode.pending : ExitCode.ok;
}

const skuNeeded: Text = { en: 'is required: it identifies the product', pt: 'é obrigatório: ele identifica o produto' };
