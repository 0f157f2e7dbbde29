import { Readable } from 'node:stream';
import type { Text } from '../../contract/text.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { ErrorCode } from '../../errors/catalogue.js';
import { errorOf, reasons } from '../../errors/reasons.js';
import type { FiscalError } from '../../errors/fiscal-error.js';
import { filled, type TextValues } from '../../errors/text-template.js';
import { Prose } from '../../domain/prose.js';
import { sumOfBilled } from '../../jobs/billed-calls.js';
import { endsRun, type JobProgress, type JobResult, type Learned, type RunOptions } from '../../jobs/engine.js';
import type { AuthorityAnswer } from '../../jobs/authority-answer.js';
import { itemPages } from '../../jobs/item-pages.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import type { RunnableKind } from '../../jobs/kind.js';
import type { ItemRow, ItemState, JobRow } from '../../store/store.js';
import { counted } from '../../domain/counted.js';
import { batchExitCode, batchNotices } from './notices.js';
import { EarlyRecords } from './early.js';
import { MetricsFile, ReportFile, writeReport } from './files.js';
import type { FollowOptions } from './follow.js';
import { isOfStore, itemRecord, summaryRecord, withSummary, withWholeCommands } from './records.js';
import type { Context, Progress } from '../context.js';
import { runOptions, startJob, type JobRequest } from './start-job.js';

/** The options of every batch. */
export interface BatchOptions extends FollowOptions {
  readonly onError: 'continue' | 'stop';
  readonly maxFailures: number | undefined;
  readonly maxBillable: number | undefined;
  readonly lockWait: number;
  /** One line on stderr per interval; absent: the progress display. */
  readonly stats: number | undefined;
  /** Prometheus text, replaced atomically while the work goes on. */
  readonly metricsFile: string | undefined;
  /** CSV with one row per item, written at the end. */
  readonly report: string | undefined;
}

/** The family-specific parts of a batch. */
export interface BatchFamily {
  /** Shown while the work goes on, e.g. "importing products". */
  readonly label: Text;
  /** The field among `fields` that holds the id at the service. */
  readonly idField: string;
  /** Further fields of the record that the report has as columns. */
  readonly reportFields?: readonly string[];
  /** The family's own fields of an item's record, e.g. `productId`. `duplicate`: the item that a skipped one repeats. */
  fields(item: ItemRow, duplicate: ItemRow | undefined): Readonly<Record<string, unknown>>;
  /** The kind of the job with what only this run has, such as numbers that no row may hold. */
  readonly kind?: RunnableKind;
  /** Further fields, which must be read first. `heard`: what the authority said just now. */
  read?(
    item: ItemRow,
    duplicate: ItemRow | undefined,
    heard?: AuthorityAnswer,
  ): Promise<Readonly<Record<string, unknown>>>;
  /** Gets every item after the run, in pages: keep what was seen of the service. */
  keep?(items: readonly ItemRow[]): Promise<void>;
  /**
   * The problem of a skipped item: its resource exists, but differs from the input. Exits 3.
   */
  problem?(item: ItemRow, duplicate: ItemRow | undefined): Promise<ItemProblem | undefined>;
  /** The cause in one sentence where every item failed with this error; without it, they must have failed with one sentence. */
  cause?(code: string): Text | undefined;
  /** The hint for a 409 of this operation that names no resource, with the next command. */
  conflict?(operation: string): Text | undefined;
  /** Notices about the outcome, besides those of every batch. */
  notices?(result: JobResult): readonly Text[];
  /** How to follow items that the service has accepted and not decided; without it, in the words of every batch. */
  readonly accepted?: (count: number, jobId: string) => Text;
  /** What comes after a run in which everything came to its end. */
  readonly next?: Text;
  /** For items that the service works on for long. */
  meter?(items: AsyncIterable<ItemRow>): Promise<Meter>;
}

/** Shown in the record of the item. */
export interface ItemProblem {
  readonly errorCode: ErrorCode;
  readonly error: Prose;
}

/** The outcome of a batch, and how its run ended. */
export interface BatchOutcome extends Outcome {
  readonly result: JobResult;
}

/** Counts the work inside the items, where the service reports progress: shown instead of the number of finished items. */
export interface Meter {
  see(item: ItemRow, remoteStatus: string): void;
  readonly done: number;
  readonly total: number;
}

/** What to do with a stored job. */
export interface BatchWork {
  readonly family: BatchFamily;
  readonly options: BatchOptions;
  /** Fields for the summary that only the caller knows, e.g. how many records were left out. */
  readonly summary?: () => Readonly<Record<string, unknown>>;
  /** How many valid records of the input have no item, and yet are not as the input says: exit 3. */
  readonly blocked?: () => number;
  /** Records of what has no item, before the others. */
  readonly besides?: readonly DataRecord[];
  /** An item that has its record among those. */
  readonly isBesides?: (item: ItemRow) => boolean;
  /** Where the caller's records are other ones. */
  readonly early?: OwnRecords;
}

/** Those of a caller, with what is written of an item that has ended; nothing: its record comes at the end. */
export interface OwnRecords {
  readonly records: EarlyRecords;
  recordOf(item: ItemRow): Promise<DataRecord | undefined>;
}

export interface Batch<Input> extends BatchWork {
  readonly job: JobRequest<Input>;
  /** What a reading has shown already of a new item, which then needs no request. */
  readonly learned?: (item: ItemRow) => Learned;
}

/**
 * Starts or resumes a job of many items, works on it, and gives back one record per item and a summary, as a stream. Where each record is
 * a line of the output, those of items that end are written at once, and the stream has the others.
 * The exit code is 0, 3, 4, 5, 8, 11, 12 or 14, or that of the one cause for which every item failed; an interruption throws (130, 143).
 */
export async function runBatch<Input>(context: Context, batch: Batch<Input>): Promise<BatchOutcome> {
  const files = await openFiles(context, batch.options);
  const { job, resumed } = await startJob(context, batch.job);
  if (resumed) await context.notice(known(job));
  if (batch.learned !== undefined) {
    const engine = await context.jobs();
    for await (const item of engine.items(job.id, ['prepared'])) await engine.learn(item, batch.learned(item));
  }
  return await work(context, job.id, { ...batch, files });
}

/** The same for a job that is already in the store. */
export async function continueBatch(context: Context, jobId: string, batch: BatchWork): Promise<BatchOutcome> {
  return await work(context, jobId, { ...batch, files: await openFiles(context, batch.options) });
}

interface HeldBatch extends BatchWork {
  readonly error: FiscalError;
}

/** A job that another process works on, as it stands: this run has done nothing. */
export async function heldBatch(context: Context, job: JobRow, { error, ...batch }: HeldBatch): Promise<BatchOutcome> {
  const files = await openFiles(context, batch.options);
  const store = await context.store();
  const result: JobResult = {
    job,
    counts: await store.jobs.counts(job.id),
    ...{ finished: 0, elapsedMs: 0, newStore: false, billed: sumOfBilled([]), error },
    stopped: error.code === 'job.interrupted' ? 'interrupted' : 'held',
    withoutLookup: await store.jobs.withoutLookup(job.id),
  };
  const end = { result, exitCode: error.exitCode };
  const failedReport = await writeReport(files.report, () => records(context, batch, end), batch.family);
  await files.metrics?.finish(result);
  return { ...end, data: records(context, batch, end), error, ...(failedReport && { notices: [failedReport.text] }) };
}

/** A batch in which nothing is left that could be sent, so that it has no job. */
interface EmptyBatch {
  readonly options: Pick<BatchOptions, 'report'>;
  readonly family: Pick<BatchFamily, 'idField' | 'reportFields'>;
  /** Records of what is not sent: exit 3. */
  readonly besides: readonly DataRecord[];
  readonly summary: Readonly<Record<string, unknown>>;
  readonly notices: readonly Text[];
}

/** The outcome of a batch without a job, in the form of every other one. */
export async function emptyBatch(context: Context, batch: EmptyBatch): Promise<Outcome> {
  const { options, family, besides, summary, notices } = batch;
  const report = options.report === undefined ? undefined : await ReportFile.open(context, options.report);
  const exitCode = besides.length > 0 ? ExitCode.partial : ExitCode.ok;
  const data = [...besides, { type: 'summary', total: 0, ...summary, stopped: 'complete', exitCode }];
  const error = await writeReport(report, () => Readable.from(data), family);
  return { data, exitCode, notices, error };
}

interface Files {
  readonly report: ReportFile | undefined;
  readonly metrics: MetricsFile | undefined;
}

/** Opened before anything is sent, so that a path that cannot be written stops the command. */
async function openFiles(context: Context, { report, metricsFile }: BatchOptions): Promise<Files> {
  return {
    report: report === undefined ? undefined : await ReportFile.open(context, report),
    metrics: metricsFile === undefined ? undefined : await MetricsFile.open(context, metricsFile),
  };
}

async function work(
  context: Context,
  jobId: string,
  batch: BatchWork & { readonly files: Files },
): Promise<BatchOutcome> {
  const { family, options, files } = batch;
  const engine = await context.jobs();
  const meter = await family.meter?.(engine.items(jobId));
  const watch = new Watch(context, batch, { metrics: files.metrics, jobId, meter });
  const { concurrency } = await context.settings();
  const { onError, lockWait, maxFailures, maxBillable } = options;
  const stored = new Map<string, ItemRow>();
  const early = batch.early?.records ?? new EarlyRecords(context);
  const result = await engine
    .run(jobId, {
      ...(await runOptions(context, options)),
      ...{ concurrency, onError, lockWaitMs: lockWait },
      ...(maxFailures === undefined ? {} : { maxFailures }),
      ...(maxBillable === undefined ? {} : { maxBillable }),
      ...(family.kind === undefined ? {} : { kind: family.kind }),
      ...(early.isWanted ? await writingEarly(context, jobId, { batch, early }) : {}),
      onProgress: (progress) => watch.see(progress),
      onSeen: (item, remoteStatus) => watch.hear(item, remoteStatus),
      onStored: (item) => {
        if (stored.size < MAX_STORED || stored.has(item.id)) stored.set(item.id, item);
      },
      onInterrupted: (inFlight) => void context.notice(finishing(inFlight)),
    })
    .finally(() => context.progress.stop());
  const end = { ...(await endOf(context, batch, result)), stored };
  const failedReport = await writeReport(files.report, () => records(context, batch, end), family);
  const failedWrite = await files.metrics?.finish(result);
  const error = (endsRun(end.result.stopped) ? end.result.error : undefined) ?? failedReport;
  const exitCode = error?.exitCode ?? end.exitCode;
  return {
    ...{ result: end.result, exitCode, error },
    data: early.rest(records(context, batch, { ...end, exitCode, early })),
    notices: [
      ...batchNotices(end.result, end.shared?.text),
      ...end.conflicts,
      ...(family.notices?.(result) ?? []),
      ...nextNotices(family, end.result, end.exitCode),
      ...(failedWrite === undefined ? [] : [failedWrite]),
      ...(failedReport === undefined || failedReport === error ? [] : [failedReport.text]),
    ],
  };
}

interface Early {
  readonly batch: BatchWork;
  readonly early: EarlyRecords;
}

/**
 * Writes what is not sent, what had ended before, and then each item when it has ended. A repeat of another item comes at the end,
 * with what became of that one, as does what the store cannot give now.
 */
async function writingEarly(
  context: Context,
  jobId: string,
  { batch, early }: Early,
): Promise<Pick<RunOptions, 'onBegun' | 'onEnded'>> {
  const engine = await context.jobs();
  const recordOf = batch.early?.recordOf ?? (await recordMaker(context, batch));
  const ends: readonly ItemState[] = [...endStates, ...(batch.options.wait ? [] : (['pending'] as const))];
  const write = async (item: ItemRow, heard?: AuthorityAnswer): Promise<void> => {
    if (!ends.includes(item.state) || item.duplicateOf !== undefined || batch.isBesides?.(item) === true) return;
    const record = await recordOf(item, heard);
    if (record !== undefined && !early.has(record)) await early.write(record);
  };
  const unlessStoreFails = async (work: () => Promise<void>): Promise<void> => {
    await work().catch((error: unknown) => {
      if (!isOfStore(error)) throw error;
    });
  };
  return {
    onBegun: () =>
      unlessStoreFails(async () => {
        for (const record of batch.besides ?? []) await early.write(record);
        for await (const item of engine.items(jobId, ends)) await write(item);
      }),
    onEnded: (item, heard) => unlessStoreFails(() => write(item, heard)),
  };
}

const endStates = ['succeeded', 'skipped', 'rejected', 'failed', 'uncertain', 'cancelled'] as const;

/** Of so many items a run remembers what it stored, for a store that cannot be read at the end. */
const MAX_STORED = 10_000;

/** How a run ended, with what its items say. */
interface BatchEnd {
  readonly result: JobResult;
  readonly exitCode: ExitCode;
  readonly shared?: SharedCause | undefined;
  readonly conflicts: readonly Text[];
}

async function endOf(context: Context, batch: BatchWork, result: JobResult): Promise<BatchEnd> {
  if (result.stopped === 'store-failed') return { result, exitCode: batchExitCode(result), conflicts: [] };
  try {
    await keepAll(context, batch.family, result);
    const blocked = (batch.blocked?.() ?? 0) + (await countProblems(context, batch, result));
    const shared = await sharedCause(context, batch.family, result);
    const whole = shared === undefined ? result : ({ ...result, stopped: 'refused', error: shared.error } as const);
    const ended = batchExitCode(whole);
    return {
      result: whole,
      exitCode: ended === ExitCode.ok && blocked > 0 ? ExitCode.partial : ended,
      shared,
      conflicts: await conflictNotices(context, batch.family, result),
    };
  } catch (error) {
    if (!isOfStore(error)) throw error;
    const failed = afterStoreFailure(result, error);
    return { result: failed, exitCode: batchExitCode(failed), conflicts: [] };
  }
}

/** The end of a run whose store fails when its items are read. */
function afterStoreFailure(result: JobResult, error: FiscalError): JobResult {
  const { id: jobId, commandLine: resume } = result.job;
  return { ...result, stopped: 'store-failed', error: error.with({ jobId, resume }) };
}

/** The next command: to follow what is pending, or what comes after a good end. */
function nextNotices(family: BatchFamily, { job, counts, stopped }: JobResult, exitCode: ExitCode): readonly Text[] {
  const { next, accepted = acceptedItems } = family;
  if (counts.pending > 0) return stopped === 'sent' ? [accepted(counts.pending, job.id)] : [];
  return exitCode === ExitCode.ok && next !== undefined ? [next] : [];
}

function acceptedItems(count: number, jobId: string): Text {
  return counted(count, {
    en: [
      `# item is accepted and not decided yet; follow it: fiscal job resume ${jobId} --wait`,
      `# items are accepted and not decided yet; follow them: fiscal job resume ${jobId} --wait`,
    ],
    pt: [
      `# item recebido, ainda sem decisão; acompanhe: fiscal job resume ${jobId} --wait`,
      `# itens recebidos, ainda sem decisão; acompanhe: fiscal job resume ${jobId} --wait`,
    ],
  });
}

/** Shows how far the work is, in the form that the user chose. */
class Watch {
  private shownAt: number;

  constructor(
    private readonly context: Context,
    private readonly batch: Pick<BatchWork, 'family' | 'options'>,
    private readonly run: {
      readonly metrics: MetricsFile | undefined;
      readonly jobId: string;
      readonly meter: Meter | undefined;
    },
  ) {
    this.shownAt = context.clock.now();
  }

  see(progress: JobProgress): void {
    const { options, family } = this.batch;
    this.run.metrics?.see(this.run.jobId, progress);
    if (options.stats === undefined) {
      const { finished, total, counts } = progress;
      // Without --wait, the work on an item ends when the service has accepted it.
      const done = options.wait ? finished : finished + counts.pending;
      this.report(this.metered() ?? { done, total, awaited: counts.sending + counts.pending });
      return;
    }
    const now = this.context.clock.now();
    if (now - this.shownAt < options.stats) return;
    this.shownAt = now;
    void this.context.notice(statsLine(family.label, progress));
  }

  hear(item: ItemRow, remoteStatus: string): void {
    const { options } = this.batch;
    this.run.meter?.see(item, remoteStatus);
    const metered = this.metered();
    if (options.stats !== undefined || metered === undefined) return;
    this.report(metered);
  }

  private report(counted: Omit<Progress, 'label' | 'jobId'>): void {
    const { label } = this.batch.family;
    this.context.progress.report({ label, jobId: this.run.jobId, ...counted });
  }

  private metered(): Pick<Meter, 'done' | 'total'> | undefined {
    const { meter } = this.run;
    return meter === undefined || meter.total === 0 ? undefined : { done: meter.done, total: meter.total };
  }
}

function finishing(requests: number): Text {
  return {
    en: `finishing ${requests} ${requests === 1 ? 'request' : 'requests'}; Ctrl-C again leaves at once`,
    pt: `concluindo ${requests} ${requests === 1 ? 'requisição' : 'requisições'}; outro Ctrl-C sai na hora`,
  };
}

function statsLine(label: Text, { counts, finished, total }: JobProgress): Text {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  const states = parts.map(([state, count]) => `${state} ${count}`).join(', ');
  return { en: `${label.en}: ${finished}/${total} (${states})`, pt: `${label.pt}: ${finished}/${total} (${states})` };
}

async function keepAll(context: Context, family: BatchFamily, result: JobResult): Promise<void> {
  if (family.keep === undefined) return;
  for await (const page of itemPages(await context.store(), result.job.id)) await family.keep(page);
}

/** Failed items that the service refused by a 409 which names nothing: they fail again as long as what is there stays. */
export async function conflictNotices(
  context: Context,
  family: BatchFamily,
  { job, counts }: JobResult,
): Promise<readonly Text[]> {
  const conflict = family.conflict?.(job.operation);
  if (conflict === undefined || counts.failed === 0) return [];
  let count = 0;
  for await (const { errorCode } of (await context.jobs()).items(job.id, ['failed']))
    if (errorCode === 'service.conflict') count += 1;
  if (count === 0) return [];
  return [{ en: `${count} × 409: ${conflict.en}`, pt: `${count} × 409: ${conflict.pt}` }];
}

/** Causes that are not of an item: another key, role or setting is needed, and sending again helps none of them. */
const commonExits: readonly ExitCode[] = [ExitCode.credentials, ExitCode.forbidden, ExitCode.notFound];

interface SharedCause {
  readonly text: Text;
  /** As the items have it. */
  readonly error: FiscalError;
}

/** Why every item of a job failed, where that is one cause; of a single item it must be one that the family names. */
async function sharedCause(
  context: Context,
  family: BatchFamily,
  { job, counts }: JobResult,
): Promise<SharedCause | undefined> {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (counts.failed === 0 || counts.failed !== total) return undefined;
  let shared: SharedCause | undefined;
  for await (const { reason, errorCode } of (await context.jobs()).items(job.id)) {
    if (reason?.is !== 'error' || reason.code !== errorCode) return undefined;
    const error = errorOf(reason);
    const named = family.cause?.(reason.code);
    if (named === undefined && total === 1) return undefined;
    const text = named ?? error.text;
    if (!commonExits.includes(error.exitCode) || (shared !== undefined && shared.text.en !== text.en)) return undefined;
    shared = { error, text };
  }
  return shared && { ...shared, text: { en: `${total} × ${shared.text.en}`, pt: `${total} × ${shared.text.pt}` } };
}

/** How many skipped items are not as the input says. */
async function countProblems(context: Context, batch: BatchWork, { job }: JobResult): Promise<number> {
  const engine = await context.jobs();
  let count = 0;
  for await (const item of engine.items(job.id, ['skipped'])) {
    const duplicate = item.duplicateOf === undefined ? undefined : await engine.item(item.duplicateOf);
    if ((await problemOf(batch, item, duplicate)) !== undefined) count += 1;
  }
  return count;
}

/** The problem of a skipped item. */
async function problemOf(
  { family, options }: BatchWork,
  item: ItemRow,
  duplicate: ItemRow | undefined,
): Promise<ItemProblem | undefined> {
  const problem = await family.problem?.(item, duplicate);
  if (problem !== undefined || duplicate === undefined || duplicate.jobId === item.jobId) return problem;
  return problemOfDuplicate(duplicate, options.wait);
}

/** The item of another job that this one repeats: this one is done only if that one succeeded. */
function problemOfDuplicate({ state, id, label, jobId }: ItemRow, wait: boolean): ItemProblem | undefined {
  switch (state) {
    case 'succeeded':
    case 'skipped':
      return undefined;
    case 'pending':
      return wait ? problemOfRepeat('job.key_held', reasons.repeatsPending, { job: jobId }) : undefined;
    case 'prepared':
    case 'sending':
      return problemOfRepeat('job.key_held', reasons.repeatsOpen, { label, job: jobId });
    case 'uncertain':
      return problemOfRepeat('outcome.unknown', reasons.repeatsUncertain, { job: jobId, id });
    case 'rejected':
    case 'failed':
    case 'cancelled':
      return problemOfRepeat('outcome.ended_badly', endedReasons[state], { job: jobId });
  }
}

const endedReasons = {
  rejected: reasons.repeatsRejected,
  failed: reasons.repeatsFailed,
  cancelled: reasons.repeatsCancelled,
};

function problemOfRepeat(errorCode: ErrorCode, reason: Text, values: TextValues): ItemProblem {
  return { errorCode, error: new Prose(filled(reason, values)) };
}

/** One record per item, in the order of the input, and the summary, which comes also when the store can no longer be read. */
function records(
  context: Context,
  batch: BatchWork,
  { result, exitCode, ...known }: Pick<BatchEnd, 'result' | 'exitCode'> & KnownItems,
): AsyncIterable<DataRecord> {
  return withSummary(itemRecords(context, batch, { result, ...known }), result.stopped, (failure) => {
    const own = batch.summary?.();
    if (failure === undefined || result.stopped === 'store-failed')
      return { ...summaryRecord(result, exitCode), ...own };
    const failed = afterStoreFailure(result, failure);
    return { ...summaryRecord(failed, batchExitCode(failed)), ...own };
  });
}

interface KnownItems {
  /** Those that this run has stored, by their ids. */
  readonly stored?: ReadonlyMap<string, ItemRow>;
  /** The records that are written already, and not made again. */
  readonly early?: EarlyRecords | undefined;
}

/** Where the store can no longer be read, the items that this run has stored in it. */
async function* itemRecords(
  context: Context,
  batch: BatchWork,
  { result, stored, early }: KnownItems & { readonly result: JobResult },
): AsyncIterable<DataRecord> {
  yield* batch.besides ?? [];
  const written = new Set<number>();
  try {
    for await (const record of readRecords(context, batch, { result, early })) {
      written.add(Number(record['line']));
      yield record;
    }
  } catch (error) {
    if (!isOfStore(error)) throw error;
    const left = [...(stored?.values() ?? [])].filter(({ ordinal }) => !written.has(ordinal));
    for (const item of left.toSorted((one, other) => one.ordinal - other.ordinal))
      yield itemRecord(item, batch.family.fields(item, undefined));
    throw error;
  }
}

async function* readRecords(
  context: Context,
  batch: BatchWork,
  { result, early }: Pick<KnownItems, 'early'> & { readonly result: JobResult },
): AsyncIterable<DataRecord> {
  const engine = await context.jobs();
  const recordOf = await recordMaker(context, batch);
  for await (const item of engine.items(result.job.id)) {
    const isWritten = early?.has(itemRecord(item, {})) === true;
    if (!isWritten && batch.isBesides?.(item) !== true) yield await recordOf(item);
  }
}

async function recordMaker(
  context: Context,
  batch: BatchWork,
): Promise<(item: ItemRow, heard?: AuthorityAnswer) => Promise<DataRecord>> {
  const engine = await context.jobs();
  const label = await (await context.scope()).labels();
  return async (item, heard) => {
    const duplicate = item.duplicateOf === undefined ? undefined : await engine.item(item.duplicateOf);
    const read = await batch.family.read?.(item, duplicate, heard);
    const problem = item.state === 'skipped' ? await problemOf(batch, item, duplicate) : undefined;
    const fields = batch.family.fields(item, duplicate);
    const company = label(textField(fields, 'companyId'));
    const record = itemRecord(item, { ...fields, ...company, ...read, ...problem });
    return await withWholeCommands(context, record);
  };
}

function known(job: JobRow): Text {
  const jobId = job.id;
  if (job.state === 'done') {
    return {
      en: `job ${jobId} had the same input and is done; nothing was sent`,
      pt: `o lote ${jobId} teve a mesma entrada e terminou; nada é enviado`,
    };
  }
  return {
    en: `job ${jobId} has the same input and is continued`,
    pt: `o lote ${jobId} tem a mesma entrada e continua`,
  };
}
