import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JobEngine } from '../../src/jobs/engine.js';
import type { Observation, RunnableKind } from '../../src/jobs/kind.js';
import { options, request, scripted, states, workbench, type Workbench } from './workbench.js';

let bench: Workbench;
beforeEach(async () => {
  bench = await workbench();
});
afterEach(async () => {
  await bench.close();
});

/** Sends leave a pending thing, named as its item; `ended` says what a read finds. */
function slowKind(ended: ReadonlySet<string>): RunnableKind & { readonly reads: string[] } {
  const reads: string[] = [];
  const pending = { state: 'pending' } as const;
  return {
    ...scripted(() => Promise.resolve(pending)),
    reads,
    send: (_client, item) => Promise.resolve({ ...pending, resourceId: item.label, status: 201 }),
    read: (_client, { resourceId = '' }): Promise<Observation> => {
      reads.push(resourceId);
      return Promise.resolve({ state: ended.has(resourceId) ? 'succeeded' : 'pending' });
    },
  };
}

async function sent(engine: JobEngine, items: number): Promise<string> {
  const { job } = await engine.start(request(items));
  await engine.run(job.id, options({ wait: false }));
  return job.id;
}

const signal = new AbortController().signal;
const nudge = (engine: JobEngine, ...resourceIds: string[]) =>
  engine.nudge({ profile: 'p', resourceIds, intervalMs: 60_000, signal });

describe('a nudge', () => {
  it('reads only the items of the resource, immediately', async () => {
    const kind = slowKind(new Set(['item 2']));
    const engine = await bench.process(1, kind);
    const jobId = await sent(engine, 3);
    const result = await nudge(engine, 'item 2');
    expect({ result, reads: kind.reads, states: await states(engine, jobId) }).toEqual({
      result: { finished: 1, waiting: 0 },
      reads: ['item 2'],
      states: ['pending', 'succeeded', 'pending'],
    });
  });

  it('ends the job with its last item', async () => {
    const engine = await bench.process(1, slowKind(new Set(['item 1', 'item 2'])));
    const jobId = await sent(engine, 2);
    await nudge(engine, 'item 1', 'item 2');
    expect((await bench.store.jobs.get(jobId))?.state).toBe('done');
  });

  it('reports what is still pending, which keeps its turn', async () => {
    const engine = await bench.process(1, slowKind(new Set()));
    const jobId = await sent(engine, 1);
    expect(await nudge(engine, 'item 1')).toEqual({ finished: 0, waiting: 1 });
    expect(await states(engine, jobId)).toEqual(['pending']);
    expect(await bench.store.items.nextDue(jobId, ['pending'], 0)).toBeGreaterThan(bench.clock.now());
  });

  it('about an unknown resource does nothing', async () => {
    const kind = slowKind(new Set());
    const engine = await bench.process(1, kind);
    await sent(engine, 1);
    expect([await nudge(engine, 'nobody'), kind.reads]).toEqual([{ finished: 0, waiting: 0 }, []]);
  });

  it('ends the wait of another process long before its next read', async () => {
    const ended = new Set<string>();
    const waiting = await bench.process(1, slowKind(ended));
    const listening = await bench.process(2, slowKind(ended));
    const jobId = await sent(waiting, 1);
    await nudge(listening, 'item 1');
    const startedAt = bench.clock.now();
    const run = waiting.run(jobId, options({ intervalMs: 60_000 }));
    await bench.clock.sleep(5_000);
    ended.add('item 1');
    expect(await nudge(listening, 'item 1')).toEqual({ finished: 1, waiting: 0 });
    const { stopped } = await run;
    expect([stopped, bench.clock.now() - startedAt < 10_000]).toEqual(['complete', true]);
  });
});
