import { pollDelayMs } from '../../jobs/decide.js';
import { ALREADY_REGISTERED } from '../../jobs/kinds/manifestation-answer.js';
import type { Context } from '../../services/context.js';
import { eventEndedBadly, eventStillPending } from './endings.js';
import { sleepUntilTold } from '../../services/told.js';
import { readEvent, type EventTarget, type ReadEvent } from './read-event.js';
import type { KnownEvent } from '../../services/known-events.js';

export interface FollowTimes {
  readonly timeoutMs: number;
  readonly intervalMs: number;
}

/**
 * Reads an event until it has ended. A status that no list names is waited for as well, never taken for success (§3).
 * Errors: `outcome.ended_badly`, `outcome.still_pending`.
 */
export async function followEvent(
  context: Context,
  target: EventTarget,
  { timeoutMs, intervalMs }: FollowTimes,
): Promise<ReadEvent> {
  const startedAt = context.clock.uptime();
  try {
    for (;;) {
      const since = (await context.store()).clock.now();
      const read = await readEvent(context, target);
      if (requireNotBad(read.event) === 'done') return read;
      const age = context.clock.uptime() - startedAt;
      if (age >= timeoutMs) throw eventStillPending(read.event, Math.round(age / 1000));
      showStatus(context, read.event.status);
      const pause = Math.min(pollDelayMs(age, intervalMs), timeoutMs - age);
      await sleepUntilTold(context, pause, { resource: target.id, since });
    }
  } finally {
    context.progress.stop();
  }
}

/** 573 counts as done: the authority has this very event already (facts §3). Error: `outcome.ended_badly`. */
export function requireNotBad(event: KnownEvent): 'done' | 'pending' {
  const { status } = event;
  if (status === 'Accepted' || isRegisteredAlready(event)) return 'done';
  if (status === 'Rejected' || status === 'Failed') throw eventEndedBadly(event);
  return 'pending';
}

export function isRegisteredAlready({ status, errorCode }: KnownEvent): boolean {
  return status === 'Rejected' && errorCode === ALREADY_REGISTERED;
}

function showStatus(context: Context, status: string): void {
  context.progress.report({
    label: { en: `authority: ${status}`, pt: `autoridade: ${status}` },
    done: 0,
    total: 1,
  });
}
