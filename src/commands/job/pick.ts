import type { Text } from '../../contract/text.js';
import type { Io } from '../../io/io.js';
import { kindOfJob, retryStates } from '../../jobs/manage.js';
import type { ChoiceRow, PickContext, Picker, PickRequest } from '../../services/pick.js';
import { troubledJobs } from '../../services/troubled-jobs.js';
import type { JobState } from '../../store/store.js';
import { newestJobs } from './read.js';
import { Prose } from '../../domain/prose.js';
import { reasonWords, type Reason } from '../../errors/reasons.js';

const MOST = 200;

const questions = {
  job: { en: 'Job', pt: 'Lote' },
  item: { en: 'Uncertain item', pt: 'Item sem confirmação do serviço' },
  rows: { en: 'Which are sent again?', pt: 'Quais são enviados de novo?' },
} as const satisfies Readonly<Record<string, Text>>;

/** The states in which each verb finds something to do; the others take every job. */
const states: Readonly<Record<string, readonly JobState[]>> = {
  'job resume': ['loading', 'open'],
  'job cancel': ['loading', 'open'],
};

/** The job of a verb. */
export const picker: Picker = async (context, io, { command, lines }) => {
  const id = await pickJob(context, io, { lines, states: states[command], isTaken: () => true });
  return id === undefined ? undefined : [id];
};

/** A job with failed or rejected items, and those of them that are sent again. */
export const failedPicker: Picker = async (context, io, { lines }) => {
  const id = await pickJob(context, io, { lines, states: undefined, isTaken: ({ bad }) => bad !== 0 });
  return id === undefined ? undefined : [id, ...(await pickRows(context, io, { id, lines }))];
};

interface JobChoice extends Pick<PickRequest, 'lines'> {
  readonly states: readonly JobState[] | undefined;
  isTaken(job: ChoiceRow): boolean;
}

async function pickJob(
  context: PickContext,
  io: Io,
  { lines, states: wanted, isTaken }: JobChoice,
): Promise<string | undefined> {
  const { profile, storeNamespace } = await context.settings();
  const found = await newestJobs(context, {
    limit: MOST,
    ...(profile === undefined ? {} : { profile: storeNamespace }),
    ...(wanted === undefined ? {} : { states: wanted }),
  });
  const jobs = found.filter(isTaken);
  if (jobs.length === 0) return undefined;
  const rows = jobs.map((job) => ({ ...job, progress: `${String(job['done'])}/${String(job['items'])}` }));
  const fields = ['id', 'state', 'progress', 'createdAt', 'kind', 'companyName'];
  return await io.prompts.search(questions.job[io.language], choicesOf(rows, fields, lines));
}

/** The uncertain item that a person decides about. */
export const itemPicker: Picker = async (context, io, { lines }) => {
  const { items } = await context.store();
  const jobs = (await troubledJobs(context, undefined)).filter(({ uncertain }) => uncertain > 0);
  const rows: (ChoiceRow & { readonly id: string })[] = [];
  for (const job of jobs) {
    const limit = MOST - rows.length;
    if (limit === 0) break;
    for (const { id, label, reason } of await items.list(job.id, { states: ['uncertain'], limit }))
      rows.push({ id, label, jobId: job.id, errorMessage: wordsOf(reason) });
  }
  if (rows.length === 0) return undefined;
  const choices = choicesOf(rows, ['label', 'jobId', 'errorMessage', 'id'], lines);
  return [await io.prompts.search(questions.item[io.language], choices)];
};

/** Nothing is added where all of them are chosen: that is what the command does by itself. */
async function pickRows(
  { store }: PickContext,
  io: Io,
  { id, lines }: Pick<PickRequest, 'lines'> & { readonly id: string },
): Promise<readonly string[]> {
  const opened = await store();
  const kind = await kindOfJob({ store: opened }, id);
  const items = await opened.items.list(id, { states: retryStates(kind) });
  if (items.length < 2 || items.length > MOST) return [];
  const rows = items.map(({ id: item, label, state, reason }) => ({
    id: item,
    label,
    state,
    errorMessage: wordsOf(reason),
  }));
  const choices = choicesOf(rows, ['label', 'state', 'errorMessage'], lines);
  const ticked = await io.prompts.tick(questions.rows[io.language], choices);
  return ticked.length === items.length ? [] : ['--items', ticked.join(',')];
}

function wordsOf(reason: Reason | undefined): Prose | undefined {
  return reason && new Prose(reasonWords(reason));
}

function choicesOf(
  rows: readonly (ChoiceRow & { readonly id?: unknown })[],
  fields: readonly string[],
  linesOf: PickRequest['lines'],
) {
  const lines = linesOf(rows, fields);
  return rows.map(({ id }, index) => ({ value: String(id), name: lines[index] ?? '', short: String(id) }));
}
