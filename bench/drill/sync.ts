import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withSandbox } from '../running-sandbox.js';
import { OtherHost } from '../sync/other-host.js';
import { Service } from '../sync/service.js';
import { Witness } from '../sync/witness.js';
import { chance, type LifeEnd, type Moment } from './life.js';
import { afterRequests } from './moments.js';
import { CALM_MS, recordsIn, shiftedLife, unkindService } from './unkind.js';

export interface SyncSizes {
  readonly documents: number;
  readonly companies: number;
  /** Of syncs, by SIGKILL. */
  readonly kills: number;
  readonly seed: number;
}

export interface SyncFindings {
  /** What must be exactly so. */
  readonly right: {
    /** Documents that stand in an archive twice. */
    readonly doubled: number;
    /** Listed documents that do not stand in an archive at the end. */
    readonly lost: number;
    /** Files that are not what the service has, and rows that say something else. */
    readonly wrong: number;
    readonly leftOver: number;
    /** Documents and events that were listed to a machine and not in its archive when its sync ended with 0. */
    readonly falselyDone: number;
    /** The same for `inbound close` and `complete`. */
    readonly falselyComplete: number;
    readonly keysElsewhere: number;
    /** Of the last sync of each machine, and of its last close. */
    readonly exitCodes: readonly (number | null)[];
  };
  readonly kills: number;
  readonly lives: number;
  /** How often a sync, while faults struck, ended with each code. */
  readonly ends: ReadonlyMap<string, number>;
  readonly verdicts: ReadonlyMap<string, number>;
  readonly listed: number;
  /** Counted as outstanding by syncs that ended with 3, and how many of their documents were not there. */
  readonly outstanding: number;
  readonly missingThen: number;
}

const MONTH = '2026-10';
const RATE = 0.08;
const MOST_ROUNDS = 200;
/** Of all machines, after which one is killed. */
const MOST_REQUESTS = 150;
/** From one round to the next, by the running time of the machines. */
const ROUND_MS = 4 * 60_000;
/** A place that tells company, family and key by itself. */
const LAYOUT = '{company}/{type}/{key}.xml';
const HOUR_MS = 3_600_000;
/** After the faults: the waits of what is outstanding pass, and in the end the time for a full pass. */
const LATER_MS = [24, 9 * 24].map((hours) => hours * HOUR_MS);

interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly archive: string;
  readonly witness: Witness;
}

/** Three machines: two share an archive. */
export async function drillSync(sizes: SyncSizes): Promise<SyncFindings> {
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-drill-'));
  const other = new OtherHost();
  const found: SyncFindings[] = [];
  const work = async ({ env }: { readonly env: NodeJS.ProcessEnv }): Promise<void> => {
    const url = String(env['FISCAL_PRODUCT_URL']);
    const service = new Service(url, String(env['FISCAL_INVOICE_KEY']));
    const { documents, companies, seed } = sizes;
    await service.control('seed', { scenario: 'month', month: MONTH, documents, companies, seed });
    const machines: Machine[] = [];
    for (const [nth, archive] of ['shared', 'shared', 'own'].entries()) {
      const witness = new Witness(url);
      const at = await witness.start();
      const state = join(folder, `machine-${nth}`);
      await mkdir(state);
      const hosts = { FISCAL_PRODUCT_URL: at, FISCAL_QUERY_URL: at, FISCAL_SERVICE_URL: at };
      machines.push({
        ...{ env: { ...env, ...hosts, XDG_STATE_HOME: state }, archive: join(folder, archive), witness },
      });
    }
    try {
      found.push(await new Drill({ sizes, service, machines, other }).run());
    } finally {
      for (const { witness } of machines) witness.stop();
    }
  };
  try {
    await withSandbox(folder, work, unkindService);
  } finally {
    other.stop();
    await rm(folder, { recursive: true, force: true });
  }
  const [findings] = found;
  if (findings === undefined) throw new Error('nothing was found');
  return findings;
}

/** Of reads; the XML is away for a time as well. */
const readFaults: readonly (readonly [kind: string, details: Readonly<Record<string, unknown>>])[] = [
  ['429', { retryAfter: 1 }],
  ['503', { retryAfter: 1 }],
  ['503', {}],
  ['500', {}],
  ['cut-before', {}],
  ['cut-body', {}],
  ['broken-json', {}],
  ['empty-body', {}],
];

async function addFaults(service: Service, to: string): Promise<void> {
  for (const family of ['nfe', 'cte', 'nfse']) {
    const ofEvents = family === 'nfse' ? [] : [`${family}.inbound.events`, `${family}.inbound.event.xml`];
    const operations = [`${family}.inbound.list`, `${family}.inbound.settings`, `${family}.inbound.xml`];
    for (const operation of [...operations, ...ofEvents]) {
      const rate = RATE / readFaults.length;
      for (const [kind, more] of readFaults) await service.fault({ kind, operation, rate, ...more });
      if (!operation.endsWith('xml')) continue;
      await service.fault({ kind: '404', operation, rate: 0.03 });
      await service.fault({ kind: 'redirect', to, operation, rate: 0.01 });
      await service.fault({ kind: 'stall', count: 2, operation, rate: 0.01 });
    }
  }
  for (const [kind, more] of readFaults) await service.fault({ kind, operation: 'company.list', rate: 0.01, ...more });
  await service.control('pages', { doubled: true, short: true });
}

interface Scene {
  readonly sizes: SyncSizes;
  readonly service: Service;
  readonly machines: readonly Machine[];
  readonly other: OtherHost;
}

/** Of a month: what the service has had since then. */
interface Known {
  readonly name: string;
  readonly companyId: string;
  readonly issuedOn: string;
  readonly since: number;
}

class Drill {
  #lives = 0;
  #kills = 0;
  #turns = 0;
  #falselyDone = 0;
  #falselyComplete = 0;
  #outstanding = 0;
  #missingThen = 0;
  readonly #ends = new Map<string, number>();
  readonly #verdicts = new Map<string, number>();
  readonly #known = new Map<string, Known>();
  readonly #digests = new Digests();
  /** The hashes that a claim rested on, by path; compared with the service in the end. */
  readonly #claimed = new Map<string, Set<string>>();
  readonly #next: () => number;
  #companies: readonly string[] = [];

  constructor(private readonly scene: Scene) {
    this.#next = chance(scene.sizes.seed);
  }

  async run(): Promise<SyncFindings> {
    const { service, machines, sizes, other } = this.scene;
    this.#companies = await service.companies();
    await addFaults(service, await other.start());
    await this.#know(0);
    for (let round = 0; this.#kills < sizes.kills && round < MOST_ROUNDS; round += 1) {
      // First within the window of a list, then behind it.
      const lateBy = this.#kills * 2 < sizes.kills ? '1h' : '5d';
      await service.control('arrivals', { everyRequests: 7, count: 3, lateBy });
      if (round % 4 === 0) await this.#add();
      const closing = round % 3;
      await Promise.all(
        machines.map(async (machine, nth) => {
          const laterMs = round * ROUND_MS;
          if (nth !== closing) {
            const kill = afterRequests(service.url, this.#next() * MOST_REQUESTS, this.#next() * 200, 8_000);
            return await this.#sync(machine, { laterMs, kill });
          }
          await this.#sync(machine, { laterMs });
          return await this.#close(machine, laterMs);
        }),
      );
    }
    await service.clearFaults();
    await service.control('arrivals', { everyRequests: 1, count: 0 });
    await pause(CALM_MS);
    await this.#know(Date.now());
    const exitCodes = await Promise.all(machines.map(async (machine) => await this.#runToEnd(machine)));
    await this.#sweep();
    const ends = await this.#compare();
    return {
      right: {
        ...ends,
        falselyDone: this.#falselyDone,
        falselyComplete: this.#falselyComplete,
        keysElsewhere: other.keys,
        exitCodes: exitCodes.flat(),
      },
      ...{ kills: this.#kills, lives: this.#lives, ends: this.#ends, verdicts: this.#verdicts },
      listed: this.#known.size,
      ...{ outstanding: this.#outstanding, missingThen: this.#missingThen },
    };
  }

  /** Ordinary runs, until they say that they are done and the time of a full pass has come; then the month is closed. */
  async #runToEnd(machine: Machine): Promise<readonly (number | null)[]> {
    let exitCode: number | null = null;
    for (const laterMs of LATER_MS) {
      const end = await this.#sync(machine, { laterMs });
      ({ exitCode } = end);
    }
    return [exitCode, (await this.#close(machine, LATER_MS.at(-1) ?? 0)).exitCode];
  }

  async #sync(
    machine: Machine,
    { kill, laterMs = 0 }: { readonly kill?: Moment; readonly laterMs?: number },
  ): Promise<LifeEnd> {
    const place = ['--archive', machine.archive, '--layout', LAYOUT, '--concurrency', '8'];
    const words = ['inbound', 'sync', '--all-companies', ...place, '--read-timeout', '2s', '-o', 'ndjson'];
    const end = await this.#live(machine, words, { kill, laterMs });
    const actual = machine.witness.endRun(end.wasKilled);
    if (end.wasKilled) {
      this.#kills += 1;
      return end;
    }
    count(this.#ends, String(end.exitCode));
    const missing = await this.#missing(machine, actual);
    if (end.exitCode === 0) {
      this.#falselyDone += missing.length;
      if (missing.length > 0) console.log(`done, without ${missing.slice(0, 5).join(', ')}\n${end.stderr}`);
    } else {
      this.#missingThen += missing.length;
      this.#outstanding += Number(recordsIn(end).at(-1)?.['outstanding'] ?? 0);
    }
    return end;
  }

  /** A month that is called complete lacks nothing that the service showed before. */
  async #close(machine: Machine, laterMs: number): Promise<LifeEnd> {
    const begunAt = Date.now() - CALM_MS;
    const words = ['inbound', 'close', MONTH, '--all-companies', '--archive', machine.archive];
    const end = await this.#live(machine, [...words, '--read-timeout', '2s', '-o', 'ndjson'], { laterMs });
    // What it was told of is no promise of a sync.
    machine.witness.endRun(true);
    const verdicts = recordsIn(end).filter(({ type }) => type === 'close');
    if (verdicts.length === 0) count(this.#verdicts, 'none');
    for (const { company, verdict } of verdicts) {
      count(this.#verdicts, String(verdict));
      if (verdict !== 'complete') continue;
      const expected = [...this.#known.values()].filter(
        ({ companyId, since, issuedOn }) => companyId === company && since < begunAt && isInMonth(issuedOn),
      );
      const missing = await this.#missing(
        machine,
        expected.map(({ name }) => name),
      );
      this.#falselyComplete += missing.length;
      if (missing.length > 0) console.log(`complete, without ${missing.slice(0, 5).join(', ')}`);
    }
    return end;
  }

  async #live(
    { env }: Machine,
    words: readonly string[],
    { kill, laterMs = 0 }: { readonly kill?: Moment | undefined; readonly laterMs?: number },
  ): Promise<LifeEnd> {
    this.#lives += 1;
    this.#turns += 1;
    const later = { ...env, DRILL_LATER_MS: String(laterMs) };
    return await shiftedLife(later, words, { nth: this.#turns, ...(kill === undefined ? {} : { kill }) });
  }

  async #missing({ archive }: Machine, names: Iterable<string>): Promise<readonly string[]> {
    const missing: string[] = [];
    for (const name of names) {
      const path = pathOf(archive, name);
      const digest = await this.#digests.of(path);
      if (digest === undefined) missing.push(name);
      else this.#claimed.set(path, (this.#claimed.get(path) ?? new Set()).add(digest));
    }
    return missing;
  }

  /** A late document of the month. */
  async #add(): Promise<void> {
    const { service } = this.scene;
    const companyId = this.#companies[Math.floor(this.#next() * this.#companies.length)];
    const family = ['nfe', 'cte', 'nfse'][Math.floor(this.#next() * 3)];
    const day = 1 + Math.floor(this.#next() * 28);
    const issuedOn = `${MONTH}-${String(day).padStart(2, '0')}T12:00:00Z`;
    await service.control('documents', { family, companyId, issuedOn });
    await this.#know(Date.now());
  }

  async #know(since: number): Promise<void> {
    for (const { companyId, family, accessKey, issuedOn, visibility } of await this.scene.service.captured()) {
      const name = [companyId, family, accessKey].join('/');
      if (visibility !== undefined || this.#known.has(name)) continue;
      this.#known.set(name, { name, companyId: String(companyId), issuedOn: String(issuedOn), since });
    }
  }

  /** What a process left before it had said who it is goes after 15 minutes, with the next run. */
  async #sweep(): Promise<void> {
    const longAgo = new Date(Date.now() - HOUR_MS);
    for (const machine of this.scene.machines) {
      const work = join(machine.archive, '.fiscal');
      const names = await readdir(work, { recursive: true }).catch(() => []);
      for (const name of names) await utimes(join(work, name), longAgo, longAgo);
      if (names.length > 0) await this.#sync(machine, { laterMs: LATER_MS.at(-1) ?? 0 });
    }
  }

  /** Every document in every archive, byte for byte, and nothing else. */
  async #compare(): Promise<Pick<SyncFindings['right'], 'doubled' | 'lost' | 'wrong' | 'leftOver'>> {
    const { machines, service } = this.scene;
    const sums = { doubled: 0, lost: 0, wrong: 0, leftOver: 0 };
    const genuine = new Map<string, string>();
    for (const { name } of this.#known.values()) {
      const [companyId, family, accessKey] = name.split('/');
      genuine.set(name, await service.xmlHash({ companyId, family, accessKey }));
    }
    for (const archive of new Set(machines.map((machine) => machine.archive))) {
      for (const [name, sha256] of genuine) {
        const path = pathOf(archive, name);
        const digest = await this.#digests.of(path);
        const claims = [...(this.#claimed.get(path) ?? [])];
        if (digest === undefined) sums.lost += 1;
        if ([...claims, digest ?? sha256].some((each) => each !== sha256)) sums.wrong += 1;
      }
      const files = await filesIn(archive);
      const left = files.filter((file) => !/\.xml$|^proofs\//.test(file));
      if (left.length > 0) console.log(`left over: ${left.slice(0, 5).join(', ')}`);
      sums.leftOver += left.length;
      const keys = files.filter((file) => file.endsWith('.xml') && !file.includes('.event-'));
      sums.doubled += keys.length - new Set(keys.map((file) => file.split('/').slice(-3).join('/'))).size;
      sums.doubled += Math.max(0, keys.length - genuine.size);
    }
    for (const { env } of machines) sums.wrong += await this.#wrongRows(env);
    return sums;
  }

  /** Rows of what the machine remembers that are not archived, or are missing. */
  async #wrongRows(env: NodeJS.ProcessEnv): Promise<number> {
    const words = ['inbound', 'list', '--local', '--all', '-o', 'ndjson', '--company', this.#companies.join(',')];
    const rows = recordsIn(await shiftedLife(env, words, { nth: 0 }));
    const states = rows.map((row) => Object(row['archive'])['state']);
    return states.filter((state) => state !== 'archived').length + Math.abs(rows.length - this.#known.size);
  }
}

/** Brasília's. */
function isInMonth(issuedOn: string): boolean {
  return new Date(Date.parse(issuedOn) - 3 * HOUR_MS).toISOString().startsWith(MONTH);
}

function pathOf(archive: string, name: string): string {
  const [company = '', family = '', key = '', event] = name.split('/');
  const file = event === undefined ? `${key}.xml` : `${key}.event-${event}.xml`;
  return join(archive, company, family, file);
}

async function filesIn(archive: string): Promise<readonly string[]> {
  const entries = await readdir(archive, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(archive.length + 1));
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** SHA-256 of files, read again only when they have changed. */
class Digests {
  readonly #known = new Map<string, { readonly mark: string; readonly digest: string }>();

  async of(path: string): Promise<string | undefined> {
    const facts = await stat(path).catch(() => undefined);
    if (facts === undefined) return undefined;
    const mark = `${facts.ino} ${facts.mtimeMs} ${facts.size}`;
    const known = this.#known.get(path);
    if (known?.mark === mark) return known.digest;
    const bytes = await readFile(path).catch(() => undefined);
    if (bytes === undefined) return undefined;
    const digest = createHash('sha256').update(bytes).digest('hex');
    this.#known.set(path, { mark, digest });
    return digest;
  }
}
