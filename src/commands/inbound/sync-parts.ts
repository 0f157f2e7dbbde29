import type { Intake } from '../../archive/intake.js';
import type { ArchiveWriter } from '../../archive/write.js';
import type { Client } from '../../client/client.js';
import type { Clock } from '../../domain/world.js';
import type { Health } from '../../jobs/progress.js';
import type { DocumentEnd, DocumentGroup, DueDocument, EventEnd, EventRow } from '../../store/documents.js';
import type { Store } from '../../store/store.js';
import type { Semaphore } from '../../jobs/concurrency.js';
import { Listing } from './sync-listing.js';
import type { Settlements } from './sync-settle.js';
import type { SyncTally } from './sync-tally.js';

/** What the parts of one run of `inbound sync` share. */
export interface SyncParts {
  readonly client: Client;
  readonly store: Store;
  readonly clock: Clock;
  /** Ends everything: the user's interruption, a lost lease, or a failure that concerns all. */
  readonly signal: AbortSignal;
  readonly writer: ArchiveWriter;
  readonly intake: Intake;
  readonly settlements: Settlements<DocumentEnd>;
  readonly eventSettlements: Settlements<EventEnd>;
  /** Requests for bytes at the same time, of all companies together. */
  readonly requests: Semaphore;
  readonly documentConcurrency: number;
  /** Tells when the service is away for too long. */
  readonly health: Health;
  readonly workerId: string;
  readonly archive: string;
  readonly template: string;
  readonly options: SyncChoices;
  /** Told how many documents wait, and after each one. */
  readonly onProgress: (step: { readonly found?: number; readonly done?: number }) => void;
}

export interface SyncChoices {
  readonly pdf: boolean;
  readonly requireSignature: boolean;
  readonly retryQuarantined: boolean;
  /** Read the files again, and fetch what is gone or changed. */
  readonly repair: boolean;
  readonly since: number | undefined;
  /** How far behind the cursor each list begins again. */
  readonly windowMs: number;
  /** Read the lists from their beginning, and try at once what is outstanding. */
  readonly full: boolean;
  /** By itself, when the last time is so long ago; infinite: never. */
  readonly fullEveryMs: number;
}

/** One company and family at work. */
export interface SyncGroup extends DocumentGroup {
  readonly taxNumber: string | undefined;
  readonly tally: SyncTally;
}

const BUFFER = 64;

/** The rows with work to do, in small pages from the store, while the list goes on; each once, also when its work failed. */
export async function* dueDocuments(
  store: Store,
  group: DocumentGroup,
  listing: Listing,
): AsyncGenerator<DueDocument> {
  let afterSeq = 0;
  for (;;) {
    const isComplete = listing.isComplete;
    const rows = await store.documents.due(group, { afterSeq, limit: BUFFER });
    yield* rows;
    const last = rows.at(-1);
    if (last !== undefined) afterSeq = last.seq;
    else if (isComplete) return;
    else await listing.next();
  }
}

/** What the list changed behind the back of those at work on its older rows. */
export async function* changedMeanwhile(store: Store, group: SyncGroup): AsyncGenerator<DueDocument> {
  if (group.tally.changed === 0) return;
  yield* dueDocuments(store, group, Listing.ended());
}

export async function* dueEvents(store: Store, group: DocumentGroup): AsyncGenerator<EventRow> {
  let afterSeq = 0;
  for (;;) {
    const rows = await store.events.due(group, { afterSeq, limit: BUFFER });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    afterSeq = last.seq;
  }
}
