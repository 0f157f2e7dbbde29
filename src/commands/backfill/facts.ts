import type { Text } from '../../contract/text.js';
import type { Actor } from '../../domain/actor.js';
import { formatUtc } from '../../domain/dates.js';
import { present } from '../../domain/record.js';
import { requestOf } from '../../jobs/kinds/backfill-release.js';
import { sweepStatus } from '../../jobs/kinds/backfill-sweep.js';
import type { Context } from '../../services/context.js';
import type { ItemRow } from '../../store/store.js';
import { approvalFields } from './approval.js';

/** What the item of a job stores of one company; a fact without evidence is absent. */
export interface JobFacts {
  /** Hidden documents right before the request; where nothing was sent, when the job was written. */
  readonly hiddenBefore?: number;
  /** Documents that the release has revealed so far: what was hidden and is not any more. */
  readonly revealed?: number;
  readonly requestedAt?: string;
  readonly settledAt?: string;
  readonly planId?: string;
  readonly approvedBy?: string;
  readonly approvedAt?: string;
  /** Of the request that the service accepted, or refused. */
  readonly requestId?: string;
}

/** In the order of the columns of a report. */
export const factColumns = [
  ...['companyName', 'companyTaxNumber', 'asked', 'hiddenBefore', 'hiddenDocumentsCount', 'revealed'],
  ...['requestedAt', 'settledAt', 'machine', 'user', 'ciRun', 'planId', 'approvedBy', 'approvedAt', 'requestId'],
] as const;

/** A 202 of the request itself; a state that held already is a 200 of the summary. */
export function wasAccepted({ httpStatus }: ItemRow): boolean {
  return httpStatus === 202;
}

export function factsOf(item: ItemRow): JobFacts {
  const { plan, released, hidden, wasReleased } = requestOf(item);
  const seen = sweepStatus(item.remoteStatus);
  // A count that was read while another request was at work is not that of before.
  const hiddenBefore = seen?.before ?? (wasReleased === !released ? hidden : undefined);
  const isEnded = item.state === 'failed' || item.state === 'rejected' || item.state === 'succeeded';
  const hasRequest = wasAccepted(item) || (item.state === 'failed' && item.requestId !== undefined);
  const isUnderWay = item.state === 'succeeded' || item.state === 'pending';
  return present({
    hiddenBefore,
    ...(released && isUnderWay && seen?.released === true ? revealedBetween(hiddenBefore, seen.hidden) : {}),
    requestedAt: hasRequest ? timeText(item.sentAt) : undefined,
    settledAt: isEnded ? timeText(item.settledAt) : undefined,
    ...(plan === undefined ? {} : { planId: plan.id, ...approvalFields(plan.approvals) }),
    requestId: hasRequest ? item.requestId : undefined,
  });
}

/** Of a summary that could be read, and has no such fields. */
export const notSaid: Text = {
  en: 'the answer of the service does not say whether it is released, or how many are hidden',
  pt: 'a resposta do serviço não diz se está liberada ou quantas estão ocultas',
};

function timeText(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : formatUtc(ms);
}

/** More hidden than before: documents were captured meanwhile, and how many were revealed is not known. */
export function revealedBetween(before: number | undefined, after: number | undefined): Pick<JobFacts, 'revealed'> {
  return before === undefined || after === undefined || after > before ? {} : { revealed: before - after };
}

/** Who sent the request that the service accepted or refused; nobody where that is not known. */
export async function senderOf(context: Context, item: ItemRow): Promise<Actor> {
  if (!wasAccepted(item) && item.state !== 'failed') return {};
  const events = await (await context.store()).items.events(item.id);
  const sent = events.filter(({ step }) => step.is === 'sent').at(-1);
  if (sent === undefined) return {};
  const { machine, user, ciRun } = sent;
  return present({ machine, user, ciRun });
}
