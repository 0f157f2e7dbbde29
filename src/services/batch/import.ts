import { createHash } from 'node:crypto';
import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import { recover } from '../../jobs/decide.js';
import type { PlannedItem } from '../../jobs/engine.js';
import type { KindFacts } from '../../jobs/kind.js';
import { kindOfJob } from '../../jobs/manage.js';
import type { ItemRow, JobRow, JobState } from '../../store/store.js';
import type { Context } from '../context.js';
import type { LineProblems } from '../input/line-problems.js';

/** A job that is about to be started or found again, and what stands in its input. */
export interface Intended<Input> {
  readonly kind: KindFacts<Input>;
  readonly profile: string;
  readonly inputDigest: string;
  /** Read only where the job is new. */
  items(): AsyncIterable<PlannedItem<Input>>;
  readonly retryBillable: boolean;
  /**
   * What tells items of one key apart, such as their company: which of them is sent is decided only when it is its turn, so that
   * each of them counts.
   */
  variantOf?(input: Input): string;
}

/** One send that a run will make. */
export interface Send<Input> {
  readonly input: Input;
  readonly billed: boolean;
}

const PAGE = 500;

/**
 * What starting this job will really send, for the question that a person answers before: of a job that is there already
 * only what is left of it, of a new one only the items whose key no other item holds. Nothing is written.
 */
export async function* sendsOf<Input>(
  context: Context,
  intended: Intended<Input>,
): AsyncIterable<Send<Input>> {
  const { kind, profile, inputDigest } = intended;
  const store = await context.store();
  const job = await store.jobs.find({ operation: kind.submit, profile, inputDigest });
  if (job !== undefined && goesOn(kind, job.state)) yield* leftIn(context, job, intended);
  else yield* newIn(context, intended);
}

/** As `JobRows.create` decides it. A job that is still being written has sent nothing yet. */
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
    if (state !== 'skipped') return state === 'prepared' || recover({ ...rules, billed }) !== 'ask';
    const other = duplicateOf === undefined ? undefined : await store.items.get(duplicateOf);
    if (other === undefined || other.attempts > 0) return false;
    // The rows were written by a kind with this input.
    const [own, theirs] = [input, other.input].map((each) => variantOf?.(each as Input));
    return other.state === 'failed' || (other.state === 'prepared' && own !== theirs);
  };
  const states = ['prepared', 'sending', 'skipped'] as const;
  for (let afterOrdinal = 0, page: readonly ItemRow[] = []; ; afterOrdinal = page.at(-1)?.ordinal ?? 0) {
    page = await store.items.list(job.id, { states, limit: PAGE, afterOrdinal });
    for (const item of page) {
      if (!(await willBeSent(item))) continue;
      // The row was written by a kind with this input: it has the operation and the digest that were asked for.
      yield { input: item.input as Input, billed: item.billed };
    }
    if (page.length < PAGE) return;
  }
}

async function* newIn<Input>(
  context: Context,
  { kind, profile, items, variantOf }: Intended<Input>,
): AsyncIterable<Send<Input>> {
  const store = await context.store();
  const seen = new Set<string>();
  for await (const { dedupeKey, input } of items()) {
    const name = `${dedupeKey} ${variantOf?.(input) ?? ''}`;
    if (seen.has(name)) continue;
    seen.add(name);
    const holder = await store.items.holder({ profile, kind: kind.name, dedupeKey });
    // A loader that died wrote the holder: its job is written anew, and this item with it.
    const isOurs = holder !== undefined && (await store.jobs.get(holder.jobId))?.state === 'loading';
    if (holder === undefined || isOurs) yield { input, billed: kind.billed(input) };
  }
}

/** What is said of the records that `--skip-invalid` leaves out. */
export function leftOutNotices(problems: LineProblems): readonly Text[] {
  if (problems.lines === 0) return [];
  const count = counted(problems.lines, {
    en: ['# record is not valid and is left out', '# records are not valid and are left out'],
    pt: ['# registro não é válido e fica de fora', '# registros não são válidos e ficam de fora'],
  });
  const shown = problems.shown.map(({ field, message }) =>
    typeof message === 'string'
      ? { en: `${field} ${message}`, pt: `${field} ${message}` }
      : { en: `${field} ${message.en}`, pt: `${field} ${message.pt}` },
  );
  return [count, ...shown];
}

export const dryRunOnly: Text = {
  en: 'nothing was sent; the request shown is the first one',
  pt: 'nada foi enviado; a requisição mostrada é a primeira',
};

/** The digest of a sequence of records, for both readings of an input: what differs is another input. */
export class RunningDigest {
  count = 0;
  readonly #hash = createHash('sha256');

  /** @param content what stands for the record, the same in every reading */
  add(content: string): void {
    this.count += 1;
    this.#hash.update(content);
  }

  text(): string {
    return this.#hash.copy().digest('hex');
  }
}
