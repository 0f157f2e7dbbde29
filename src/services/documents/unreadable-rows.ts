import { asKey } from '../../domain/access-key.js';
import { formatUtc } from '../../domain/dates.js';
import { fieldOf } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { DocumentGroup } from '../../store/documents.js';
import type { Store } from '../../store/store.js';

/** The text by which a row of a list names its document: its access key, or its id where a note of a city has no key. */
export function nameOfDocument(row: unknown): string | undefined {
  const names = ['accessKey', 'id'].map((field) => fieldOf(row, field));
  const found = names.find((name): name is string => typeof name === 'string' && name !== '');
  return found && asKey(found);
}

/** The two lists of a family: of its documents, and of their events. */
export type InboundList = 'documents' | 'events';

/** Rows that `inbound sync` saw in the lists of a family and that name no document or event. */
export interface UnreadableRows extends Readonly<Record<InboundList, number>> {
  /** When the last of them was seen. UTC, ISO 8601. */
  readonly seenAt: string;
}

/** `null`: no row that a sync saw is still unreadable. */
export async function unreadableRows(
  { cursors }: Pick<Store, 'cursors'>,
  group: DocumentGroup,
): Promise<UnreadableRows | null> {
  const lists = ['documents', 'events'] as const;
  const [documents, events] = await Promise.all(lists.map((list) => cursors.get(keyOf(group, list))));
  const count = { documents: keptIn(documents?.position).count, events: keptIn(events?.position).count };
  if (count.documents + count.events === 0) return null;
  return { ...count, seenAt: formatUtc(Math.max(documents?.at ?? 0, events?.at ?? 0)) };
}

/** One reading of a list. */
interface Reading {
  readonly list: InboundList;
  /** Where it began, in milliseconds; absent: at the beginning of the list. */
  readonly since: number | undefined;
  readonly unreadable: number;
  /** The list was read to its end. */
  readonly isWhole: boolean;
  readonly now: number;
  readonly workerId: string;
}

/**
 * Keeps how many rows could not be read. A row without a key may also lack the time by which a later list is filtered, so only a
 * whole reading from the same beginning, or an earlier one, proves that it is gone. Error: `job.lease_lost`.
 */
export async function keepUnreadable(
  { cursors }: Pick<Store, 'cursors'>,
  group: DocumentGroup,
  { list, since, unreadable, isWhole, now, workerId }: Reading,
): Promise<void> {
  const before = keptIn((await cursors.get(keyOf(group, list)))?.position);
  if (before.count === 0 && unreadable === 0) return;
  const replaces = isWhole && (since ?? 0) <= before.since;
  if (!replaces && unreadable === 0) return;
  const count = replaces ? unreadable : Math.max(before.count, unreadable);
  const position = { count, since: Math.min(before.since, since ?? 0) };
  if (!(await cursors.save(keyOf(group, list), { position, at: now, workerId })))
    throw new FiscalError('job.lease_lost', { id: 'inbound sync' });
}

function keptIn(position: unknown): { readonly count: number; readonly since: number } {
  const [count, since] = [fieldOf(position, 'count'), fieldOf(position, 'since')];
  const isKept = typeof count === 'number' && count > 0;
  return isKept
    ? { count, since: typeof since === 'number' ? since : 0 }
    : { count: 0, since: Number.MAX_SAFE_INTEGER };
}

function keyOf({ profile, companyId, family }: DocumentGroup, list: InboundList) {
  return { profile, companyId, family, stream: `unreadable ${list}` };
}
