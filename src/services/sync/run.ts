import { setMaxListeners } from 'node:events';
import { withoutIdentity } from '../../archive/location.js';
import type { ObjectLock } from '../../archive/s3/s3-storage.js';
import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import { fieldOf } from '../../domain/record.js';
import { readTaxNumber } from '../../domain/tax-number.js';
import type { Clock } from '../../domain/world.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { forEachConcurrent, Semaphore } from '../../jobs/concurrency.js';
import { accountCompanies } from '../../jobs/kinds/received-note.js';
import { removeDeadWorkers, thisMachine } from '../../jobs/lease.js';
import { Health } from '../../jobs/health.js';
import { keepHeapSmall } from '../../jobs/small-heap.js';
import type { DueDocument } from '../../store/documents.js';
import { type ArchiveTools, withArchive } from '../archive-work.js';
import type { Context } from '../context.js';
import type { Choices } from './choices.js';
import { changedMeanwhile, dueDocuments, dueEvents, syncDocument, syncEvent } from './fetch.js';
import { countUnrepaired, findDamage, isNothing, newRepairs } from './repair.js';
import type { SyncEnd } from './report.js';
import type { SyncGroup } from './source.js';
import { concernsAll, Listing, type SyncContext, WriteBuffer } from './state.js';

/** How often the groups of other processes are looked at. */
const LOOK_EVERY_MS = 1_000;

interface Return {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** How long to wait while none of them becomes free. */
  readonly lockWaitMs: number;
  /** Frees the groups of processes that are known to be dead; those of others become free when their lease ends. */
  removeDead(): Promise<void>;
  /** A group that is still held says so afterwards. */
  syncAll(groups: readonly SyncGroup[]): Promise<void>;
}

/** Takes up the groups that other processes held: when these are done with them, and when these are dead. */
async function returnToHeld(groups: readonly SyncGroup[], about: Return): Promise<void> {
  const { clock, signal, lockWaitMs } = about;
  const heldOf = (all: readonly SyncGroup[]) => all.filter(({ tally }) => tally.state === 'held');
  let held = heldOf(groups);
  let since = clock.now();
  while (held.length > 0 && clock.now() - since < lockWaitMs) {
    await clock.sleep(LOOK_EVERY_MS, signal, heldGroups(held.length));
    await about.removeDead();
    await about.syncAll(held);
    const still = heldOf(held);
    if (still.length < held.length) since = clock.now();
    held = still;
  }
}

function heldGroups(count: number): Text {
  return counted(count, {
    en: ['# company and type that another run works on', '# companies and types that another run works on'],
    pt: ['# empresa e tipo em que outra execução trabalha', '# empresas e tipos em que outra execução trabalha'],
  });
}

/** Companies and families at work at the same time: enough to keep the connection busy, few enough for flat memory. */
const ACTIVE_GROUPS = 8;

/** What is synced, where to, and the name of the command in messages. */
interface SyncWork {
  readonly groups: readonly SyncGroup[];
  readonly archive: string;
  readonly name: string;
  readonly choices: Choices;
  readonly objectLock?: ObjectLock | undefined;
}

/**
 * Syncs the groups; killed at any moment, the same command goes on. What concerns all of them and ends the work is the error of the
 * end, beside what was done before it; throws what prevents the work.
 */
export async function syncGroups(
  context: Context,
  { groups, archive, name, choices, objectLock }: SyncWork,
): Promise<SyncEnd> {
  const startedAt = context.clock.uptime();
  keepHeapSmall();
  const { followLinks } = choices.options;
  const wanted = { archive, name, followLinks, objectLock };
  let hasBegun = false;
  const work = withArchive(context, wanted, (tools) => {
    hasBegun = true;
    return workOn(context, groups, { ...tools, choices });
  });
  const error = await work.then(
    () => undefined,
    (failure: unknown) => {
      if (hasBegun && failure instanceof FiscalError) return failure;
      throw failure;
    },
  );
  const tallies = groups.map((group) => group.tally);
  return { tallies, archive: withoutIdentity(archive), elapsedMs: context.clock.uptime() - startedAt, error };
}

interface Tools extends ArchiveTools {
  readonly choices: Choices;
}

async function workOn(context: Context, groups: readonly SyncGroup[], tools: Tools): Promise<void> {
  const { concurrency, maxRetryWaitMs } = await context.settings();
  const { lease, storage, work, choices } = tools;
  const ended = new AbortController();
  const signal = AbortSignal.any([context.interruption, lease.lost, ended.signal]);
  // Every request of the run listens to it.
  setMaxListeners(0, signal);
  const store = await context.store();
  const { clock } = store;
  let taxNumbers: ReturnType<typeof readTaxNumbers> | undefined;
  const shared: SyncContext = {
    ...{ client: await context.client(), store, clock },
    ...{ signal, storage, work, archive: await storage.identity(), ...choices },
    taxNumbers: () => (taxNumbers ??= readTaxNumbers(context)),
    workerId: lease.workerId,
    requests: new Semaphore(concurrency),
    documentWrites: new WriteBuffer((ends) => store.documents.finish(ends)),
    eventWrites: new WriteBuffer((ends) => store.events.finish(ends)),
    // While some wait for the disk, others keep the line busy.
    documentConcurrency: 2 * concurrency,
    health: new Health(clock.now(), maxRetryWaitMs),
    onProgress: progressOf(context),
  };
  const startedAt = clock.now();
  const syncAll = async (these: readonly SyncGroup[], sync: typeof syncFromService): Promise<void> =>
    await forEachConcurrent(these, ACTIVE_GROUPS, async (group) => {
      try {
        signal.throwIfAborted();
        await syncGroup(shared, group, sync);
        group.tally.isOver = true;
      } catch (error) {
        // The others end as well, and what they throw then is no news.
        ended.abort(error);
        throw error;
      }
    });
  await syncAll(groups, syncFromService);
  await returnToHeld(groups, {
    ...{ clock, signal, lockWaitMs: choices.options.lockWaitMs },
    removeDead: () => removeDeadWorkers(store, thisMachine(context.program.pid)),
    syncAll: (held) =>
      syncAll(held, async (sync, group) => {
        if (await group.source.wasListedSince(sync, group, startedAt)) await fetchListed(sync, group);
        else await syncFromService(sync, group);
      }),
  });
}

async function readTaxNumbers(context: Context): ReturnType<SyncContext['taxNumbers']> {
  const { storeNamespace } = await context.settings();
  const { documents, known } = await context.store();
  const [held, listed] = await Promise.all([
    documents.companies(storeNamespace),
    known.list({ profile: storeNamespace, ...accountCompanies }),
  ]);
  return new Map([
    ...held.map((id) => [id, undefined] as const),
    ...listed.map(({ id, data }) => [id, readTaxNumber(fieldOf(data, 'taxNumber'))] as const),
  ]);
}

function progressOf({ progress }: Context): SyncContext['onProgress'] {
  const label: Text = { en: 'archiving documents', pt: 'arquivando documentos' };
  const sum = { found: 0, done: 0 };
  return ({ found = 0, done = 0 }) => {
    sum.found += found;
    sum.done += done;
    progress.report({ label, done: sum.done, total: sum.found });
  };
}

/**
 * A summary is asked for again in every run, but not more often than this: a service need not change the document in its list
 * when the full XML is there. When it does, the document comes at once.
 */
const SUMMARY_AGAIN_MS = 60 * 60 * 1000;

/**
 * One company and family from the list to the files. What fails is kept in the tally; throws only what concerns all. Another
 * process at work on the same group is left to it.
 */
async function syncGroup(
  context: SyncContext,
  group: SyncGroup,
  sync: (context: SyncContext, group: SyncGroup) => Promise<void>,
): Promise<void> {
  const { store, clock, workerId } = context;
  const holder = await store.cursors.hold(group, workerId, clock.now());
  if (holder !== undefined) {
    group.tally.state = 'held';
    await countOwed(context, group);
    return;
  }
  group.tally.state = 'done';
  try {
    await sync(context, group);
  } catch (error) {
    if (concernsAll(error, context) || !(error instanceof FiscalError)) throw error;
    group.tally.state = 'failed';
    group.tally.error = error;
  } finally {
    await store.cursors.release(group, workerId);
    await countOwed(context, group);
  }
}

/** Counts what is listed and could not be fetched, in this run or in earlier ones. */
async function countOwed({ store }: SyncContext, group: SyncGroup): Promise<void> {
  const { outstanding, writtenOff } = await store.owed.count(group);
  group.tally.outstanding = outstanding;
  group.tally.writtenOff = writtenOff;
}

async function syncFromService(context: SyncContext, group: SyncGroup): Promise<void> {
  const { clock, store } = context;
  const hasLists = await group.source.hasLists(context, group);
  context.health.answered(clock.now(), undefined);
  const repairs = newRepairs();
  if (context.options.repair) await findDamage(context, group, repairs);
  if (!hasLists) {
    // What was captured before can still be read.
    await wantOwed(context, group);
    const { outstanding } = await store.owed.count(group);
    if (isNothing(repairs) && outstanding === 0) group.tally.state = 'off';
    else await fetchDue(context, group, Listing.ended());
  } else {
    await wantAgain(context, group);
    context.onProgress({ found: await store.documents.dueCount(group) });
    await listAndFetch(context, group);
  }
  await countUnrepaired(context, group, repairs);
}

/** Reads the list and fetches its documents at the same time. The failure of one ends both. */
async function listAndFetch(context: SyncContext, group: SyncGroup): Promise<void> {
  const listing = new Listing();
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const fetching = fetchDue(context, group, listing).catch((error: unknown) => {
    stop.abort(error);
    throw error;
  });
  const ends = await Promise.allSettled([fetching, listAll({ ...context, signal }, group, listing)]);
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function listAll(context: SyncContext, group: SyncGroup, listing: Listing): Promise<void> {
  try {
    await group.source.list(context, group, listing);
  } catch (error) {
    // What is no longer listed for all is no longer fetched; a list that is broken leaves the documents that it gave.
    if (concernsAll(error, context)) context.requests.close(error);
    throw error;
  } finally {
    listing.end();
  }
}

async function fetchDue(context: SyncContext, group: SyncGroup, listing: Listing): Promise<void> {
  const { signal, store, documentConcurrency, documentWrites, eventWrites } = context;
  const fetch = async (row: DueDocument): Promise<void> => {
    try {
      signal.throwIfAborted();
      await syncDocument(context, group, row);
    } catch (error) {
      // The other workers may wait for the list, whose documents are no longer wanted.
      listing.end();
      throw error;
    }
    context.onProgress({ done: 1 });
  };
  try {
    await forEachConcurrent(dueDocuments(store, group, listing), documentConcurrency, fetch);
    // An event stands beside its document: where that is, its row tells.
    await documentWrites.flush();
    await forEachConcurrent(changedMeanwhile(store, group), documentConcurrency, fetch);
    await documentWrites.flush();
    await forEachConcurrent(dueEvents(store, group), documentConcurrency, async (event) => {
      signal.throwIfAborted();
      await syncEvent(context, group, event);
    });
  } finally {
    // Also when the run ends early: the files of these rows stand.
    await documentWrites.flush();
    await eventWrites.flush();
  }
}

/** Another process has read the lists: only what it left is fetched. */
async function fetchListed(context: SyncContext, group: SyncGroup): Promise<void> {
  group.tally.wasListedByOther = true;
  await wantAgain(context, group);
  context.onProgress({ found: await context.store.documents.dueCount(group) });
  await fetchDue(context, group, Listing.ended());
}

/** Marks as due what an earlier run wrote to another archive, left without its PDF, or could not fetch. */
async function wantAgain(context: SyncContext, group: SyncGroup): Promise<void> {
  const { store, clock, archive, options } = context;
  const now = clock.now();
  await wantOwed(context, group);
  await store.documents.want(group, { notIn: archive }, now);
  await store.events.wantNotIn(group, archive);
  await store.documents.want(group, { summariesTriedBefore: now - SUMMARY_AGAIN_MS }, now);
  if (options.pdf) await store.documents.want(group, { withoutPdf: true }, now);
  if (options.retryQuarantined) await store.documents.want(group, { quarantined: true }, now);
}

/** Each try waits longer than the one before, unless the user asks for what is missing. */
async function wantOwed({ store, clock, options }: SyncContext, group: SyncGroup): Promise<void> {
  const { full, repair, retryQuarantined, since } = options;
  const isAsked = full || repair || retryQuarantined || since !== undefined;
  await store.owed.want(group, isAsked ? Number.MAX_SAFE_INTEGER : clock.now());
}
