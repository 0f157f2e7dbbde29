import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TargetWatch } from '../../../src/commands/webhook/target-watch.js';

const url = 'https://example.com/hook?0a1b2c3d';
const minute = 60_000;

/** A watch with a clock of its own; `refuses` and `takes` are one try each. */
function watched() {
  const lines: string[] = [];
  let now = 0;
  const watch = new TargetWatch({
    now: () => now,
    waiting: () => Promise.resolve(7),
    say: ({ en }) => void lines.push(en.replace(/; .*/, '')),
  });
  return {
    lines,
    pass: (ms: number) => void (now += ms),
    refuses: (target = url) => watch.heard([{ target, since: now, refusal: { is: 'target-status', status: 500 } }]),
    takes: (since = now, target = url) => watch.heard([{ target, since }]),
  };
}

const refusing = 'https://example.com/hook?… does not accept events (HTTP 500)';
const again = 'https://example.com/hook?… accepts events again';

describe('a target', () => {
  test('that refuses is reported once, and once more when it accepts events again', async () => {
    const { lines, refuses, takes, pass } = watched();
    await takes();
    for (let count = 0; count < 50; count += 1) {
      await refuses();
      pass(1_000);
    }
    for (let count = 0; count < 50; count += 1) await takes();
    expect(lines).toEqual([refusing, again]);
  });

  test('has not recovered by an attempt that started before the last failure', async () => {
    const { lines, refuses, takes, pass } = watched();
    pass(10);
    await refuses();
    await takes(9);
    expect(lines).toEqual([refusing]);
  });

  test('is reported independently of the others', async () => {
    const { lines, refuses, takes } = watched();
    await refuses('exec node 00000000');
    await refuses();
    await takes();
    expect(lines).toEqual(['exec node 00000000 does not accept events (HTTP 500)', refusing, again]);
  });

  test('that accepts some events and refuses others is reported less and less often, down to once an hour', async () => {
    const { lines, refuses, takes, pass } = watched();
    for (let count = 0; count < 24 * 60; count += 1) {
      await refuses();
      await takes();
      pass(minute);
    }
    // After 0, 1, 3, 7, 15 and 31 minutes, then every hour from minute 63 on.
    const times = 6 + 23;
    expect(lines).toEqual(Array.from({ length: times }, () => [refusing, again]).flat());
  });

  test('that worked for more than an hour is reported immediately', async () => {
    const { lines, refuses, takes, pass } = watched();
    for (const ms of [0, minute, 61 * minute, minute]) {
      pass(ms);
      await refuses();
      await takes();
    }
    expect(lines).toHaveLength(8);
  });

  test('is never reported twice in a row with the same state', async () => {
    const step = fc.record({ ok: fc.boolean(), ms: fc.integer({ min: 0, max: 90 * minute }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { lines, refuses, takes, pass } = watched();
        for (const { ok, ms } of steps) {
          pass(ms);
          await (ok ? takes() : refuses());
        }
        expect(lines).toEqual(lines.map((_, index) => (index % 2 === 0 ? refusing : again)));
      }),
    );
  });
});

test('the line reports the number of waiting events, in both languages', async () => {
  const told: unknown[] = [];
  const watch = new TargetWatch({
    ...{ now: () => 0, waiting: () => Promise.resolve(12) },
    say: (text) => void told.push(text),
  });
  await watch.heard([{ target: 'exec node 00000000', since: 0, refusal: { is: 'target-exit', exitCode: 1 } }]);
  await watch.heard([{ target: 'exec node 00000000', since: 0 }]);
  expect(told).toEqual([
    {
      en: 'exec node 00000000 does not accept events (exit code 1); they stay in the store and are sent later; waiting: 12',
      pt: 'exec node 00000000 não aceita eventos (código de saída 1); eles ficam guardados e são enviados depois; em espera: 12',
    },
    {
      en: 'exec node 00000000 accepts events again; waiting: 12',
      pt: 'exec node 00000000 voltou a aceitar eventos; em espera: 12',
    },
  ]);
});
