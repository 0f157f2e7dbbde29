import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { seenEvent } from '../../../src/commands/inbound/seen-rows.js';
import type { InboundFamily } from '../../../src/contract/inbound.js';
import type { EventFacts } from '../../../src/domain/document-fact.js';
import type { SignatureVerdict } from '../../../src/store/documents.js';
import type { Store } from '../../../src/store/store.js';
import { serve, type TestServer } from '../../client/support/server.js';
import { seed } from '../seed.js';
import { giveEmptyStore } from '../../support/empty-store.js';
import { runFiscal, testHost, type RunResult, type TestHost } from '../../support/host.js';

export const NFE = [
  '35261030057049000141550010000000011000000010',
  '35261030057049000141550010000000021000000026',
] as const;
export const CTE = '35261030057049000141570010000000031000000039';
export const NFSE = '21113002200574753000100000000000000426107032711025';
const at = Date.UTC(2026, 10, 1);

export interface Listed {
  readonly accessKey: string;
  readonly status: string;
  readonly issuedOn?: string;
  readonly modifiedOn?: string;
  readonly nsu?: string;
}

/** The least that tells what a file holds. */
export function xmlOf(family: InboundFamily, key: string): string {
  const root = { nfe: 'NFe', cte: 'CTe', nfse: 'NFSe' }[family];
  return `<${root}>${key}</${root}>`;
}

export const eventOf = (eventKey: string): string => `<evento>${eventKey}</evento>`;

export interface ListedEvent {
  readonly eventKey: string;
  readonly accessKey: string;
  readonly createdOn?: string;
}

/** A company whose October stands in the archive, and a service that lists what `lists` holds. */
export class ArchivedMonth {
  readonly lists: Record<InboundFamily, Listed[]> = { nfe: [], cte: [], nfse: [] };
  readonly events: Record<'nfe' | 'cte', ListedEvent[]> = { nfe: [], cte: [] };
  /** What the list of events answers instead. */
  readonly eventAnswers: Partial<Record<'nfe' | 'cte', { readonly status: number; readonly body: unknown }>> = {};
  /** A list by OData gives so many rows at most, without a link to the others. */
  mostRows = Infinity;
  /** The lists by OData count their rows when they are asked to. */
  counts = true;
  /** Settings that a family answers with; absent: 404. */
  readonly captures = new Set<InboundFamily>(['nfe', 'cte', 'nfse']);
  /** What the settings of a family say besides. */
  readonly settings: Partial<Record<InboundFamily, object>> = {};
  spacedUntil: string | undefined;
  /** Of the documents that are added from now on. */
  signature: SignatureVerdict = 'valid';
  /** What the service says of the NFS-e that its cut-off hides. */
  backfill: object | undefined = { released: false, hiddenDocumentsCount: 0 };
  /** Absent: of a layout that is not known. */
  xmlKind: 'full' | undefined = 'full';
  companies: readonly object[] = [{ id: 'c1', federalTaxNumber: '11222333000181' }];
  /** The service's clock; absent: that of the machine. */
  servedAt: string | undefined;
  /** From now on the key is refused where NFS-e are listed. */
  refusesKey = false;
  /** Keys that were captured by key, which is billed. */
  readonly fetched: string[] = [];
  readonly archive: string;
  private readonly sequence = { event: 0 };

  private constructor(
    readonly host: TestHost,
    readonly seen: readonly { readonly path: string }[],
    /** What another machine needs to reach the same service. */
    readonly serviceEnv: Readonly<Record<string, string>>,
  ) {
    this.archive = join(host.root, 'archive');
  }

  static async open(): Promise<ArchivedMonth> {
    const open: { month?: ArchivedMonth } = {};
    const server: TestServer = await serve((request, response) => {
      // The server has read the request to its end; the last one that it saw is this one.
      const sent = server.seen.at(-1)?.body ?? '';
      const { status, body } = open.month?.answer(request.url ?? '', sent) ?? { status: 500, body: {} };
      const date = open.month?.servedAt;
      const headers = { 'content-type': 'application/json', ...(date === undefined ? {} : { date }) };
      response.writeHead(status, headers).end(JSON.stringify(body));
    });
    const env = { FISCAL_PRODUCT_URL: server.url, FISCAL_INVOICE_KEY: 'invoice-key', FISCAL_COMPANY: 'c1' };
    const host = testHost({ env });
    giveEmptyStore(host);
    const month = new ArchivedMonth(host, server.seen, env);
    open.month = month;
    return month;
  }

  async fiscal(...argv: string[]): Promise<RunResult> {
    return await runFiscal(argv, this.host);
  }

  /** In the archive, in the store, and in the service's list. */
  async add(family: InboundFamily, key: string, text = xmlOf(family, key), companyId = 'c1'): Promise<string> {
    this.lists[family].push({ accessKey: key, status: 'Processed', issuedOn: '2026-10-05T12:00:00Z' });
    const path = `11222333000181/2026-10/${family}/${key}.xml`;
    const file = this.write(path, text);
    await this.store(async ({ documents }) => {
      const group = { profile: 'environment', companyId, family };
      const seen = { id: key, accessKey: key, status: 'Processed', issuedOn: '2026-10-05T12:00:00Z', data: {} };
      await documents.see(group, [seen], at);
      const row = await documents.get(group, key);
      const kept = {
        ...({ state: 'archived', due: false } as const),
        ...(this.xmlKind && { xmlKind: this.xmlKind }),
        ...{ archive: this.archive, file, signature: this.signature },
      };
      if (row !== undefined) await documents.finish([{ row, patch: { ...kept, archivedAt: at }, at }]);
    });
    return path;
  }

  async addEvent(
    family: InboundFamily,
    documentId: string,
    companyId = 'c1',
    said: {
      readonly type?: string;
      readonly description?: string;
      readonly text?: string;
      /** As its XML has it. */
      readonly facts?: EventFacts;
    } = { type: '110111' },
  ): Promise<string> {
    const { text, facts, ...words } = said;
    this.sequence.event += 1;
    const eventKey = `110111-${this.sequence.event}`;
    const seen = seenEvent({ eventKey, accessKey: documentId, ...words });
    const file = this.write(
      `11222333000181/2026-10/${family}/${documentId}.event-${eventKey}.xml`,
      text ?? eventOf(eventKey),
    );
    await this.store(async ({ events }) => {
      const group = { profile: 'environment', companyId, family };
      await events.see(group, seen === undefined ? [] : [seen], at);
      const rows = await events.of(group, documentId);
      const row = rows.find((event) => event.eventKey === eventKey);
      const kept = { state: 'archived', due: false, archive: this.archive, file, ...(facts && { facts }) } as const;
      if (row !== undefined) await events.finish([{ seq: row.seq, patch: { ...kept, archivedAt: at }, at }]);
    });
    if (family !== 'nfse')
      this.events[family].push({ eventKey, accessKey: documentId, createdOn: '2026-10-06T12:00:00Z' });
    return file.path;
  }

  /** A sync has read the lists of these families to their end. */
  async read(
    families: readonly InboundFamily[],
    readAt: { readonly documents?: number; readonly events?: number },
    companyId = 'c1',
  ): Promise<void> {
    await this.store(async ({ cursors }) => {
      for (const family of families) {
        const group = { profile: 'environment', companyId, family };
        await cursors.hold(group, 'w', at);
        const save = async (stream: string, ended: number): Promise<unknown> =>
          await cursors.save({ ...group, stream }, { position: { endedAt: ended }, at: ended, workerId: 'w' });
        if (readAt.documents !== undefined) await save('documents', readAt.documents);
        if (readAt.events !== undefined) await save('events', readAt.events);
        await cursors.release(group, 'w');
      }
    });
  }

  async store(work: (store: Store) => Promise<unknown>): Promise<void> {
    await seed(this.host, work);
  }

  path(relative: string): string {
    return join(this.archive, relative);
  }

  write(path: string, text: string) {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
    return { path, sha256: createHash('sha256').update(text).digest('hex'), bytes: Buffer.byteLength(text) };
  }

  private fetch(sent: string): unknown {
    const { accessKey } = JSON.parse(sent) as { accessKey: string };
    this.fetched.push(accessKey);
    return { id: 'd-1', accessKey, companyId: 'c1', status: 'Processed' };
  }

  private answer(url: string, sent: string): { readonly status: number; readonly body: unknown } {
    const path = url.split('?')[0] ?? '';
    if (path.endsWith('/fetch-by-access-key')) return { status: 200, body: this.fetch(sent) };
    if (path === '/v2/companies') {
      return { status: 200, body: { companies: this.companies, hasMore: false } };
    }
    if (/^\/v2\/companies\/[^/]+$/.test(path))
      return { status: 404, body: { error: { code: 'not_found', message: 'no' } } };
    const settings = { productinvoices: 'nfe', transportationinvoices: 'cte', details: 'nfse' } as const;
    for (const [name, family] of Object.entries(settings)) {
      if (!path.endsWith(`/${name}`)) continue;
      if (!this.captures.has(family)) return { status: 404, body: { error: { code: 'not_found', message: 'no' } } };
      const known = { companyId: 'c1', status: 'Active', createdOn: '2026-09-01T00:00:00Z' };
      const body = { ...known, rateLimitedUntil: this.spacedUntil, ...this.settings[family] };
      return { status: 200, body };
    }
    for (const [name, family] of Object.entries({ Product: 'nfe', Transportation: 'cte' } as const)) {
      if (!path.endsWith(`/${name}InvoiceEvents`)) continue;
      return this.eventAnswers[family] ?? this.listed(url, this.events[family]);
    }
    if (path.endsWith('/inbound/nfe')) return this.listed(url, this.lists.nfe);
    if (path.endsWith('/TransportationInvoices')) return this.listed(url, this.lists.cte);
    if (this.refusesKey) return { status: 401, body: { message: 'no' } };
    if (path.endsWith('/inbound/nfse/backfill')) return { status: 200, body: this.backfill };
    const query = new URL(url, 'http://x').searchParams;
    const page = Number(query.get('pageIndex') ?? 1);
    const rows = query.get('type') === 'Event' ? [] : this.lists.nfse;
    const documents = page === 1 ? rows : [];
    return { status: 200, body: { page, totalPages: 1, totalResults: rows.length, documents } };
  }

  /** Of the filter it knows the place at or behind a row alone. */
  private listed(url: string, rows: readonly object[]) {
    const query = new URL(url, 'http://x').searchParams;
    const skip = Number(query.get('$skip') ?? 0);
    const [, operator, key] = /(?:eventKey|accessKey) (g[et]) '([^']*)'/.exec(query.get('$filter') ?? '') ?? [];
    const at = rows.findIndex((row) => key !== undefined && Object.values(row).includes(key));
    const left = rows.slice(operator === 'ge' ? Math.max(at, 0) : at + 1);
    const count = this.counts && query.get('$count') === 'true' ? { '@odata.count': left.length } : {};
    return { status: 200, body: { ...count, value: left.slice(skip, skip + Math.min(rows.length, this.mostRows)) } };
  }
}
