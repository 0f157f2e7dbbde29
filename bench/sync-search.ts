import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { DocumentFilter, SeenDocument } from '../src/store/documents.js';
import { openStore } from '../src/store/sqlite/open.js';
import type { Store } from '../src/store/store.js';

const PAGE = 1_000;
const COMPANIES = 20;
/** Each with a connection of its own, as a command has it. */
const ROUNDS = 3;
const budgetMs = 50;
const start = Date.UTC(2026, 0, 1);

/** What an offline list costs beyond the start, among so many documents. */
export async function measureSearch(folder: string, count: number): Promise<void> {
  const clock = { now: () => Date.now(), uptime: () => performance.now(), sleep: () => Promise.resolve() };
  const path = join(await mkdtemp(join(folder, 'search-')), 'state.db');
  const filled = await openStore({ path, clock });
  const begin = performance.now();
  for (let from = 0; from < count; from += PAGE) await fill(filled, from);
  const rate = count / ((performance.now() - begin) / 1000);
  await filled.close();
  console.log(`\noffline, among ${count} documents of ${COMPANIES} companies (${rate.toFixed(0)} rows/s written):`);
  for (const [name, filter] of Object.entries(filters)) {
    const looks: Look[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const store = await openStore({ path, clock });
      looks.push(await look(store, filter));
      await store.close();
    }
    const [fastest, middle] = looks.toSorted((a, b) => a.ms - b.ms);
    console.log(
      `  ${name}: ${middle?.rows} rows, ${middle?.ms.toFixed(1)} ms, at best ${fastest?.ms.toFixed(1)} ms (budget ${budgetMs} ms)`,
    );
  }
}

const issuedAt = (n: number) => start + n * 25_000;

function fill(store: Store, from: number): Promise<unknown> {
  const companyId = `c-${(from / PAGE) % COMPANIES}`;
  const page = Array.from({ length: PAGE }, (_, index) => seen(from + index));
  return store.documents.see({ profile: 'acme', companyId, family: 'nfe' }, page, start);
}

function seen(n: number): SeenDocument {
  const accessKey = String(n).padStart(44, '0');
  const issuedOn = new Date(issuedAt(n)).toISOString();
  const issuer = String(n % 997).padStart(14, '0');
  const status = n % 100_003 === 0 ? 'PdfFailed' : 'Received';
  const told = { accessKey, nsu: String(n), status, webhookStatus: 'Delivered', issuer, issuedOn };
  return { id: accessKey, ...told, modifiedOn: issuedOn, data: told };
}

const filters: Readonly<Record<string, Partial<DocumentFilter>>> = {
  'no filter': {},
  'one company': { companies: ['c-7'] },
  'a rare status': { status: 'PdfFailed' },
  'a status that nothing has': { status: 'Unknown' },
  'an issuer': { issuer: '00000000000013' },
  'a month': { since: Date.UTC(2026, 4, 1), until: Date.UTC(2026, 5, 1) },
  'an issuer in a month': { issuer: '00000000000013', since: Date.UTC(2026, 4, 1), until: Date.UTC(2026, 5, 1) },
  'a webhook status that nothing has': { webhookStatus: 'Retrying' },
  'the last NSU': { nsuAfter: 999_990 },
  'after an early NSU': { nsuAfter: 10 },
  'a rare status after an NSU': { status: 'PdfFailed', nsuAfter: 500_000 },
  'a rare status of a common webhook status': { status: 'PdfFailed', webhookStatus: 'Delivered' },
  'a status and an issuer': { status: 'PdfFailed', issuer: '00000000000013' },
};

interface Look {
  readonly rows: number;
  readonly ms: number;
}

async function look(store: Store, filter: Partial<DocumentFilter>): Promise<Look> {
  const begin = performance.now();
  const rows = await store.documents.list({ profile: 'acme', limit: 100, ...filter });
  return { rows: rows.length, ms: performance.now() - begin };
}
