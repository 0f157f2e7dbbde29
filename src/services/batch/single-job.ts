import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import { fieldOf } from '../../domain/record.js';
import { FiscalError, type ErrorFacts } from '../../errors/fiscal-error.js';
import { mayHaveArrived } from '../../jobs/decide.js';
import { endsRun, type JobEngine, type JobResult } from '../../jobs/engine.js';
import { reasonWords } from '../../errors/reasons.js';
import type { ItemEvent, ItemRow } from '../../store/store.js';
import type { Context } from '../context.js';
import type { FollowOptions } from './follow.js';
import { runOptions, startJob, type JobRequest } from './start-job.js';

export interface SingleResult {
  readonly item: ItemRow;
  readonly result: JobResult;
  /** A send of the item may have arrived, whatever a later response was. */
  readonly mayHaveArrived: boolean;
  readonly events: readonly ItemEvent[];
}

/** The last answer of the service that is a text. */
export function saidIn(events: readonly ItemEvent[]): string | undefined {
  return events.flatMap(({ step }) => (step.is === 'answered' && step.said !== undefined ? [step.said] : [])).at(-1);
}

/**
 * Writes or finds a job of one item, and works on it. An item that failed or was rejected before is sent again, as
 * far as its kind allows.
 */
export async function runSingle<Input>(
  context: Context,
  request: JobRequest<Input>,
  options: FollowOptions,
): Promise<SingleResult> {
  const engine = await context.jobs();
  const { job, resumed } = await startJob(context, request);
  if (resumed) await engine.retry(job.id);
  const result = await engine.run(job.id, {
    ...(await runOptions(context, options)),
    concurrency: 1,
    onError: 'stop',
    lockWaitMs: 0,
    onUnnamed: ({ label }) => void context.notice(looksFor(label)),
  });
  if (result.error !== undefined && endsRun(result.stopped)) throw result.error;
  const item = await onlyItem(engine, job.id);
  const events = await (await context.store()).items.events(item.id);
  return { item, result, mayHaveArrived: mayHaveArrived(events), events };
}

function looksFor(label: string): Text {
  return {
    en: `the service took ${label} and named no id: it is looked for, which may take a minute`,
    pt: `o serviço recebeu ${label} e não informou o id: ela é procurada, o que pode levar um minuto`,
  };
}

async function onlyItem(engine: JobEngine, jobId: string): Promise<ItemRow> {
  for await (const item of engine.items(jobId)) return item;
  throw new FiscalError('job.not_found', { id: jobId });
}

/**
 * The item, when the service has a resource for it (pending, succeeded, rejected); otherwise the error with
 * the outcome of the request.
 */
export function requireArrived(single: SingleResult): ItemRow {
  const { item, result } = single;
  const { jobId } = item;
  if (item.state === 'uncertain') throw unknownOutcome(item, single.events);
  if (item.state === 'succeeded' || (item.resourceId !== undefined && item.state !== 'failed')) return item;
  if (result.error !== undefined) {
    const attempts = item.attempts === 0 ? {} : { attempts: item.attempts };
    throw result.error.with({
      ...{ jobId, ...attempts },
      // What stopped the item is a reading before its first send.
      ...(item.attempts === 0 ? { sent: 'no' } : {}),
      ...(isKept(item) ? goesOn(single) : {}),
    });
  }
  if (item.state === 'pending' || (isKept(item) && !isUnsent(single))) throw notFoundYet(single);
  if (item.state === 'prepared') throw notAccepted(single);
  const reason = item.reason === undefined ? noReason : reasonWords(item.reason);
  throw new FiscalError('outcome.ended_badly', { what: item.label, status: item.state, reason }, { jobId });
}

/** What the service said of a refused repeat (409), without the words around it. */
export function conflictWords({ reason }: ItemRow): string | number | Text | undefined {
  const isConflict = reason?.is === 'error' && reason.code === 'service.conflict';
  return isConflict ? reason.values['message'] : reason && reasonWords(reason);
}

/** Adds the hint for a 409 that names no resource, with the next command. */
export function withConflictHint<Value>(hint: Text, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    const isBare = error instanceof FiscalError && error.facts.httpStatus === 409 && error.facts.hint === undefined;
    throw isBare ? error.with({ hint }) : error;
  }
}

function isKept({ state }: ItemRow): boolean {
  return state === 'prepared' || state === 'sending';
}

/** Neither this send nor an earlier one can have had an effect. */
function isUnsent({ item, mayHaveArrived }: SingleResult): boolean {
  return item.state === 'prepared' && !mayHaveArrived;
}

function goesOn(single: SingleResult): ErrorFacts {
  const { jobId, state } = single.item;
  const resume = `fiscal job resume ${jobId}`;
  if (state === 'pending') return { resume: `${resume} --wait`, sent: 'unknown', hint: isLookedFor };
  if (!isUnsent(single)) return { resume, sent: 'unknown', hint: wasSent };
  return {
    resume,
    sent: 'no',
    hint: {
      en: 'the request is saved: the same command continues it and sends it once',
      pt: 'a requisição está gravada: o mesmo comando a continua e a envia uma única vez',
    },
  };
}

/** Exit 8: the timeout is over before the sent request was found in the service. */
function notFoundYet(single: SingleResult): FiscalError {
  const { item, result } = single;
  const { jobId, label, requestId } = item;
  const what = { en: `the outcome of ${label}`, pt: `o resultado de ${label}` };
  const status = { en: 'unknown', pt: 'desconhecido' };
  return new FiscalError(
    'outcome.still_pending',
    { what, status, seconds: Math.round(result.elapsedMs / 1000) },
    { jobId, ...(requestId === undefined ? {} : { requestId }), ...goesOn(single) },
  );
}

/** Exit 8: the timeout is over before the service accepted anything, as after a 429. */
function notAccepted(single: SingleResult): FiscalError {
  const { item, result } = single;
  const status = { en: 'not accepted', pt: 'sem aceite' };
  const seconds = Math.round(result.elapsedMs / 1000);
  const facts: ErrorFacts = { jobId: item.jobId, ...goesOn(single) };
  return new FiscalError('outcome.still_pending', { what: item.label, status, seconds }, facts);
}

const wasSent: Text = {
  en: 'it was sent and its outcome is unknown: the same command continues it',
  pt: 'ela foi enviada e o resultado não é conhecido: o mesmo comando a continua',
};

const isLookedFor: Text = {
  en: 'it was sent and its outcome is unknown: with --wait the job looks it up',
  pt: 'ela foi enviada, e o resultado não é conhecido: com --wait o lote a procura',
};

/**
 * Exit 3: the request may have arrived; only a person may have it sent again. Exit 10 when it took effect for another
 * company.
 */
export function unknownOutcome(item: ItemRow, events: readonly ItemEvent[] = []): FiscalError {
  const { jobId, id, requestId } = item;
  return new FiscalError(
    isOfOther(item) ? 'outcome.other_company' : 'outcome.unknown',
    { reason: unknownReason(item) },
    {
      jobId,
      sent: 'unknown',
      retryable: false,
      ...(requestId === undefined ? {} : { requestId }),
      resume: `fiscal job resolve ${id}`,
      hint: isOfOther(item) ? otherHint(item) : (candidateHint(item, events) ?? arrivalHint(item)),
    },
  );
}

function arrivalHint({ label }: ItemRow): Text {
  return {
    en: `check at the service whether the request for ${label} arrived, then resolve it with --as succeeded, --as failed or --as not-sent`,
    pt: `verifique no serviço se a requisição de ${label} chegou e informe com --as succeeded, --as failed ou --as not-sent`,
  };
}

/** Which of the candidates it is, a person sees by reading them. */
function candidateHint({ id, input }: ItemRow, events: readonly ItemEvent[]): Text | undefined {
  const step = events.at(-1)?.step;
  const candidate = step?.is === 'several-alike' ? step.candidates[0] : undefined;
  const model = fieldOf(input, 'model');
  if (candidate === undefined || typeof model !== 'string') return undefined;
  const company = fieldOf(input, 'companyId');
  const read = fiscalLine({
    command: 'invoice get',
    positionals: [candidate],
    flags: [['--model', model]],
    ...(typeof company === 'string' ? { company } : {}),
  });
  const resolve = `fiscal job resolve ${id}`;
  return {
    en: `read each one: ${read}; if it is this invoice: ${resolve} --as succeeded --resource ${candidate}; if none is: ${resolve} --as failed, or --as not-sent to send it again`,
    pt: `consulte cada uma: ${read}; se for esta nota: ${resolve} --as succeeded --resource ${candidate}; se nenhuma for: ${resolve} --as failed, ou --as not-sent para enviá-la de novo`,
  };
}

function unknownReason({ reason }: ItemRow): Text {
  return reason === undefined ? interruptedSend : reasonWords(reason);
}

function isOfOther({ errorCode }: { readonly errorCode?: string | undefined }): boolean {
  return errorCode === 'service.other_company';
}

function otherHint({ label, answeredCompany }: ItemRow): Text {
  const whose = answeredCompany ?? '?';
  return {
    en: `the service took ${label} and answered for ${whose}; check there which one it belongs to, then resolve it with --as succeeded if it is the right one, else --as failed`,
    pt: `o serviço recebeu ${label} e respondeu por ${whose}; verifique lá para quem ficou e informe --as succeeded se for para quem foi indicado, senão --as failed`,
  };
}

const noReason: Text = { en: 'no reason was kept', pt: 'nenhum motivo foi registrado' };

const interruptedSend: Text = {
  en: 'the program ended before the answer came',
  pt: 'o programa terminou antes da resposta',
};
