import { mkdir, mkdtemp } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { DocumentGroup, SeenDocument } from '../src/store/documents.js';
import { openStore } from '../src/store/sqlite/open.js';
import { stateFile } from '../src/store/state-file.js';
import type { Store } from '../src/store/store.js';
import { accessKey } from './drill/access-keys.js';
import { median } from './median.js';

const COMPANIES = 300;
const PAGE = 1_000;
const ROUNDS = 7;
const budgetMs = 200;
const DAY_MS = 86_400_000;
/** The documents of two years, as many on each day. */
const DAYS = 730;
/** Of so many NF-e one has no event: it is still open when its term ends. */
const OPEN_IN = 20;

/** What the morning costs beyond the start of the program, among so many documents of so many companies. */
export async function measureStatus(folder: string, count: number): Promise<void> {
  const own = await mkdtemp(join(folder, 'status-'));
  const env = {
    PATH: process.env['PATH'],
    FISCAL_CONFIG_DIR: join(own, 'config'),
    FISCAL_STATE_DIR: join(own, 'state'),
    FISCAL_DATA_DIR: join(own, 'data'),
  };
  await mkdir(env.FISCAL_STATE_DIR);
  const clock = { now: () => Date.now(), uptime: () => performance.now(), sleep: () => Promise.resolve() };
  const store = await openStore({ path: stateFile(env.FISCAL_STATE_DIR), clock });
  const begin = performance.now();
  for (let from = 0; from < count; from += PAGE) await fill(store, from, count);
  console.log(`\n${count} documents written at ${(count / ((performance.now() - begin) / 1000)).toFixed(0)}/s`);
  await store.close();
  const fiscal = join(process.cwd(), 'bin/fiscal.js');
  const start: number[] = [];
  const whole: number[] = [];
  let said = '';
  for (let round = 0; round < ROUNDS; round += 1) {
    // A command that opens the same store and reads almost nothing.
    start.push(timed([fiscal, 'job', 'list', '-o', 'json'], env).ms);
    const { ms, stdout } = timed([fiscal, 'status', '-o', 'table', '--lang', 'en'], env);
    whole.push(ms);
    said = stdout.split('\n').slice(0, 2).join('; ');
  }
  const beyond = median(whole) - median(start);
  console.log(
    `fiscal status: ${beyond.toFixed(0)} ms beyond fiscal job list, at best ${(Math.min(...whole) - Math.min(...start)).toFixed(0)} ms (budget ${budgetMs} ms): ${said}`,
  );
}

async function fill(store: Store, from: number, count: number): Promise<void> {
  const companyId = `c-${(from / PAGE) % COMPANIES}`;
  const group = { profile: 'environment', companyId, family: 'nfe' } as const;
  const now = Date.now();
  const page = Array.from({ length: PAGE }, (_, index) => seen(from + index, count, now));
  await store.documents.see(group, page, now - 3 * DAY_MS);
  const events = page.flatMap(({ id, issuedOn = '' }, index) =>
    index % OPEN_IN === 0
      ? []
      : [
          {
            ...{ eventKey: `e-${id}`, documentId: id, type: '210200', issuedOn },
            description: 'Confirmacao da Operacao',
            facts: { code: 210200, sequence: 1 },
          },
        ],
  );
  await store.events.see(group, events, now);
  await archive(store, group, now);
}

const file = { path: 'a.xml', sha256: 'ab'.repeat(32), bytes: 8_192 };

/** As a sync leaves them: nothing is missing. */
async function archive(store: Store, group: DocumentGroup, at: number): Promise<void> {
  const patch = { state: 'archived', due: false, archive: '/archive', file, archivedAt: at } as const;
  const [documents, events] = await Promise.all([
    store.documents.due(group, { afterSeq: 0, limit: PAGE }),
    store.events.due(group, { afterSeq: 0, limit: PAGE }),
  ]);
  await store.documents.finish(documents.map((row) => ({ row, patch: { ...patch, xmlKind: 'full' }, at })));
  await store.events.finish(events.map(({ seq }) => ({ seq, patch, at })));
}

function seen(n: number, count: number, now: number): SeenDocument {
  const id = accessKey(n);
  // Neighbours in a page are far apart in time, as after a first sync of each company.
  const issuedOn = new Date(now - ((n * 7_919) % count) * ((DAYS * DAY_MS) / count)).toISOString();
  const told = { accessKey: id, status: 'Received', issuer: '07933914000154', issuedOn, authorizedOn: issuedOn };
  const company = { federalTaxNumber: '29638438000181', name: 'Empresa de Teste Ltda' };
  return { id, ...told, data: { ...told, company, operationType: 'Incoming' } };
}

function timed(words: readonly string[], env: NodeJS.ProcessEnv) {
  const begin = process.hrtime.bigint();
  const { status, stdout, stderr } = spawnSync(process.execPath, [...words], { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${words.join(' ')} ended ${status}: ${stderr}`);
  return { ms: Number(process.hrtime.bigint() - begin) / 1e6, stdout };
}
