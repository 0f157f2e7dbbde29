import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Service } from '../sync/service.js';
import { ledger } from './ledger.js';
import { chance, live, type LifeEnd } from './life.js';
import { RestartableSandbox } from './restartable-sandbox.js';

export interface Sizes {
  readonly documents: number;
  readonly companies: number;
  /** Of the client, by SIGKILL. */
  readonly kills: number;
  /** Of the sandbox, by SIGKILL, while the client works. */
  readonly restarts: number;
  readonly seed: number;
}

/** What must be right, the same in every run, and what was only measured. */
export interface Findings {
  readonly right: {
    readonly kills: number;
    readonly restarts: number;
    readonly exitCode: number | null;
    readonly hiddenBefore: number;
    /** Companies that are released with nothing hidden. */
    readonly released: number;
    readonly jobs: readonly string[];
    readonly settledItems: number;
    readonly syncedBefore: number;
    readonly syncExitCode: number | null;
    readonly added: number;
    readonly known: number;
    readonly files: number;
    /** Of those that were compared with the service, byte for byte. */
    readonly wrong: number;
  };
  readonly lives: number;
  readonly requests: number;
  readonly releaseSeconds: number;
  readonly syncSeconds: number;
  readonly compared: number;
}

type Row = Readonly<Record<string, unknown>>;

/** The sweep moves only when the drill says so: no kill is too late on a slow machine. */
const PACE = '10m';
const MOST_LIVES = 400;
const COMPARED = 2_000;

/**
 * Releases the history of many companies while the client is killed and the sandbox restarted in the middle, and lets the
 * client collect what was uncovered.
 */
export async function drillBackfill(sizes: Sizes): Promise<Findings> {
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-drill-'));
  const sandbox = new RestartableSandbox(folder);
  try {
    await sandbox.start();
    const service = new Service(sandbox.url, String(sandbox.env['FISCAL_INVOICE_KEY']));
    const { documents, companies, seed } = sizes;
    await service.control('seed', { scenario: 'history', documents, companies, seed });
    const steps = Math.ceil(documents / companies / (sizes.kills + 3));
    await service.control('sweep', { documents: steps, every: PACE });
    return await new Drill({ sizes, sandbox, service, archive: join(folder, 'archive') }).run();
  } finally {
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Scene {
  readonly sizes: Sizes;
  readonly sandbox: RestartableSandbox;
  readonly service: Service;
  readonly archive: string;
}

class Drill {
  #lives = 0;
  #kills = 0;

  constructor(private readonly scene: Scene) {}

  async run(): Promise<Findings> {
    const { sandbox } = this.scene;
    const hiddenBefore = await this.#hidden();
    const before = await this.#sync();
    const begin = Date.now();
    const exitCode = await this.#release();
    const releaseSeconds = secondsSince(begin);
    const summaries = await this.#summaries();
    const released = summaries.filter((row) => row['released'] === true && row['hiddenDocumentsCount'] === 0);
    const jobs = await this.#jobs();
    const after = await this.#sync();
    const archived = await this.#archived();
    const right = {
      ...{ kills: this.#kills, restarts: sandbox.restarts, exitCode, hiddenBefore, ...jobs },
      ...{ released: released.length, syncedBefore: before.added, syncExitCode: after.exitCode },
      ...{ added: after.added, known: archived.known, files: archived.files, wrong: archived.wrong },
    };
    const requests = await this.#releaseRequests();
    const { compared } = archived;
    return { right, lives: this.#lives, requests, releaseSeconds, syncSeconds: after.seconds, compared };
  }

  /** The same words until they end well; each life but the last dies, and the sweep moves a step in each. */
  async #release(): Promise<number | null> {
    const { sizes, service, sandbox } = this.scene;
    const companies = (await service.companies()).join(',');
    const words = ['backfill', 'release', '--all-companies', '--confirm', companies, '--yes'];
    const waiting = [...words, '--wait', '--timeout', '1h', '--interval', '300ms', '-o', 'ndjson'];
    const next = chance(sizes.seed);
    const restartEvery = Math.max(1, Math.floor(sizes.kills / Math.max(1, sizes.restarts)));
    while (this.#kills < sizes.kills && this.#lives < MOST_LIVES) {
      const isRestart = this.#kills % restartEvery === 1 % restartEvery && sandbox.restarts < sizes.restarts;
      const life = this.#live(waiting, 300 + next() * 1_500);
      if (isRestart) await sandbox.restart();
      await this.#step();
      const { wasKilled, exitCode, stderr } = await life;
      if (wasKilled) this.#kills += 1;
      else console.log(`a life ended by itself with ${exitCode}: ${stderr.slice(-300)}`);
      if (exitCode === 0) return exitCode;
    }
    const last = { ended: false };
    const end = this.#live(waiting).finally(() => {
      last.ended = true;
    });
    while (!last.ended) {
      await this.#step();
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const { exitCode, stderr } = await end;
    if (exitCode !== 0) console.log(stderr.slice(-1_000));
    return exitCode;
  }

  async #live(words: readonly string[], killAfterMs?: number): Promise<LifeEnd> {
    this.#lives += 1;
    return await live(this.scene.sandbox.env, words, killAfterMs);
  }

  /** One batch of the sweep of every company that was asked for. */
  async #step(): Promise<void> {
    await this.scene.service.control('clock', { advance: PACE });
  }

  async #summaries(): Promise<readonly Row[]> {
    return await this.#records(['backfill', 'show', '--all-companies']);
  }

  async #hidden(): Promise<number> {
    const rows = await this.#summaries();
    return rows.reduce((sum, row) => sum + Number(row['hiddenDocumentsCount']), 0);
  }

  async #jobs(): Promise<{ readonly jobs: readonly string[]; readonly settledItems: number }> {
    const jobs = await this.#records(['job', 'list', '--all']);
    const items: Row[] = [];
    for (const job of jobs) items.push(...(await this.#records(['job', 'items', String(job['id'])])));
    const settled = items.filter((item) => item['state'] === 'succeeded');
    return { jobs: jobs.map((job) => String(job['state'])), settledItems: settled.length };
  }

  async #sync(): Promise<{ added: number; exitCode: number | null; seconds: number }> {
    const place = ['--archive', this.scene.archive, '--concurrency', '8', '--type', 'nfse'];
    const begin = Date.now();
    const end = await live(this.scene.sandbox.env, [
      'inbound',
      'sync',
      '--all-companies',
      ...place,
      '-o',
      'ndjson',
    ]);
    if (end.exitCode !== 0) console.log(end.stderr.slice(-1_000));
    const summary = recordsOf(end).at(-1) ?? {};
    return { added: Number(summary['added']), exitCode: end.exitCode, seconds: secondsSince(begin) };
  }

  /** What this machine knows, what lies on its disk, and whether a share of it is what the service holds. */
  async #archived() {
    const { service, archive } = this.scene;
    const companies = (await service.companies()).join(',');
    const rows = await this.#records(['inbound', 'list', '--local', '--all', '--company', companies]);
    const files = await readdir(archive, { recursive: true }).catch(() => []);
    const every = Math.max(1, Math.ceil(rows.length / COMPARED));
    const looked = rows.filter((_, index) => index % every === 0);
    let wrong = new Set(rows.map((row) => row['accessKey'])).size === rows.length ? 0 : 1;
    for (const row of looked) {
      const { sha256, state } = Object(row['archive']);
      if (state !== 'archived' || sha256 !== (await service.xmlHash(row))) wrong += 1;
    }
    const documents = files.filter((name) => name.endsWith('.xml'));
    return { known: rows.length, files: documents.length, wrong, compared: looked.length };
  }

  async #releaseRequests(): Promise<number> {
    let count = 0;
    for await (const { operation } of ledger(this.scene.sandbox.url)) {
      if (operation === 'nfse.backfill.release') count += 1;
    }
    return count;
  }

  async #records(words: readonly string[]): Promise<readonly Row[]> {
    return recordsOf(await live(this.scene.sandbox.env, [...words, '-o', 'ndjson']));
  }
}

function recordsOf({ stdout }: LifeEnd): readonly Row[] {
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line): Row => JSON.parse(line));
}

function secondsSince(begin: number): number {
  return Math.round((Date.now() - begin) / 100) / 10;
}
