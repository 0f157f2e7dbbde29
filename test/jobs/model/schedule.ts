import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { createEngine } from '../../../src/jobs/create.js';
import type { JobEngine, RunOptions } from '../../../src/jobs/engine.js';
import type { RunnableKind } from '../../../src/jobs/kind.js';
import { openStore } from '../../../src/store/sqlite/open.js';
import type { ItemRow, Store } from '../../../src/store/store.js';
import { findByContent } from '../../../src/jobs/kinds/invoice-by-content.js';
import { findBefore } from '../../../src/jobs/kinds/invoice-first-look.js';
import { noClient } from '../no-client.js';
import { ModelContents } from './contents.js';
import { type VirtualClock, virtualClock } from '../virtual-clock.js';
import { ModelService, type ServiceRules } from './service.js';

/** The kinds of job, by what the service can tell about them. */
const families = {
  manifestation: {
    kind: { replay: 'natural', canLookUp: true, rejectedStays: false },
    rules: { refusesLive: true, canLookUp: true, listsLiveOnly: true, endsAtOnce: false },
    billed: false,
  },
  'manifestation without a list': {
    kind: { replay: 'natural', canLookUp: true, rejectedStays: false },
    rules: { refusesLive: true, canLookUp: false, listsLiveOnly: true, endsAtOnce: false },
    billed: false,
  },
  product: {
    kind: { replay: 'unsafe', canLookUp: false, rejectedStays: true },
    rules: { refusesLive: false, canLookUp: false, listsLiveOnly: false, endsAtOnce: false },
    billed: true,
  },
  issue: {
    kind: { replay: 'unsafe', canLookUp: true, rejectedStays: true },
    rules: { refusesLive: false, canLookUp: true, listsLiveOnly: false, endsAtOnce: false },
    billed: false,
  },
  'billed issue': {
    kind: { replay: 'unsafe', canLookUp: true, rejectedStays: true },
    rules: { refusesLive: false, canLookUp: true, listsLiveOnly: false, endsAtOnce: false },
    billed: true,
  },
  'issue without an externalId': {
    kind: { replay: 'unsafe', canLookUp: true, rejectedStays: true },
    rules: { ...{ refusesLive: false, canLookUp: true, listsLiveOnly: false, endsAtOnce: false }, namesNothing: true },
    billed: false,
  },
  create: {
    kind: { replay: 'keyed', canLookUp: false, rejectedStays: true },
    rules: { refusesLive: false, canLookUp: false, listsLiveOnly: false, endsAtOnce: false },
    billed: false,
  },
  'fetch by key': {
    kind: { replay: 'natural', canLookUp: false, rejectedStays: false },
    rules: { refusesLive: false, canLookUp: false, listsLiveOnly: false, endsAtOnce: true },
    billed: true,
  },
} as const satisfies Record<string, Family>;

interface Family {
  readonly kind: Pick<RunnableKind, 'replay' | 'canLookUp' | 'rejectedStays'>;
  readonly rules: ServiceRules;
  readonly billed: boolean;
}

const KIND = 'nfe-issue';
const start = Date.UTC(2026, 9, 1);
const minute = 60_000;
/** Shorter than any kind's, so that a schedule takes few steps; the late effects are of its size. */
const settleMs = minute;
const hour = 60 * minute;
const machines = ['A', 'B'] as const;

const processPlan = fc.record({
  machine: fc.constantFrom(...machines),
  /** The call of the store, or of the service, at which the process is killed. */
  dieAt: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 2 }),
  /** What failed or was rejected before is sent again, as a person has asked for by `job resume --failed`. */
  retries: fc.boolean(),
});

export const schedules = fc.record({
  family: fc.constantFrom(...(Object.keys(families) as (keyof typeof families)[])),
  items: fc.integer({ min: 1, max: 3 }),
  concurrency: fc.integer({ min: 1, max: 3 }),
  lagMs: fc.constantFrom(0, 1_500, 10_000),
  lateMs: fc.constantFrom(2_000, 20_000, 50_000, 90_000),
  processingMs: fc.constantFrom(3_000, 40_000),
  resendAbsent: fc.boolean(),
  /** Where contents are compared and one machine sends all: whether its items have the same content. */
  equalContents: fc.boolean(),
  fates: fc.array(fc.nat(59), { maxLength: 30 }),
  rounds: fc.array(
    fc.record({
      processes: fc.array(processPlan, { minLength: 1, maxLength: 2 }),
      jumpMs: fc.constantFrom(0, 0, 90_000, -90_000, hour, -hour),
      /** The machine whose state folder is lost before the round. */
      lost: fc.option(fc.constantFrom(...machines), { freq: 5 }),
      /** The machine that is started again before the round; its running time begins anew. */
      restarted: fc.option(fc.constantFrom(...machines), { freq: 3 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});
type ProcessPlan = typeof processPlan extends fc.Arbitrary<infer T> ? T : never;
export type Schedule = typeof schedules extends fc.Arbitrary<infer T> ? T : never;

const finished = new Set(['succeeded', 'rejected', 'failed', 'skipped', 'uncertain']);
const folderOfFolders = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** What became of a schedule, for the figures of a drill. */
export interface Figures {
  readonly items: number;
  readonly uncertain: number;
  readonly effects: number;
}

/** Stores are copies of an empty one, because to make one costs as much as a short schedule. */
export async function withEmptyStore<Result>(use: (path: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(folderOfFolders, 'fiscal-model-empty-'));
  const path = join(folder, 'state.db');
  const clock = virtualClock(start);
  try {
    await (await openStore({ path, clock, machine: 'empty' })).close();
    return await use(path);
  } finally {
    clock.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Plays the schedule. Throws an error with the trace when a thing happened twice, or when a claim is false. */
export async function play(schedule: Schedule, emptyStore: string): Promise<Figures> {
  const world = new World(schedule, emptyStore);
  try {
    return await world.play();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason}\n  ${world.trace.join('\n  ')}`, { cause: error });
  } finally {
    world.end();
  }
}

class World {
  readonly trace: string[] = [];
  readonly #folder = mkdtempSync(join(folderOfFolders, 'fiscal-model-'));
  readonly #clock: VirtualClock = virtualClock(start);
  readonly #service: ModelService;
  readonly #family: Family;
  readonly #schedule: Schedule;
  readonly #fates: number[];
  readonly #contents: ModelContents;
  readonly #generations = { A: 1, B: 1 };
  readonly #starts = { A: 1, B: 1 };
  readonly #alive = new Set<number>();
  /** Once the faults have ended, each machine goes on with its store open: to open it again would cost more than what is done there. */
  readonly #kept = new Map<'A' | 'B', Store>();
  /** Items that a person has had sent again. */
  readonly #allowed = new Set<string>();
  #pid = 0;
  #uuid = 0;

  readonly #emptyStore: string;

  constructor(schedule: Schedule, emptyStore: string) {
    this.#schedule = schedule;
    this.#emptyStore = emptyStore;
    this.#family = families[schedule.family];
    this.#fates = [...schedule.fates];
    const used = new Set(schedule.rounds.flatMap(({ processes }) => processes.map(({ machine }) => machine)));
    const isAlone = used.size === 1 && schedule.rounds.every(({ lost }) => lost === null);
    this.#contents = new ModelContents({ items: schedule.items, areEqual: isAlone && schedule.equalContents });
    const { lagMs, lateMs, processingMs } = schedule;
    const trace = (line: string): void => this.#note(line);
    const { rules } = this.#family;
    const world = { clock: this.#clock, rules, fates: this.#fates, trace };
    this.#service = new ModelService({ ...world, lagMs, lateMs, processingMs, settleMs });
  }

  end(): void {
    this.#clock.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async play(): Promise<Figures> {
    for (const { processes, jumpMs, lost, restarted } of this.#schedule.rounds) {
      if (lost !== null) this.#lose(lost);
      if (jumpMs !== 0) this.#jump(jumpMs);
      if (restarted !== null) this.#restart(restarted);
      await Promise.all(processes.map((plan) => this.#life(plan)));
    }
    this.#note('the faults end');
    this.#fates.length = 0;
    const used = machines.filter((machine) => this.#used(machine));
    for (const machine of used) this.#kept.set(machine, await this.#open(machine));
    try {
      return await this.#conclude(used);
    } finally {
      for (const store of this.#kept.values()) await store.close();
    }
  }

  async #conclude(used: readonly ('A' | 'B')[]): Promise<Figures> {
    for (const machine of used) await this.#untilSettled(machine);
    await this.#untilQuiet();
    const figures = await this.#check(used, 'before a person looks');
    if (figures.uncertain === 0) return figures;
    this.#service.forgetDoubts();
    for (const machine of used) await this.#resolve(machine);
    await this.#untilQuiet();
    await this.#check(used, 'after a person has looked');
    return figures;
  }

  #note(line: string): void {
    this.trace.push(`${((this.#clock.uptime() - start) / 1000).toFixed(1)} s: ${line}`);
  }

  #lose(machine: 'A' | 'B'): void {
    if (!this.#used(machine)) return;
    this.#note(`${machine} loses its store`);
    rmSync(this.#place(machine), { recursive: true });
    this.#generations[machine] += 1;
  }

  #restart(machine: 'A' | 'B'): void {
    this.#note(`${machine} is started again`);
    this.#starts[machine] += 1;
  }

  #identity(machine: 'A' | 'B'): string {
    return `${machine}, start ${this.#starts[machine]}`;
  }

  #jump(ms: number): void {
    this.#note(`the wall clocks jump by ${ms / 1000} s`);
    this.#clock.jump(ms);
  }

  #place(machine: 'A' | 'B'): string {
    return join(this.#folder, `${machine}${this.#generations[machine]}`);
  }

  async #open(machine: 'A' | 'B'): Promise<Store> {
    const path = join(this.#place(machine), 'state.db');
    if (!this.#used(machine)) {
      mkdirSync(this.#place(machine), { mode: 0o700 });
      copyFileSync(this.#emptyStore, path);
    }
    return await openStore({ path, clock: this.#clock, machine: this.#identity(machine) });
  }

  #storeOf(machine: 'A' | 'B'): Store {
    const store = this.#kept.get(machine);
    if (store === undefined) throw new Error(`the store of ${machine} is not open`);
    return store;
  }

  #used(machine: 'A' | 'B'): boolean {
    return existsSync(this.#place(machine));
  }

  /** One process from its start to its end or its death. Gives the items, unless it died. */
  async #life({ machine, dieAt, retries }: ProcessPlan): Promise<ItemRow[] | undefined> {
    const pid = (this.#pid += 1);
    const label = `${machine}${this.#generations[machine]}`;
    const death = new Death(dieAt, () => this.#note(`process ${pid} of ${label} is killed`));
    const kept = this.#kept.get(machine);
    const store = kept ?? (await this.#open(machine));
    this.#alive.add(pid);
    this.#note(`process ${pid} of ${label} starts`);
    const kind = this.#kind(label, death);
    const engine = createEngine({
      store: death.mortal(store),
      client: () => Promise.resolve(noClient),
      clock: store.clock,
      random: { unit: () => 0.5, uuid: () => `${pid}-${(this.#uuid += 1)}` },
      machine: { id: this.#identity(machine), pid, processStart: String, isAlive: (each) => this.#alive.has(each) },
      kinds: () => kind,
    });
    try {
      const ended = this.#work(engine, retries).catch((error: unknown) => {
        this.#note(`process ${pid} ends with ${error instanceof Error ? error.message : String(error)}`);
        return undefined;
      });
      return await Promise.race([ended, death.comes]);
    } finally {
      death.now();
      this.#alive.delete(pid);
      if (kept === undefined) await store.close();
    }
  }

  async #work(engine: JobEngine, retries: boolean): Promise<ItemRow[]> {
    const { job } = await engine.start({
      kind: { name: KIND, submit: 'product.create', onceOnly: true, billed: () => this.#family.billed },
      ...{ profile: 'p', inputDigest: 'd', commandLine: () => 'fiscal model', scope: {} },
      items: Array.from({ length: this.#schedule.items }, (_, index) => ({
        ordinal: index + 1,
        label: `item ${index + 1}`,
        dedupeKey: `key-${index + 1}`,
        input: this.#contents.input(`key-${index + 1}`),
      })),
    });
    if (retries) await engine.retry(job.id);
    await engine.run(job.id, this.#options());
    return await itemsOf(engine, job.id);
  }

  #options(): RunOptions {
    const { concurrency, resendAbsent } = this.#schedule;
    return {
      ...{ wait: true, concurrency, intervalMs: 5_000, onError: 'continue', resendAbsent, settleMs },
      ...{ retryBillable: false, maxRetryWaitMs: hour, lockWaitMs: 70_000 },
      signal: new AbortController().signal,
    };
  }

  #kind(store: string, death: Death): RunnableKind {
    const { kind, rules } = this.#family;
    const service = this.#service;
    const lookUps = rules.namesNothing === true ? this.#byContent(store, death) : this.#byKey(store, death);
    return {
      ...{ name: KIND, onceOnly: true, polls: !rules.endsAtOnce, settleMs, ...kind },
      send: async (_client, item, { beforeSend }) => {
        const heldUpMs = service.holdUpMs(item.dedupeKey, store);
        if (heldUpMs > 0) await death.around(async () => await this.#clock.sleep(heldUpMs));
        if (!death.isOver) beforeSend?.();
        return await death.around(async () => ({ ...service.submit(item.dedupeKey, store), status: 201 }));
      },
      read: (_client, item) => death.around(async () => service.read(item.resourceId ?? '')),
      ...lookUps,
    };
  }

  #byKey(store: string, death: Death): Pick<RunnableKind, 'lookUp' | 'findBefore'> {
    const { rules } = this.#family;
    const service = this.#service;
    return {
      lookUp: (_client, item) =>
        death.around(async () => (rules.canLookUp ? service.lookUp(item.dedupeKey, store) : 'cannot tell')),
      ...(rules.canLookUp && !rules.refusesLive
        ? { findBefore: (_parts, item) => death.around(async () => foundBefore(service, item, store)) }
        : {}),
    };
  }

  /** The real comparison of contents, on the list of the model. */
  #byContent(label: string, death: Death): Pick<RunnableKind, 'lookUp' | 'findBefore' | 'matchesContent'> {
    const client = this.#contents.client(this.#service, label);
    return {
      matchesContent: () => true,
      lookUp: (_client, item, parts) =>
        death.around(async () => {
          const look = { ...parts, itemId: item.id, sentAt: item.sentAt };
          return await findByContent(client, this.#contents.input(item.dedupeKey), look);
        }),
      findBefore: (parts, item) =>
        death.around(async () => await findBefore({ ...parts, client }, this.#contents.input(item.dedupeKey))),
    };
  }

  async #untilSettled(machine: 'A' | 'B'): Promise<ItemRow[]> {
    for (let tries = 0; tries < 20; tries += 1) {
      const items = await this.#life({ machine, dieAt: null, retries: false });
      if (items?.every(({ state }) => finished.has(state)) === true) return items;
      await this.#clock.sleep(minute);
    }
    throw new Error(`${machine} never ends`);
  }

  async #untilQuiet(): Promise<void> {
    while (!this.#service.isQuiet()) await this.#clock.sleep(minute);
  }

  /** Says the truth about each item that waits for a person, and lets the same command go on. */
  async #resolve(machine: 'A' | 'B'): Promise<void> {
    const store = this.#storeOf(machine);
    const engine = createEngine({
      ...{ store, client: () => Promise.resolve(noClient), clock: store.clock },
      random: { unit: () => 0.5, uuid: () => `r-${(this.#uuid += 1)}` },
      machine: { id: this.#identity(machine), pid: 0, processStart: String, isAlive: () => false },
      kinds: () => this.#kind(machine, new Death(null, () => undefined)),
    });
    for (const item of await this.#items(store)) {
      if (item.state !== 'uncertain') continue;
      const effects = this.#service.of(item.dedupeKey);
      const accepted = effects.find(({ ending }) => ending === 'Accepted');
      const verdict =
        accepted === undefined
          ? ({ is: effects.length === 0 ? 'not-sent' : 'failed' } as const)
          : ({ is: 'succeeded', resourceId: accepted.id } as const);
      this.#note(`a person says of ${item.dedupeKey} on ${machine}: ${verdict.is}`);
      if (verdict.is === 'failed') this.#allowed.add(item.id);
      await engine.resolve(item.id, verdict);
    }
    await this.#untilSettled(machine);
  }

  async #items(store: Store): Promise<readonly ItemRow[]> {
    const jobs = await store.jobs.list({ limit: 10 });
    const lists = await Promise.all(jobs.map(({ id }) => store.items.list(id, { limit: 100 })));
    return lists.flat();
  }

  async #check(used: readonly ('A' | 'B')[], when: string): Promise<Figures> {
    const figures = { items: 0, uncertain: 0 };
    for (const machine of used) {
      const label = `${machine}${this.#generations[machine]}`;
      const items = await this.#items(this.#storeOf(machine));
      for (const item of items) {
        figures.items += 1;
        if (item.state === 'uncertain') figures.uncertain += 1;
        const problem = this.#problemOf(item, label);
        if (problem === undefined) continue;
        this.#note(`${when}, ${label} says ${item.state} of ${item.dedupeKey}: ${item.reason?.is ?? ''}`);
        throw new Error(`a false claim: ${item.state}, though ${problem}`);
      }
    }
    this.#checkEffects();
    return { ...figures, effects: this.#service.effects.length };
  }

  /** Why the claim of this item is false, if it is. */
  #problemOf(item: ItemRow, store: string): string | undefined {
    if (this.#allowed.has(item.id)) return undefined;
    const effects = this.#service.of(item.dedupeKey);
    const { endsAtOnce } = this.#family.rules;
    const named = effects.filter(({ id }) => item.resourceId === undefined || id === item.resourceId);
    switch (item.state) {
      case 'succeeded':
        if (named.some(({ ending }) => endsAtOnce || ending === 'Accepted')) return undefined;
        return 'nothing of it was accepted';
      case 'skipped':
        return effects.some(({ ending }) => ending === 'Accepted') ? undefined : 'nothing of it was accepted';
      case 'rejected':
        return named.some(({ ending }) => ending === 'Rejected') ? undefined : 'nothing of it was rejected';
      case 'failed':
        // What was rejected and is sent again may meet another's: then nothing of its own stands.
        return effects.some((effect) => effect.store === store && (endsAtOnce || effect.ending === 'Accepted'))
          ? 'its own send took effect'
          : undefined;
      case 'uncertain':
        return undefined;
      default:
        return 'it should have ended';
    }
  }

  #checkEffects(): void {
    const { rules } = this.#family;
    // A repeat that the service refuses, or that is the same thing again, harms nobody.
    const [tooEarly] = rules.refusesLive || rules.endsAtOnce ? [] : this.#service.tooEarly;
    if (tooEarly !== undefined) throw new Error(tooEarly);
    for (const { earlier, wasVisible, id, store } of this.#service.effects) {
      if (rules.refusesLive || earlier === 'none') continue;
      const couldTell = wasVisible && rules.canLookUp && !(rules.namesNothing === true && earlier === 'others');
      // What the service cannot tell is promised only within one store, and there unless the user has had it sent again.
      if (!couldTell && (earlier === 'others' || this.#schedule.resendAbsent)) continue;
      const visible = wasVisible ? 'visible' : 'hidden';
      throw new Error(`${id} of ${store} is one too many: the earlier one was ${visible}, of ${earlier}`);
    }
  }
}

function foundBefore(service: ModelService, { dedupeKey }: ItemRow, store: string) {
  const found = service.lookUp(dedupeKey, store);
  if (typeof found === 'object' && 'mayBe' in found) return { unknown: { en: 'alike', pt: 'alike' } };
  return found === 'cannot tell' ? { unknown: { en: found, pt: found } } : found;
}

async function itemsOf(engine: JobEngine, jobId: string): Promise<ItemRow[]> {
  const items: ItemRow[] = [];
  for await (const item of engine.items(jobId)) items.push(item);
  return items;
}

/** The kill of one process, before or after one of its calls. After it nothing of the process goes on. */
class Death {
  readonly comes: Promise<undefined>;
  #isDead = false;
  #calls = 0;
  #come: () => void = () => undefined;
  readonly #dieAt: number | null;
  readonly #note: () => void;

  constructor(dieAt: number | null, note: () => void) {
    this.#dieAt = dieAt;
    this.#note = note;
    this.comes = new Promise((resolve) => {
      this.#come = () => resolve(undefined);
    });
  }

  get isOver(): boolean {
    return this.#isDead;
  }

  /** The process has ended: what it left behind does nothing any more. */
  now(): void {
    this.#isDead = true;
  }

  async around<Result>(call: () => Promise<Result>): Promise<Result> {
    if (this.#isDead) return await never();
    this.#calls += 1;
    if (this.#calls !== this.#dieAt) return await call();
    // Odd ones die after the call has done its work.
    if (this.#calls % 2 === 1) await call().catch(() => undefined);
    this.#isDead = true;
    this.#note();
    this.#come();
    return await never();
  }

  mortal(store: Store): Store {
    const guard = <Part extends object>(part: Part): Part =>
      new Proxy(part, {
        get: (target, name) => {
          const member: unknown = Reflect.get(target, name);
          if (typeof member !== 'function') return member;
          return (...words: unknown[]) =>
            this.around(async () => await (Reflect.apply(member, target, words) as Promise<unknown>));
        },
      });
    return { ...store, jobs: guard(store.jobs), items: guard(store.items), workers: guard(store.workers) };
  }
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
