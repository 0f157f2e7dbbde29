import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openStates } from '../../src/jobs/decide.js';
import type { JobEngine, Verdict } from '../../src/jobs/engine.js';
import type { RunnableKind } from '../../src/jobs/kind.js';
import { kindNames, kindOf } from '../../src/jobs/kinds/registry.js';
import { holdsKey } from '../../src/jobs/claimed-item.js';
import type { ItemState } from '../../src/store/store.js';
import { inputOf } from './kinds/inputs.js';
import { request, workbench, type Workbench } from './workbench.js';

const itemStates = Object.keys({
  prepared: true,
  sending: true,
  pending: true,
  succeeded: true,
  rejected: true,
  failed: true,
  skipped: true,
  uncertain: true,
  cancelled: true,
} satisfies Record<ItemState, true>) as ItemState[];
const verdicts: readonly Verdict[] = [
  { is: 'succeeded', resourceId: 'r-1' },
  { is: 'succeeded' },
  { is: 'failed' },
  { is: 'not-sent' },
];
const results = { succeeded: 'succeeded', failed: 'failed', 'not-sent': 'prepared' } as const;
const jobStates = { succeeded: 'done', failed: 'done', 'not-sent': 'open' } as const;

let bench: Workbench;
beforeAll(async () => {
  bench = await workbench();
});
afterAll(async () => {
  await bench.close();
});

function kindNamed(name: string): RunnableKind {
  const kind = kindOf(name);
  if (kind === undefined) throw new Error(`no kind ${name}`);
  return kind;
}

let count = 0;
/** A job of this kind whose one item is in this state, as an ended process has left it. */
async function itemIn(engine: JobEngine, kind: RunnableKind, state: ItemState) {
  count += 1;
  const facts = { name: kind.name, submit: 'product.create', onceOnly: kind.onceOnly, billed: () => false } as const;
  const items = [{ ordinal: 1, label: 'x', dedupeKey: `key-${count}`, input: inputOf(kind.name) }];
  const { job } = await engine.start(request(0, { kind: facts, inputDigest: `digest-${count}`, items }));
  const [row] = await bench.store.items.list(job.id, {});
  if (row === undefined) throw new Error('no item');
  const patch = { state, holdsKey: holdsKey(state, kind), keep: false } as const;
  await bench.store.items.decide(row.id, 'prepared', patch, { at: bench.clock.now(), step: { is: 'read' } });
  return { jobId: job.id, itemId: row.id, key: { profile: 'p', kind: kind.name, dedupeKey: `key-${count}` } };
}

test('every kind of job is covered', () => {
  expect(kindNames.length).toBeGreaterThanOrEqual(23);
  expect(new Set(kindNames).size).toBe(kindNames.length);
});

describe.each(kindNames)('job resolve of %s', (name) => {
  test.each(itemStates)('ends %s, or leaves a final state unchanged', async (state) => {
    const kind = kindNamed(name);
    const engine = await bench.process(1, kind);
    for (const verdict of verdicts) {
      const { jobId, itemId, key } = await itemIn(engine, kind, state);
      if (!openStates.includes(state)) {
        await expect(engine.resolve(itemId, verdict)).rejects.toMatchObject({ code: 'job.item_not_uncertain' });
        expect(await bench.store.items.get(itemId)).toMatchObject({ state });
        continue;
      }
      const result = results[verdict.is];
      // The same answer a second time, as after a kill between the write and its report.
      for (const _time of [1, 2]) expect(await engine.resolve(itemId, verdict)).toMatchObject({ state: result });
      const [holder, job] = [await bench.store.items.holder(key), await bench.store.jobs.get(jobId)];
      expect([verdict.is, holder?.id, job?.state]).toEqual([
        verdict.is,
        holdsKey(result, kind) ? itemId : undefined,
        jobStates[verdict.is],
      ]);
    }
  });
});
