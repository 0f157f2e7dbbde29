import { FiscalError } from '../../errors/fiscal-error.js';
import type { DueDocument } from '../../store/documents.js';
import { syncDocument } from './sync-document.js';
import { syncEvent, syncEventList } from './sync-events.js';
import { concernsAll } from './sync-failure.js';
import { forEachConcurrent } from '../../jobs/concurrency.js';
import { endFullPass, fullPass, syncList } from './sync-list.js';
import { Listing } from './sync-listing.js';
import { countUnrepaired, findDamage, isNothing, newRepairs } from './sync-repair.js';
import { changedMeanwhile, dueDocuments, dueEvents, type SyncGroup, type SyncParts } from './sync-parts.js';
import { noteCapture } from '../../services/capture-history.js';
import { captureState } from '../../services/capture-state.js';

/**
 * A summary is asked for again in every run, but not more often than this: a service need not change the document in its list
 * when the full XML is there. When it does, the document comes at once.
 */
const SUMMARY_AGAIN_MS = 60 * 60 * 1000;

/**
 * One company and family from the list to the files. What fails is kept in the tally; throws only what concerns all. Another
 * process at work on the same group is left to it.
 */
export async function syncGroup(parts: SyncParts, group: SyncGroup): Promise<void> {
  const { store, clock, workerId } = parts;
  const holder = await store.cursors.hold(group, workerId, clock.now());
  if (holder !== undefined) {
    group.tally.state = 'held';
    await countOwed(parts, group);
    return;
  }
  try {
    await work(parts, group);
  } catch (error) {
    if (concernsAll(error, parts) || !(error instanceof FiscalError)) throw error;
    group.tally.state = 'failed';
    group.tally.error = error;
  } finally {
    await store.cursors.release(group, workerId);
    await countOwed(parts, group);
  }
}

/** What is listed and did not come, in this run or in earlier ones. */
async function countOwed({ store }: SyncParts, group: SyncGroup): Promise<void> {
  const { outstanding, writtenOff } = await store.owed.count(group);
  group.tally.outstanding = outstanding;
  group.tally.writtenOff = writtenOff;
}

async function work(parts: SyncParts, group: SyncGroup): Promise<void> {
  const { client, clock, signal, store } = parts;
  const context = { client: () => Promise.resolve(client), clock, interruption: signal };
  const capture = await captureState(context, group.companyId, group.family);
  await noteCapture(store, group, { capture, at: clock.now() });
  parts.health.answered(clock.now(), undefined);
  const repairs = newRepairs();
  if (parts.options.repair) await findDamage(parts, group, repairs);
  group.tally.isInactive = capture.kind === 'off' && capture.why === 'inactive';
  if (capture.kind === 'off' && capture.why === 'absent') {
    // What was captured before can still be read.
    await wantOwed(parts, group);
    const { outstanding } = await store.owed.count(group);
    if (isNothing(repairs) && outstanding === 0) group.tally.state = 'off';
    else await fetchDue(parts, group, Listing.ended());
  } else {
    // Switched off, the lists still have what was captured before.
    group.tally.spacedUntil = capture.kind === 'on' ? capture.spacedUntil : undefined;
    await wantAgain(parts, group);
    parts.onProgress({ found: await store.documents.dueCount(group) });
    await listAndFetch(parts, group);
  }
  await countUnrepaired(parts, group, repairs);
}

/** The list is read while its documents are fetched: neither waits for the other. The end of one by a failure ends both. */
async function listAndFetch(parts: SyncParts, group: SyncGroup): Promise<void> {
  const listing = new Listing();
  const stop = new AbortController();
  const signal = AbortSignal.any([parts.signal, stop.signal]);
  const fetching = fetchDue(parts, group, listing).catch((error: unknown) => {
    stop.abort(error);
    throw error;
  });
  const ends = await Promise.allSettled([fetching, listAll({ ...parts, signal }, group, listing)]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function listAll(parts: SyncParts, group: SyncGroup, listing: Listing): Promise<void> {
  try {
    const pass = await fullPass(parts, group);
    const before = group.tally.unreadable;
    await syncList(parts, group, { listing, pass });
    await syncEventList(parts, group, pass);
    if (pass !== undefined && group.tally.unreadable === before) await endFullPass(parts, group);
  } catch (error) {
    // What is no longer listed for all is no longer fetched; a list that is broken leaves the documents that it gave.
    if (concernsAll(error, parts)) parts.requests.close(error);
    throw error;
  } finally {
    listing.end();
  }
}

async function fetchDue(parts: SyncParts, group: SyncGroup, listing: Listing): Promise<void> {
  const { signal, store, documentConcurrency, settlements, eventSettlements } = parts;
  const fetch = async (row: DueDocument): Promise<void> => {
    try {
      signal.throwIfAborted();
      await syncDocument(parts, group, row);
    } catch (error) {
      // The other workers may wait for the list, whose documents are no longer wanted.
      listing.end();
      throw error;
    }
    parts.onProgress({ done: 1 });
  };
  try {
    await forEachConcurrent(dueDocuments(store, group, listing), documentConcurrency, fetch);
    // An event stands beside its document: where that is, its row tells.
    await settlements.flush();
    await forEachConcurrent(changedMeanwhile(store, group), documentConcurrency, fetch);
    await settlements.flush();
    await forEachConcurrent(dueEvents(store, group), documentConcurrency, async (event) => {
      signal.throwIfAborted();
      await syncEvent(parts, group, event);
    });
  } finally {
    // Also when the run ends early: the files of these rows stand.
    await settlements.flush();
    await eventSettlements.flush();
  }
}

/** What an earlier run has done for another archive, without the PDF, or in vain. */
async function wantAgain(parts: SyncParts, group: SyncGroup): Promise<void> {
  const { store, clock, archive, options } = parts;
  const now = clock.now();
  await wantOwed(parts, group);
  await store.documents.want(group, { notIn: archive }, now);
  await store.events.wantNotIn(group, archive);
  await store.documents.want(group, { summariesTriedBefore: now - SUMMARY_AGAIN_MS }, now);
  if (options.pdf) await store.documents.want(group, { withoutPdf: true }, now);
  if (options.retryQuarantined) await store.documents.want(group, { quarantined: true }, now);
}

/** Each waits longer from try to try, but not where somebody asks for what is missing. */
async function wantOwed({ store, clock, options }: SyncParts, group: SyncGroup): Promise<void> {
  const { full, repair, retryQuarantined, since } = options;
  const isAsked = full || repair || retryQuarantined || since !== undefined;
  await store.owed.want(group, isAsked ? Number.MAX_SAFE_INTEGER : clock.now());
}
