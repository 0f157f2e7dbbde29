import type { Client } from '../../client/client.js';
import { listCut, nothingMore } from '../../client/list-rows.js';
import { rowsOf } from '../../client/read-answer.js';
import { isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { AdmitParts, Observation } from '../kind.js';
import { reasons } from '../known-reasons.js';
import { textField } from './answer-fields.js';
import { observeInvoice } from './invoice-answer.js';
import type { IssueItem, MerchandiseItem, MerchandiseModel } from './invoice-items.js';

const PAGE = 50;
/** A longer list is not read to its end: what stands behind it is not found. */
const MAX_PAGES = 200;
/** How far back a list that begins with the newest is read: the same order is seldom issued twice in different months. */
const LOOK_BACK_MS = 31 * 86_400_000;

/**
 * What the service has under the externalId before anything of this item was sent: another machine may have issued the same
 * order. `undefined`: nothing, or it cannot be told. The same content is `skipped`, or `rejected` where it was refused; what
 * differs, or cannot be compared, is `failed`, never a success of ours.
 */
export async function findBefore(parts: AdmitParts, item: IssueItem): Promise<Observation | undefined> {
  const there = await readBefore(parts, item);
  if (there === undefined) return undefined;
  const observation = observeInvoice(there);
  const { state, remoteStatus } = observation;
  const resourceId = textField(there, 'id');
  if (resourceId === undefined) return undefined;
  const seen = { resourceId, ...(remoteStatus === undefined ? {} : { remoteStatus }) };
  const comparison = compareContent(item.invoice, there);
  if (comparison === 'same')
    return state === 'rejected' ? { ...observation, resourceId } : { ...seen, state: 'skipped' };
  const errorMessage = reasons[comparison === 'differs' ? 'otherContentThere' : 'contentUnseen'].en;
  return { ...seen, state: 'failed', errorCode: 'invoice.external_id_taken', errorMessage };
}

/** The invoice of the externalId as its own reading shows it. A service that refuses to look it up cannot tell. */
async function readBefore(parts: AdmitParts, item: IssueItem): Promise<unknown> {
  const { client, signal } = parts;
  const { companyId, externalId } = item;
  const options = { attempts: 'once', signal } as const;
  try {
    if (item.model === 'nfse') {
      const { body } = await client.call(
        'nfse.getByExternalId',
        { path: { companyId, externalId } },
        options,
      );
      return textField(body, 'externalId') === externalId ? body : undefined;
    }
    const invoiceId = await idInLists(parts, item);
    if (invoiceId === undefined) return undefined;
    const { body } = await client.call(`${item.model}.get`, { path: { companyId, invoiceId } }, options);
    return body;
  } catch (error) {
    if (error instanceof FiscalError && error.code === 'service.not_found') return undefined;
    throw error;
  }
}

async function idInLists(parts: AdmitParts, item: MerchandiseItem): Promise<string | undefined> {
  const { model, companyId, externalId } = item;
  const named = item.invoice.environment;
  for (const environment of named === undefined ? ['Production', 'Test'] : [named]) {
    const key = JSON.stringify([model, companyId, environment]);
    const list = parts.remembered.get(key) ?? readList(parts, { model, companyId, environment });
    // A reading that failed is made again by the next item.
    parts.remembered.set(key, list);
    const ids = await list.catch((error: unknown) => {
      parts.remembered.delete(key);
      throw error;
    });
    const id = ids.get(externalId);
    if (id !== undefined) return id;
  }
  return undefined;
}

interface ListQuery {
  readonly model: MerchandiseModel;
  readonly companyId: string;
  readonly environment: string;
}

/** The ids by externalId, those that were not refused first: the list is read once for a whole run. */
async function readList(
  { client, signal, now }: Pick<AdmitParts, 'client' | 'signal' | 'now'>,
  query: ListQuery,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const refused = new Map<string, string>();
  let startingAfter: string | undefined;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const body = await readPage(client, query, { startingAfter, signal });
    const rows = rowsOf(`${query.model}.list`, body);
    for (const row of rows) {
      const [id, externalId] = [textField(row, 'id'), textField(row, 'externalId')];
      if (id === undefined || externalId === undefined) continue;
      const kept = observeInvoice(row).state === 'rejected' ? refused : found;
      if (!kept.has(externalId)) kept.set(externalId, id);
    }
    const last = textField(rows.at(-1), 'id');
    const hasMore = isRecord(body) && body['hasMore'] === true;
    if (!hasMore || isBehind(rows, now - LOOK_BACK_MS)) break;
    if (last === undefined || last === startingAfter)
      throw listCut(`${query.model}.list`, found.size, nothingMore);
    startingAfter = last;
  }
  return new Map([...refused, ...found]);
}

async function readPage(
  client: Client,
  { model, companyId, environment }: ListQuery,
  { startingAfter, signal }: { readonly startingAfter: string | undefined; readonly signal: AbortSignal },
): Promise<unknown> {
  const query = { environment, limit: PAGE, startingAfter };
  const { body } = await client.call(
    `${model}.list`,
    { path: { companyId }, query },
    { attempts: 'once', signal },
  );
  return body;
}

/** Newest first, and the page ends before that time: what follows is older. */
function isBehind(rows: readonly unknown[], since: number): boolean {
  const times = rows.map((row) => Date.parse(textField(row, 'createdOn') ?? ''));
  const isFalling = times.every((at, index) => at <= (times[index - 1] ?? Number.POSITIVE_INFINITY));
  return isFalling && rows.length > 1 && (times.at(-1) ?? since) < since;
}

/**
 * Holds what we would send against what the service shows. Names that both know must be equal, and everything about amounts and
 * persons must be shown: else it cannot be said to be the same.
 */
function compareContent(ours: unknown, theirs: unknown): 'same' | 'differs' | 'unseen' {
  const shown = new Map(leavesOf(theirs));
  let isUnseen = false;
  for (const [path, value] of leavesOf(ours)) {
    const other = shown.get(path);
    if (other === undefined) isUnseen ||= /amount|taxnumber|quantity/i.test(path);
    else if (other !== value) return 'differs';
  }
  return isUnseen ? 'unseen' : 'same';
}

function leavesOf(value: unknown, path = ''): readonly (readonly [path: string, value: string])[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object') return [[path, leafText(value)]];
  return Object.entries(value).flatMap(([name, field]) => leavesOf(field, `${path}.${name}`));
}

/** `18.90`, `18.9` and the number are one amount; a tax number is its digits. */
function leafText(value: unknown): string {
  const text = String(value).trim();
  if (/^-?\d+\.\d+$/.test(text)) return text.replace(/\.?0+$/, '');
  return /^[\d./-]{14,18}$/.test(text) ? text.replaceAll(/[./-]/g, '') : text;
}
