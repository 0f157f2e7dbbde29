import { asidePath } from '../../archive/set-aside.js';
import type { ArchivedFile, DocumentPatch, DocumentRow, EventRow } from '../../store/documents.js';
import { documentPages } from '../documents/pages.js';
import type { SyncContext } from './state.js';
import type { SyncGroup } from './source.js';

const PAGE = 200;

/** What a repair fetches again, to count at its end what is still missing. */
export interface Repairs {
  readonly documents: Set<string>;
  readonly events: Map<string, Set<string>>;
}

export function newRepairs(): Repairs {
  return { documents: new Set(), events: new Map() };
}

export function isNothing({ documents, events }: Repairs): boolean {
  return documents.size + events.size === 0;
}

/**
 * Reads every file of the group again and gives work to what is gone or is not what the store remembers. A changed file is kept
 * aside under a name with its hash; a file that is right is not touched. Errors: `store.*`, `input.unreadable`.
 */
export async function findDamage(context: SyncContext, group: SyncGroup, repairs: Repairs): Promise<void> {
  const { store, signal } = context;
  const { profile, companyId, family } = group;
  const filter = { profile, companies: [companyId], families: [family], limit: PAGE };
  for await (const rows of documentPages(store.documents, filter)) {
    for (const row of rows) {
      signal.throwIfAborted();
      await wantDocument(context, repairs, row);
      for (const event of await store.events.of(group, row.id)) await wantEvent(context, group, { repairs, event });
    }
  }
}

/** How many are as they should be again, and how many are not: the tally has their failures one by one. */
export async function countUnrepaired(context: SyncContext, group: SyncGroup, repairs: Repairs): Promise<void> {
  const { store } = context;
  for (const id of repairs.documents) {
    const row = await store.documents.get(group, id);
    count(group, row?.state === 'archived' && row.pdfState !== 'wanted');
  }
  for (const [id, keys] of repairs.events) {
    for (const { eventKey, state } of await store.events.of(group, id)) {
      if (keys.has(eventKey)) count(group, state === 'archived');
    }
  }
}

function count({ tally }: SyncGroup, isRepaired: boolean): void {
  if (isRepaired) tally.repaired += 1;
  else tally.unrepaired += 1;
}

async function wantDocument(context: SyncContext, repairs: Repairs, row: DocumentRow): Promise<void> {
  const { store, clock } = context;
  const patch = await damageOf(context, row);
  if (patch === undefined) return;
  repairs.documents.add(row.id);
  await store.documents.finish([{ row, patch, at: clock.now() }]);
}

const wanted = { state: 'wanted', due: true } as const;

/** What has to be fetched again of a document that stands in this archive. */
async function damageOf(context: SyncContext, row: DocumentRow): Promise<DocumentPatch | undefined> {
  if (row.archive !== context.archive) return undefined;
  const pdf = row.pdfState === 'archived' ? fileOf(row.pdfPath, row.pdfSha256, row.pdfBytes) : undefined;
  const pdfPatch = pdf !== undefined && (await isDamaged(context, pdf)) ? ({ pdfState: 'wanted' } as const) : {};
  const file = fileOf(row.path, row.sha256, row.bytes);
  const isBroken = row.state !== 'quarantined' && file !== undefined && (await isDamaged(context, file));
  if (isBroken) return { ...wanted, ...pdfPatch };
  return 'pdfState' in pdfPatch ? { state: row.state, due: true, ...pdfPatch } : undefined;
}

/** An event that came to a bad end is tried again, too: nothing else would. */
async function wantEvent(
  context: SyncContext,
  { source }: SyncGroup,
  { repairs, event }: { readonly repairs: Repairs; readonly event: EventRow },
): Promise<void> {
  const file = event.archive === context.archive ? fileOf(event.path, event.sha256, event.bytes) : undefined;
  const isBroken = event.state === 'archived' && file !== undefined && (await isDamaged(context, file));
  const isTriedAgain = event.state === 'gone' && source.goneIsFinal !== true;
  if (!isBroken && !isTriedAgain && event.state !== 'quarantined') return;
  const keys = repairs.events.get(event.documentId) ?? new Set();
  repairs.events.set(event.documentId, keys.add(event.eventKey));
  await context.store.events.finish([{ seq: event.seq, patch: wanted, at: context.clock.now() }]);
}

/** True when the file is gone, or was changed and is set aside now. Errors: `store.unwritable` for a file behind a link. */
async function isDamaged({ storage, work }: SyncContext, file: ArchivedFile): Promise<boolean> {
  await storage.refuseLink(file.path);
  const found = await storage.digest(file.path);
  if (found === undefined) return true;
  if (found.sha256 === file.sha256) return false;
  await work.setAside(file.path, asidePath(file.path, found.sha256));
  return true;
}

function fileOf(
  path: string | undefined,
  sha256: string | undefined,
  bytes: number | undefined,
): ArchivedFile | undefined {
  return path === undefined || sha256 === undefined || bytes === undefined ? undefined : { path, sha256, bytes };
}
