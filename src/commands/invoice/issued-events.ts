import { forEachConcurrent } from '../../jobs/concurrency.js';
import { decisionOn, eventsOfInvoice } from '../../jobs/kinds/invoice-events.js';
import { documentPages } from '../../services/documents/pages.js';
import type { IssuedModel } from '../../services/issued/book.js';
import { seenIssuedEvent } from '../../services/issued/rows.js';
import type { SyncGroup } from '../../services/sync/source.js';
import { concernsAll, failureOf, type SyncContext } from '../../services/sync/state.js';
import type { DocumentRow, DueDocument } from '../../store/documents.js';

interface Looked {
  readonly row: Pick<DueDocument, 'id' | 'status'>;
  readonly model: IssuedModel;
}

/**
 * Stores the registered events of one invoice. The service lists no events of an NFS-e: its cancellation stands in its state.
 * Returns false while an event is not decided. Errors: those of a call.
 */
export async function lookAtEvents(
  { client, store, clock, requests, signal }: SyncContext,
  group: SyncGroup,
  { row, model }: Looked,
): Promise<boolean> {
  const { id, status } = row;
  if (model === 'nfse') {
    const cancelled = { eventKey: 'Cancellation', documentId: id, type: 'Cancellation' };
    if (status === 'Cancelled') await store.events.see(group, [cancelled], clock.now());
    return true;
  }
  const path = { companyId: group.companyId, invoiceId: id };
  const events = await requests.run(() => eventsOfInvoice(client, model, { path }, { signal }));
  const registered = events
    .map((event, index) => seenIssuedEvent(id, event, index + 1))
    .filter((event) => event !== undefined);
  await store.events.see(group, registered, clock.now());
  return events.every((event) => decisionOn(event) !== 'pending');
}

const PAGE = 200;

interface LookAgain {
  readonly model: IssuedModel;
  readonly since: number;
  readonly before: number;
  /** Gets each invoice with an event that is not decided. */
  isUndecided(row: DocumentRow): void;
}

/**
 * Looks again at the events of the archived invoices that were issued since then: a cancellation or a correction may come days
 * later, and no list says so. Those archived after `before` were looked at by this run. Returns whether every one could be looked at.
 */
export async function lookAgain(
  context: SyncContext,
  group: SyncGroup,
  { model, since, before, isUndecided }: LookAgain,
): Promise<boolean> {
  const { store, signal, documentConcurrency, clock } = context;
  const { profile, companyId, family } = group;
  if (model === 'nfse') return true;
  let isWhole = true;
  const states = ['archived'] as const;
  const filter = { profile, companies: [companyId], families: [family], states, since, limit: PAGE };
  for await (const rows of documentPages(store.documents, filter)) {
    const earlier = rows.filter(({ archivedAt = 0 }) => archivedAt < before);
    await forEachConcurrent(earlier, documentConcurrency, async (row) => {
      try {
        signal.throwIfAborted();
        if (!(await lookAtEvents(context, group, { row, model }))) isUndecided(row);
        context.health.answered(clock.now(), undefined);
      } catch (error) {
        if (concernsAll(error, context)) throw error;
        isWhole = false;
        const { code, reason } = failureOf(error);
        group.tally.note({ key: row.id, state: 'failed', code, reason });
      }
    });
  }
  return isWhole;
}
