import { expect, test } from 'vitest';
import { billedOutcome } from '../../src/domain/billing.js';
import { type CallEnd, isOutcomeUnknown, isRefused } from '../../src/domain/call-end.js';

const sent = 'yes';
const unknown = { isUnknown: true, isRefusal: false, billed: 'unknown' } as const;
const refused = { isUnknown: false, isRefusal: true, billed: 'none' } as const;
const undone = { isUnknown: false, isRefusal: false, billed: 'none' } as const;

const rows: readonly (readonly [string, CallEnd, object])[] = [
  ['never sent', { sent: 'no' }, undone],
  ['cut, or no answer in time', { sent: 'unknown' }, unknown],
  ['an answer that is too large to read', { sent }, unknown],
  ['a success that cannot be read', { sent, status: 200 }, { ...unknown, billed: 'billed' }],
  ['a redirect', { sent, status: 302 }, unknown],
  ...[400, 401, 403, 404, 409, 422].map((status) => [`${status}`, { sent, status }, refused] as const),
  ['429, which comes before any work', { sent, status: 429 }, undone],
  ['429 after an attempt without an answer', { sent: 'unknown', status: 429 }, { ...unknown, billed: 'none' }],
  ['a refusal after an attempt without an answer', { sent: 'unknown', status: 400 }, unknown],
  ...[408, 500, 502, 503, 504].map((status) => [`${status}`, { sent, status }, unknown] as const),
];

test.each(rows)('%s: whether its effect may exist, whether it is a refusal, and what it costs', (_name, end, is) => {
  expect({ isUnknown: isOutcomeUnknown(end), isRefusal: isRefused(end), billed: billedOutcome(end) }).toEqual(is);
});
