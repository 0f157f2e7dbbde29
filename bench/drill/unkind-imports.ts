import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { withSandbox } from '../running-sandbox.js';
import { addRule, clearFaults } from './ledger.js';
import { chance, type LifeEnd, type Moment } from './life.js';
import { addUnkindFaults, CALM_MS, shiftedLife, unkindService } from './unkind.js';
import { findingsOf, type UnkindFindings } from './unkind-findings.js';
import type { UnkindKind } from './unkind-kinds.js';
import { Wire } from './wire.js';

export interface UnkindSizes {
  readonly items: number;
  readonly kills: number;
  readonly seed: number;
}

export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly words: readonly string[];
  readonly wire: Wire;
  readonly lives: Life[];
}

/** One life of a machine's program. */
export interface Life {
  /** How many sends of the machine had passed the wire before it began. */
  readonly earlierSends: number;
  /** By `performance.now()`, just before the signal; `undefined` where it ended by itself. */
  killedAt: number | undefined;
}

/** Requests under way at once. */
export const CONCURRENCY = 4;
const FAULTY = 0.2;
/** Longer than the latest effect and the lag, also on a busy machine. */
export const SETTLE_MS = 6_000;
/** Lives of one machine in a row, where the machines take turns. */
const LIVES_OF_A_TURN = 3;
/** A life without so many sends is killed all the same. */
const LONGEST_LIFE_MS = 2_500;

/**
 * Two machines with stores of their own import under every fault, with reads that lag and effects that come late; they are killed with
 * SIGKILL between their sends, and each life has another wall clock.
 */
export async function drillImports(kind: UnkindKind, sizes: UnkindSizes): Promise<UnkindFindings> {
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-drill-'));
  const found: UnkindFindings[] = [];
  try {
    const work = async ({ env }: { readonly env: NodeJS.ProcessEnv }): Promise<void> => {
      const url = String(env['FISCAL_PRODUCT_URL']);
      const machines = [
        await machineOf(kind, { folder, env, items: sizes.items, nth: 0 }),
        await machineOf(kind, { folder, env, items: sizes.items, nth: 1 }),
      ];
      try {
        await addUnkindFaults(url, kind.operations, FAULTY);
        if (kind.rules !== undefined) await addRule(url, kind.rules.path, kind.rules.rule);
        const lives = await new Drill(kind, sizes, { url, machines }).run();
        found.push({ ...(await findingsOf(kind, { env, url, machines, items: sizes.items })), lives });
      } finally {
        for (const { wire } of machines) wire.close();
      }
    };
    await withSandbox(folder, work, unkindService);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const [only] = found;
  if (only === undefined) throw new Error('the sandbox was never there');
  return only;
}

interface Place {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  readonly items: number;
  readonly nth: number;
}

async function machineOf(kind: UnkindKind, { folder, env, items, nth }: Place): Promise<Machine> {
  const state = join(folder, `machine-${nth}`);
  await mkdir(state);
  const all = Array.from({ length: items }, (_, index) => index);
  const own = kind.sharing === 'own' ? all.filter((index) => index % 2 === nth) : all;
  const file = join(state, kind.file);
  await writeFile(file, `${kind.header}${own.map((index) => `${kind.row(index)}\n`).join('')}`);
  const wire = await Wire.open(`machine-${nth}`, String(env['FISCAL_PRODUCT_URL']), kind.wanted);
  const through = { FISCAL_PRODUCT_URL: wire.url, FISCAL_QUERY_URL: wire.url, FISCAL_SERVICE_URL: wire.url };
  const pace = [
    '--wait',
    '--yes',
    '--interval',
    '1s',
    '--concurrency',
    String(CONCURRENCY),
    '--settle-time',
    `${SETTLE_MS}ms`,
  ];
  return {
    env: { ...env, ...through, XDG_STATE_HOME: state },
    words: [...kind.words, file, ...pace, '-o', 'ndjson'],
    wire,
    lives: [],
  };
}

export function killsOf(machines: readonly Machine[]): number {
  return machines.flatMap(({ lives }) => lives).filter(({ killedAt }) => killedAt !== undefined).length;
}

class Drill {
  #lives = 0;
  readonly #next: () => number;

  constructor(
    private readonly kind: UnkindKind,
    private readonly sizes: UnkindSizes,
    private readonly scene: { readonly url: string; readonly machines: readonly Machine[] },
  ) {
    this.#next = chance(sizes.seed);
  }

  /** Gives the number of lives. */
  async run(): Promise<number> {
    const { url } = this.scene;
    let killed = true;
    while (killed && this.#kills < this.sizes.kills) killed = await this.#round(LIVES_OF_A_TURN, true);
    await this.#round(1, false);
    await clearFaults(url);
    // What is late comes first: then every claim can be compared with what is.
    await pause(CALM_MS);
    await this.#round(1, false);
    await pause(CALM_MS);
    return this.#lives;
  }

  get #kills(): number {
    return killsOf(this.scene.machines);
  }

  /** Both at once, or one after the other. True: at least one was killed. */
  async #round(livesOfATurn: number, kill: boolean): Promise<boolean> {
    const { machines } = this.scene;
    if (this.kind.sharing !== 'turns') {
      const ends = await Promise.all(machines.map((machine) => this.#live(machine, kill)));
      return ends.some(({ wasKilled }) => wasKilled);
    }
    let killed = false;
    for (const machine of machines) {
      for (let life = 0; life < livesOfATurn; life += 1) {
        const { wasKilled } = await this.#live(machine, kill);
        killed ||= wasKilled;
      }
      await pause(CALM_MS);
    }
    return killed;
  }

  async #live(machine: Machine, kill: boolean): Promise<LifeEnd> {
    const { env, words, wire } = machine;
    const nth = this.#lives++;
    await wire.quiet();
    const life: Life = { earlierSends: wire.sends.length, killedAt: undefined };
    machine.lives.push(life);
    const end = await shiftedLife(env, words, { nth, ...(kill ? { kill: this.#moment(wire, life) } : {}) });
    if (!end.wasKilled) life.killedAt = undefined;
    if (!end.wasKilled && end.exitCode !== 0 && end.exitCode !== 3)
      console.log(`a life ended with ${end.exitCode}: ${end.stderr.slice(-400)}`);
    return end;
  }

  /** After some sends of this life and a little while: there are enough items for all the kills. */
  #moment(wire: Wire, thisLife: Life): Moment {
    const sends = 1 + Math.floor((this.#next() * this.sizes.items) / this.sizes.kills);
    const laterMs = this.#next() * 40;
    return async (life) => {
      const since = performance.now();
      const isDue = (): boolean =>
        wire.sends.length >= thisLife.earlierSends + sends || performance.now() - since > LONGEST_LIFE_MS;
      while (!life.aborted && !isDue()) await pause(5);
      await pause(laterMs);
      thisLife.killedAt = performance.now();
    };
  }
}
