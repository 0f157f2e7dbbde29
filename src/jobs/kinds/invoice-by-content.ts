import type { Client } from '../../client/client.js';
import { isRecord } from '../../domain/record.js';
import type { ItemRow } from '../../store/store.js';
import type { AdmitContext, LookupContext, LookupResult } from '../kind.js';
import { textField } from './answer-fields.js';
import { observeInvoice } from './invoice-answer.js';
import type { MerchandiseItem } from './invoice-items.js';
import { createdAt, type Match, matchInvoice, rowsSince } from './invoice-list.js';

const MINUTE_MS = 60_000;
/** How far the service's clock may be from ours before the time of a row tells nothing. */
const CLOCK_MARGIN_MS = 10 * MINUTE_MS;
/** For how long after a send its invoice may be created. */
const CREATION_MS = 10 * MINUTE_MS;
/** Rows created longer ago than this before the send are older invoices, unless the clocks are far apart. */
const OLDER_MS = 24 * 60 * MINUTE_MS;
/** How far back a row may still be this invoice by a wrong clock: more than any mistake about a time zone. */
export const WRONG_CLOCK_MS = 3 * 24 * 60 * MINUTE_MS;
/** How far back the list is read before a send. */
export const SEEN_BEFORE_MS = OLDER_MS + 60 * MINUTE_MS;
const MAX_DETAILS = 25;

/**
 * Looks for an NF-e or NFC-e whose body carried no externalId: among the rows that were not there before the send and
 * belong to no other item of this store, by what the list publishes. One clear match is the invoice. None is `absent`;
 * several, or one that nothing identifies, are candidates, and so is one that only a wrong clock makes older.
 */
export async function findByContent(client: Client, item: MerchandiseItem, look: LookupContext): Promise<LookupResult> {
  const sentAt = look.sentAt ?? 0;
  const rows = await rowsSince(client, item, { since: sentAt - WRONG_CLOCK_MS, signal: look.signal });
  if (rows === 'no end') return 'cannot tell';
  const isYoung = (row: unknown): boolean => (createdAt(row) ?? sentAt) >= sentAt - OLDER_MS;
  const young = await candidatesAmong(client, item, { rows: rows.filter(isYoung), look });
  const older = rows.filter((row) => !isYoung(row));
  const candidates = young.length > 0 ? young : await candidatesAmong(client, item, { rows: older, look });
  if (candidates === 'cannot tell') return candidates;
  if (candidates.length === 0) return 'absent';
  const named = candidates.filter(({ match }) => match === 'named');
  const [only, ...others] = named.length > 0 ? named : candidates;
  if (only === undefined || others.length > 0 || !only.isClear) return { mayBe: candidates.map(({ id }) => id) };
  const { id, row } = only;
  return { ...observeInvoice(row), resourceId: id };
}

interface Candidate {
  readonly id: string;
  readonly row: unknown;
  readonly match: Match;
  /** Identified, created at the time of the send, and of no other item. */
  readonly isClear: boolean;
}

async function candidatesAmong(
  client: Client,
  item: MerchandiseItem,
  { rows, look }: { readonly rows: readonly unknown[]; readonly look: LookupContext },
): Promise<readonly Candidate[] | 'cannot tell'> {
  const sentAt = look.sentAt ?? 0;
  const before = await alikeBefore(look, item);
  const possible = new Map<string, unknown>();
  for (const row of rows) {
    const at = createdAt(row);
    const isOlder = at !== undefined && at < sentAt - WRONG_CLOCK_MS;
    const id = textField(row, 'id');
    if (isOlder || matchInvoice(item, row) === 'other') continue;
    if (id === undefined) return 'cannot tell';
    if (before?.has(id) !== true) possible.set(id, row);
  }
  const claims = await claimsOf(look, item, [...possible.keys()]);
  for (const { resourceId } of claims) if (resourceId !== undefined) possible.delete(resourceId);
  if (possible.size > MAX_DETAILS) return 'cannot tell';
  const found: Candidate[] = [];
  for (const [id, listed] of possible) {
    const { row, match } = await matchInDetail(client, item, { id, listed, look });
    if (match === 'other') continue;
    // A failed invoice that nothing names may be somebody else's: that nothing was issued is not known.
    const mayBe =
      match === 'same' && before !== undefined && !['failed', 'rejected'].includes(observeInvoice(row).state);
    const isIdentified = match === 'named' || mayBe;
    const isClear = isIdentified && isOfTheSend(row, sentAt) && !claims.some((other) => mayBeOf(other, row));
    found.push({ id, row, match, isClear });
  }
  return found;
}

/** Reads an invoice whose buyer, total or items the list does not show. */
async function matchInDetail(
  client: Client,
  item: MerchandiseItem,
  { id, listed, look }: { readonly id: string; readonly listed: unknown; readonly look: LookupContext },
): Promise<Pick<Candidate, 'row' | 'match'>> {
  const inList = matchInvoice(item, listed);
  if (inList !== 'unseen' && inList !== 'same') return { row: listed, match: inList };
  const row = await detailOf(client, item, { id, look });
  const match = matchInvoice(item, row);
  return inList === 'same' && match === 'unseen' ? { row: listed, match: inList } : { row, match };
}

async function detailOf(
  client: Client,
  { model, companyId }: MerchandiseItem,
  { id, look }: { readonly id: string; readonly look: LookupContext },
): Promise<unknown> {
  const path = { companyId, invoiceId: id };
  const { body } = await client.call(`${model}.get`, { path }, { attempts: 'once', signal: look.signal });
  return body;
}

function isOfTheSend(row: unknown, sentAt: number): boolean {
  const at = createdAt(row);
  if (at === undefined) return false;
  return at >= sentAt - CLOCK_MARGIN_MS && at <= sentAt + CREATION_MS + CLOCK_MARGIN_MS;
}

/** The other items of this store that name one of the rows, or whose outcome is open and may be one of them. */
async function claimsOf(
  { store, itemId }: LookupContext,
  { model, companyId }: MerchandiseItem,
  resourceIds: readonly string[],
): Promise<readonly ItemRow[]> {
  if (resourceIds.length === 0) return [];
  const items = await store.items.claimants({ kind: `${model}-issue`, resourceIds });
  return items.filter((other) => other.id !== itemId && inputOf(other)?.companyId === companyId);
}

/** True when the row may be the invoice of another item whose outcome is not known. */
function mayBeOf(other: ItemRow, row: unknown): boolean {
  const input = inputOf(other);
  if (other.resourceId !== undefined || input === undefined) return false;
  return matchInvoice(input, row) !== 'other' && (other.sentAt === undefined || isOfTheSend(row, other.sentAt));
}

/** Items of this kind hold this input. */
function inputOf({ input }: ItemRow): MerchandiseItem | undefined {
  return isRecord(input) && 'invoice' in input ? (input as unknown as MerchandiseItem) : undefined;
}

type Memory = Pick<AdmitContext, 'store' | 'profile'>;

function keyOf({ profile }: Memory, { model, companyId, externalId }: MerchandiseItem) {
  return { profile, kind: `${model}-alike`, scope: companyId, id: externalId };
}

/**
 * Remembers what looked like this invoice before it was sent; `undefined`: that could not be read. No row stands for
 * nothing alike.
 */
export async function rememberAlike(
  memory: Memory & Pick<AdmitContext, 'now'>,
  item: MerchandiseItem,
  ids: readonly string[] | undefined,
): Promise<void> {
  const key = keyOf(memory, item);
  if (ids?.length === 0 && (await memory.store.known.get(key)) === undefined) return;
  await memory.store.known.put({ ...key, data: { ids: ids ?? null }, seenAt: memory.now });
}

async function alikeBefore(memory: Memory, item: MerchandiseItem): Promise<ReadonlySet<string> | undefined> {
  const row = await memory.store.known.get(keyOf(memory, item));
  const ids: unknown = isRecord(row?.data) ? row.data['ids'] : [];
  return Array.isArray(ids) ? new Set(ids.map(String)) : undefined;
}
