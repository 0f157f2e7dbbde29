import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import {
  legacyCall,
  legacyManifestation,
  type LegacySubmission,
  type Submission,
  submissionKey,
} from '../../jobs/kinds/manifestation.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { runSingle, saidIn, unknownOutcome } from '../../services/batch/single-job.js';
import { answerHere } from '../../services/documents/event-answers.js';
import { confirmEvent } from './confirm-event.js';
import type { submit } from './commands.js';
import { eventEndedBadly, eventSentence } from './follow.js';
import { findEarlier } from './earlier.js';
import { noCompany, requireProvenCompany } from './company.js';
import type { KnownEvent } from '../../services/documents/known-events.js';
import { tripleOf } from './remember.js';
import { labelOf, shownEvent } from './shown.js';

const codes: readonly number[] = [210200, 210210, 210220, 210240];

/**
 * The replaced route `POST /{access_key}/manifest` (§4, §9). It is unsafe: a send of unknown outcome is never repeated by
 * the program. Errors: `usage.invalid`, `usage.missing`, `manifestation.other_content`, `outcome.unknown`, `outcome.ended_badly`.
 */
export async function submitLegacy(
  context: Context,
  given: Given<typeof submit>,
  { submission, notices }: { readonly submission: Submission; readonly notices: readonly Text[] },
): Promise<Outcome> {
  const legacy = legacyOf(submission);
  const settings = await context.settings();
  const allNotices = [...notices, deprecated];
  if (settings.dryRun) {
    return { data: await previewOne(context, 'nfe.manifestation.legacy', legacyCall(legacy)), notices: allNotices };
  }
  await requireProvenCompany(context, submission);
  const key = submissionKey(submission);
  const earlier = await findEarlier(context, submission, '');
  if (earlier.is === 'live') {
    const sentence = eventSentence(earlier.event, { isEarlier: true });
    const answer = await answerHere(context, earlier.event);
    return { data: shownEvent(earlier.event, answer), sentence, notices: allNotices };
  }
  await confirmEvent(context, submission);
  const single = await runSingle(
    context,
    {
      kind: legacyManifestation,
      profile: settings.storeNamespace,
      inputDigest: `legacy ${legacy.companyId} ${key}`,
      scope: { companyId: legacy.companyId },
      items: [{ ordinal: 1, label: labelOf(submission), dedupeKey: key, input: legacy }],
    },
    { ...given, retryBillable: false },
  );
  const { item, result, events } = single;
  const said = saidIn(events);
  if (item.state === 'uncertain') throw unknownOutcome(item);
  const event: KnownEvent = {
    ...tripleOf(submission),
    status: item.remoteStatus ?? (item.state === 'succeeded' ? 'unknown' : item.state),
    ...(item.errorCode === undefined ? {} : { errorCode: item.errorCode }),
    ...(item.errorMessage === undefined ? {} : { errorMessage: item.errorMessage }),
    ...{ jobId: item.jobId, itemId: item.id },
  };
  if (item.state === 'succeeded' || item.state === 'skipped') {
    const message = said === undefined ? {} : { message: said };
    const isDecided = item.state === 'skipped' || item.remoteStatus === 'Accepted';
    return {
      data: { ...shownEvent(event, await answerHere(context, event)), ...message },
      sentence: eventSentence(event),
      notices: isDecided ? allNotices : [...allNotices, onlyAccepted],
    };
  }
  if (item.state !== 'rejected' && result.error !== undefined) throw result.error.with({ jobId: item.jobId });
  throw eventEndedBadly(event);
}

/** The route accepts the four events of the recipient, one sequence, and only a justification as detail. */
function legacyOf(submission: Submission): LegacySubmission {
  const { accessKey, eventCode } = submission;
  const { justification, ...others } = submission.family === 'nfe' ? submission.detail : { other: true };
  const fits = submission.family === 'nfe' && submission.nSequencia === 1 && Object.keys(others).length === 0;
  if (!fits || !codes.includes(eventCode))
    throw new FiscalError('usage.invalid', { message: notThere }, { sent: 'no' });
  const text = typeof justification === 'string' ? { justification } : {};
  const { companyId, companyUnchecked } = submission;
  if (companyId === undefined) throw noCompany();
  const vouched = companyUnchecked === undefined ? {} : { companyUnchecked };
  return { family: 'nfe', companyId, accessKey, eventCode, ...text, ...vouched };
}

const onlyAccepted: Text = {
  en: 'accepted by the service; the decision of the tax authority is not known',
  pt: 'aceito pelo serviço; a decisão da autoridade fiscal não é conhecida',
};

const notThere: Text = {
  en: `--legacy takes the events ${codes.join(', ')} only, with sequence 1`,
  pt: `--legacy aceita somente os eventos ${codes.join(', ')}, com sequência 1`,
};

const deprecated: Text = {
  en: 'the route of --legacy is deprecated: the service has replaced it (§4); omit --legacy',
  pt: 'a rota de --legacy está obsoleta: o serviço a substituiu (§4); não use --legacy',
};
