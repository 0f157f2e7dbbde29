import type { Client } from '../../client/client.js';
import { listCut } from '../../client/list-rows.js';
import { rowsOf } from '../../client/read-answer.js';
import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { fieldOf } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { QueryValues } from './read-query.js';

/** One page of a list, whatever names the service gives its parts. Rows are not trusted yet. */
export interface ListPage {
  readonly rows: readonly unknown[];
  /** The query of the next page, as the service's own link has it. */
  readonly next: QueryValues | undefined;
  readonly total: number | undefined;
  readonly totalPages: number | undefined;
  /** The answer is one of a list by page number, which knows no OData. */
  readonly isNumbered: boolean;
}

/** Asks for the pages of one company's list. */
export interface PageReader {
  read(query: QueryValues): Promise<ListPage>;
  /** `service.list_cut`: the list cannot be followed to its end. */
  broken(reason: Text): FiscalError;
  /** `service.unreadable`: a row is not what the list is of. */
  unreadable(reason: Text): FiscalError;
}

export interface PageSource {
  readonly operation: `${InboundFamily}.inbound.list` | `${'nfe' | 'cte'}.inbound.events`;
  readonly companyId: string;
}

export async function pageReader(
  client: Client,
  { operation, companyId }: PageSource,
  signal: AbortSignal,
): Promise<PageReader> {
  const path = { companyId };
  const base = new URL((await client.preview(operation, { path })).url);
  let count = 0;
  const broken = (reason: Text): FiscalError => listCut(operation, count, reason);
  const facts = { operation, httpStatus: 200, sent: 'yes', retryable: false } as const;
  const unreadable = (reason: Text): FiscalError =>
    new FiscalError('service.unreadable', { operation, status: 200, reason }, facts);
  return {
    broken,
    unreadable,
    async read(query) {
      const { body } = await client.call(operation, { path, query }, { signal });
      const rows = rowsOf(operation, body);
      count += rows.length;
      const link = fieldOf(body, '@odata.nextLink') ?? fieldOf(body, 'nextLink');
      return {
        rows,
        next: typeof link === 'string' ? nextQuery(link, { base, query, broken, unreadable }) : undefined,
        total: countOf(fieldOf(body, 'totalResults') ?? fieldOf(body, '@odata.count')),
        totalPages: countOf(fieldOf(body, 'totalPages')),
        isNumbered:
          Array.isArray(fieldOf(body, 'documents')) &&
          link === undefined &&
          fieldOf(body, '@odata.count') === undefined,
      };
    },
  };
}

interface Asked extends Pick<PageReader, 'broken' | 'unreadable'> {
  readonly base: URL;
  readonly query: QueryValues;
}

/** The link is followed by its query only, at the address of the list: no key goes where a page points to. */
function nextQuery(link: string, { base, query, broken, unreadable }: Asked): QueryValues {
  if (!URL.canParse(link, base.href)) throw unreadable(noLink);
  const url = new URL(link, base);
  if (url.host !== base.host) throw unreadable(elsewhere(url.host));
  url.searchParams.delete('apikey');
  const next = Object.fromEntries(url.searchParams);
  if (textOf(next) === textOf(query)) throw broken(itself);
  return next;
}

function textOf(query: QueryValues): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return JSON.stringify(given.map(([name, value]) => [name, String(value)]).toSorted());
}

/** A service may write 64-bit numbers as text. */
function countOf(value: unknown): number | undefined {
  const count = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

const noLink: Text = {
  en: 'its link to the next page is no address',
  pt: 'o link da próxima página não é um endereço',
};

const itself: Text = {
  en: 'its link to the next page leads to the same page again',
  pt: 'o link da próxima página leva de novo à mesma página',
};

function elsewhere(host: string): Text {
  const shown = host.slice(0, 100);
  return {
    en: `its link to the next page leads to another host (${shown}), where nothing is asked`,
    pt: `o link da próxima página leva a outro endereço (${shown}), que não é consultado`,
  };
}
