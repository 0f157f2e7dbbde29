import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

type Row = Readonly<Record<string, unknown>>;

/** A row of a list of received documents, and the file that stands behind it. */
export interface ServedDocument {
  readonly company: string;
  readonly family: 'nfe' | 'cte' | 'nfse';
  readonly row: Row;
  /** Absent: the file is answered with 404. */
  readonly xml?: string | Uint8Array;
  /** What finds the file: keys and ids. The first row that one of them names has it. */
  readonly names: readonly string[];
}

/** A row of a list of events of NF-e or CT-e. */
export interface ServedEvent {
  readonly company: string;
  readonly family: 'nfe' | 'cte';
  readonly eventKey: string;
  readonly row: Row;
  readonly xml?: string | Uint8Array;
}

export interface ServedWorld {
  readonly companies: readonly Row[];
  readonly documents: readonly ServedDocument[];
  readonly events: readonly ServedEvent[];
  /** Fields of the settings of every family and company, beside those of an active capture. */
  readonly settings?: Row;
  /** By company: the list of certificates. */
  readonly certificates?: Row;
}

/** How the lists by OData are paged. */
export interface ServedPages {
  /** The most rows of a page. */
  readonly most?: number;
  /** False: no list is counted. */
  readonly counts?: boolean;
  /** False: `$skip` is ignored. */
  readonly skips?: boolean;
}

export interface InboundService {
  readonly url: string;
  /** What was asked, with the query: `GET /v2/…`. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly type?: string;
  readonly body: string | Uint8Array;
}

interface Asked {
  readonly company: string;
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
}

/** The inbound service of other hands: lists, files and settings from a world of rows and bytes, and nothing else. */
export async function serveInbound(
  world: ServedWorld,
  { now = () => Date.now(), pages = {} }: { readonly now?: () => number; readonly pages?: ServedPages } = {},
): Promise<InboundService> {
  const asked: string[] = [];
  const places = new Places(world, pages);
  const server = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    request.resume();
    send(response, answerOf(request, places), now());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, asked, close };
}

/** The same, closed when the test ends. */
export async function serveInboundHere(world: ServedWorld, now?: () => number): Promise<InboundService> {
  const service = await serveInbound(world, now === undefined ? {} : { now });
  onTestFinished(() => service.close());
  return service;
}

function send(response: ServerResponse, { status, type, body }: Answer, now: number): void {
  response.writeHead(status, {
    'content-type': type ?? 'application/json',
    'content-length': Buffer.byteLength(body),
    date: new Date(now).toUTCString(),
  });
  response.end(body);
}

function json(body: unknown, status = 200): Answer {
  return { status, body: JSON.stringify(body) };
}

const none = json({ error: { code: 'not_found', message: 'there is no such thing' } }, 404);

/** The world by company, family and name: a list of thousands is read page by page. */
class Places {
  readonly #rows = new Map<string, Row[]>();
  readonly #files = new Map<string, ServedDocument>();
  readonly #events = new Map<string, ServedEvent>();
  readonly #sorted = new Map<string, readonly Row[]>();

  constructor(
    readonly world: ServedWorld,
    readonly pages: ServedPages,
  ) {
    for (const document of world.documents) {
      this.#put(`${document.company} ${document.family}`, document.row);
      for (const name of document.names) {
        const place = `${document.company} ${document.family} ${name}`;
        if (!this.#files.has(place)) this.#files.set(place, document);
      }
    }
    for (const event of world.events) {
      this.#put(`${event.company} ${event.family} events`, event.row);
      this.#events.set(`${event.company} ${event.eventKey}`, event);
    }
  }

  rows(list: string): readonly Row[] {
    return this.#rows.get(list) ?? [];
  }

  /** Sorted once for all pages of a list. */
  page(list: string, query: URLSearchParams): { readonly value: readonly Row[]; readonly count: number } {
    const words = `${list}?${query.get('$filter') ?? ''}&${query.get('$orderby') ?? ''}`;
    const before = this.#sorted.get(words);
    const rows = before ?? ordered(this.rows(list).filter(condition(query.get('$filter'))), query.get('$orderby'));
    this.#sorted.set(words, rows);
    const skip = this.pages.skips === false ? 0 : Number(query.get('$skip') ?? 0);
    const top = Math.min(this.pages.most ?? 1000, Number(query.get('$top') ?? 50));
    return { value: rows.slice(skip, skip + top), count: rows.length };
  }

  /** The row of one document, or of one event. */
  row(company: string, family: string, name: string): Answer {
    const found = this.#files.get(`${company} ${family} ${name}`);
    return found === undefined ? none : json(found.row);
  }

  eventRow(company: string, eventKey: string): Answer {
    const found = this.#events.get(`${company} ${eventKey}`);
    return found === undefined ? none : json(found.row);
  }

  file(company: string, family: string, name: string): Answer {
    return fileOf(this.#files.get(`${company} ${family} ${name}`));
  }

  eventFile(company: string, eventKey: string): Answer {
    return fileOf(this.#events.get(`${company} ${eventKey}`));
  }

  #put(list: string, row: Row): void {
    const rows = this.#rows.get(list);
    if (rows === undefined) this.#rows.set(list, [row]);
    else rows.push(row);
  }
}

function fileOf(found: { readonly xml?: string | Uint8Array } | undefined): Answer {
  return found?.xml === undefined ? none : { status: 200, type: 'application/xml', body: found.xml };
}

function answerOf(request: IncomingMessage, places: Places): Answer {
  const url = new URL(request.url ?? '/', 'http://service');
  const parts = url.pathname.split('/').slice(1).map(decodeURIComponent);
  const [version, noun, company, ...rest] = parts;
  if (request.method !== 'GET' || version !== 'v2' || noun !== 'companies') return none;
  const { world } = places;
  if (company === undefined) return companyPage(world.companies, url.searchParams);
  if (company === 'inbound') return registered(world.companies);
  if (rest.length === 0) {
    const found = world.companies.find(({ id }) => id === company);
    return found === undefined ? none : json({ companies: found, company: found });
  }
  if (rest[0] === 'certificates') return json({ certificates: world.certificates?.[company] ?? [] });
  if (rest[0] !== 'inbound') return none;
  return inbound(places, { company, rest: rest.slice(1), query: url.searchParams });
}

function companyPage(companies: readonly Row[], query: URLSearchParams): Answer {
  const after = query.get('startingAfter');
  const first = after === null ? 0 : companies.findIndex(({ id }) => id === after) + 1;
  const limit = Number(query.get('limit') ?? 10);
  return json({ companies: companies.slice(first, first + limit), hasMore: first + limit < companies.length });
}

function registered(companies: readonly Row[]): Answer {
  const rows = companies.map(({ id, name }) => ({ id, name, companyId: id, isActive: true }));
  return json({ totalResults: rows.length, totalPages: 1, page: 1, companies: rows });
}

const BEGAN = '2000-01-01T00:00:00Z';

function inbound(places: Places, { company, rest, query }: Asked): Answer {
  const path = rest.join('/');
  const settings = places.world.settings ?? {};
  const active = { companyId: company, status: 'Active', environmentSEFAZ: 'Production' };
  switch (path) {
    case 'productinvoices':
    case 'transportationinvoices':
      return json({ ...active, createdOn: BEGAN, modifiedOn: BEGAN, ...settings });
    case 'nfse/details':
      return json({
        ...{ id: company, isActive: true, environment: 'Production' },
        ...{ createdAt: BEGAN, updatedAt: BEGAN, ...settings },
      });
    case 'nfse/backfill':
      return json({ startFromDate: null, released: true, hiddenDocumentsCount: 0 });
    case 'nfe':
      return odata(places, `${company} nfe`, query);
    case 'odata/TransportationInvoices':
      return odata(places, `${company} cte`, query);
    case 'odata/ProductInvoiceEvents':
      return odata(places, `${company} nfe events`, query);
    case 'odata/TransportationInvoiceEvents':
      return odata(places, `${company} cte events`, query);
    case 'nfse':
      return nfseList(places, company, query);
  }
  const [first = '', second = '', third = '', fourth] = rest;
  if ((first === 'nfe' || first === 'nfse') && third === 'xml') return places.file(company, first, second);
  if ((first === 'nfe' || first === 'nfse') && rest.length === 2) return places.row(company, first, second);
  if (rest.length === 1) return places.row(company, 'cte', first);
  if (second === 'events' && rest.length === 3) return places.eventRow(company, third);
  if (second === 'events' && fourth === 'xml') return places.eventFile(company, third);
  if (second === 'xml') return places.file(company, 'cte', first);
  return none;
}

function odata(places: Places, list: string, query: URLSearchParams): Answer {
  const { value, count } = places.page(list, query);
  const isCounted = places.pages.counts !== false && query.get('$count') === 'true';
  return json({ value, ...(isCounted ? { '@odata.count': count } : {}) });
}

function nfseList(places: Places, company: string, query: URLSearchParams): Answer {
  if (['$filter', '$orderby', '$top'].some((name) => query.has(name))) return odata(places, `${company} nfse`, query);
  const type = query.get('type');
  const isEvent = (row: Row): boolean => /event/i.test(String(row['type']));
  const within = (field: string, name: string) => (row: Row) => {
    const at = Date.parse(String(row[field]));
    const [begin, end] = [query.get(`${name}Begin`), query.get(`${name}End`)];
    return (begin === null || at >= Date.parse(begin)) && (end === null || at <= Date.parse(end));
  };
  const rows = places
    .rows(`${company} nfse`)
    .filter((row) => type === null || type === 'None' || isEvent(row) === (type === 'Event'))
    .filter(within('issuedOn', 'issued'))
    .filter(within('createdOn', 'created'));
  const size = Number(query.get('pageCount') ?? 0) || 50;
  const page = Number(query.get('pageIndex') ?? 1);
  return json({
    ...{ totalResults: rows.length, totalPages: Math.ceil(rows.length / size), page },
    documents: rows.slice((page - 1) * size, page * size),
  });
}

function ordered(rows: readonly Row[], orderBy: string | null): readonly Row[] {
  const fields = (orderBy ?? '').split(',').map((part) => part.trim().split(/\s+/));
  return rows.toSorted((one, other) => {
    for (const [field = '', direction] of fields) {
      const [left, right] = [String(one[field] ?? ''), String(other[field] ?? '')];
      const sign = direction === 'desc' ? -1 : 1;
      if (left !== right) return left < right ? -sign : sign;
    }
    return 0;
  });
}

type Test = (row: Row) => boolean;

/** `a eq 'x' and (b ge 2026-10-01T00:00:00Z or c eq null)`. Errors: any other condition. */
function condition(filter: string | null): Test {
  if (filter === null || filter === '') return () => true;
  const words = filter.match(/'(?:[^']|'')*'|[()]|[^\s()']+/g) ?? [];
  let at = 0;
  const next = (): string => words[at++] ?? '';
  const any = (): Test => {
    let left = all();
    while (words[at] === 'or') {
      next();
      const [one, other] = [left, all()];
      left = (row) => one(row) || other(row);
    }
    return left;
  };
  const all = (): Test => {
    let left = single();
    while (words[at] === 'and') {
      next();
      const [one, other] = [left, single()];
      left = (row) => one(row) && other(row);
    }
    return left;
  };
  const single = (): Test => {
    if (words[at] !== '(') return compared(next(), next(), next());
    next();
    const inner = any();
    next();
    return inner;
  };
  return any();
}

function compared(path: string, operator: string, literal: string): Test {
  const text = literal.startsWith("'") ? literal.slice(1, -1).replaceAll("''", "'") : literal;
  const isTime = !literal.startsWith("'") && /^\d{4}-/.test(literal);
  return (row) => {
    const found = path.split('/').reduce<unknown>((value, name) => (value as Row | null)?.[name], row);
    if (found === null || found === undefined) return (literal === 'null') === (operator === 'eq');
    const left = isTime ? Date.parse(String(found)) : String(found);
    const right = isTime ? Date.parse(text) : text;
    switch (operator) {
      case 'eq':
        return left === right;
      case 'ne':
        return left !== right;
      case 'gt':
        return left > right;
      case 'ge':
        return left >= right;
      case 'lt':
        return left < right;
      case 'le':
        return left <= right;
      default:
        throw new Error(`no such operator: ${operator}`);
    }
  };
}
