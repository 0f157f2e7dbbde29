import type { Client } from '../../client/client.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { LookupContext, LookupResult } from '../kind.js';
import { listField, textField } from './answer-fields.js';
import { isAbout, observeInvoice, readByExternalId } from './invoice-answer.js';
import type { MerchandiseItem, ServiceItem } from './invoice-items.js';

const PAGE = 50;
/** A longer list is not read to its end: a person is asked. */
const MAX_PAGES = 200;
const MAX_DETAILS = 25;
const DAY_MS = 86_400_000;
const environments = ['Production', 'Test'] as const;

/** The service finds an NFS-e by the id that the caller gave it. */
export async function findByExternalId(
  client: Client,
  { companyId, externalId }: ServiceItem,
  { signal }: LookupContext,
): Promise<LookupResult> {
  try {
    const path = { companyId, externalId };
    const { body } = await client.call('nfse.getByExternalId', { path }, { attempts: 'once', signal });
    const seen = readByExternalId(body, externalId);
    if (seen === 'absent') return 'absent';
    return typeof seen === 'string' ? 'cannot tell' : found(seen.body, externalId);
  } catch (error) {
    if (error instanceof FiscalError && error.code === 'service.not_found') return 'absent';
    throw error;
  }
}

/**
 * NF-e and NFC-e stand in a list only: it is read until the externalId is found, in both environments when the invoice names
 * none. `cannot tell`: the list is too long, shows no externalIds, or shows an older invoice of the same externalId.
 */
export async function findInList(
  client: Client,
  item: MerchandiseItem,
  look: LookupContext,
): Promise<LookupResult> {
  const { environment } = item.invoice;
  for (const name of environment === undefined ? environments : [environment]) {
    const result = await new Search(client, item, look).run(name);
    if (result !== 'absent') return result;
  }
  return 'absent';
}

/** One reading of one environment's list. */
class Search {
  /** Clocks differ: an invoice that looks a day older than the send may still be its effect, one older is not. */
  readonly #since: number;
  /** The list shows externalIds, so a row without one was issued without one. */
  #showsExternalIds = false;
  /** Rows without an externalId that may be the effect of the send. */
  readonly #unnamed: string[] = [];

  constructor(
    private readonly client: Client,
    private readonly item: MerchandiseItem,
    private readonly look: LookupContext,
  ) {
    this.#since = (look.sentAt ?? 0) - DAY_MS;
  }

  async run(environment: string): Promise<LookupResult> {
    let startingAfter: string | undefined;
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const { rows, hasMore } = await this.#read(environment, startingAfter);
      if (rows === undefined) return 'cannot tell';
      const match = rows.find((row) => textField(row, 'externalId') === this.item.externalId);
      if (match !== undefined)
        return this.#isOlder(match) ? 'cannot tell' : found(match, this.item.externalId);
      for (const row of rows) this.#note(row);
      if (!hasMore || isBehind(rows, this.#since)) return await this.#amongUnnamed();
      const last = textField(rows.at(-1), 'id');
      // It announces more and brings nothing: what is not there may stand behind.
      if (last === undefined || last === startingAfter) return 'cannot tell';
      startingAfter = last;
    }
    return 'cannot tell';
  }

  async #read(environment: string, startingAfter: string | undefined) {
    const { model, companyId } = this.item;
    const query = { environment, limit: PAGE, startingAfter };
    const { body } = await this.client.call(
      `${model}.list`,
      { path: { companyId }, query },
      { attempts: 'once', signal: this.look.signal },
    );
    const rows = listField(body, 'productInvoices') ?? listField(body, 'consumerInvoices');
    return { rows, hasMore: hasMoreIn(body) };
  }

  #note(row: unknown): void {
    if (textField(row, 'externalId') !== undefined) this.#showsExternalIds = true;
    else if (!this.#isOlder(row)) this.#unnamed.push(textField(row, 'id') ?? '');
  }

  /** A list that shows no externalIds at all may show them in its details. */
  async #amongUnnamed(): Promise<LookupResult> {
    if (this.#showsExternalIds || this.#unnamed.length === 0) return 'absent';
    if (this.#unnamed.length > MAX_DETAILS) return 'cannot tell';
    const { model, companyId, externalId } = this.item;
    for (const invoiceId of this.#unnamed) {
      const options = { attempts: 'once', signal: this.look.signal } as const;
      const { body } = await this.client.call(`${model}.get`, { path: { companyId, invoiceId } }, options);
      const externalIdThere = textField(body, 'externalId');
      if (externalIdThere === externalId) return found(body, externalId);
      if (externalIdThere !== undefined) this.#showsExternalIds = true;
    }
    return this.#showsExternalIds ? 'absent' : 'cannot tell';
  }

  #isOlder(row: unknown): boolean {
    const at = createdAt(row);
    return at !== undefined && at < this.#since;
  }
}

function found(body: unknown, externalId: string): LookupResult {
  const resourceId = textField(body, 'id');
  if (resourceId === undefined || !isAbout(body, externalId)) return 'cannot tell';
  return { ...observeInvoice(body), resourceId };
}

/** True for a page whose times fall and end before that time: what follows is older. Equal times show no order. */
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

function hasMoreIn(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'hasMore' in body && body.hasMore === true;
}
