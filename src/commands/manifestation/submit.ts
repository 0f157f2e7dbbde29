import { createHash } from 'node:crypto';
import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import { canonicalJson } from '../../domain/canonical-json.js';
import { findEvent } from '../../domain/event-codes.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { manifestationFacts, submissionKey, type Submission } from '../../jobs/kinds/manifestation.js';
import type { Context } from '../../services/context.js';
import { type KnownEvent, listKnown } from '../../services/documents/known-events.js';
import { namedCompany } from '../../services/scope/companies.js';
import { conflictWords, runSingle, requireArrived, type SingleResult } from '../../services/batch/single-job.js';
import type { ItemRow } from '../../store/store.js';
import type { submit } from './commands.js';
import { companyOfNote, requireProvenCompany, eventScopeOf } from './company.js';
import { confirmEvent } from './confirm-event.js';
import { findEarlier, requireNoDoubt, type Earlier } from './earlier.js';
import { readEventKey } from './event-key.js';
import {
  eventSentence,
  followEvent,
  registeredAlready,
  requireNotBad,
  eventEndedBadly,
  eventStillPending,
  pollLine,
} from './follow.js';
import { answerHere } from '../../services/documents/event-answers.js';
import { readEvent } from './read-event.js';
import { companyFields, rememberItems, statusOf, tripleOf } from './remember.js';
import { labelOf, shownEvent, eventText } from './shown.js';
import { previewSubmission, checkSubmission, readDetail } from './submission.js';

type SubmitGiven = Given<typeof submit>;

/** `--cancels` can only mean this event. */
const CANCELLATION = '110001';

/**
 * Submits one event as a job of one item. The item is stored before it is sent, and a live event is never sent twice; after
 * Rejected or Failed the same command sends a new item that is linked to the old one. Errors: `input.invalid` naming every field, `manifestation.*`, `job.key_held`,
 * `outcome.unknown`, with `wait` `outcome.ended_badly` and `outcome.still_pending`, and those of the client.
 */
export async function submitManifestation(context: Context, given: SubmitGiven): Promise<Outcome> {
  const { submission, notices } = await readSubmission(context, given);
  const { dryRun, storeNamespace } = await context.settings();
  if (dryRun) return { data: await previewSubmission(context, submission), notices };
  await requireNoDoubt(context, submission);
  await requireProvenCompany(context, submission);
  const digest = digestOf(submission);
  const earlier = await findEarlier(context, submission, digest);
  if (earlier.is === 'live') return await repeat(context, earlier, { given, notices });
  await confirmEvent(context, submission);
  const previousId = earlier.is === 'free' ? earlier.previousId : undefined;
  const item = {
    ordinal: 1,
    label: labelOf(submission),
    dedupeKey: submissionKey(submission),
    input: submission,
    ...(previousId === undefined ? {} : { previousId }),
  };
  const single = await runSingle(
    context,
    {
      kind: manifestationFacts(submission.family),
      profile: storeNamespace,
      inputDigest: await freshDigest(context, submission, digest),
      scope: { companyId: submission.companyId ?? '' },
      items: [item],
    },
    { ...given, retryBillable: false },
  );
  return await conclude(context, { single, submission, wait: given.wait, notices });
}

/** An item that the service refused with 409 is final; a later run of the same command starts a new job. */
async function freshDigest(context: Context, submission: Submission, digest: string): Promise<string> {
  const store = await context.store();
  const { storeNamespace } = await context.settings();
  const operation = manifestationFacts(submission.family).submit;
  const job = await store.jobs.find({ operation, profile: storeNamespace, inputDigest: digest });
  const [item] = job === undefined ? [] : await store.items.list(job.id, { limit: 1 });
  const wasRefused = item?.state === 'skipped' && item.remoteStatus === undefined;
  return wasRefused ? `${digest} again ${context.random.uuid()}` : digest;
}

async function repeat(
  context: Context,
  { event, target }: Extract<Earlier, { is: 'live' }>,
  { given, notices }: { readonly given: SubmitGiven; readonly notices: readonly Text[] },
): Promise<Outcome> {
  const allNotices = [...notices, alreadySubmitted(event.id ?? '', event.status)];
  if (!given.wait || requireNotBad(event) === 'done')
    return {
      data: shownEvent(event, await answerHere(context, event)),
      sentence: eventSentence(event, { isEarlier: true }),
      notices: allNotices,
    };
  const followed = await followEvent(context, target, given);
  return {
    data: shownEvent(followed.event, followed.answer),
    sentence: eventSentence(followed.event, { isEarlier: true }),
    notices: allNotices,
  };
}

async function readSubmission(
  context: Context,
  given: SubmitGiven,
): Promise<{ readonly submission: Submission; readonly notices: readonly Text[] }> {
  const { accessKey, cancels, companyUnchecked } = given;
  const event = given.event ?? (cancels === undefined ? undefined : CANCELLATION);
  let detail: unknown;
  if (given.detail !== undefined) detail = await readDetail(context, given.detail);
  else if (cancels !== undefined) detail = await cancellationDetail(context, accessKey, cancels);
  const key = readEventKey(accessKey);
  const isNote = !('problem' in key) && key.family === 'nfe' && !companyUnchecked;
  const companyId = isNote ? await companyOfNote(context, key.value) : await namedCompany(context);
  const checked = checkSubmission({ ...given, event, detail }, { ...given, companyId });
  if ('problems' in checked) {
    const what = { en: 'the manifestation', pt: 'a manifestação' };
    const error = new FiscalError('input.invalid', { what }, { details: checked.problems, sent: 'no' });
    throw event === undefined ? error.with({ pick: 'event' }) : error;
  }
  const notices = checked.notes.map(({ field, message }) => ({
    en: `${field} ${message.en}`,
    pt: `${field} ${message.pt}`,
  }));
  return { submission: checked.submission, notices };
}

function digestOf(submission: Submission): string {
  const content = createHash('sha256').update(canonicalJson(submission)).digest('hex');
  return `submit ${submissionKey(submission)} ${content}`;
}

function alreadySubmitted(id: string, status: string): Text {
  return {
    en: `already submitted as ${id} and ${status}; nothing was sent`,
    pt: `já enviado como ${id} e ${status}; nada foi enviado`,
  };
}

interface SubmitResult {
  readonly single: SingleResult;
  readonly submission: Submission;
  readonly wait: boolean;
  readonly notices: readonly Text[];
}

/**
 * The outcome of one submission. Errors: `outcome.unknown`, `outcome.ended_badly`, `outcome.still_pending`,
 * `manifestation.already_live`, `service.conflict`, `job.key_held`, and what stopped the run.
 */
async function conclude(context: Context, result: SubmitResult): Promise<Outcome> {
  const { single, submission, wait, notices } = result;
  const { item } = single;
  await rememberItems(await context.store(), await eventScopeOf(context, submission.companyId), [item]);
  const event = eventOf(submission, item);
  const data = shownEvent(event, await answerHere(context, event));
  if (item.state === 'skipped') return skipped(result, event, data);
  const endedBadly = item.state === 'rejected' || item.state === 'failed';
  if (endedBadly && item.remoteStatus !== undefined) throw eventEndedBadly(event);
  requireArrived(single);
  if (item.state === 'pending') {
    requireNotStopped(single, { event, wait });
    return { data, sentence: eventSentence(event), notices: [...notices, ...whereToLook(event)] };
  }
  return { data, sentence: eventSentence(event), notices };
}

function requireNotStopped(
  { item, result }: SingleResult,
  { event, wait }: { readonly event: KnownEvent; readonly wait: boolean },
): void {
  const { jobId, attempts, httpStatus } = item;
  // A 409 on the first send means that another application has the live event. After an interrupted send it is our own.
  if (!wait && httpStatus === 409 && attempts === 1) throw alreadyLive(event);
  if (!wait) return;
  if (result.error !== undefined) throw result.error.with({ jobId, resume: pollLine(event) });
  throw eventStillPending(event, Math.round(result.elapsedMs / 1000));
}

/** 573 counts as done. A 409 without an event id, or another item that holds the event, is a conflict. */
function skipped(
  { single: { item }, submission, notices }: SubmitResult,
  event: KnownEvent,
  data: DataRecord,
): Outcome {
  if (item.remoteStatus !== undefined)
    return { data, sentence: eventSentence(event), notices: [...notices, registeredAlready] };
  const { jobId, duplicateOf, label } = item;
  if (duplicateOf !== undefined) throw new FiscalError('job.key_held', { label, id: duplicateOf }, { jobId });
  const hint = {
    en: 'another application may have submitted it; see: fiscal manifestation list',
    pt: 'outra aplicação pode ter enviado; veja: fiscal manifestation list',
  };
  throw new FiscalError(
    'service.conflict',
    { message: conflictWords(item) ?? labelOf(submission) },
    { jobId, httpStatus: 409, sent: 'yes', hint },
  );
}

function eventOf(submission: Submission, item: ItemRow): KnownEvent {
  const { resourceId, errorCode, reason, jobId } = item;
  return {
    ...tripleOf(submission),
    ...(resourceId === undefined ? {} : { id: resourceId }),
    status: statusOf(item),
    ...companyFields(item),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(reason === undefined ? {} : { reason }),
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
      en: `the authority decides in the background; to wait for the decision: ${command}`,
      pt: `a autoridade decide em segundo plano; para aguardar a decisão: ${command}`,
    },
  ];
}

/**
 * The `detail` of 110001 for `--cancels <event>`: its protocol comes from what this machine knows of the accepted event,
 * and is read from the service when no earlier read has shown it. Errors: `usage.invalid_value`, `manifestation.no_protocol`.
 */
async function cancellationDetail(
  context: Context,
  accessKey: string,
  cancels: string,
): Promise<Readonly<Record<string, unknown>>> {
  const event = findEvent(cancels);
  if (event === undefined)
    throw invalidValue('--cancels', cancels, { en: 'an event is expected', pt: 'espera-se um evento' });
  const key = readEventKey(accessKey);
  // The check of the whole submission reports an invalid key.
  if ('problem' in key) return {};
  const { value } = key;
  const known = await newestAccepted(context, value, event.code);
  const protocol = (await answerHere(context, known))?.protocol ?? (await protocolAtService(context, known));
  if (protocol === undefined) throw noProtocol({ accessKey: value, eventCode: event.code, nSequencia: 1 });
  return { tpEventoAut: event.code, nProtEvento: protocol };
}

/** The last accepted one of all sequences. */
async function newestAccepted(context: Context, accessKey: string, eventCode: number): Promise<KnownEvent | undefined> {
  const scope = await eventScopeOf(context);
  const known = await listKnown(await context.store(), {
    storeNamespace: scope.storeNamespace,
    companies: [scope.company],
  });
  return known
    .map(({ event }) => event)
    .find((event) => event.accessKey === accessKey && event.eventCode === eventCode && event.id !== undefined);
}

async function protocolAtService(context: Context, known: KnownEvent | undefined): Promise<string | undefined> {
  if (known?.id === undefined) return undefined;
  const { answer } = await readEvent(context, { family: known.family, id: known.id });
  return answer?.protocol;
}

function noProtocol(event: Pick<KnownEvent, 'accessKey' | 'eventCode' | 'nSequencia'>): FiscalError {
  return new FiscalError(
    'manifestation.no_protocol',
    { what: eventText(event) },
    {
      sent: 'no',
      hint: {
        en: `give it: --detail '{"tpEventoAut":${event.eventCode},"nProtEvento":"<protocol>"}'`,
        pt: `informe: --detail '{"tpEventoAut":${event.eventCode},"nProtEvento":"<protocolo>"}'`,
      },
    },
  );
}
