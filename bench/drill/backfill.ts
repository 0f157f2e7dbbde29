import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Service } from '../sync/service.js';
import { clearFaults, ledger } from './ledger.js';
import { chance, type LifeEnd, type Moment } from './life.js';
import { afterRequests } from './moments.js';
import { RestartableSandbox } from './restartable-sandbox.js';
import { addUnkindFaults, CALM_MS, recordsIn, rowsOf, shiftedLife, unkindService } from './unkind.js';

export interface Sizes {
  readonly documents: number;
  readonly companies: number;
  /** Of the clients, by SIGKILL. */
  readonly kills: number;
  /** Of the sandbox, by SIGKILL, while the clients work. */
  readonly restarts: number;
  readonly seed: number;
}

/** What must be right, the same in every run, and what was only measured. */
export interface Findings {
  readonly right: {
    readonly restarts: number;
    readonly hiddenBefore: number;
    /** Companies that are released with nothing hidden. */
    readonly released: number;
    /** Companies whose history was set free more than once, and those where it never was. */
    readonly doubled: number;
    readonly lost: number;
    /** Items that said succeeded or skipped, and lives that ended with 0, before it was so. */
    readonly falselyDone: number;
    readonly uncertain: number;
    /** Of both machines. */
    readonly exitCodes: readonly (number | null)[];
    /** Jobs that are not done, and items that have no end. */
    readonly openJobs: number;
    readonly openItems: number;
    readonly syncedBefore: number;
    readonly syncExitCode: number | null;
    readonly added: number;
    readonly known: number;
    readonly files: number;
    /** Of those that were compared with the service, byte for byte. */
    readonly wrong: number;
  };
  /** A machine that found everything released has none. */
  readonly jobs: number;
  readonly kills: number;
  readonly lives: number;
  readonly requests: number;
  /** Requests to release what the same request, or that of the other machine, had released already. */
  readonly again: number;
  /** Requests whose outcome a fault hid. */
  readonly hiddenOutcomes: number;
  readonly releaseSeconds: number;
  readonly syncSeconds: number;
  readonly compared: number;
}

/** The sweep moves only when the drill says so: no kill is too late on a slow machine. */
const PACE = '10m';
const MOST_ROUNDS = 400;
const COMPARED = 2_000;
const LONGEST_MS = 5_000;
/** Of the requests that release, and of those that read how it goes. */
const FAULTY = { 'nfse.backfill.release': 0.7, 'nfse.backfill.summary': 0.15 };

/**
 * Two machines release the history of the same companies, killed again and again, while the sandbox is unkind and is restarted in
 * the middle; then one of them collects what was uncovered.
 */
export async function drillBackfill(sizes: Sizes): Promise<Findings> {
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-drill-'));
  const sandbox = new RestartableSandbox(folder, unkindService);
  try {
    await sandbox.start();
    const service = new Service(sandbox.url, String(sandbox.env['FISCAL_INVOICE_KEY']));
    const { documents, companies, seed } = sizes;
    await service.control('seed', { scenario: 'history', documents, companies, seed });
    const steps = Math.ceil(documents / companies / (sizes.kills / 2 + 3));
    await service.control('sweep', { documents: steps, every: PACE });
    const machines: NodeJS.ProcessEnv[] = [];
    for (const nth of [0, 1]) {
      const state = join(folder, `machine-${nth}`);
      await mkdir(state);
      machines.push({ ...sandbox.env, XDG_STATE_HOME: state });
    }
    return await new Drill({ sizes, sandbox, service, machines, archive: join(folder, 'archive') }).run();
  } finally {
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Scene {
  readonly sizes: Sizes;
  readonly sandbox: RestartableSandbox;
  readonly service: Service;
  readonly machines: readonly NodeJS.ProcessEnv[];
  readonly archive: string;
}

class Drill {
  #lives = 0;
  #kills = 0;
  #falselyDone = 0;
  #companies: readonly string[] = [];

  constructor(private readonly scene: Scene) {}

  get #first(): NodeJS.ProcessEnv {
    return this.scene.machines[0] ?? {};
  }

  async run(): Promise<Findings> {
    const { sandbox, service } = this.scene;
    this.#companies = await service.companies();
    const hiddenBefore = [...(await this.#hidden()).values()].reduce((sum, count) => sum + count, 0);
    const before = await this.#sync();
    for (const [operation, rate] of Object.entries(FAULTY)) {
      await addUnkindFaults(sandbox.url, [operation], rate);
    }
    const begin = Date.now();
    const exitCodes = await this.#release();
    const releaseSeconds = secondsSince(begin);
    const released = [...(await this.#hidden()).values()].filter((count) => count === 0);
    const items = await this.#items();
    const jobs = await this.#jobs();
    const after = await this.#sync();
    const archived = await this.#archived();
    const { doubled, lost, ...requests } = await this.#requests();
    const { compared, ...files } = archived;
    return {
      right: {
        ...{ restarts: sandbox.restarts, hiddenBefore, released: released.length, doubled, lost },
        falselyDone: this.#falselyDone,
        uncertain: items.filter(({ state }) => state === 'uncertain').length,
        ...{ exitCodes, openJobs: jobs.filter((state) => state !== 'done').length },
        openItems: items.filter((item) => !isSettled(item)).length,
        ...{ syncedBefore: before.added, syncExitCode: after.exitCode, added: after.added, ...files },
      },
      ...{ jobs: jobs.length, kills: this.#kills, lives: this.#lives, ...requests, releaseSeconds, compared },
      syncSeconds: after.seconds,
    };
  }

  /** The same words on both machines until they end well; each life but a few dies, and the sweep moves a step in each. */
  async #release(): Promise<readonly (number | null)[]> {
    const { sizes, sandbox, machines } = this.scene;
    const next = chance(sizes.seed);
    const rounds = Math.max(1, Math.floor(sizes.kills / 2));
    const restartEvery = Math.max(1, Math.floor(rounds / Math.max(1, sizes.restarts)));
    for (let round = 0; this.#kills < sizes.kills && round < MOST_ROUNDS; round += 1) {
      const isRestart = round % restartEvery === 1 % restartEvery && sandbox.restarts < sizes.restarts;
      // Now and then one gives up by itself.
      const patient = round % 5 === 4 ? round % machines.length : undefined;
      const lives = machines.map(async (machine, nth) =>
        nth === patient
          ? await this.#live(machine, ['--timeout', '2s'])
          : await this.#live(machine, ['--timeout', '1h'], this.#moment(next)),
      );
      if (isRestart) await sandbox.restart();
      await this.#step();
      await Promise.all(lives);
      await this.#check();
    }
    await clearFaults(sandbox.url);
    await pause(CALM_MS);
    const last = { open: machines.length };
    const ends = machines.map(async (machine) => {
      const { exitCode, stderr } = await this.#live(machine, ['--timeout', '1h']);
      last.open -= 1;
      if (exitCode !== 0) console.log(stderr.slice(-1_000));
      return exitCode;
    });
    while (last.open > 0) {
      await this.#step();
      await pause(200);
    }
    return await Promise.all(ends);
  }

  /** After some requests of both machines; where there are no more, the wait for the sweep is killed. */
  #moment(next: () => number): Moment {
    const count = 1 + Math.floor(next() * 8 * this.#companies.length);
    return afterRequests(this.scene.sandbox.url, count, next() * 300, LONGEST_MS);
  }

  async #live(machine: NodeJS.ProcessEnv, more: readonly string[], kill?: Moment): Promise<LifeEnd> {
    this.#lives += 1;
    const all = this.#companies.join(',');
    const words = ['backfill', 'release', '--all-companies', '--confirm', all, '--yes', '--wait'];
    const how = { nth: this.#lives, ...(kill === undefined ? {} : { kill }) };
    const end = await shiftedLife(machine, [...words, '--interval', '300ms', ...more, '-o', 'ndjson'], how);
    if (end.wasKilled) this.#kills += 1;
    if (end.exitCode === 0) this.#falselyDone += [...(await this.#hidden()).values()].filter(isSome).length;
    return end;
  }

  /** What is said to be done now must be so now. */
  async #check(): Promise<void> {
    const items = await this.#items();
    const hidden = await this.#hidden();
    const falsely = items.filter((item) => isSettled(item) && isSome(hidden.get(item.company)));
    this.#falselyDone += falsely.length;
  }

  /** One batch of the sweep of every company that was asked for. */
  async #step(): Promise<void> {
    await this.scene.service.control('clock', { advance: PACE });
  }

  /** Hidden documents by company, as the sandbox itself knows them. */
  async #hidden(): Promise<ReadonlyMap<string, number>> {
    const counts = new Map(this.#companies.map((company) => [company, 0]));
    for (const { companyId, visibility } of await this.scene.service.captured()) {
      if (visibility !== 'hidden') continue;
      counts.set(String(companyId), (counts.get(String(companyId)) ?? 0) + 1);
    }
    return counts;
  }

  async #items(): Promise<readonly Item[]> {
    const items: Item[] = [];
    for (const machine of this.scene.machines) {
      for (const job of await rowsOf(machine, ['job', 'list', '--all'])) {
        for (const { state, label } of await rowsOf(machine, ['job', 'items', String(job['id'])])) {
          const company = this.#companies.find((id) => String(label).includes(id)) ?? '';
          items.push({ state: String(state), company });
        }
      }
    }
    return items;
  }

  async #jobs(): Promise<readonly string[]> {
    const jobs = this.scene.machines.map((machine) => rowsOf(machine, ['job', 'list', '--all']));
    return (await Promise.all(jobs)).flat().map((job) => String(job['state']));
  }

  async #sync(): Promise<{ added: number; exitCode: number | null; seconds: number }> {
    const place = ['--archive', this.scene.archive, '--concurrency', '8', '--type', 'nfse'];
    const begin = Date.now();
    const words = ['inbound', 'sync', '--all-companies', ...place, '-o', 'ndjson'];
    const end = await shiftedLife(this.#first, words, { nth: 0 });
    if (end.exitCode !== 0) console.log(end.stderr.slice(-1_000));
    const summary = recordsIn(end).at(-1) ?? {};
    return { added: Number(summary['added']), exitCode: end.exitCode, seconds: secondsSince(begin) };
  }

  /** What this machine knows, what lies on its disk, and whether a share of it is what the service holds. */
  async #archived() {
    const { service, archive } = this.scene;
    const companies = this.#companies.join(',');
    const rows = await rowsOf(this.#first, ['inbound', 'list', '--local', '--all', '--company', companies]);
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

  async #requests() {
    const effects = new Map<string, number>();
    const sums = { requests: 0, again: 0, hiddenOutcomes: 0 };
    for await (const { operation, effect, status, fault } of ledger(this.scene.sandbox.url)) {
      if (operation !== 'nfse.backfill.release') continue;
      sums.requests += 1;
      if (fault !== null && fault !== '429' && fault !== 'slow' && status !== 202) sums.hiddenOutcomes += 1;
      const company = effect?.['companyId'];
      if (company !== undefined) effects.set(String(company), (effects.get(String(company)) ?? 0) + 1);
      else if (status === 202) sums.again += 1;
    }
    const doubled = [...effects.values()].filter((count) => count > 1).length;
    return { ...sums, doubled, lost: this.#companies.length - effects.size };
  }
}

interface Item {
  readonly state: string;
  readonly company: string;
}

function isSettled({ state }: Item): boolean {
  return state === 'succeeded' || state === 'skipped';
}

function isSome(count: number | undefined): boolean {
  return count !== 0;
}

function secondsSince(begin: number): number {
  return Math.round((Date.now() - begin) / 100) / 10;
}
