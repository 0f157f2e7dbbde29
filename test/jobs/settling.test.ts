import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import type { RunOptions } from '../../src/jobs/engine.js';
import type { LookupResult, RunnableKind } from '../../src/jobs/kind.js';
import { noClient } from './no-client.js';
import { options, request, scripted, states, workbench, type Workbench } from './workbench.js';

let bench: Workbench;
beforeEach(async () => {
  bench = await workbench();
});
afterEach(async () => {
  await bench.close();
});

const cut = () => Promise.reject(new FiscalError('network.cut', { host: 'h' }, { sent: 'unknown', retryable: true }));

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
  it('is found and not repeated before the settle time is over', async () => {
    const { late, sent } = lateService(30_000, 60_000);
    expect(await runOf(late)).toEqual({ state: 'succeeded', resourceId: 'i-1' });
    expect(sent.length).toBe(1);
  });

  it('would be repeated by a kind without a settle time', async () => {
    const { late, sent } = lateService(30_000, 0);
    await runOf(late, { resendAbsent: true });
    expect(sent.length).toBeGreaterThan(1);
  });
});

it('what is not found is uncertain after the settle time', async () => {
  const kind = scripted(cut);
  const settling: RunnableKind = {
    ...kind,
    canLookUp: true,
    settleMs: 60_000,
    lookUp: () => Promise.resolve('absent'),
  };
  expect([(await runOf(settling)).state, kind.sent.length]).toEqual(['uncertain', 1]);
});

it('what never arrived is sent again after the settle time with --resend-absent', async () => {
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

describe('an item identified only by its content', () => {
  const alike = (send: Parameters<typeof scripted>[0], found: LookupResult | (() => LookupResult)) => ({
    ...scripted(send),
    canLookUp: true,
    settleMs: 60_000,
    matchesContent: () => true,
    lookUp: () => Promise.resolve(typeof found === 'function' ? found() : found),
  });
  const refused = (status: number) =>
    Promise.reject(new FiscalError('service.refused', { status, message: 'no' }, { sent: 'yes', httpStatus: status }));

  it('is asked about when something like it is all that is found, and is never sent again', async () => {
    const kind = alike(cut, { mayBe: ['i-1', 'i-2'] });
    const startedAt = bench.clock.now();
    expect((await runOf(kind, { resendAbsent: true, retryBillable: true })).state).toBe('uncertain');
    expect([kind.sent.length, bench.clock.now() - startedAt >= 60_000]).toEqual([1, true]);
  });

  it('is followed once it is distinguished', async () => {
    const startedAt = bench.clock.now();
    const kind = alike(cut, () =>
      bench.clock.now() - startedAt < 20_000 ? { mayBe: ['i-1'] } : { state: 'succeeded', resourceId: 'i-1' },
    );
    expect(await runOf(kind)).toEqual({ state: 'succeeded', resourceId: 'i-1' });
  });

  it('is not found after a first send that was refused as a conflict', async () => {
    const kind = alike(() => refused(409), { state: 'succeeded', resourceId: 'i-1' });
    expect(await runOf(kind)).toEqual({ state: 'failed', resourceId: undefined });
  });

  it.each([
    ['is looked up', { state: 'succeeded', resourceId: 'i-1' } as const, 'succeeded', 2],
    ['is asked about', { mayBe: ['i-1'] }, 'uncertain', 2],
    ['goes on where nothing is found', 'absent', 'succeeded', 3],
  ] as const)('%s before a send that follows one of unknown outcome', async (_name, found, state, sends) => {
    let isLate = false;
    const kind = alike(
      (_item, nth) => {
        if (nth === 1) return cut();
        if (nth === 3) return Promise.resolve({ state: 'succeeded' });
        isLate = true;
        return Promise.reject(
          new FiscalError('service.rate_limited', { seconds: 1 }, { sent: 'yes', httpStatus: 429, retryable: true }),
        );
      },
      () => (isLate ? found : 'absent'),
    );
    const before = { ...kind, findBefore: () => Promise.resolve('absent' as const) };
    expect((await runOf(before, { resendAbsent: true })).state).toBe(state);
    expect(kind.sent.length).toBe(sends);
  });
});

describe('a refusal that names a duplicate', () => {
  const refused = () =>
    Promise.reject(
      new FiscalError('service.refused', { status: 400, message: 'duplicate' }, { sent: 'yes', httpStatus: 400 }),
    );
  const duplicateOf = (send: Parameters<typeof scripted>[0], found: 'absent' | 'there'): RunnableKind => ({
    ...scripted(send),
    canLookUp: true,
    isDuplicate: ({ facts }) => facts.httpStatus === 400,
    lookUp: () => Promise.resolve(found === 'there' ? { state: 'succeeded', resourceId: 'i-1' } : 'absent'),
  });
  /** Another machine's, which comes between the look and the send. */
  const raced = (state: 'succeeded' | 'failed', send: Parameters<typeof scripted>[0] = refused) => {
    let looks = 0;
    return {
      ...duplicateOf(send, 'there'),
      findBefore: async () => {
        looks += 1;
        return await Promise.resolve(looks === 1 ? ('absent' as const) : { state, resourceId: 'i-1' });
      },
    };
  };

  it('on a first send is from another sender: the item is skipped if it is the same', async () => {
    expect(await runOf(raced('succeeded'))).toEqual({ state: 'skipped', resourceId: 'i-1' });
  });

  it('on a first send is not a success if the content differs', async () => {
    expect(await runOf(raced('failed'))).toEqual({ state: 'failed', resourceId: 'i-1' });
  });

  it('is a plain refusal if nothing of that name exists', async () => {
    expect(await runOf(duplicateOf(refused, 'absent'))).toEqual({ state: 'failed' });
  });

  it('after an interrupted send is our own', async () => {
    let isThere = false;
    const kind = duplicateOf((_item, nth) => {
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

describe('a look-up before the send', () => {
  /** The invoice of another machine: it shows from `from` on, and ends at `endsAt`. */
  const others = (from: number, endsAt: number, send: Parameters<typeof scripted>[0]) => {
    const kind = scripted(send);
    const stands = () =>
      bench.clock.now() < endsAt
        ? ({ state: 'pending', resourceId: 'i-2', remoteStatus: 'Processing' } as const)
        : ({ state: 'succeeded', resourceId: 'i-2', remoteStatus: 'Issued' } as const);
    const looking: RunnableKind = {
      ...kind,
      read: () => Promise.resolve(stands()),
      findBefore: () => Promise.resolve(bench.clock.now() < from ? 'absent' : stands()),
    };
    return { looking, sent: kind.sent };
  };
  const start = Date.UTC(2026, 9, 1);
  const never = () => Promise.reject(new Error('it must not be sent'));

  it('that finds it in progress follows it to its end before it is skipped', async () => {
    const { looking, sent } = others(start, start + 30_000, never);
    const engine = await bench.process(1, looking);
    const { job } = await engine.start(request(1));
    await engine.run(job.id, options({ wait: false }));
    expect(await states(engine, job.id)).toEqual(['pending']);
    await engine.run(job.id, options());
    expect([await states(engine, job.id), sent]).toEqual([['skipped'], []]);
  });

  it('is remembered if it finds something: a later job does not send it either', async () => {
    const { looking, sent } = others(start, start, never);
    const engine = await bench.process(1, looking);
    const { job } = await engine.start(request(1));
    await engine.run(job.id, options());
    const forgetful = { ...looking, findBefore: () => Promise.resolve('absent' as const) };
    const later = await bench.process(1, forgetful);
    const next = await later.start(request(1, { inputDigest: 'grown' }));
    await later.run(next.job.id, options());
    expect([await states(later, next.job.id), sent]).toEqual([['skipped'], []]);
  });

  it('is repeated after a 429', async () => {
    const { looking, sent } = others(start + 1_000, start, () =>
      Promise.reject(
        new FiscalError(
          'service.rate_limited',
          { seconds: 60 },
          { sent: 'yes', httpStatus: 429, retryable: true, retryAfterSeconds: 60 },
        ),
      ),
    );
    expect(await runOf(looking)).toEqual({ state: 'skipped', resourceId: 'i-2' });
    expect(sent).toHaveLength(1);
  });

  it('is repeated if the pace delays the request', async () => {
    const { looking } = others(start + 100_000, start, never);
    const calls: string[] = [];
    const held: RunnableKind = {
      ...looking,
      async send(_client, _item, { beforeSend }) {
        await bench.clock.sleep(120_000);
        beforeSend?.();
        calls.push('sent');
        return { state: 'succeeded', resourceId: 'i-1', status: 201 };
      },
    };
    expect([await runOf(held), calls]).toEqual([{ state: 'skipped', resourceId: 'i-2' }, []]);
  });

  it('is repeated only once: a slow pace does not delay an item for ever', async () => {
    const { looking } = others(Number.POSITIVE_INFINITY, start, never);
    const slow: RunnableKind = {
      ...looking,
      async send(_client, _item, { beforeSend }) {
        await bench.clock.sleep(120_000);
        beforeSend?.();
        return { state: 'succeeded', resourceId: 'i-1', status: 201 };
      },
    };
    expect(await runOf(slow)).toEqual({ state: 'succeeded', resourceId: 'i-1' });
  });

  it('is followed by a check of the lease: a process that was suspended until its lease expired sends nothing', async () => {
    const kind = scripted(never);
    const stopped: RunnableKind = {
      ...kind,
      async send(_client, item, { beforeSend }) {
        // Meanwhile the store hears nothing of this process, as after SIGSTOP.
        for (const worker of await bench.store.workers.list()) await bench.store.workers.remove(worker.id);
        await bench.clock.sleep(100_000);
        beforeSend?.();
        return await kind.send(noClient, item, { attempts: 'once' });
      },
    };
    const engine = await bench.process(1, stopped);
    const { job } = await engine.start(request(1));
    const result = await engine.run(job.id, options());
    expect([result.stopped, result.error?.code]).toEqual(['held', 'job.lease_lost']);
    expect(kind.sent).toEqual([]);
  });

  it('without a result is reported once, and recorded in the rows and the result', async () => {
    const kind = scripted(() => Promise.resolve({ state: 'succeeded' }));
    const reason = { en: 'no permission', pt: 'sem permissão' };
    const blind: RunnableKind = { ...kind, findBefore: () => Promise.resolve({ unknown: reason }) };
    const engine = await bench.process(1, blind);
    const { job } = await engine.start(request(3));
    const heard: unknown[] = [];
    const onSendWithoutLookup = async (why: unknown) => await Promise.resolve(void heard.push(why));
    const { withoutLookup } = await engine.run(job.id, options({ onSendWithoutLookup }));
    const rows = await bench.store.items.list(job.id, {});
    expect([heard, withoutLookup, rows.map(({ lookup }) => lookup)]).toEqual([
      [reason],
      3,
      ['not-possible', 'not-possible', 'not-possible'],
    ]);
  });
});
