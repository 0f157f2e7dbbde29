import type { Given } from '../../cli/command.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { pollDelayMs } from '../../jobs/decide.js';
import type { StopReason } from '../../jobs/engine.js';
import { itemsOf } from '../../jobs/item-pages.js';
import { requestOf, sweepKinds } from '../../jobs/kinds/backfill-release.js';
import { observeSweep, type Summary } from '../../jobs/kinds/backfill-sweep.js';
import { writtenWhole } from '../../services/batch/early.js';
import { type BatchOptions, type BatchOutcome, continueBatch } from '../../services/batch/run-batch.js';
import type { Context } from '../../services/context.js';
import { companyOfLabel } from '../../services/scope/text.js';
import type { JobRow } from '../../store/store.js';
import type { show } from './commands.js';
import {
  type CompanySummary,
  concerned,
  readSummaries,
  requireSole,
  shownCompanies,
  shownSummary,
} from './companies.js';
import { sweepFamily } from './family.js';
import { soleOutcome } from './single-outcome.js';
import { isStream } from '../../domain/record.js';

const plain = {
  wait: true,
  onError: 'continue',
  retryBillable: false,
  ...{ maxFailures: undefined, maxBillable: undefined },
  ...{ stats: undefined, metricsFile: undefined, report: undefined },
} as const;

/**
 * Follows the companies until their release or revoke has finished. The jobs of this machine hold its requests, so a run that was
 * killed is continued by the next one; a company without a job is followed by its summary, whoever made the request. Errors:
 * those of `soleOutcome` when one company is asked about, and those of `runBatch`.
 */
export async function waitForBackfill(context: Context, given: Given<typeof show>): Promise<Outcome> {
  const { allCompanies, plan } = given;
  const chosen = await shownCompanies(context, given);
  const { read, notices } = allCompanies
    ? concerned(await readSummaries(context, chosen), allCompanies)
    : { read: chosen.map((company) => ({ company })), notices: [] };
  const ids = read.map(({ company }) => company.id);
  const isSole = !allCompanies && plan === undefined && ids.length === 1;
  const outcome = await follow(context, { ids, isSole, ...(plan === undefined ? {} : { released: true }), given });
  return { ...outcome, notices: [...notices, ...(outcome.notices ?? [])] };
}

interface Followed {
  readonly ids: readonly string[];
  /** A single named company: its outcome is that of the command. */
  readonly isSole: boolean;
  /** What is waited for; without it, the end of what the service has been asked for. */
  readonly released?: true;
  readonly given: Given<typeof show>;
}

async function follow(context: Context, followed: Followed): Promise<Outcome> {
  const { ids, isSole, given } = followed;
  const { jobs, covered } = await openJobs(context, new Set(ids));
  const rest = ids.filter((id) => !covered.has(id));
  const started = context.clock.uptime();
  const left = (): BatchOptions => {
    const timeout = Math.max(0, given.timeout - (context.clock.uptime() - started));
    return { ...plain, interval: given.interval, timeout, lockWait: timeout };
  };
  const family = sweepFamily(context);
  const outcomes: BatchOutcome[] = [];
  for (const { id } of jobs) {
    if (outcomes.at(-1)?.error === undefined)
      outcomes.push(await continueBatch(isSole ? writtenWhole(context) : context, id, { family, options: left() }));
  }
  const [sole, ...others] = outcomes;
  if (sole !== undefined && others.length === 0 && rest.length === 0) {
    return (isSole ? await soleOutcome(context, { outcome: sole, family, wait: true }) : undefined) ?? sole;
  }
  if (rest.length === 0 || outcomes.at(-1)?.error !== undefined) return together(outcomes);
  const watched = await watchSummaries(context, { ...followed, ids: rest, ...left() });
  return outcomes.length === 0 ? watched : together([...outcomes, watched]);
}

interface OpenJobs {
  /** The oldest first. */
  readonly jobs: readonly JobRow[];
  readonly covered: ReadonlySet<string>;
}

async function openJobs(context: Context, wanted: ReadonlySet<string>): Promise<OpenJobs> {
  const store = await context.store();
  const { storeNamespace: profile } = await context.settings();
  const open: JobRow[] = [];
  for (const { name } of sweepKinds)
    open.push(...(await store.jobs.list({ profile, kind: name, states: ['open'], limit: 1_000 })));
  const jobs: JobRow[] = [];
  const covered = new Set<string>();
  for (const job of open.toSorted((one, other) => one.createdAt - other.createdAt)) {
    let isMine = false;
    for await (const item of itemsOf(store, job.id, { states: living })) {
      const { companyId } = requestOf(item);
      if (!wanted.has(companyId)) continue;
      covered.add(companyId);
      isMine = true;
    }
    if (isMine) jobs.push(job);
  }
  return { jobs, covered };
}

const living = ['prepared', 'sending', 'pending', 'uncertain'] as const;

/** The records of all jobs, one after the other, and one summary; an interruption takes precedence over failed items. */
function together(outcomes: readonly Outcome[]): Outcome {
  const codes = outcomes.map(({ exitCode }) => exitCode ?? ExitCode.ok);
  const worst = codes.find((code) => code !== ExitCode.ok && code !== ExitCode.partial);
  const exitCode = worst ?? (codes.includes(ExitCode.partial) ? ExitCode.partial : ExitCode.ok);
  const error = outcomes.flatMap((outcome) => outcome.error ?? [])[0];
  return {
    ...{ data: joined(outcomes, exitCode), exitCode, error },
    notices: outcomes.flatMap(({ notices }) => notices ?? []),
  };
}

async function* joined(outcomes: readonly Outcome[], exitCode: ExitCode): AsyncIterable<DataRecord> {
  const summaries: DataRecord[] = [];
  for (const { data } of outcomes) {
    // A batch returns a stream of records; a watch returns one record or a list.
    const records = isStream(data) || Array.isArray(data) ? data : [data];
    for await (const record of records as AsyncIterable<DataRecord>) {
      if (record.type === 'summary') summaries.push(record);
      else yield record;
    }
  }
  yield sumOf(summaries, exitCode);
}

/** The counts of all, and how the first of them ended that did not come to its end. */
function sumOf(summaries: readonly DataRecord[], exitCode: ExitCode): DataRecord {
  const counts = new Map<string, number>();
  for (const { rate: _rate, exitCode: _code, ...fields } of summaries) {
    for (const [name, value] of Object.entries(fields))
      if (typeof value === 'number') counts.set(name, (counts.get(name) ?? 0) + value);
  }
  const early = summaries.find(({ exitCode: code }) => code === exitCode) ?? summaries[0];
  const [jobId, ...others] = summaries.flatMap((summary) => summary['jobId'] ?? []);
  return {
    type: 'summary',
    ...(others.length === 0 ? { jobId } : { jobIds: [jobId, ...others] }),
    ...Object.fromEntries(counts),
    stopped: early?.['stopped'],
    ...(early?.['errorCode'] === undefined ? {} : { errorCode: early['errorCode'] }),
    exitCode,
  };
}

interface WatchRequest extends Pick<Followed, 'ids' | 'isSole' | 'released'> {
  readonly timeout: number;
  readonly interval: number;
}

interface Watched extends CompanySummary {
  readonly status: string | undefined;
  readonly isDone: boolean;
}

/**
 * Follows companies by their summaries alone, whoever made the request, until the requested state is
 * reached. Errors: `outcome.still_pending` for one company; exit 8 for several, whose records come in any case.
 */
async function watchSummaries(context: Context, request: WatchRequest): Promise<Outcome> {
  const { ids, isSole, released, timeout, interval } = request;
  const startedAt = context.clock.uptime();
  const watch = new Map<string, Watched>();
  const label = await (await context.scope()).labels();
  let most = 0;
  try {
    for (;;) {
      const open = ids.filter((id) => watch.get(id)?.isDone !== true);
      const companies = open.map((id) => companyOfLabel(id, label(id)));
      for (const read of await readSummaries(context, companies)) {
        watch.set(read.company.id, next(read, { before: watch.get(read.company.id), released }));
      }
      const all = ids.flatMap((id) => watch.get(id) ?? []);
      if (isSole) requireSole(all);
      const age = context.clock.uptime() - startedAt;
      if (all.every(({ isDone }) => isDone)) return ending(all, isSole);
      if (age >= timeout) return stillOpen(all, { age, isSole });
      most = Math.max(most, hiddenOf(all));
      report(context, { most, now: hiddenOf(all) });
      await context.clock.sleep(Math.min(pollDelayMs(age, interval), timeout - age), context.interruption);
    }
  } catch (error) {
    if (isSole || !(error instanceof FiscalError)) throw error;
    const stopped = error.code === 'job.interrupted' ? 'interrupted' : 'error';
    const resume = await context.goOn.again({ without: [], flags: [] });
    const seen = ids.flatMap((id) => watch.get(id) ?? []);
    return watched(seen, { stopped, error: error.with({ resume }), unread: ids.length - seen.length });
  } finally {
    context.progress.stop();
  }
}

interface WatchEnd {
  readonly stopped: StopReason;
  readonly exitCode?: ExitCode;
  readonly error?: FiscalError;
  /** Companies that could not be read once. */
  readonly unread?: number;
}

/** The records of several companies that no job of this machine asked for, and their summary. */
function watched(all: readonly Watched[], { stopped, error, unread = 0, ...end }: WatchEnd): Outcome {
  const items = all.map((one): DataRecord => ({ ...record(one), type: 'item', label: one.company.id }));
  const counts = new Map<string, number>(unread === 0 ? [] : [['unread', unread]]);
  for (const { state } of items) counts.set(String(state), (counts.get(String(state)) ?? 0) + 1);
  const exitCode = error?.exitCode ?? end.exitCode ?? ExitCode.ok;
  const summary: DataRecord = {
    type: 'summary',
    ...{ total: items.length + unread, ...Object.fromEntries(counts), stopped },
    ...(error === undefined ? {} : { errorCode: error.code }),
    exitCode,
  };
  return { data: [...items, summary], exitCode, error };
}

interface Target {
  readonly before: Watched | undefined;
  readonly released: true | undefined;
}

/** Without a target it is the state of the last read; a different one restarts the watch of this company. */
function next(read: CompanySummary, { before, released }: Target): Watched {
  const { summary } = read;
  if (summary?.released === undefined) return { ...read, status: undefined, isDone: read.error !== undefined };
  const isSame = before?.summary?.released === summary.released;
  const target = { released: released ?? summary.released };
  const { state, remoteStatus } = observeSweep(summary, target, isSame ? before.status : undefined);
  return { ...read, status: remoteStatus, isDone: state === 'succeeded' };
}

function hiddenOf(all: readonly { readonly summary: Summary | undefined }[]): number {
  return all.reduce((sum, { summary }) => sum + (summary?.released === true ? (summary.hidden ?? 0) : 0), 0);
}

function report(context: Context, { most, now }: { readonly most: number; readonly now: number }): void {
  const label = { en: 'following the history', pt: 'acompanhando o histórico' };
  context.progress.report({ label, done: most - now, ...(most === 0 ? {} : { total: most }) });
}

function ending(all: readonly Watched[], isSole: boolean): Outcome {
  const [first] = all;
  if (first !== undefined && isSole) return { data: record(first) };
  const isPartial = all.some(({ error }) => error !== undefined);
  return watched(all, { stopped: 'complete', exitCode: isPartial ? ExitCode.partial : ExitCode.ok });
}

interface Late {
  /** Milliseconds since the watch began. */
  readonly age: number;
  readonly isSole: boolean;
}

function stillOpen(all: readonly Watched[], { age, isSole }: Late): Outcome {
  const [first] = all;
  if (first === undefined || !isSole) return watched(all, { stopped: 'timeout', exitCode: ExitCode.pending });
  const what = first.company.id;
  throw new FiscalError(
    'outcome.still_pending',
    { what, status: first.status ?? '–', seconds: Math.round(age / 1000) },
    { sent: 'yes', resume: fiscalLine({ command: 'backfill show', flags: [['--wait', true]], company: what }) },
  );
}

function record(one: Watched): DataRecord {
  const ended = one.isDone ? 'settled' : 'pending';
  return { ...shownSummary(one), state: one.error === undefined ? ended : 'failed' };
}
