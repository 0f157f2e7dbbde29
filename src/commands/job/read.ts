import type { Given } from '../../cli/command.js';
import type { Outcome, DataRecord } from '../../domain/outcome.js';
import type { Actor } from '../../domain/actor.js';
import { formatUtc } from '../../domain/dates.js';
import { answerFields, answersOf } from '../../jobs/authority-answer.js';
import { itemPages, itemsOf } from '../../jobs/item-pages.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import type { Context } from '../../services/context.js';
import { localCompanies } from '../../services/scope/companies.js';
import type { LabelOf } from '../../services/scope/scope.js';
import { findJob } from '../../services/named-job.js';
import { troubledJobs } from '../../services/troubled-jobs.js';
import type { ItemCounts, ItemRow, ItemState, JobRow, Store } from '../../store/store.js';
import { fiscalLine, inputCommand, type CommandParts } from '../../domain/command-words.js';
import { itemStepWords } from '../../presenters/item-steps.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { Prose } from '../../domain/prose.js';
import { reasonWords, type Reason } from '../../errors/reasons.js';
import type { Text } from '../../contract/text.js';
import { companyNamed } from '../../services/scope/text.js';
import type { items, list, show } from './commands.js';

/**
 * The jobs of the profile that need a person, newest first, as `fiscal status` counts them; with `--company`, their failed and
 * uncertain items of these companies alone.
 */
export async function listTroubled(context: Context): Promise<Outcome> {
  const isNarrowed = context.flags['company'] !== undefined;
  const companies = isNarrowed ? (await localCompanies(context))?.map(({ id }) => id) : undefined;
  const store = await context.store();
  const rows = await Promise.all(
    (await troubledJobs(context, companies)).map(async ({ id, failed: bad, uncertain }) => {
      const job = await store.jobs.get(id);
      return job === undefined ? [] : [{ ...(await rowOf(context, store, job)), bad, uncertain }];
    }),
  );
  return { data: rows.flat().toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1)) };
}

/** The jobs of this machine, newest first, each with its progress. */
export async function listJobs(context: Context, { all, kind, state, limit }: Given<typeof list>): Promise<Outcome> {
  if (context.flags['company'] !== undefined)
    throw new FiscalError('usage.invalid', { message: onlyAttention }, { sent: 'no' });
  const { profile, storeNamespace } = await context.settings();
  const rows = await newestJobs(context, {
    ...(all ? {} : { limit }),
    // Without a chosen profile there is nothing to narrow the list to.
    ...(all || profile === undefined ? {} : { profile: storeNamespace }),
    ...(kind === undefined ? {} : { kind }),
    ...(state === undefined ? {} : { states: [state] }),
  });
  return { data: rows };
}

const onlyAttention = {
  en: '--company is only for job list --attention',
  pt: '--company vale só para job list --attention',
};

/** The jobs that match, newest first, each with its progress. */
export async function newestJobs(
  context: Pick<Context, 'store' | 'scope'>,
  filter: Parameters<Store['jobs']['list']>[0],
) {
  const store = await context.store();
  const jobs = await store.jobs.list(filter);
  return await Promise.all(jobs.map((job) => rowOf(context, store, job)));
}

async function rowOf(context: Pick<Context, 'scope'>, store: Store, job: JobRow) {
  const counts = await store.jobs.counts(job.id);
  const { succeeded, skipped, rejected, failed, uncertain } = counts;
  return {
    ...shownJob(job, await labelsOf(context, job)),
    items: totalOf(counts),
    done: succeeded + skipped,
    bad: rejected + failed,
    uncertain,
  };
}

/** The names of companies, as the store has them for the profile of the job. */
export async function labelsOf(context: Pick<Context, 'scope'>, job: Pick<JobRow, 'profile'>) {
  return await (await context.scope()).labels(job.profile);
}

/** A job as data for people and programs. `label`: of its profile. */
export function shownJob(job: JobRow, label: LabelOf) {
  return {
    id: job.id,
    kind: job.kind,
    operation: job.operation,
    profile: job.profile,
    ...companyOf(job.scope, label),
    state: job.state,
    createdAt: formatUtc(job.createdAt),
    updatedAt: formatUtc(job.updatedAt),
    ...(job.finishedAt === undefined ? {} : { finishedAt: formatUtc(job.finishedAt) }),
    commandLine: job.commandLine,
    scope: job.scope,
    ...actorOfJob(job),
  };
}

function actorOfJob({ machine, user, ciRun }: JobRow): Actor {
  return {
    ...(machine === undefined ? {} : { machine }),
    ...(user === undefined ? {} : { user }),
    ...(ciRun === undefined ? {} : { ciRun }),
  };
}

/** The company of a job or item. */
function companyOf(about: unknown, label: LabelOf) {
  const companyId = textField(about, 'companyId');
  return companyId === undefined || companyId === '' ? {} : { companyId, ...label(companyId) };
}

/** An item as data: its request and outcome, without internal fields. */
export function shownItem(item: ItemRow, label: LabelOf) {
  const { input, jobId: _job, epoch: _epoch, workerId, reason, ...rest } = item;
  const { dueAt, sentAt, settledAt, updatedAt, ...plain } = rest;
  return {
    ...plain,
    ...messageOf(reason),
    ...companyOf(input, label),
    inWork: workerId !== undefined,
    dueAt: formatUtc(dueAt),
    ...(sentAt === undefined ? {} : { sentAt: formatUtc(sentAt) }),
    ...(settledAt === undefined ? {} : { settledAt: formatUtc(settledAt) }),
    updatedAt: formatUtc(updatedAt),
  };
}

/** The sentence of a reason; its code where it is one of this program's own. */
function messageOf(reason: Reason | undefined) {
  if (reason === undefined) return {};
  const { is } = reason;
  const errorMessage = new Prose(reasonWords(reason));
  return is === 'said' || is === 'error' ? { errorMessage } : { reasonCode: is, errorMessage };
}

export function totalOf(counts: ItemCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** The others are counted. */
const MAX_ASKING = 10;

/** One job with its counts, its worker and the next command. */
export async function showJob(context: Context, { id }: Given<typeof show>): Promise<Outcome> {
  const store = await context.store();
  const job = await findJob(store, id);
  const counts = await store.jobs.counts(job.id);
  const workers = await (await context.jobs()).workers(job.id);
  const asking = await store.items.list(job.id, { states: ['uncertain'], limit: MAX_ASKING });
  const answerOf = await answersTo(store, job.profile, asking);
  const next = nextCommand(job, counts, workers.length > 0);
  return {
    data: {
      ...shownJob(job, await labelsOf(context, job)),
      items: totalOf(counts),
      counts,
      workers: workers.map(({ pid, machine, expiresAt }) => ({ pid, machine, until: formatUtc(expiresAt) })),
      ...(asking.length === 0 ? {} : { uncertain: asking.map((item) => shownQuestion(item, answerOf)) }),
      ...(next === undefined ? {} : { next }),
    },
  };
}

/** Items for a person to decide, with the reason: the outcome is unknown, or the effect is on another company. */
function shownQuestion(item: ItemRow, answerOf: (item: ItemRow) => Readonly<Record<string, string>>) {
  const { id, label, errorCode, reason, requestId } = item;
  return {
    ...answerOf(item),
    id,
    label,
    errorCode: errorCode ?? 'outcome.unknown',
    ...messageOf(reason),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

function nextCommand(job: JobRow, counts: ItemCounts, isInWork: boolean): string | undefined {
  if (isInWork) return jobLine(job, 'resume');
  if (job.state === 'loading') return inputCommand(job.commandLine);
  if (counts.prepared + counts.sending + counts.pending > 0) return jobLine(job, 'resume');
  if (counts.uncertain > 0) return jobLine(job, 'items', [['--state', 'uncertain']]);
  if (counts.rejected + counts.failed > 0) return jobLine(job, 'resume', [['--failed', true]]);
  return undefined;
}

/** The items of a job in the order of the input, as a stream: a job may have any number of them. */
export async function listItems(context: Context, { id, state, limit }: Given<typeof items>): Promise<Outcome> {
  const store = await context.store();
  const job = await findJob(store, id);
  const label = await labelsOf(context, job);
  const pages = itemPages(store, job.id, { states: state && [state], limit });
  return { data: shown(store, pages, { profile: job.profile, label }) };
}

async function* shown(
  store: Store,
  pages: AsyncIterable<readonly ItemRow[]>,
  { profile, label }: { readonly profile: string; readonly label: LabelOf },
) {
  for await (const page of pages) {
    const answerOf = await answersTo(store, profile, page);
    for (const item of page) yield { type: 'item', ...shownItem(item, label), ...answerOf(item) };
  }
}

/** The same with what the authority answered to it. */
export async function shownAnsweredItem(
  store: Store,
  item: ItemRow,
  of: { readonly profile: string; readonly label: LabelOf },
) {
  const answerOf = await answersTo(store, of.profile, [item]);
  return { ...shownItem(item, of.label), ...answerOf(item) };
}

/** What the authority answered to the events among these items. */
async function answersTo(store: Store, profile: string, items: readonly ItemRow[]) {
  const ids = items.map(({ resourceId, id }) => resourceId ?? id);
  const answers = await answersOf(store, profile, ids);
  return ({ resourceId, id }: ItemRow) => answerFields(answers.get(resourceId ?? id));
}

/** Everything stored about a job: the job, every item with its input and its steps, earlier tries first, a summary. */
export async function exportJob(context: Context, { id }: Given<typeof items>): Promise<Outcome> {
  const store = await context.store();
  const job = await findJob(store, id);
  return { data: records(store, job, await labelsOf(context, job)) };
}

async function* records(store: Store, job: JobRow, label: LabelOf): AsyncIterable<DataRecord> {
  yield { type: 'job', ...shownJob(job, label) };
  const of = { profile: job.profile, label };
  for await (const item of itemsOf(store, job.id)) {
    for (const earlier of await earlierTries(store, item))
      yield await itemRecord(store, { ...of, item: earlier, replaced: true });
    yield await itemRecord(store, { ...of, item, replaced: false });
  }
  const counts = await store.jobs.counts(job.id);
  yield { type: 'summary', jobId: job.id, items: totalOf(counts), counts };
}

interface Exported {
  readonly item: ItemRow;
  readonly replaced: boolean;
  readonly profile: string;
  readonly label: LabelOf;
}

async function itemRecord(store: Store, { item, replaced, profile, label }: Exported): Promise<DataRecord> {
  const events = await store.items.events(item.id);
  return {
    type: 'item',
    jobId: item.jobId,
    ...(await shownAnsweredItem(store, item, { profile, label })),
    replaced,
    input: item.input,
    events: events.map(({ at, ...event }) => ({ at: formatUtc(at), ...event, note: itemStepWords(event.step) })),
  };
}

/** The items that this one replaces, oldest first. */
async function earlierTries(store: Store, item: ItemRow): Promise<readonly ItemRow[]> {
  const tries: ItemRow[] = [];
  let previousId = item.previousId;
  while (previousId !== undefined) {
    const previous = await store.items.get(previousId);
    if (previous !== undefined) tries.unshift(previous);
    previousId = previous?.previousId;
  }
  return tries;
}

/**
 * A job that this run may send for. The keys and hosts of another profile never touch it: `job.other_profile`.
 */
export async function ownJob(context: Context, id: string): Promise<JobRow> {
  const job = await findJob(await context.store(), id);
  const { storeNamespace } = await context.settings();
  if (job.profile === storeNamespace) return job;
  throw new FiscalError(
    'job.other_profile',
    { id: job.id, profile: job.profile, current: storeNamespace },
    { jobId: job.id, sent: 'no', resume: jobLine(job, 'show') },
  );
}

/** Stands for the profile in runs without one. */
const noProfile = 'environment';

/** A command about a job, with the profile of the job: it may continue only there. */
export function jobLine({ id, profile }: JobRow, verb: string, flags: CommandParts['flags'] = []): string {
  const named = profile === noProfile ? undefined : profile;
  return fiscalLine({ command: `job ${verb}`, positionals: [id], flags, profile: named });
}

/** What a run of this job would send for the items in these states, and how much of it is billed. */
export async function previewJob(
  context: Context,
  job: JobRow,
  states: readonly ItemState[],
  isLeftOut: (item: ItemRow) => boolean = () => false,
): Promise<Outcome> {
  const store = await context.store();
  const labels: string[] = [];
  let sends = 0;
  let billedCalls = 0;
  for await (const item of itemsOf(store, job.id, { states })) {
    if (isLeftOut(item)) continue;
    sends += 1;
    if (item.billed) billedCalls += 1;
    if (labels.length < SHOWN) labels.push(item.label);
  }
  const { sending, pending, uncertain } = await store.jobs.counts(job.id);
  return {
    data: {
      type: 'dry-run',
      jobId: job.id,
      operation: job.operation,
      sends,
      billedCalls,
      labels,
      sending,
      pending,
      uncertain,
    },
    notices: [nothingSent],
  };
}

const SHOWN = 20;

const nothingSent: Text = {
  en: 'nothing was sent and nothing was changed',
  pt: 'nada foi enviado e nada foi alterado',
};

/** Whose job it is, for a question: `company Padaria Sol Ltda, … (5a0d…), profile acme`; the profile alone for several companies. */
export async function whoseJob(context: Context, { scope, profile }: Pick<JobRow, 'scope' | 'profile'>): Promise<Text> {
  const { companyId = '', tenantId = '' } = scope;
  const en = `profile ${profile}`;
  const pt = `perfil ${profile}`;
  if (companyId !== '') {
    const company = await companyNamed(context, companyId);
    return { en: `company ${company}, ${en}`, pt: `empresa ${company}, ${pt}` };
  }
  return tenantId === '' ? { en, pt } : { en: `tenant ${tenantId}, ${en}`, pt: `tenant ${tenantId}, ${pt}` };
}
