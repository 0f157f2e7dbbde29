import { FiscalError } from '../../errors/fiscal-error.js';
import { isSameEvent, manifestation, submissionKey, type Submission } from '../../jobs/kinds/manifestation.js';
import type { ItemRow } from '../../store/store.js';
import type { Context } from '../../services/context.js';
import { unknownOutcome } from '../../services/batch/single-job.js';
import { eventScopeOf } from './company.js';
import { readEvent, type EventTarget } from './read-event.js';
import type { KnownEvent } from '../../services/documents/known-events.js';
import { findKnown, statusOf, tripleOf } from './remember.js';
import { eventText } from './shown.js';

/** The earlier event of this machine with the same key, code and sequence. */
export type Earlier =
  /** It is active in the service: nothing to send. */
  | { readonly is: 'live'; readonly event: KnownEvent; readonly target: EventTarget }
  /** It was rejected, failed or never existed: it may be sent, linked to the item that it repeats. */
  | { readonly is: 'free'; readonly previousId: string | undefined }
  /** The job of this same command wrote it and continues. */
  | { readonly is: 'under-way' };

/**
 * Reads the active item of the event, and requests a pending one from the service: it may have been
 * rejected since. Errors: `outcome.unknown`, `job.key_held`, `manifestation.other_content`.
 */
export async function findEarlier(context: Context, submission: Submission, digest: string): Promise<Earlier> {
  const [store, scope] = await Promise.all([context.store(), eventScopeOf(context, submission.companyId)]);
  const dedupeKey = submissionKey(submission);
  const holder = await store.items.holder({ profile: scope.storeNamespace, kind: manifestation.name, dedupeKey });
  const known = await findKnown(store, scope, tripleOf(submission));
  if (holder === undefined) return { is: 'free', previousId: known?.itemId };
  if (holder.state === 'uncertain') throw unknownOutcome(holder);
  const { resourceId } = holder;
  if (resourceId === undefined) return await unsent(context, holder, digest);
  const { family, companyId } = submission;
  const target = { family, companyId, id: resourceId };
  const event =
    holder.state === 'pending' ? (await readEvent(context, target)).event : ofItem(submission, holder, known);
  if (event.status === 'Rejected' || event.status === 'Failed') return { is: 'free', previousId: holder.id };
  // The row was written by the kind `manifestation`, whose input has this type.
  if (!isSameEvent(holder.input as Submission, submission)) throw otherContent(event);
  return { is: 'live', event, target };
}

/** Stops when the outcome of this event is uncertain: a person must resolve it first. Error: `outcome.*`. */
export async function requireNoDoubt(context: Context, submission: Submission): Promise<void> {
  const [store, { storeNamespace: profile }] = await Promise.all([context.store(), context.settings()]);
  const dedupeKey = submissionKey(submission);
  const holder = await store.items.holder({ profile, kind: manifestation.name, dedupeKey });
  if (holder?.state !== 'uncertain') return;
  // The row was written by the kind `manifestation`, whose input has this type.
  if ((holder.input as Submission).companyId === submission.companyId) throw unknownOutcome(holder);
}

async function unsent(context: Context, holder: ItemRow, digest: string): Promise<Earlier> {
  const store = await context.store();
  const job = await store.jobs.get(holder.jobId);
  if (job?.inputDigest === digest) return { is: 'under-way' };
  const { label, id, jobId, state } = holder;
  const resume = `fiscal job resume ${jobId}${state === 'pending' ? ' --wait' : ''}`;
  throw new FiscalError('job.key_held', { label, id }, { jobId, sent: 'no', resume });
}

function ofItem(submission: Submission, item: ItemRow, known: KnownEvent | undefined): KnownEvent {
  const { resourceId, jobId } = item;
  if (known !== undefined && known.id === resourceId) return known;
  const named = resourceId === undefined ? {} : { id: resourceId };
  return { ...tripleOf(submission), ...named, status: statusOf(item), jobId, itemId: item.id };
}

function otherContent(event: KnownEvent): FiscalError {
  const { id = '?', status, jobId } = event;
  const { id: _id, ...unnamed } = event;
  return new FiscalError(
    'manifestation.other_content',
    { what: eventText(unnamed), id, status },
    {
      sent: 'no',
      ...(jobId === undefined ? {} : { jobId }),
      hint: {
        en: 'a conclusive event is rectified by --sequence 2',
        pt: 'um evento conclusivo é retificado com --sequence 2',
      },
    },
  );
}
