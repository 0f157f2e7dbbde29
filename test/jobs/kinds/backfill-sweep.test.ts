import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rows } from '../../support/rows.js';
import { observeSweep, readSummary, sweepStatus } from '../../../src/jobs/kinds/backfill-sweep.js';

describe('a summary', () => {
  test.each([
    [
      { startFromDate: '2026-01-01T00:00:00Z', released: true, hiddenDocumentsCount: 4 },
      { startFromDate: '2026-01-01T00:00:00Z', released: true, hidden: 4 },
    ],
    [
      { released: false, hiddenDocumentsCount: '12' },
      { released: false, hidden: 12 },
    ],
    [{ released: 'true', hiddenDocumentsCount: -1, startFromDate: null }, {}],
    [{ hiddenDocumentsCount: 1.5 }, {}],
    [null, {}],
    ['text', {}],
  ])('is read as far as possible: %j', (body, seen) => {
    expect(readSummary(body)).toEqual(seen);
  });
});

const release = { released: true };
const revoke = { released: false };

describe('a release', () => {
  test.each(
    rows([
      [
        'goes on while documents are hidden',
        { released: true, hidden: 3 },
        undefined,
        'pending',
        'released=true hidden=3 steady=1',
      ],
      [
        'has settled when none is',
        { released: true, hidden: 0 },
        undefined,
        'succeeded',
        'released=true hidden=0 steady=1',
      ],
      ['goes on where the count is missing', { released: true }, undefined, 'pending', 'released=true steady=1'],
      [
        'goes on until the service says that it was asked for',
        { released: false, hidden: 0 },
        undefined,
        'pending',
        'released=false hidden=0 steady=1',
      ],
      [
        'is not overtaken by what stood before it',
        { released: false, hidden: 3 },
        'released=false hidden=3 steady=1',
        'pending',
        'released=false hidden=3 steady=2',
      ],
      [
        'goes on after a status of another program',
        { released: true, hidden: 3 },
        'Accepted',
        'pending',
        'released=true hidden=3 steady=1',
      ],
    ] as const),
  )('%s', (_words, [summary, before, state, remoteStatus]) => {
    expect(observeSweep(summary, release, before)).toEqual({ state, remoteStatus });
  });

  test('that was seen and then reversed is overtaken', () => {
    const seen = observeSweep({ released: false, hidden: 3 }, release, 'released=true hidden=2 steady=1');
    expect(seen).toEqual({
      state: 'rejected',
      remoteStatus: 'released=false hidden=3 steady=1',
      errorCode: 'backfill.overtaken',
      reason: { is: 'revoked-meanwhile' },
    });
  });
});

describe('a revoke', () => {
  test.each(
    rows([
      ['goes on at its first read', { hidden: 5 }, undefined, 'pending'],
      ['goes on while the count moves', { hidden: 5 }, 'released=false hidden=4 steady=1', 'pending'],
      ['has settled when the count stands still', { hidden: 5 }, 'released=false hidden=5 steady=1', 'succeeded'],
      ['begins to count anew after the state changed', { hidden: 5 }, 'released=true hidden=5 steady=3', 'pending'],
      ['goes on where the count is missing', {}, 'released=false steady=4', 'pending'],
    ] as const),
  )('%s', (_words, [summary, before, state]) => {
    expect(observeSweep({ released: false, ...summary }, revoke, before).state).toBe(state);
  });

  test('that hides fewer than expected is followed longer: it may not have begun', () => {
    const request = { ...revoke, expected: 9 };
    const states: string[] = [];
    let before: string | undefined;
    for (let read = 1; read <= 5; read += 1) {
      const { state, remoteStatus } = observeSweep({ released: false, hidden: 0 }, request, before);
      states.push(state);
      before = remoteStatus;
    }
    expect(states).toEqual(['pending', 'pending', 'pending', 'pending', 'succeeded']);
  });
});

test('a summary without a state decides nothing', () => {
  expect(observeSweep({ hidden: 0 }, release, 'released=true hidden=1 steady=1')).toEqual({ state: 'pending' });
});

test('in any sequence of summaries only the requested state succeeds, and earlier states are remembered', () => {
  const summary = fc.record({ released: fc.boolean(), hidden: fc.nat({ max: 2 }) });
  fc.assert(
    fc.property(fc.boolean(), fc.array(summary, { maxLength: 12 }), (released, reads) => {
      let before: string | undefined;
      for (const read of reads) {
        const { state, remoteStatus } = observeSweep(read, { released }, before);
        expect(sweepStatus(remoteStatus)).toMatchObject(read);
        if (state === 'succeeded') expect(read.released).toBe(released);
        if (state === 'rejected') expect(sweepStatus(before)?.released).toBe(released);
        if (state !== 'pending') return;
        before = remoteStatus;
      }
    }),
  );
});
