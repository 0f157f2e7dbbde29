import { pollDelayMs } from '../../jobs/decide.js';
import type { Context } from '../../services/context.js';
import { invoiceStillPending, issueEndedBadly } from './endings.js';
import { fetchInvoice, type ReadInvoice } from './read-invoice.js';
import type { InvoiceTarget } from './target.js';
import { sleepUntilTold } from '../../services/told.js';
import { standingOf } from './shown.js';

export interface FollowTimes {
  readonly timeoutMs: number;
  readonly intervalMs: number;
}

/**
 * Reads an invoice until its issue has ended. A status that no list names is waited for as well, never taken for success.
 * Errors: `outcome.ended_badly`, `outcome.still_pending`.
 */
export async function followInvoice(
  context: Context,
  target: InvoiceTarget,
  { timeoutMs, intervalMs }: FollowTimes,
): Promise<ReadInvoice> {
  const startedAt = context.clock.uptime();
  try {
    for (;;) {
      const since = (await context.store()).clock.now();
      const read = await fetchInvoice(context, target);
      const standing = standingOf(read.body);
      if (standing.is === 'issued') return read;
      if (standing.is === 'refused') throw issueEndedBadly(target, standing);
      const { status } = standing;
      const age = context.clock.uptime() - startedAt;
      if (age >= timeoutMs) throw invoiceStillPending(target, { status, seconds: Math.round(age / 1000) });
      context.progress.report({
        label: { en: `issue: ${status}`, pt: `emissão: ${status}` },
        done: 0,
        total: 1,
      });
      const pause = Math.min(pollDelayMs(age, intervalMs), timeoutMs - age);
      await sleepUntilTold(context, pause, { resource: target.id, since });
    }
  } finally {
    context.progress.stop();
  }
}
