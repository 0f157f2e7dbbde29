import { afterEach, beforeEach, expect, it } from 'vitest';
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

const facts = { sent: 'yes', httpStatus: 409, retryable: false } as const;
const conflict = () => Promise.reject(new FiscalError('service.conflict', { message: 'live' }, facts));

async function ended(kind: RunnableKind, more: Partial<RunOptions> = {}) {
  const engine = await bench.process(1, kind);
  const { job } = await engine.start(request(1));
  await engine.run(job.id, options(more));
  for await (const { state, resourceId, httpStatus, remoteStatus } of engine.items(job.id)) {
    return { state, resourceId, httpStatus, remoteStatus };
  }
  throw new Error('no item');
}

it('a 409 that names the existing resource is followed to its end', async () => {
  const kind: RunnableKind = {
    ...scripted(conflict),
    replay: 'natural',
    observeConflict: () => ({ state: 'pending', resourceId: 'e-1' }),
    read: (_client, item) => Promise.resolve({ state: 'succeeded', remoteStatus: `${item.resourceId} accepted` }),
  };
  expect(await ended(kind)).toEqual({
    state: 'succeeded',
    resourceId: 'e-1',
    httpStatus: 409,
    remoteStatus: 'e-1 accepted',
  });
});

/** A natural kind whose service answers a bare 409 and shows what it has after so long. */
function bareConflict(shownAfterMs: number): RunnableKind {
  const since = bench.clock.now();
  return {
    ...scripted(conflict),
    replay: 'natural',
    canLookUp: true,
    settleMs: 60_000,
    lookUp: () =>
      Promise.resolve(
        bench.clock.now() - since >= shownAfterMs
          ? { state: 'rejected', resourceId: 'e-1', remoteStatus: 'Rejected' }
          : 'absent',
      ),
  };
}

it('a bare 409 is looked up until the resource is found, and ends with its state', async () => {
  expect(await ended(bareConflict(20_000))).toEqual({
    state: 'rejected',
    resourceId: 'e-1',
    httpStatus: 409,
    remoteStatus: 'Rejected',
  });
});

it('a bare 409 without a result of the look-up never counts as done', async () => {
  expect(await ended(bareConflict(Number.POSITIVE_INFINITY))).toEqual({ state: 'failed', httpStatus: 409 });
});

it.each([
  ['live', true],
  ['–', false],
])('the reason of a 409 that nothing names has the words of the service, if any: %j', async (message, isThere) => {
  const kind = bareConflict(Number.POSITIVE_INFINITY);
  const send = () => Promise.reject(new FiscalError('service.conflict', { message }, { ...facts, said: message }));
  const engine = await bench.process(1, { ...kind, send });
  const { job } = await engine.start(request(1));
  await engine.run(job.id, options());
  const reasons: unknown[] = [];
  for await (const { reason } of engine.items(job.id)) reasons.push(reason);
  expect(reasons).toEqual([isThere ? { is: 'conflict-unread', words: 'live' } : { is: 'exists-unread' }]);
});

it('a bare 409 of a kind without a look-up belongs to another sender, and fails', async () => {
  const kind: RunnableKind = { ...scripted(conflict), replay: 'natural', observeConflict: () => undefined };
  expect(await ended(kind)).toEqual({ state: 'failed', httpStatus: 409 });
});

it.each([
  ['after a send of unknown outcome is asked about', 'network.cut', 'uncertain'],
  ['after a send that was refused before its work is another’s', 'service.rate_limited', 'failed'],
] as const)('a bare 409 %s', async (_name, code, state) => {
  const first =
    code === 'network.cut'
      ? new FiscalError(code, { host: 'h' }, { sent: 'unknown', retryable: true })
      : new FiscalError(code, { seconds: 1 }, { sent: 'yes', httpStatus: 429, retryable: true });
  const kind: RunnableKind = {
    ...scripted((_item, nth) => (nth === 1 ? Promise.reject(first) : conflict())),
    replay: 'natural',
    observeConflict: () => undefined,
  };
  expect(await ended(kind)).toEqual({ state, httpStatus: 409 });
});

it('a bare 409 of an unsafe kind that a person had sent again may be about the first send', async () => {
  const cut = new FiscalError('network.cut', { host: 'h' }, { sent: 'unknown', retryable: true });
  const kind: RunnableKind = {
    ...scripted((_item, nth) => (nth === 1 ? Promise.reject(cut) : conflict())),
    replay: 'unsafe',
    canLookUp: true,
    lookUp: () => Promise.resolve('absent'),
  };
  expect(await ended(kind, { resendAbsent: true })).toEqual({ state: 'uncertain', httpStatus: 409 });
});

it.each([
  ['after a send of unknown outcome says nothing of that one', 'network.cut', 'uncertain'],
  ['after a send that was refused before its work is a failure', 'service.rate_limited', 'failed'],
] as const)('a 400 %s', async (_name, code, state) => {
  const first =
    code === 'network.cut'
      ? new FiscalError(code, { host: 'h' }, { sent: 'unknown', retryable: true })
      : new FiscalError(code, { seconds: 1 }, { sent: 'yes', httpStatus: 429, retryable: true });
  const refusal = new FiscalError(
    'service.refused',
    { status: 400, message: 'no' },
    { sent: 'yes', httpStatus: 400, retryable: false },
  );
  const kind: RunnableKind = {
    ...scripted((_item, nth) => Promise.reject(nth === 1 ? first : refusal)),
    replay: 'natural',
  };
  expect((await ended(kind)).state).toBe(state);
});

it('an answer that says "already done" ends as skipped', async () => {
  const kind: RunnableKind = {
    ...scripted(() => Promise.resolve({ state: 'pending' })),
    read: () => Promise.resolve({ state: 'skipped', remoteStatus: 'Rejected' }),
  };
  expect(await ended(kind)).toEqual({ state: 'skipped', httpStatus: 201, remoteStatus: 'Rejected' });
});

it('an item may refer to the item of an earlier job that it repeats', async () => {
  const engine = await bench.process(
    1,
    scripted(() => Promise.resolve({ state: 'rejected' })),
  );
  const first = await engine.start(request(1));
  await engine.run(first.job.id, options());
  const [old] = await bench.store.items.list(first.job.id, {});
  const again = request(1, { inputDigest: 'other' });
  const items = [{ ordinal: 1, label: 'again', dedupeKey: 'key-1', input: {}, previousId: old?.id ?? '' }];
  const second = await engine.start({ ...again, items });
  const [fresh] = await bench.store.items.list(second.job.id, {});
  expect({ state: fresh?.state, previousId: fresh?.previousId }).toEqual({ state: 'prepared', previousId: old?.id });
});

it.each([
  ['a bare 409', 409],
  ['a refusal', 400],
] as const)('%s of a retry may be about a send of the replaced item', async (_name, httpStatus) => {
  const cut = new FiscalError('network.cut', { host: 'h' }, { sent: 'unknown', retryable: true });
  const answer = new FiscalError(
    httpStatus === 409 ? 'service.conflict' : 'service.refused',
    { status: httpStatus, message: 'no' },
    { sent: 'yes', httpStatus, retryable: false },
  );
  const kind: RunnableKind = {
    ...scripted((item, nth) => {
      if (item.previousId !== undefined) return Promise.reject(answer);
      return nth === 1 ? Promise.reject(cut) : Promise.resolve({ state: 'rejected', resourceId: 'e-1' });
    }),
    replay: 'natural',
    observeConflict: () => undefined,
  };
  const engine = await bench.process(1, kind);
  const { job } = await engine.start(request(1));
  await engine.run(job.id, options());
  expect((await bench.store.items.list(job.id, {}))[0]).toMatchObject({ state: 'rejected', attempts: 2 });
  const retried = async () => {
    await engine.retry(job.id);
    await engine.run(job.id, options());
    const [item] = await bench.store.items.list(job.id, {});
    return item;
  };
  const first = await retried();
  expect(first?.state).toBe('uncertain');
  await engine.resolve(first?.id ?? '', { is: 'failed' });
  // The person answered for that item, not for the send before it.
  expect((await retried())?.state).toBe('uncertain');
});
