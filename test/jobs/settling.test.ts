import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import type { RunOptions } from '../../src/jobs/engine.js';
import type { RunnableKind } from '../../src/jobs/kind.js';
import { options, request, scripted, workbench, type Workbench } from './workbench.js';

let bench: Workbench;
beforeEach(async () => {
  bench = await workbench();
});
afterEach(async () => {
  await bench.close();
});

const cut = () =>
  Promise.reject(new FiscalError('network.cut', { host: 'h' }, { sent: 'unknown', retryable: true }));

/** A service that is still at work when the connection is cut, and is done after so long. */
function lateService(doneAfterMs: number, settleMs: number) {
  const done: number[] = [];
  const kind = scripted(() => {
    done.push(bench.clock.now() + doneAfterMs);
    return cut();
  });
  const late: RunnableKind = {
    ...kind,
    canLookUp: true,
    settleMs,
    lookUp: () => {
      const isThere = done.some((at) => at <= bench.clock.now());
      return Promise.resolve(isThere ? { state: 'succeeded', resourceId: 'i-1' } : 'absent');
    },
  };
  return { late, sent: kind.sent };
}

async function runOf(kind: RunnableKind, more: Partial<RunOptions> = {}) {
  const engine = await bench.process(1, kind);
  const { job } = await engine.start(request(1));
  await engine.run(job.id, options(more));
  for await (const { state, resourceId } of engine.items(job.id)) return { state, resourceId };
  throw new Error('no item');
}

describe('a send that the service finishes after the connection was cut', () => {
  it('is found, and not made again, while its absence has not settled', async () => {
    const { late, sent } = lateService(30_000, 60_000);
    expect(await runOf(late)).toEqual({ state: 'succeeded', resourceId: 'i-1' });
    expect(sent.length).toBe(1);
  });

  it('would be made again by a kind that takes an early absence for a proof', async () => {
    const { late, sent } = lateService(30_000, 0);
    await runOf(late, { resendAbsent: true });
    expect(sent.length).toBeGreaterThan(1);
  });
});

it('what is not found is asked about once its absence has settled', async () => {
  const kind = scripted(cut);
  const settling: RunnableKind = {
    ...kind,
    canLookUp: true,
    settleMs: 60_000,
    lookUp: () => Promise.resolve('absent'),
  };
  expect([(await runOf(settling)).state, kind.sent.length]).toEqual(['uncertain', 1]);
});

it('what never arrived is sent again once its absence has settled, where the user said so', async () => {
  let there = false;
  const kind = scripted((_item, nth) => {
    if (nth === 1) return cut();
    there = true;
    return Promise.resolve({ state: 'succeeded' });
  });
  const startedAt = bench.clock.now();
  const settling: RunnableKind = {
    ...kind,
    canLookUp: true,
    settleMs: 60_000,
    lookUp: () => Promise.resolve(there ? { state: 'succeeded' } : 'absent'),
  };
  expect((await runOf(settling, { resendAbsent: true })).state).toBe('succeeded');
  expect([kind.sent.length, bench.clock.now() - startedAt >= 60_000]).toEqual([2, true]);
});

describe('a refusal that names a twin', () => {
  const refused = () =>
    Promise.reject(
      new FiscalError('service.refused', { status: 400, message: 'twin' }, { sent: 'yes', httpStatus: 400 }),
    );
  const twin = (send: Parameters<typeof scripted>[0], found: 'absent' | 'there'): RunnableKind => ({
    ...scripted(send),
    canLookUp: true,
    isTwin: ({ facts }) => facts.httpStatus === 400,
    lookUp: () => Promise.resolve(found === 'there' ? { state: 'succeeded', resourceId: 'i-1' } : 'absent'),
  });

  it('of a first send is another’s: the item is skipped', async () => {
    expect(await runOf(twin(refused, 'there'))).toEqual({ state: 'skipped', resourceId: 'i-1' });
  });

  it('is a plain refusal when nothing of that name is there', async () => {
    expect(await runOf(twin(refused, 'absent'))).toEqual({ state: 'failed' });
  });

  it('after an interrupted send is our own', async () => {
    let isThere = false;
    const kind = twin((_item, nth) => {
      if (nth === 1) return cut();
      isThere = true;
      return refused();
    }, 'absent');
    const own: RunnableKind = {
      ...kind,
      lookUp: () => Promise.resolve(isThere ? { state: 'succeeded', resourceId: 'i-1' } : 'absent'),
    };
    expect(await runOf(own, { resendAbsent: true })).toEqual({ state: 'succeeded', resourceId: 'i-1' });
  });
});
