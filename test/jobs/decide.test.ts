import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decideAbsence,
  decideFault,
  recovery,
  recoverBlind,
  type Fault,
  type RepeatRules,
} from '../../src/jobs/decide.js';

const free = { canLookUp: false, billed: false, retryBillable: false, resendAbsent: false } as const;
const unsafe: RepeatRules = { replay: 'unsafe', ...free };
const safe: RepeatRules = { replay: 'safe', ...free };

const replays = fc.constantFrom<RepeatRules['replay']>('safe', 'keyed', 'natural', 'unsafe');
const anyRules: fc.Arbitrary<RepeatRules> = fc.record({
  replay: replays,
  canLookUp: fc.boolean(),
  billed: fc.boolean(),
  retryBillable: fc.boolean(),
  resendAbsent: fc.boolean(),
});
const anyFault: fc.Arbitrary<Fault> = fc.record(
  {
    sent: fc.constantFrom<Fault['sent']>('yes', 'no', 'unknown'),
    status: fc.constantFrom(200, 201, 302, 400, 401, 403, 404, 408, 409, 422, 429, 500, 502, 503, 504),
    retryAfterMs: fc.nat(10_000),
    transient: fc.boolean(),
  },
  { requiredKeys: ['sent', 'transient'] },
);

describe('an interrupted send', () => {
  it.each([
    ['safe', safe, 'send'],
    ['keyed, whose key no service promises to honour', { ...safe, replay: 'keyed' }, 'ask'],
    ['natural without a look-up', { ...safe, replay: 'natural' }, 'send'],
    ['natural with a look-up', { ...safe, replay: 'natural', canLookUp: true }, 'look-up'],
    ['unsafe without a look-up', unsafe, 'ask'],
    ['unsafe with a look-up', { ...unsafe, canLookUp: true }, 'look-up'],
    ['safe but billed', { ...safe, billed: true }, 'ask'],
    ['safe, billed, with consent', { ...safe, billed: true, retryBillable: true }, 'send'],
    ['unsafe, billed, with consent', { ...unsafe, billed: true, retryBillable: true }, 'send'],
    ['unsafe, not billed, with that consent', { ...unsafe, retryBillable: true }, 'ask'],
  ] as const)('%s → %s', (_name, rules, expected) => {
    expect(recovery(rules)).toBe(expected);
  });
});

it('an unclear look-up of an unsafe send is asked about, whatever may be paid twice', () => {
  const rules = { ...unsafe, canLookUp: true, billed: true, retryBillable: true };
  expect(recoverBlind(rules)).toBe('ask');
});

describe('a failed send', () => {
  it.each([
    ['refused connection', { sent: 'no', transient: true }, { kind: 'send-later' }],
    [
      '429',
      { sent: 'yes', status: 429, retryAfterMs: 2000, transient: true },
      { kind: 'send-later', retryAfterMs: 2000 },
    ],
    ['503 that names a time', { sent: 'yes', status: 503, retryAfterMs: 1, transient: true }, { kind: 'ask' }],
    ['bare 503', { sent: 'yes', status: 503, transient: true }, { kind: 'ask' }],
    ['500', { sent: 'yes', status: 500, transient: false }, { kind: 'ask' }],
    ['408', { sent: 'yes', status: 408, transient: false }, { kind: 'ask' }],
    ['timeout', { sent: 'unknown', transient: true }, { kind: 'ask' }],
    ['201 that cannot be read', { sent: 'yes', status: 201, transient: false }, { kind: 'ask' }],
    ['400', { sent: 'yes', status: 400, transient: false }, { kind: 'refused' }],
    ['401', { sent: 'yes', status: 401, transient: false }, { kind: 'credentials' }],
    ['403', { sent: 'yes', status: 403, transient: false }, { kind: 'refused' }],
    ['409', { sent: 'yes', status: 409, transient: false }, { kind: 'conflict' }],
  ] as const)('of an unsafe operation, by %s', (_name, fault, expected) => {
    expect(decideFault(fault, unsafe, 1)).toEqual(expected);
  });

  it.each([408, 500])('of a safe operation by %i is tried eight times, then becomes uncertain', (status) => {
    const fault: Fault = { sent: 'yes', status, transient: false };
    const decisions = [1, 7, 8].map((sends) => decideFault(fault, safe, sends).kind);
    expect(decisions).toEqual(['recover-later', 'recover-later', 'ask']);
  });

  it('never repeats an unsafe send that may have arrived', () => {
    fc.assert(
      fc.property(anyFault, anyRules, fc.integer({ min: 1, max: 9 }), (fault, rules, sends) => {
        const decision = decideFault(fault, rules, sends);
        const mayHaveArrived = fault.sent !== 'no' && (fault.status === undefined || fault.status >= 500);
        if (!mayHaveArrived || (rules.replay !== 'unsafe' && rules.replay !== 'keyed')) return;
        if (rules.billed && rules.retryBillable) return;
        if (rules.canLookUp) expect(recovery(rules)).toBe('look-up');
        else expect(decision.kind).toBe('ask');
      }),
    );
  });

  it('is never billed twice without consent', () => {
    const retryAfterMs = fc.option(fc.nat(10_000), { nil: undefined });
    fc.assert(
      fc.property(replays, fc.boolean(), retryAfterMs, (replay, transient, pause) => {
        const rules: RepeatRules = { ...free, replay, billed: true };
        const fault: Fault = { sent: 'unknown', transient, ...(pause === undefined ? {} : { retryAfterMs: pause }) };
        expect(decideFault(fault, rules, 1)).toEqual({ kind: 'ask' });
      }),
    );
  });
});

describe('a success with an unusable answer', () => {
  const misread: Fault = { sent: 'yes', status: 200, transient: false, misread: true };
  const misplaced: Fault = { sent: 'yes', status: 202, transient: false, misplaced: true };

  it('of another shape is final for operations that may be repeated: the answer would be the same', () => {
    expect(decideFault(misread, safe, 1)).toEqual({ kind: 'refused' });
  });

  it('of another shape is uncertain if the send is billed or unsafe', () => {
    expect(decideFault(misread, { ...safe, billed: true }, 1)).toEqual({ kind: 'ask' });
    expect(decideFault(misread, unsafe, 1)).toEqual({ kind: 'ask' });
  });

  it('of another shape is not repeated for ever, even if a repeat is harmless', () => {
    const natural: RepeatRules = { ...unsafe, replay: 'natural' };
    const decisions = [1, 7, 8].map((sends) => decideFault(misread, natural, sends).kind);
    expect(decisions).toEqual(['recover-later', 'recover-later', 'ask']);
  });

  it('about another company is never sent again, whatever the rules allow', () => {
    fc.assert(
      fc.property(anyRules, fc.integer({ min: 1, max: 9 }), (rules, sends) => {
        expect(decideFault(misplaced, rules, sends)).toEqual({ kind: 'ask' });
      }),
    );
  });
});

describe('a look-up that finds nothing', () => {
  it.each([
    [0, { kind: 'look-again', afterMs: 500 }],
    [4_000, { kind: 'look-again', afterMs: 4_000 }],
    [59_000, { kind: 'look-again', afterMs: 1_000 }],
    [60_000, { kind: 'ask', because: 'absent' }],
  ] as const)('%i ms after the send, with a settle time of one minute', (ageMs, expected) => {
    expect(decideAbsence({ ageMs, settleMs: 60_000, wasTaken: false }, unsafe)).toEqual(expected);
  });

  it('proves immediately that nothing was done if the settle time is zero', () => {
    const rules = { ...unsafe, resendAbsent: true };
    expect(decideAbsence({ ageMs: 0, settleMs: 0, wasTaken: false }, rules)).toEqual({ kind: 'send' });
  });

  it('never allows a repeat before the settle time is over, whatever the clock shows', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000, max: 100_000 }), fc.nat(90_000), (ageMs, settleMs) => {
        const rules = { ...unsafe, resendAbsent: true };
        const decision = decideAbsence({ ageMs, settleMs, wasTaken: false }, rules);
        expect(decision.kind === 'send').toBe(Math.max(0, ageMs) >= settleMs);
      }),
    );
  });
});

describe('a look-up that finds nothing after the settle time', () => {
  const old = { ageMs: 60_000, settleMs: 60_000 };
  const billed: RepeatRules = { ...unsafe, canLookUp: true, billed: true };

  it.each([
    ['a billed send', [false, billed], { kind: 'ask', because: 'billed' }],
    [
      'a billed send that may be billed again',
      [false, { ...billed, retryBillable: true }],
      { kind: 'ask', because: 'absent' },
    ],
    [
      'the same, which may also be sent again',
      [false, { ...billed, retryBillable: true, resendAbsent: true }],
      { kind: 'send' },
    ],
    ['a send that costs nothing', [false, unsafe], { kind: 'ask', because: 'absent' }],
    ['a send that was answered with a success', [true, unsafe], { kind: 'ask', because: 'taken' }],
    [
      'the same, where a repeat is refused',
      [true, { ...unsafe, replay: 'natural' }],
      { kind: 'ask', because: 'taken' },
    ],
    ['the same, where a repeat is always harmless', [true, { ...unsafe, replay: 'safe' }], { kind: 'send' }],
  ] as const)('for %s', (_name, [wasTaken, rules], expected) => {
    expect(decideAbsence({ ...old, wasTaken }, rules)).toEqual(expected);
  });
});

describe('a refusal that names a duplicate', () => {
  it('is a conflict, whatever its status', () => {
    const fault: Fault = { sent: 'yes', status: 400, transient: false, isDuplicate: true };
    expect(decideFault(fault, { ...unsafe, canLookUp: true }, 1)).toEqual({ kind: 'conflict' });
  });
});
