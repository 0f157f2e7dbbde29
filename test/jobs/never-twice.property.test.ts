import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEngine } from '../../src/jobs/create.js';
import type { JobEngine, RunOptions } from '../../src/jobs/engine.js';
import { openStore } from '../../src/store/sqlite/open.js';
import type { ItemRow, Store } from '../../src/store/store.js';
import { fakeKind, type FakeService, type Happening, happenings, noClient } from './fake-service.js';
import { virtualClock } from './virtual-clock.js';

const kindFacts = { name: 'fake', submit: 'product.create', onceOnly: true } as const;

const plans = fc.record({
  replay: fc.constantFrom<'safe' | 'keyed' | 'natural' | 'unsafe'>('safe', 'keyed', 'natural', 'unsafe'),
  canLookUp: fc.boolean(),
  billed: fc.boolean(),
  resendAbsent: fc.boolean(),
  items: fc.integer({ min: 1, max: 6 }),
  concurrency: fc.integer({ min: 1, max: 4 }),
  fates: fc.array(fc.constantFrom<Happening>(...happenings), { maxLength: 40 }),
});
type Plan = typeof plans extends fc.Arbitrary<infer T> ? T : never;

const settled = new Set(['succeeded', 'failed', 'skipped', 'uncertain']);

function options(plan: Plan): RunOptions {
  return {
    wait: true,
    concurrency: plan.concurrency,
    intervalMs: 1000,
    onError: 'continue',
    retryBillable: false,
    resendAbsent: plan.resendAbsent,
    maxRetryWaitMs: 3_600_000,
    lockWaitMs: 120_000,
    signal: new AbortController().signal,
  };
}

/** Runs the plan through as many lives of the program as it takes, and returns what stands at the end. */
async function live(plan: Plan): Promise<{ items: ItemRow[]; effects: Map<string, number> }> {
  const folder = mkdtempSync(join(tmpdir(), 'fiscal-sim-'));
  const clock = virtualClock(Date.UTC(2026, 9, 1));
  const fates = [...plan.fates];
  const effects = new Map<string, number>();
  const sends = new Map<string, number>();
  const alive = new Set<number>();
  let uuid = 0;
  try {
    for (let pid = 1; pid < 60; pid += 1) {
      const store = await openStore({ path: join(folder, 'jobs.sqlite'), clock });
      alive.add(pid);
      let die: () => void = () => undefined;
      const death = new Promise<'dead'>((resolve) => {
        die = () => resolve('dead');
      });
      let dead = false;
      const service: FakeService = {
        effects,
        sends,
        next: () => fates.shift() ?? 'ok',
        crash: () => {
          dead = true;
          die();
          return new Promise<never>(() => undefined);
        },
      };
      const kind = fakeKind(service, plan);
      const engine = createEngine({
        store: mortal(store, () => dead),
        client: () => Promise.resolve(noClient),
        clock: store.clock,
        random: { unit: () => 0.5, uuid: () => `${pid}-${(uuid += 1)}` },
        machine: { id: 'here', pid, processStart: (p) => String(p), isAlive: (p) => alive.has(p) },
        kinds: () => kind,
      });
      const end = await Promise.race([oneLife(engine, plan), death]);
      alive.delete(pid);
      if (end === 'dead') {
        await store.close();
        continue;
      }
      const items: ItemRow[] = [];
      for await (const item of engine.items(end)) items.push(item);
      await store.close();
      // A run may give up on a service that is away; the next one goes on.
      if (items.every((item) => settled.has(item.state))) return { items, effects };
    }
    throw new Error('it never ended');
  } finally {
    clock.stop();
    rmSync(folder, { recursive: true });
  }
}

async function oneLife(engine: JobEngine, plan: Plan): Promise<string> {
  const { job } = await engine.start({
    kind: { ...kindFacts, billed: () => plan.billed },
    profile: 'p',
    inputDigest: 'd',
    commandLine: () => 'fiscal fake',
    scope: {},
    items: Array.from({ length: plan.items }, (_, index) => ({
      ordinal: index + 1,
      label: `item ${index + 1}`,
      dedupeKey: `key-${index + 1}`,
      input: { index },
    })),
  });
  await engine.run(job.id, options(plan));
  return job.id;
}

/** After death nothing is written any more: the dead process's calls never come back. */
function mortal(store: Store, isDead: () => boolean): Store {
  const guard = <T extends object>(part: T): T =>
    new Proxy(part, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...words: unknown[]) =>
          isDead() ? new Promise(() => undefined) : Reflect.apply(member, target, words);
      },
    });
  return { ...store, jobs: guard(store.jobs), items: guard(store.items), workers: guard(store.workers) };
}

describe('any interleaving of faults, crashes and resumes', () => {
  it('has at most one effect per key, and ends with every item settled or asking', async () => {
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const { items, effects } = await live(plan);
        expect(items.length).toBe(plan.items);
        for (const item of items) {
          expect(effects.get(item.dedupeKey) ?? 0).toBeLessThanOrEqual(1);
          if (item.state === 'succeeded') expect(effects.get(item.dedupeKey)).toBe(1);
          // A 500 that comes again and again asks too, whatever the operation, and so does a 409 that nothing explains.
          if (item.state !== 'uncertain' || item.httpStatus === 500 || item.httpStatus === 409) continue;
          expect(['unsafe', 'keyed'].includes(plan.replay) || plan.billed).toBe(true);
          // Where a look finds nothing, what it may have cost and the consent to send again are left to ask.
          if (plan.canLookUp && !plan.billed) expect(plan.resendAbsent).toBe(false);
        }
      }),
      { numRuns: 150 },
    );
  }, 120_000);
});
