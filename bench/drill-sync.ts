import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chance, live } from './drill/life.js';
import { withSandbox } from './running-sandbox.js';
import { OtherHost } from './sync/other-host.js';
import { Service } from './sync/service.js';

const DOCUMENTS = 5_000;
const COMPANIES = 5;
const KILLS = 30;
const MOST_LIVES = 120;
/** Share of the requests for bytes that meet each fault. */
const RATE = 0.02;

/**
 * `drill-sync [seed]`: a sync under faults, killed with SIGKILL at random moments and started again by the same words. Ends 0
 * only if every document of the service stands in the archive once and right, nothing half written is left, and no key
 * went to another host.
 */
async function drill(): Promise<void> {
  const seed = Number(process.argv[2] ?? 1);
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-drill-'));
  const other = new OtherHost();
  try {
    const to = await other.start();
    await withSandbox(folder, async ({ env }) => {
      const service = new Service(String(env['FISCAL_PRODUCT_URL']), String(env['FISCAL_INVOICE_KEY']));
      await service.control('seed', { scenario: 'month', documents: DOCUMENTS, companies: COMPANIES, seed });
      await addFaults(service, to);
      const archive = join(folder, 'archive');
      const lives = await killAndGoOn({ env, archive, seed });
      await service.clearFaults();
      await service.control('arrivals', { everyRequests: 1, count: 0 }).catch(() => undefined);
      // One more after the faults: what arrived last is listed by it.
      const last = await live(env, wordsFor(archive));
      await report({ ...lives, exitCode: last.exitCode }, { service, env, archive, other });
    });
  } finally {
    other.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function addFaults(service: Service, to: string): Promise<void> {
  const details = {
    '429': { retryAfter: 1, count: 1 },
    redirect: { to },
    stall: { count: 3 },
    '503': {},
    'cut-body': {},
  };
  for (const [kind, more] of Object.entries(details)) {
    for (const family of ['nfe', 'cte', 'nfse']) {
      await service.fault({ kind, operation: `${family}.inbound.xml`, rate: RATE, ...more });
    }
  }
  await service.control('pages', { doubled: true });
  await service.control('arrivals', { everyRequests: 3, count: 40, lateBy: '1h' });
}

function wordsFor(archive: string): readonly string[] {
  const place = ['--archive', archive, '--concurrency', '8', '--read-timeout', '2s', '-o', 'ndjson'];
  return ['inbound', 'sync', '--all-companies', ...place];
}

interface Lives {
  readonly lives: number;
  readonly kills: number;
  readonly exitCode: number | null;
}

async function killAndGoOn(scene: {
  readonly env: NodeJS.ProcessEnv;
  readonly archive: string;
  readonly seed: number;
}): Promise<Lives> {
  const next = chance(scene.seed);
  let lives = 0;
  let kills = 0;
  let exitCode: number | null = null;
  while (lives < MOST_LIVES && (exitCode !== 0 || kills < KILLS)) {
    lives += 1;
    const killAfterMs = kills < KILLS ? 450 + next() * 500 : undefined;
    const end = await live(scene.env, wordsFor(scene.archive), killAfterMs);
    if (end.wasKilled) kills += 1;
    exitCode = end.exitCode;
    if (exitCode !== 0 && exitCode !== 3 && !end.wasKilled) console.log(end.stderr.slice(-500));
  }
  return { lives, kills, exitCode };
}

interface Scene {
  readonly service: Service;
  readonly env: NodeJS.ProcessEnv;
  readonly archive: string;
  readonly other: OtherHost;
}

async function report({ lives, kills, exitCode }: Lives, scene: Scene): Promise<void> {
  const { service, env, archive, other } = scene;
  const companies = (await service.companies()).join(',');
  const told = await live(env, [
    'inbound',
    'list',
    '--local',
    '--all',
    '-o',
    'ndjson',
    '--company',
    companies,
  ]);
  const rows = told.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Record<string, unknown> => JSON.parse(line));
  const paths = new Map<string, string>();
  let wrong = 0;
  for (const row of rows) {
    const { path, sha256, state } = row['archive'] as Record<string, string>;
    const onDisk = path === undefined ? '' : await hashOf(join(archive, path));
    const isRight = state === 'archived' && onDisk === sha256 && onDisk === (await service.xmlHash(row));
    if (!isRight) wrong += 1;
    if (path !== undefined) paths.set(path, String(row['accessKey']));
  }
  const files = (await readdir(archive, { recursive: true })).filter((name) => /\.\w+$/.test(name));
  const documents = files.filter((name) => name.endsWith('.xml') && !name.includes('.event-'));
  const leftOver = files.filter((name) => !/\.(?:xml|pdf)$/.test(name));
  const expected = await service.documents();
  console.log(`${kills} kills in ${lives} lives, last exit ${exitCode}`);
  console.log(`service ${expected}, known ${rows.length}, files ${documents.length}, wrong ${wrong}`);
  console.log(
    `left over ${leftOver.length}, to the other host: ${other.requests} requests, ${other.keys} keys`,
  );
  const isRight = [rows.length, documents.length, paths.size].every((count) => count === expected);
  if (!isRight || wrong + leftOver.length + other.keys > 0 || exitCode !== 0) process.exitCode = 1;
}

async function hashOf(path: string): Promise<string> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  return createHash('sha256').update(bytes).digest('hex');
}

await drill();
