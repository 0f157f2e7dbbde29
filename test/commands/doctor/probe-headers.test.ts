import { describe, expect, test } from 'vitest';
import type { Look } from '../../../src/client/client.js';
import { clockOffset, offsetStatus, offsetText, rateHeaders } from '../../../src/commands/doctor/probe.js';

const noon = Date.parse('2026-11-22T12:00:00.000Z');

function look(headers: Readonly<Record<string, string>>, { sentAt = noon, tookMs = 0 } = {}): Look {
  return { status: 200, headers, bytes: new Uint8Array(), sentAt, receivedAt: sentAt + tookMs };
}

function dated(ms: number, more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return { date: new Date(ms).toUTCString(), ...more };
}

describe('the estimate of the clock', () => {
  test('has the bounds of the round trip and of the whole seconds', () => {
    const offset = clockOffset([look(dated(noon), { tookMs: 200 })]);
    expect(offset).toEqual({ low: -200, high: 1_000, isSplit: false, answers: 1 });
  });

  test('is narrowed by every further answer', () => {
    const early = look(dated(noon), { sentAt: noon + 900, tookMs: 50 });
    const late = look(dated(noon + 1_000), { sentAt: noon + 1_100, tookMs: 50 });
    expect(clockOffset([early, late])).toEqual({ low: -150, high: 100, isSplit: false, answers: 2 });
  });

  test('takes in all where answers contradict each other', () => {
    const [one, other] = [look(dated(noon)), look(dated(noon + 60_000))];
    expect(clockOffset([one, other])).toEqual({ low: 0, high: 61_000, isSplit: true, answers: 2 });
  });

  test.each([[{}], [{ date: 'soon' }], [dated(noon - 90_000, { age: '90' })]])('needs a date of now: %j', (headers) => {
    expect(clockOffset([look(headers)])).toBeUndefined();
  });

  test.each([
    [{ low: -500, high: 400 }, 'ok', 'no difference between the service and this machine can be seen'],
    [{ low: 121_000, high: 122_000 }, 'problem', 'the service is about 121.5 s ahead of this machine'],
    [{ low: -122_000, high: -121_000 }, 'problem', 'the service is about 121.5 s behind this machine'],
    [{ low: 119_000, high: 121_000 }, 'warn', 'the service is about 120.0 s ahead of this machine'],
    [{ low: -900, high: 201_000, isSplit: true }, 'warn', 'the answers of the service disagree about its time'],
  ])('%j is %s', (bounds, status, text) => {
    const offset = { isSplit: false, ...bounds, answers: 3 };
    expect(offsetStatus(offset)).toBe(status);
    expect(offsetText(offset).en).toContain(text);
    expect(offsetText(offset).pt).toContain('3 cabeçalhos Date');
  });
});

test('the last value of each rate header counts, in one safe line', () => {
  const headers = [
    { 'x-ratelimit-remaining': '9', 'x-request-id': 'a' },
    { 'x-ratelimit-remaining': '8', 'ratelimit-policy': '"q";q=100', 'x-rate-limit-reset': '\u001B[31m' },
    { 'retry-after': '3'.repeat(200) },
  ];
  expect(rateHeaders(headers.map((each) => look(each)))).toEqual([
    'x-ratelimit-remaining: 8',
    'ratelimit-policy: "q";q=100',
    'x-rate-limit-reset: \\u001b[31m',
    `retry-after: ${'3'.repeat(80)}`,
  ]);
});
