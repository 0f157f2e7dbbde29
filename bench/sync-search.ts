import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DocumentFilter, SeenDocument } from '../src/store/documents.js';
import { openStore } from '../src/store/sqlite/open.js';
import type { Store } from '../src/store/store.js';

const PAGE = 1_000;
const COMPANIES = 20;
const budgetMs = 50;
const start = Date.UTC(2026, 0, 1);

/** Prints what an offline list costs beyond the start, among so many documents: `sync-search [1000000]`. Asserts nothing. */
async function bench(): Promise<void> {
  const count = Number(process.argv[2] ?? 1_000_000);
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-bench-'));
  const clock = { now: () => Date.now(), sleep: () => Promise.resolve() };
  try {
    const store = await openStore({ path: join(folder, 'state.db'), clock });
    const begin = performance.now();
    for (let from = 0; from < count; from += PAGE) await fill(store, from);
    const rate = count / ((performance.now() - begin) / 1000);
    console.log(`${count} documents of ${COMPANIES} companies, ${rate.toFixed(0)} rows a second written`);
    for (const [name, filter] of Object.entries(filters)) await measure(store, name, filter);
    await store.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
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
  'an issuer in a month': {
    issuer: '00000000000013',
    since: Date.UTC(2026, 4, 1),
    until: Date.UTC(2026, 5, 1),
  },
  'a webhook status that nothing has': { webhookStatus: 'Retrying' },
  'the last NSU': { nsuAfter: 999_990 },
  'a status and an issuer': { status: 'PdfFailed', issuer: '00000000000013' },
};

async function measure(store: Store, name: string, filter: Partial<DocumentFilter>): Promise<void> {
  const begin = performance.now();
  const rows = await store.documents.list({ profile: 'acme', limit: 100, ...filter });
  const ms = performance.now() - begin;
  console.log(`${name}: ${rows.length} rows, ${ms.toFixed(1)} ms (budget ${budgetMs} ms)`);
}

await bench();
