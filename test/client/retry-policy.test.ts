import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideRetry, isRetryable, type AttemptEnd } from '../../src/client/retry-policy.js';

const end: AttemptEnd = {
  replay: 'safe',
  billed: false,
  retryBillable: false,
  sent: 'yes',
  status: 503,
  transient: true,
  attempts: 1,
  waitedMs: 0,
  maxWaitMs: 300_000,
  unit: 0.5,
};

const { status: _status, ...unanswered } = end;

const anyEnd: fc.Arbitrary<AttemptEnd> = fc
  .record({
    replay: fc.constantFrom('safe', 'keyed', 'natural', 'unsafe'),
    billed: fc.boolean(),
    retryBillable: fc.boolean(),
    outcome: fc.oneof(
      fc.record({ sent: fc.constant('yes' as const), status: fc.integer({ min: 300, max: 599 }) }),
      fc.record({ sent: fc.constantFrom('no' as const, 'unknown' as const) }),
    ),
    transient: fc.boolean(),
    retryAfterMs: fc.option(fc.integer({ min: 0, max: 1_000_000 }), { nil: undefined }),
    attempts: fc.integer({ min: 1, max: 50 }),
    waitedMs: fc.integer({ min: 0, max: 400_000 }),
    unit: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  })
  .map(({ outcome, retryAfterMs, ...rest }) => ({
    ...rest,
    ...outcome,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    maxWaitMs: 300_000,
  }));

test('only 429, 502, 503, 504 and transient faults are ever repeated', () => {
  fc.assert(
    fc.property(anyEnd, (it) => {
      if (decideRetry(it).kind !== 'repeat') return;
      if (it.status === undefined) expect(it.transient).toBe(true);
      else expect([429, 502, 503, 504]).toContain(it.status);
    }),
  );
});

test('a request that may have taken effect is repeated only if the operation allows it', () => {
  fc.assert(
    fc.property(anyEnd, (it) => {
      const isUndone = it.sent === 'no' || it.status === 429;
      if (isUndone || decideRetry(it).kind !== 'repeat') return;
      if (it.billed) expect(it.retryBillable).toBe(true);
      else expect(['safe', 'natural']).toContain(it.replay);
    }),
  );
});

test('a hint only lengthens the wait, and adds no attempt', () => {
  fc.assert(
    fc.property(anyEnd, (it) => {
      const { retryAfterMs: _hint, ...plain } = it;
      const [asked, own] = [decideRetry(it), decideRetry({ ...plain, maxWaitMs: Number.MAX_VALUE })];
      if (asked.kind !== 'repeat') return;
      expect(it.attempts).toBeLessThan(5);
      expect(own.kind === 'repeat' && own.afterMs <= asked.afterMs).toBe(true);
    }),
  );
});

test('a requested wait is never shortened, and all waits together stay within the limit', () => {
  fc.assert(
    fc.property(anyEnd, (it) => {
      const decision = decideRetry(it);
      if (decision.kind !== 'repeat') return;
      expect(decision.afterMs).toBeGreaterThanOrEqual(it.retryAfterMs ?? 0);
      expect(it.waitedMs + (it.retryAfterMs ?? 0)).toBeLessThanOrEqual(it.maxWaitMs);
      if (it.retryAfterMs === undefined) expect(decision.afterMs).toBeLessThanOrEqual(30_000);
    }),
  );
});

test('a chain of attempts ends with the fifth', () => {
  fc.assert(
    fc.property(anyEnd, fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })), (first, units) => {
      let it = { ...first, attempts: 1, waitedMs: 0 };
      for (let step = 0; step < 5; step += 1) {
        const decision = decideRetry({ ...it, unit: units[step % Math.max(1, units.length)] ?? 0 });
        if (decision.kind === 'stop') return;
        it = { ...it, attempts: it.attempts + 1, waitedMs: it.waitedMs + decision.afterMs };
      }
      throw new Error('still repeating after five attempts');
    }),
  );
});

test.each([
  ['a safe read on 503', end, { kind: 'repeat', afterMs: 125 }],
  ['a safe read on 500', { ...end, status: 500 }, { kind: 'stop', why: 'final' }],
  ['an unsafe write on 502', { ...end, replay: 'unsafe', status: 502 }, { kind: 'stop', why: 'ambiguous' }],
  ['an unsafe write on 503 without a time', { ...end, replay: 'unsafe' }, { kind: 'stop', why: 'ambiguous' }],
  [
    'an unsafe write on 503 with a time',
    { ...end, replay: 'unsafe', retryAfterMs: 2_000 },
    { kind: 'stop', why: 'ambiguous' },
  ],
  ['an unsafe write on 429', { ...end, replay: 'unsafe', status: 429 }, { kind: 'repeat', afterMs: 125 }],
  [
    'an unsafe write that never left',
    { ...unanswered, replay: 'unsafe', sent: 'no' },
    { kind: 'repeat', afterMs: 125 },
  ],
  [
    'a natural write that may have arrived',
    { ...unanswered, replay: 'natural', sent: 'unknown' },
    { kind: 'repeat', afterMs: 125 },
  ],
  [
    'a billed safe write that may have arrived',
    { ...unanswered, billed: true, sent: 'unknown' },
    { kind: 'stop', why: 'ambiguous' },
  ],
  [
    'the same when the user accepts a second bill',
    { ...unanswered, replay: 'unsafe', billed: true, retryBillable: true, sent: 'unknown' },
    { kind: 'repeat', afterMs: 125 },
  ],
  ['the fifth attempt', { ...end, attempts: 5 }, { kind: 'stop', why: 'attempts' }],
  ['the fifth attempt with a hint', { ...end, attempts: 5, retryAfterMs: 0 }, { kind: 'stop', why: 'attempts' }],
  ['a hint of no wait', { ...end, attempts: 4, retryAfterMs: 0 }, { kind: 'repeat', afterMs: 1_000 }],
  ['a hint of a short wait', { ...end, attempts: 4, retryAfterMs: 300 }, { kind: 'repeat', afterMs: 1_000 }],
  [
    'a wait longer than allowed',
    { ...end, status: 429, retryAfterMs: 300_001 },
    { kind: 'stop', why: 'wait', needMs: 300_001 },
  ],
] as const)('%s', (_name, it, decision) => {
  expect(decideRetry(it)).toEqual(decision);
});

test('a wait that is too long leaves the request retryable', () => {
  expect(isRetryable({ ...end, status: 429, retryAfterMs: 300_001 })).toBe(true);
});
