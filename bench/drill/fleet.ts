import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startTcpProxy, type TcpProxy } from '../../test/support/tcp-proxy.js';
import { withSandbox } from '../running-sandbox.js';
import { DurablePostgres } from './durable-postgres.js';
import { claimsOfFleet, type FleetClaims } from './fleet-findings.js';
import { FleetRunner } from './fleet-runner.js';
import { addRule, clearFaults, lastSequence } from './ledger.js';
import { chance, shuffled } from './life.js';
import { addUnkindFaults, CALM_MS, unkindService } from './unkind.js';
import { unkindKinds } from './unkind-kinds.js';

export interface FleetSizes {
  readonly manifestations: number;
  readonly products: number;
  readonly invoices: number;
  readonly runners: number;
  /** Of runners, by SIGKILL. */
  readonly kills: number;
  /** Of PostgreSQL, without notice. */
  readonly stops: number;
  /** Of all connections between the runners and PostgreSQL. */
  readonly cuts: number;
  readonly seed: number;
}

export interface FleetFindings {
  readonly claims: readonly FleetClaims[];
  readonly lives: number;
  readonly kills: number;
  readonly stops: number;
  readonly cuts: number;
  /** From the kill of a runner that stays away until others hold all that it held. */
  readonly takeOverSeconds: number;
  readonly requests: number;
  readonly seconds: number;
}

const FAULTY = 0.1;
/** Longer than the latest effect and the lag, also on a busy machine. */
const SETTLE = '6s';
const SERVER_AWAY_MS = 1_000;
/** A disturbance that finds too few requests happens all the same. */
const LONGEST_QUIET_MS = 20_000;
const REQUESTS_PER_ITEM = 2.5;

/** In this order every runner works on them. */
const fleetKinds = ['manifestations', 'products', 'nfe'] as const;

/**
 * Runners of their own machines, with clocks that are wrong by up to an hour, import the same files on one store, under every
 * fault of the service, while they are killed, PostgreSQL is stopped without notice, and their connections to it are cut.
 */
export async function drillFleet(sizes: FleetSizes): Promise<FleetFindings> {
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-fleet-'));
  await chmod(folder, 0o755);
  const postgres = await DurablePostgres.start(folder);
  const proxy = await startTcpProxy({ host: '127.0.0.1', port: postgres.port });
  const found: FleetFindings[] = [];
  try {
    const work = async ({ env }: { readonly env: NodeJS.ProcessEnv }): Promise<void> => {
      found.push(await new Drill(sizes, { folder, env, postgres, proxy }).run());
    };
    await withSandbox(folder, work, unkindService);
  } finally {
    await proxy.close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
  const [only] = found;
  if (only === undefined) throw new Error('the sandbox was never there');
  return only;
}

interface Scene {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly postgres: DurablePostgres;
  readonly proxy: TcpProxy;
}

class Drill {
  readonly #url: string;
  readonly #next: () => number;
  #cuts = 0;
  readonly #counts: Readonly<Record<(typeof fleetKinds)[number], number>>;

  constructor(
    private readonly sizes: FleetSizes,
    private readonly scene: Scene,
  ) {
    this.#url = String(scene.env['FISCAL_PRODUCT_URL']);
    this.#next = chance(sizes.seed);
    const { manifestations, products, invoices } = sizes;
    this.#counts = { manifestations, products, nfe: invoices };
  }

  async run(): Promise<FleetFindings> {
    const { postgres } = this.scene;
    for (const name of fleetKinds) {
      const { operations, rules } = unkindKinds[name];
      await addUnkindFaults(this.#url, operations, FAULTY);
      if (rules !== undefined) await addRule(this.#url, rules.path, rules.rule);
    }
    const words = await this.#words();
    const runners = await this.#runners(words);
    const begin = performance.now();
    const working = runners.map((runner) => runner.work());
    const takeOverSeconds = await this.#disturb(runners, Promise.all(working));
    await Promise.all(working);
    const seconds = (performance.now() - begin) / 1000;
    const requests = await lastSequence(this.#url);
    await clearFaults(this.#url);
    // What is late comes first: then every claim can be compared with what is.
    await pause(CALM_MS);
    const [first] = runners;
    if (first === undefined) throw new Error('no runner');
    await first.work();
    await pause(CALM_MS);
    return {
      claims: await this.#claims(first),
      lives: runners.reduce((sum, { lives }) => sum + lives, 0),
      kills: runners.reduce((sum, { kills }) => sum + kills, 0),
      ...{ stops: postgres.stops, cuts: this.#cuts, takeOverSeconds, requests, seconds },
    };
  }

  /** One file for each kind, the same for all runners: the same input is the same job. */
  async #words(): Promise<readonly (readonly string[])[]> {
    const how = ['--wait', '--yes', '--interval', '1s', '--concurrency', '4', '--settle-time', SETTLE];
    const all: string[][] = [];
    for (const name of fleetKinds) {
      const { file, header, row, words } = unkindKinds[name];
      const rows = Array.from({ length: this.#counts[name] }, (_, index) => `${row(index)}\n`);
      const path = join(this.scene.folder, file);
      await writeFile(path, header + rows.join(''));
      all.push([...words, path, ...how, '-o', 'ndjson']);
    }
    return all;
  }

  async #runners(words: readonly (readonly string[])[]): Promise<readonly FleetRunner[]> {
    const { folder, env, postgres, proxy } = this.scene;
    const runners: FleetRunner[] = [];
    for (let nth = 0; nth < this.sizes.runners; nth += 1) {
      const name = `runner-${nth}`;
      const state = join(folder, name);
      await mkdir(state);
      const store = { FISCAL_STORE_URL: proxy.through(postgres.url()), DRILL_HOST: name, XDG_STATE_HOME: state };
      runners.push(new FleetRunner({ ...env, ...store }, { name, words, firstClock: nth }));
    }
    return runners;
  }

  /** Everything that happens to the runners, in an order by chance. Gives how long the take-over took. */
  async #disturb(runners: readonly FleetRunner[], working: Promise<unknown>): Promise<number> {
    const { kills, stops, cuts } = this.sizes;
    const ended = { is: false };
    void working.finally(() => (ended.is = true)).catch(() => undefined);
    const events = shuffled([...times('kill', kills), ...times('stop', stops), ...times('cut', cuts)], this.#next);
    const items = Object.values(this.#counts).reduce((sum, count) => sum + count, 0);
    const step = (items * REQUESTS_PER_ITEM) / (events.length + 1);
    let takeOverSeconds = 0;
    let turn = 0;
    for (const [nth, event] of events.entries()) {
      await this.#until((nth + this.#next()) * step, ended);
      if (event === 'stop') await this.scene.postgres.stopAtOnce(SERVER_AWAY_MS);
      else if (event === 'cut') {
        this.scene.proxy.cutOnce();
        this.#cuts += 1;
      } else {
        const alive = runners.filter((runner) => runner.isAlive);
        const victim = alive[turn++ % Math.max(1, alive.length)];
        // In the middle, one stays away until the others have what it held.
        if (nth >= events.length / 2 && takeOverSeconds === 0 && alive.length > 1)
          takeOverSeconds = await this.#takeOver(victim, ended);
        else victim?.kill();
      }
    }
    return takeOverSeconds;
  }

  async #until(requests: number, ended: { readonly is: boolean }): Promise<void> {
    const latest = performance.now() + LONGEST_QUIET_MS;
    while (!ended.is && performance.now() < latest && (await lastSequence(this.#url)) < requests) await pause(20);
    await pause(this.#next() * 50);
  }

  async #takeOver(victim: FleetRunner | undefined, ended: { readonly is: boolean }): Promise<number> {
    if (victim === undefined) return 0;
    const begin = performance.now();
    await victim.killForLong();
    const held = `SELECT count(*) AS count FROM fiscal.items WHERE state IN ('prepared', 'sending', 'pending')
      AND worker_id IN (SELECT id FROM fiscal.workers WHERE machine LIKE '${victim.name}/%')`;
    while (!ended.is && Number((await this.scene.postgres.query(held))[0]?.['count']) > 0) await pause(200);
    const seconds = (performance.now() - begin) / 1000;
    victim.comeBack();
    return seconds;
  }

  async #claims(runner: FleetRunner): Promise<readonly FleetClaims[]> {
    const claims: FleetClaims[] = [];
    for (const name of fleetKinds) {
      const world = { env: runner.env, url: this.#url, items: this.#counts[name] };
      claims.push(await claimsOfFleet(name, world));
    }
    return claims;
  }
}

function times<Value>(value: Value, count: number): readonly Value[] {
  return Array.from({ length: count }, () => value);
}
