import { expect, test } from 'vitest';
import { seenInvoice } from '../../../src/services/issued/rows.js';

/** Of May 2025. */
const key = '35250530057049000141550010000280181030656857';
const row = (receiptOn: string | undefined, fields: object = {}) => ({
  ...{ id: 'i1', status: 'Issued', createdOn: '2025-06-02T12:00:00Z' },
  ...{ authorization: { accessKey: key, ...(receiptOn && { receiptOn }) }, ...fields },
});
const dated = (raw: unknown) => seenInvoice('nfe', raw)?.issuedOn;

test('an invoice is dated by its authorization where the list gives no date of issue', () => {
  expect(dated(row('2025-05-12T10:00:00Z'))).toBe('2025-05-12T10:00:00Z');
  expect(dated(row('2025-05-12T10:00:00Z', { issuedOn: '2025-05-11' }))).toBe('2025-05-11');
});

test('one that was authorised in the month after its key, in contingency, belongs to the month of the key', () => {
  expect(dated(row('2025-06-02T10:00:00Z'))).toBe('2025-06-01T02:59:59Z');
  expect(dated(row(undefined))).toBe('2025-06-01T02:59:59Z');
  expect(dated(row(undefined, { createdOn: undefined }))).toBe('2025-06-01T02:59:59Z');
});

test('one whose date is before the month of its key is dated at its beginning', () => {
  expect(dated(row('2025-04-30T10:00:00Z'))).toBe('2025-05-01T03:00:00Z');
});

test('the last evening of a month in Brasília belongs to it', () => {
  expect(dated(row('2025-06-01T02:30:00Z'))).toBe('2025-06-01T02:30:00Z');
});

test('a key with a wrong digit decides nothing', () => {
  const raw = row('2025-06-02T10:00:00Z', {
    authorization: { accessKey: key.replace(/7$/, '8'), receiptOn: '2025-06-02' },
  });
  expect(dated(raw)).toBe('2025-06-02');
});
