import { createHash } from 'node:crypto';
import type { Text } from '../../contract/text.js';
import { canonicalJson } from '../../domain/canonical-json.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { manifestationFacts, submissionKey, type Submission } from '../../jobs/kinds/manifestation.js';
import type { Context } from '../../services/context.js';
import { runSingle, type FollowOptions } from '../../services/single-job.js';
import { namedCompany } from '../../services/read-company.js';
import { companyOfNote, requireProvenCompany } from './company.js';
import { readEventKey } from './event-key.js';
import { cancellationDetail } from './cancels.js';
import { confirmEvent } from './confirm-event.js';
import { conclude } from './conclude.js';
import { findEarlier, requireNoDoubt, type Earlier } from './earlier.js';
import { followEvent, requireNotBad } from './follow.js';
import { previewSubmission } from './preview-submission.js';
import { labelOf, shownEvent } from './shown.js';
import { checkSubmission } from './submission.js';
import { submitLegacy } from './submit-legacy.js';
import { readDetail } from './written-detail.js';
import type { Finding } from './written-submission.js';

export interface SubmitRequest extends Omit<FollowOptions, 'retryBillable'> {
  readonly accessKey: string;
  readonly event: string | undefined;
  readonly sequence: string | undefined;
  /** JSON, a file, or `-`. */
  readonly detail: string | undefined;
  readonly justification: string | undefined;
  readonly reason: string | undefined;
  /** The event that 110001 takes back; its protocol is found here. */
  readonly cancels: string | undefined;
  readonly unchecked: boolean;
  /** The user vouches for the company. */
  readonly companyUnchecked: boolean;
  /** By the route that this one replaced. */
  readonly legacy: boolean;
}

/** `--cancels` can only mean this event. */
const CANCELLATION = '110001';

/**
 * Submits one event as a job of one item: written before it is sent, never twice while it is live; after Rejected or Failed
 * the same words send a fresh, linked item. Errors: `input.invalid` naming every field, `manifestation.*`, `job.key_held`,
 * `outcome.unknown`, with `wait` `outcome.ended_badly` and `outcome.still_pending`, and those of the client.
 */
export async function submitManifestation(context: Context, request: SubmitRequest): Promise<Outcome> {
  const { submission, notices } = await readSubmission(context, request);
  if (request.legacy) return await submitLegacy(context, { submission, request, notices });
  const settings = await context.settings();
  if (settings.dryRun) return { data: await previewSubmission(context, submission), notices };
  await requireNoDoubt(context, submission);
  await requireProvenCompany(context, submission);
  const digest = digestOf(submission);
  const earlier = await findEarlier(context, submission, digest);
  if (earlier.is === 'live') return await repeat(context, earlier, { request, notices });
  await confirmEvent(context, submission);
  return await send(context, { submission, request, notices, digest, earlier });
}

interface Sending {
  readonly submission: Submission;
  readonly request: SubmitRequest;
  readonly notices: readonly Text[];
  readonly digest: string;
  readonly earlier: Exclude<Earlier, { is: 'live' }>;
}

async function send(context: Context, sending: Sending): Promise<Outcome> {
  const { submission, request, notices, earlier } = sending;
  const settings = await context.settings();
  const previousId = earlier.is === 'free' ? earlier.previousId : undefined;
  const single = await runSingle(
    context,
    {
      kind: manifestationFacts(submission.family),
      profile: settings.space,
      inputDigest: await freshDigest(context, sending),
      scope: { companyId: submission.companyId ?? '' },
      items: [
        {
          ordinal: 1,
          label: labelOf(submission),
          dedupeKey: submissionKey(submission),
          input: submission,
          ...(previousId === undefined ? {} : { previousId }),
        },
      ],
    },
    { ...request, retryBillable: false },
  );
  return await conclude(context, { single, submission, wait: request.wait, notices });
}

/** A refusal by 409 settles an item for good; the same words later ask the service anew. */
async function freshDigest(context: Context, { submission, digest }: Sending): Promise<string> {
  const store = await context.store();
  const { space } = await context.settings();
  const operation = manifestationFacts(submission.family).submit;
  const job = await store.jobs.find({ operation, profile: space, inputDigest: digest });
  const [item] = job === undefined ? [] : await store.items.list(job.id, { limit: 1 });
  const wasRefused = item?.state === 'skipped' && item.remoteStatus === undefined;
  return wasRefused ? `${digest} again ${context.random.uuid()}` : digest;
}

async function repeat(
  context: Context,
  { event, target }: Extract<Earlier, { is: 'live' }>,
  { request, notices }: Pick<Sending, 'request' | 'notices'>,
): Promise<Outcome> {
  const said = [...notices, alreadySubmitted(event.id ?? '', event.status)];
  if (!request.wait || requireNotBad(event) === 'done') return { data: shownEvent(event), notices: said };
  const followed = await followEvent(context, target, request);
  return { data: shownEvent(followed.event), notices: said };
}

async function readSubmission(
  context: Context,
  request: SubmitRequest,
): Promise<{ readonly submission: Submission; readonly notices: readonly Text[] }> {
  const { accessKey, sequence, justification, reason, unchecked, companyUnchecked, cancels } = request;
  const event = request.event ?? (cancels === undefined ? undefined : CANCELLATION);
  const detail = await detailOf(context, request);
  const written = { accessKey, event, sequence, justification, reason, detail };
  const companyId = await companyFor(context, request);
  const checked = checkSubmission(written, { companyId, unchecked, companyUnchecked });
  if ('problems' in checked) throw invalid(checked.problems);
  const notices = checked.notes.map(({ field, message }) => ({
    en: `${field} ${message.en}`,
    pt: `${field} ${message.pt}`,
  }));
  return { submission: checked.submission, notices };
}

async function companyFor(
  context: Context,
  { accessKey, companyUnchecked }: SubmitRequest,
): Promise<string | undefined> {
  const key = readEventKey(accessKey);
  const isNote = !('problem' in key) && key.family === 'nfe' && !companyUnchecked;
  return isNote ? await companyOfNote(context, key.value) : await namedCompany(context);
}

async function detailOf(context: Context, request: SubmitRequest): Promise<unknown> {
  const { accessKey, detail, cancels } = request;
  if (detail !== undefined) return await readDetail(context, detail);
  return cancels === undefined ? undefined : await cancellationDetail(context, accessKey, cancels);
}

function digestOf(submission: Submission): string {
  const content = createHash('sha256').update(canonicalJson(submission)).digest('hex');
  return `submit ${submissionKey(submission)} ${content}`;
}

function invalid(problems: readonly Finding[]): FiscalError {
  const what = { en: 'the manifestation', pt: 'a manifestação' };
  return new FiscalError('input.invalid', { what }, { details: problems, sent: 'no' });
}

function alreadySubmitted(id: string, status: string): Text {
  return {
    en: `already submitted as ${id} and ${status}; nothing was sent`,
    pt: `já enviado como ${id} e ${status}; nada foi enviado`,
  };
}
