import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore } from '../src/store/sqlite/open.js';
import { stateFile } from '../src/store/state-file.js';
import type { Store } from '../src/store/store.js';
import { nfe } from '../test/commands/export/documents.js';
import { accessKey } from './drill/access-keys.js';
import { observe } from './memory.js';

const budgetMb = 200;
const ITEMS = 50;
const PAGE = 500;
const group = { profile: 'environment', companyId: 'c1', family: 'nfe' } as const;

/** The largest resident size of `fiscal export table items` over an archive with so many items, fifty a document. */
export async function measureTables(folder: string, rows: number): Promise<void> {
  const own = await mkdtemp(join(folder, 'tables-'));
  const env = {
    PATH: process.env['PATH'],
    FISCAL_CONFIG_DIR: join(own, 'config'),
    FISCAL_STATE_DIR: join(own, 'state'),
    FISCAL_DATA_DIR: join(own, 'data'),
    FISCAL_INVOICE_KEY: 'bench',
    FISCAL_COMPANY: group.companyId,
  };
  const archive = join(own, 'archive');
  await Promise.all([mkdir(env.FISCAL_STATE_DIR), mkdir(archive)]);
  const clock = { now: () => Date.now(), uptime: () => performance.now(), sleep: () => Promise.resolve() };
  const store = await openStore({ path: stateFile(env.FISCAL_STATE_DIR), clock });
  for (let from = 0; from < rows / ITEMS; from += PAGE) await fill(store, archive, from);
  await store.close();
  for (const [table, name] of [
    ['items', 'items.csv'],
    ['items', 'items.xlsx'],
    ['taxes', 'taxes.csv'],
    ['header', 'header.xlsx'],
  ] as const) {
    const out = join(own, name);
    const words = ['export', 'table', table, '2026-10', '--archive', archive, '--out', out, '-o', 'ndjson'];
    const { megabytes, seconds } = await observe(own, env, words);
    const { size } = await stat(out);
    console.log(
      `fiscal export table ${table} of ${rows} items to ${name}: at most ${megabytes.toFixed(0)} MB (budget ${budgetMb} MB), ${seconds.toFixed(1)} s, ${(size / 1e6).toFixed(0)} MB written`,
    );
  }
}

async function fill(store: Store, archive: string, from: number): Promise<void> {
  const at = Date.UTC(2026, 10, 1);
  const keys = Array.from({ length: PAGE }, (_, index) => accessKey(from + index));
  const issuedOn = '2026-10-05T12:00:00Z';
  const seen = keys.map((id) => ({ id, accessKey: id, status: 'Processed', issuedOn, data: {} }));
  await store.documents.see(group, seen, at);
  const files = new Map<string, { readonly path: string; readonly sha256: string; readonly bytes: number }>();
  for (const key of keys) {
    const text = documentOf(key);
    await writeFile(join(archive, `${key}.xml`), text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    files.set(key, { path: `${key}.xml`, sha256, bytes: Buffer.byteLength(text) });
  }
  const due = await store.documents.due(group, { afterSeq: 0, limit: PAGE });
  const kept = { state: 'archived', due: false, archive, xmlKind: 'full', archivedAt: at } as const;
  const ends = due.flatMap((row) => {
    const file = files.get(row.id);
    return file === undefined ? [] : [{ row, patch: { ...kept, file }, at }];
  });
  await store.documents.finish(ends);
}

const [head = '', item = '', tail = ''] = nfe.split(/(<det nItem="1">.*?<\/det>)<det.*<\/det>/s);

function documentOf(key: string): string {
  const items = Array.from({ length: ITEMS }, (_, index) => item.replace('nItem="1"', `nItem="${index + 1}"`));
  return `${head}${items.join('')}${tail}<!--${key}-->`;
}
