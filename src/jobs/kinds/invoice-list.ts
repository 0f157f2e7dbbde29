import type { Client } from '../../client/client.js';
import { endsWith } from '../../client/list-rows.js';
import { listField, textField } from './answer-fields.js';
import type { MerchandiseItem, MerchandiseModel } from './invoice-items.js';

export const PAGE = 50;
/** Pages read at most. What stands further back is not found. */
export const MAX_PAGES = 200;

const environments = ['Production', 'Test'] as const;

/** The rows of both environments' lists since a time, or why they cannot be had. */
export async function rowsSince(
  client: Client,
  { model, companyId }: Pick<MerchandiseItem, 'model' | 'companyId'>,
  { since, signal }: { readonly since: number; readonly signal: AbortSignal },
): Promise<readonly unknown[] | 'no end'> {
  const rows: unknown[] = [];
  for (const environment of environments) {
    const list = await readList(client, { model, companyId, environment }, { since, signal });
    if (list === 'no end') return list;
    rows.push(...list);
  }
  return rows;
}

interface ListQuery {
  readonly model: MerchandiseModel;
  readonly companyId: string;
  readonly environment: string;
}

async function readList(
  client: Client,
  { model, companyId, environment }: ListQuery,
  { since, signal }: { readonly since: number; readonly signal: AbortSignal },
): Promise<readonly unknown[] | 'no end'> {
  const all: unknown[] = [];
  let startingAfter: string | undefined;
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const query = { environment, limit: PAGE, startingAfter };
    const options = { attempts: 'once', signal } as const;
    const { body } = await client.call(`${model}.list`, { path: { companyId }, query }, options);
    const rows = listField(body, 'productInvoices') ?? listField(body, 'consumerInvoices');
    if (rows === undefined) return 'no end';
    all.push(...rows);
    const last = textField(rows.at(-1), 'id');
    const isNew = last !== undefined && last !== startingAfter;
    if (endsWith(body, rows, { limit: PAGE, isNew }) || isBehind(rows, since)) return all;
    // The page announces more but is empty or repeats itself.
    if (!isNew) return 'no end';
    startingAfter = last;
  }
  return 'no end';
}

/**
 * True when the page is sorted by time, newest first, and ends before `since` (milliseconds): later pages are older.
 * Equal times do not prove an order.
 */
export function isBehind(rows: readonly unknown[], since: number): boolean {
  const times = rows.map((row) => createdAt(row) ?? Number.NaN);
  const [first = Number.NaN] = times;
  const last = times.at(-1) ?? Number.NaN;
  const isFalling = times.every((at, index) => at <= (times[index - 1] ?? Number.POSITIVE_INFINITY));
  return isFalling && last < first && last < since;
}

export function createdAt(row: unknown): number | undefined {
  const at = Date.parse(textField(row, 'createdOn') ?? '');
  return Number.isNaN(at) ? undefined : at;
}
