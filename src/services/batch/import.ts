import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError, placeText } from '../../errors/fiscal-error.js';
import { recovery } from '../../jobs/decide.js';
import type { PlannedItem } from '../../jobs/engine.js';
import type { KindFacts } from '../../jobs/kind.js';
import { kindOfJob } from '../../jobs/manage.js';
import { keepHeapSmall, keepOldHeapSmall } from '../../jobs/small-heap.js';
import type { ItemRow, JobRow, JobState } from '../../store/store.js';
import type { Context } from '../context.js';
import type { LineProblems } from '../input/line-problems.js';
import { failedSheet, withErrorSheet } from './failed-rows.js';
import { type ImportInput, readAgain, type Validated } from './import-input.js';
import { type BatchFamily, type BatchOptions, runBatch } from './run-batch.js';
import type { JobRequest } from './start-job.js';

/** How a noun imports. `Found`: what its first reading gathers; `Input`: what an item of its job holds. */
export interface Import<Valid, Found extends Validated<Valid>, Input> {
  readonly input: ImportInput<Valid>;
  readonly skipInvalid: boolean;
  readonly options: BatchOptions;
  /** The first reading: `validateAll`, with what the noun counts. */
  validate(): Promise<Found>;
  /** The request of the first record, for `--dry-run`. */
  preview(first: Valid | undefined): Promise<object>;
  /** Numbers of the dry run, besides those of the records. */
  counts(found: Found): Readonly<Record<string, unknown>>;
  /** Sentences about the valid records. */
  notices(found: Found): readonly Text[];
  job(found: Found, first: Valid): Promise<ImportJob<Input>>;
  /** The item of a record, or why it needs none. */
  item(record: Valid): Promise<PlannedItem<Input> | SkippedRow>;
  /** Distinguishes items of one key, such as by company: which of them is sent is decided during the run, so each counts. */
  variantOf?(input: Input): string;
  /** Asks before anything is sent. Errors: `usage.confirmation_required`, `usage.declined`. */
  consent(sends: AsyncIterable<Send<Input>>, found: Found): Promise<void>;
  /** Options without which mended rows are sent, when the service has rejected some: their resources exist. */
  readonly notForMended?: readonly string[];
  /** Fields of the summary, besides those of every import. */
  summary?(skipped: SkippedRows): Readonly<Record<string, unknown>>;
}

export interface ImportJob<Input> {
  readonly family: BatchFamily;
  readonly job: Omit<JobRequest<Input>, 'items'>;
}

/** A valid record that is not sent, because its resource exists. */
export interface SkippedRow {
  readonly skipped: Text;
  /** The existing resource differs from the record: exit 3. */
  readonly isProblem: boolean;
}

const SHOWN = 20;

/** The skipped records of one reading: the first ones by name, all as a count. */
class SkippedRows {
  count = 0;
  problems = 0;
  readonly notices: Text[] = [];

  add({ skipped, isProblem }: SkippedRow): void {
    this.count += 1;
    if (isProblem) this.problems += 1;
    if (this.notices.length < SHOWN) this.notices.push(skipped);
  }
}

/**
 * Sends the records of a file as one job. One invalid record stops the import before anything is sent; the same content again
 * resumes the same job. Errors: `input.*`, those of the definition, and those of `runBatch`.
 */
export async function runImport<Valid, Found extends Validated<Valid>, Input>(
  context: Context,
  definition: Import<Valid, Found, Input>,
): Promise<Outcome> {
  const { dryRun } = await context.settings();
  if (dryRun) keepHeapSmall();
  else keepOldHeapSmall();
  const { input, skipInvalid, options, variantOf } = definition;
  try {
    const found = await definition.validate();
    if (found.problems.lines > 0 && !skipInvalid)
      throw await withErrorSheet(context, { input, found, isWritten: !dryRun });
    await showConversions(context, input);
    const notices = [...definition.notices(found), ...invalidRecordNotices(found.problems)];
    if (dryRun) {
      const invalid = found.problems.lines;
      const records = { records: found.valid + invalid, valid: found.valid, invalid };
      const data = { ...(await definition.preview(found.first)), ...records, ...definition.counts(found) };
      return { data, notices: [...notices, dryRunOnly] };
    }
    if (found.first === undefined) throw new FiscalError('input.empty', { path: input.name });
    const { family, job } = await definition.job(found, found.first);
    const intended = {
      ...{ ...job, retryBillable: options.retryBillable, variantOf },
      items: () => itemsOf(definition, found, new SkippedRows()),
    };
    await definition.consent(sendsOf(context, intended), found);
    const skipped = new SkippedRows();
    const outcome = await runBatch<Input>(context, {
      family,
      options,
      summary: () => ({ invalid: found.problems.lines, ...definition.summary?.(skipped) }),
      blocked: () => skipped.problems,
      job: { ...job, items: itemsOf(definition, found, skipped) },
    });
    const sheet = await failedSheet(context, { definition, found, result: outcome.result });
    return { ...outcome, notices: [...notices, ...skipped.notices, ...(outcome.notices ?? []), ...sheet] };
  } finally {
    await input.close();
  }
}

/** Says what was converted, before anybody agrees to send it. */
export async function showConversions(
  context: Context,
  { name, cells }: Pick<ImportInput<unknown>, 'name' | 'cells'>,
): Promise<void> {
  for (const text of cells?.conversions.texts(name) ?? []) await context.notice(text);
}

async function* itemsOf<Valid, Found extends Validated<Valid>, Input>(
  definition: Import<Valid, Found, Input>,
  found: Found,
  skipped: SkippedRows,
): AsyncIterable<PlannedItem<Input>> {
  for await (const record of readAgain(definition.input, found)) {
    const item = await definition.item(record);
    if ('skipped' in item) skipped.add(item);
    else yield item;
  }
}

/** The records that `--skip-invalid` leaves out. */
export function invalidRecordNotices(problems: LineProblems): readonly Text[] {
  if (problems.lines === 0) return [];
  const count = counted(problems.lines, {
    en: ['# invalid record is left out', '# invalid records are left out'],
    pt: ['# registro não é válido e fica de fora', '# registros não são válidos e ficam de fora'],
  });
  const shown = problems.shown.map(({ field, message }) => {
    const place = placeText(field);
    const { en, pt } = typeof message === 'string' ? { en: message, pt: message } : message;
    return { en: `${place.en} ${en}`, pt: `${place.pt} ${pt}` };
  });
  return [count, ...shown];
}

const dryRunOnly: Text = {
  en: 'nothing was sent; the request shown is the first one',
  pt: 'nada foi enviado; a requisição mostrada é a primeira',
};

/** A job that is about to be started or found again. */
interface Intended<Input> {
  readonly kind: KindFacts<Input>;
  readonly profile: string;
  readonly inputDigest: string;
  /** Read only where the job is new. */
  items(): AsyncIterable<PlannedItem<Input>>;
  readonly retryBillable: boolean;
  readonly variantOf: ((input: Input) => string) | undefined;
}

/** One send that a run will make. */
export interface Send<Input> {
  readonly input: Input;
  readonly billed: boolean;
}

const PAGE = 500;

/**
 * The sends of this job, for the confirmation: what remains of an existing job, or the
 * items of a new one whose key no other item holds. Writes nothing.
 */
export async function* sendsOf<Input>(context: Context, intended: Intended<Input>): AsyncIterable<Send<Input>> {
  const { kind, profile, inputDigest } = intended;
  const store = await context.store();
  const job = await store.jobs.find({ operation: kind.submit, profile, inputDigest });
  if (job !== undefined && goesOn(kind, job.state)) yield* leftIn(context, job, intended);
  else yield* newIn(context, intended);
}

/** Decides like `JobRows.create`. A job that is still being written has sent nothing yet. */
function goesOn({ onceOnly }: KindFacts<never>, state: JobState): boolean {
  return state === 'open' || (onceOnly && state === 'done');
}

async function* leftIn<Input>(
  context: Context,
  job: JobRow,
  { retryBillable, variantOf }: Intended<Input>,
): AsyncIterable<Send<Input>> {
  const store = await context.store();
  const kind = await kindOfJob({ store }, job.id);
  const rules = { replay: kind.replay, canLookUp: kind.canLookUp, retryBillable, resendAbsent: false };
  const willBeSent = async ({ state, billed, duplicateOf, input }: ItemRow): Promise<boolean> => {
    if (state !== 'skipped') return state === 'prepared' || recovery({ ...rules, billed }) !== 'ask';
    const other = duplicateOf === undefined ? undefined : await store.items.get(duplicateOf);
    if (other === undefined || other.attempts > 0) return false;
    // The rows were written by a kind with this input.
    const [own, theirs] = [input, other.input].map((each) => variantOf?.(each as Input));
    return other.state === 'failed' || (other.state === 'prepared' && own !== theirs);
  };
  for await (const item of (await context.jobs()).items(job.id, ['prepared', 'sending', 'skipped'])) {
    // The row was written by a kind with this input: it has the operation and the digest that were asked for.
    if (await willBeSent(item)) yield { input: item.input as Input, billed: item.billed };
  }
}

async function* newIn<Input>(
  context: Context,
  { kind, profile, items, variantOf }: Intended<Input>,
): AsyncIterable<Send<Input>> {
  const store = await context.store();
  const seen = new Set<string>();
  let page: PlannedItem<Input>[] = [];
  const free = async function* (): AsyncIterable<Send<Input>> {
    const dedupeKeys = page.map(({ dedupeKey }) => dedupeKey);
    const found = await store.items.holdersAmong({ profile, kind: kind.name, dedupeKeys });
    const holders = new Map(found.map((item) => [item.dedupeKey, item]));
    for (const { dedupeKey, input } of page) {
      const holder = holders.get(dedupeKey);
      // A killed process wrote the holder: its job is written again, with this item.
      const isOurs = holder !== undefined && (await store.jobs.get(holder.jobId))?.state === 'loading';
      if (holder === undefined || isOurs) yield { input, billed: kind.billed(input) };
    }
    page = [];
  };
  for await (const item of items()) {
    const name = `${item.dedupeKey} ${variantOf?.(item.input) ?? ''}`;
    if (seen.has(name)) continue;
    seen.add(name);
    page.push(item);
    if (page.length === PAGE) yield* free();
  }
  yield* free();
}

/** How many sends a run will make, and how many of them are billed. */
export async function countSends(
  sends: AsyncIterable<Send<unknown>>,
): Promise<{ readonly sends: number; readonly billed: number }> {
  let all = 0;
  let billed = 0;
  for await (const send of sends) {
    all += 1;
    if (send.billed) billed += 1;
  }
  return { sends: all, billed };
}
