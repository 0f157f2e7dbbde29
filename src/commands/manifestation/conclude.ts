import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Submission } from '../../jobs/kinds/manifestation.js';
import type { ItemRow } from '../../store/store.js';
import type { Context } from '../../services/context.js';
import { requireArrived, type SingleResult } from '../../services/single-job.js';
import { placeOf } from './company.js';
import { eventEndedBadly, eventStillPending, pollLine } from './endings.js';
import { readEvent } from './read-event.js';
import type { KnownEvent } from '../../services/known-events.js';
import { companyFields, rememberItem, statusOf, tripleOf } from './remember.js';
import { eventText, labelOf, shownEvent } from './shown.js';

export interface Ending {
  readonly single: SingleResult;
  readonly submission: Submission;
  readonly wait: boolean;
  readonly notices: readonly Text[];
}

/**
 * What became of one submission. Errors: `outcome.unknown`, `outcome.ended_badly`, `outcome.still_pending`,
 * `manifestation.already_live`, `service.conflict`, `job.key_held`, and what stopped the run.
 */
export async function conclude(context: Context, ending: Ending): Promise<Outcome> {
  const { single, submission, wait, notices } = ending;
  const { item } = single;
  await rememberItem(await context.store(), await placeOf(context, submission.companyId), item);
  const event = eventOf(submission, item);
  if (item.state === 'skipped') return skipped(ending, event);
  const endedBadly = item.state === 'rejected' || item.state === 'failed';
  if (endedBadly && item.remoteStatus !== undefined) throw eventEndedBadly(event);
  requireArrived(single);
  if (item.state === 'pending') {
    requireNotStopped(single, { event, wait });
    return { data: shownEvent(event), notices: [...notices, ...whereToLook(event)] };
  }
  return wait ? await withProtocol(context, event, notices) : { data: shownEvent(event), notices };
}

function requireNotStopped(
  { item, result }: SingleResult,
  { event, wait }: { readonly event: KnownEvent; readonly wait: boolean },
): void {
  const { jobId, attempts, httpStatus } = item;
  // The first send was refused: the live event is another application's. After an interrupted send it is our own.
  if (!wait && httpStatus === 409 && attempts === 1) throw alreadyLive(event);
  if (!wait) return;
  if (result.error !== undefined) throw result.error.with({ jobId, resume: pollLine(event) });
  throw eventStillPending(event, Math.round(result.elapsedMs / 1000));
}

/** 573 is done; a 409 that names nothing, or another item that holds the event, is a conflict. */
function skipped({ single: { item }, submission, notices }: Ending, event: KnownEvent): Outcome {
  if (item.remoteStatus !== undefined) return { data: shownEvent(event), notices: [...notices, registered] };
  const { jobId, errorMessage, duplicateOf, label } = item;
  if (duplicateOf !== undefined) throw new FiscalError('job.key_held', { label, id: duplicateOf }, { jobId });
  const hint = {
    en: 'another application may have submitted it; see: fiscal manifestation list',
    pt: 'outra aplicação pode ter enviado; veja: fiscal manifestation list',
  };
  throw new FiscalError(
    'service.conflict',
    { message: errorMessage ?? labelOf(submission) },
    { jobId, httpStatus: 409, sent: 'yes', hint },
  );
}

/** The proof: the protocol stands in the event itself. That it is accepted is known without it. */
async function withProtocol(context: Context, event: KnownEvent, notices: readonly Text[]): Promise<Outcome> {
  const { family, id, companyId } = event;
  if (id === undefined) return { data: shownEvent(event), notices };
  try {
    const read = await readEvent(context, { family, id, companyId });
    return { data: shownEvent({ ...event, ...read.event }), notices };
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    return { data: shownEvent(event), notices: [...notices, error.text] };
  }
}

function eventOf(submission: Submission, item: ItemRow): KnownEvent {
  const { resourceId, errorCode, errorMessage, jobId } = item;
  return {
    ...tripleOf(submission),
    ...(resourceId === undefined ? {} : { id: resourceId }),
    status: statusOf(item),
    ...companyFields(item),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(errorMessage === undefined ? {} : { errorMessage }),
    jobId,
    itemId: item.id,
  };
}

function alreadyLive(event: KnownEvent): FiscalError {
  const { id = '?', jobId, ...unnamed } = event;
  return new FiscalError(
    'manifestation.already_live',
    { what: eventText(unnamed), id },
    { httpStatus: 409, sent: 'yes', resume: pollLine(event), ...(jobId === undefined ? {} : { jobId }) },
  );
}

function whereToLook(event: KnownEvent): readonly Text[] {
  const command = pollLine(event);
  return [
    {
      en: `the authority decides in the background; follow it: ${command}`,
      pt: `a autoridade decide em segundo plano; acompanhe: ${command}`,
    },
  ];
}

const registered: Text = {
  en: 'the authority had this very event registered already (573): it counts as done',
  pt: 'a autoridade já tinha este mesmo evento registrado (573): conta como feito',
};
