import type { Client } from '../../client/client.js';
import { endsWith } from '../../client/list-rows.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { LookupContext, LookupResult } from '../kind.js';
import { listField, textField } from './answer-fields.js';
import { isAbout, observeInvoice, readByExternalId } from './invoice-answer.js';
import { createdAt, isBehind, MAX_PAGES, PAGE } from './invoice-list.js';
import { findByContent, WRONG_CLOCK_MS } from './invoice-by-content.js';
import { type MerchandiseItem, sendsExternalId, type ServiceItem } from './invoice-items.js';
import { DAY_MS } from '../../domain/dates.js';

const MAX_DETAILS = 25;
const environments = ['Production', 'Test'] as const;

/** Looks an NFS-e up by the externalId that the caller assigned. */
export async function findByExternalId(
  client: Client,
  { companyId, externalId }: ServiceItem,
  { signal }: Pick<LookupContext, 'signal'>,
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

/** Looks an NF-e or NFC-e up in the list: by its externalId where the body carried it, else by what the list shows. */
export async function findMerchandise(
  client: Client,
  item: MerchandiseItem,
  look: LookupContext,
): Promise<LookupResult> {
  return sendsExternalId(item) ? await findInList(client, item, look) : await findByContent(client, item, look);
}

/**
 * Searches the list of NF-e or NFC-e for the externalId, page by page, in both environments when the invoice names
 * none. Returns `cannot tell` when the list is too long, shows no externalIds, or shows an older invoice with the same
 * externalId.
 */
export async function findInList(
  client: Client,
  item: MerchandiseItem,
  look: Pick<LookupContext, 'signal' | 'sentAt'>,
): Promise<LookupResult> {
  const { environment } = item.invoice;
  for (const name of environment === undefined ? environments : [environment]) {
    const result = await new Search(client, item, look).run(name);
    if (result !== 'absent') return result;
  }
  return 'absent';
}

/** One pass over the list of one environment. */
class Search {
  /**
   * Oldest creation time of an invoice that this send can have created. Clocks differ, so the limit is a day before the
   * send.
   */
  readonly #since: number;
  /** The same for a service whose clock is wrong. */
  readonly #sinceAtMost: number;
  /** True once a row shows an externalId: a row without one was then issued without one. */
  #showsExternalIds = false;
  /** Ids of rows without an externalId that this send may have created. */
  readonly #unnamed: string[] = [];

  constructor(
    private readonly client: Client,
    private readonly item: MerchandiseItem,
    private readonly look: Pick<LookupContext, 'signal' | 'sentAt'>,
  ) {
    this.#since = (look.sentAt ?? 0) - DAY_MS;
    this.#sinceAtMost = (look.sentAt ?? 0) - WRONG_CLOCK_MS;
  }

  async run(environment: string): Promise<LookupResult> {
    let startingAfter: string | undefined;
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const { rows, body } = await this.#read(environment, startingAfter);
      if (rows === undefined) return 'cannot tell';
      const match = rows.find((row) => textField(row, 'externalId') === this.item.externalId);
      if (match !== undefined)
        return isCreatedBefore(match, this.#since) ? 'cannot tell' : found(match, this.item.externalId);
      for (const row of rows) this.#note(row);
      const last = textField(rows.at(-1), 'id');
      const isNew = last !== undefined && last !== startingAfter;
      const isWhole = endsWith(body, rows, { limit: PAGE, isNew });
      if (isWhole || isBehind(rows, this.#sinceAtMost)) return await this.#amongUnnamed();
      // The page announces more but is empty or repeats itself, so the invoice may be on a page that cannot be read.
      if (!isNew) return 'cannot tell';
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
    return { rows, body };
  }

  #note(row: unknown): void {
    if (textField(row, 'externalId') !== undefined) this.#showsExternalIds = true;
    else if (!isCreatedBefore(row, this.#sinceAtMost)) this.#unnamed.push(textField(row, 'id') ?? '');
  }

  /** Rows may lack externalIds that the invoices themselves show. */
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
}

function isCreatedBefore(row: unknown, time: number): boolean {
  const at = createdAt(row);
  return at !== undefined && at < time;
}

function found(body: unknown, externalId: string): LookupResult {
  const resourceId = textField(body, 'id');
  if (resourceId === undefined || !isAbout(body, externalId)) return 'cannot tell';
  return { ...observeInvoice(body), resourceId };
}
