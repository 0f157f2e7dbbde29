import { expect, test } from 'vitest';
import { seenInvoice, seenIssuedEvent } from '../../../src/services/issued/rows.js';
import { dateOf } from '../../../src/store/document-dates.js';

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

/** The date of issue that the row keeps, and the month that the document has by it and its key. */
const monthOf = (raw: unknown) => {
  const seen = seenInvoice('nfe', raw);
  return [seen?.issuedOn, seen && dateOf(seen).month];
};

test('one that was authorised in the month after its key, in contingency, belongs to the month of the key', () => {
  expect(monthOf(row('2025-06-02T10:00:00Z'))).toEqual([undefined, '2025-05']);
  expect(monthOf(row(undefined))).toEqual([undefined, '2025-05']);
  expect(monthOf(row(undefined, { createdOn: undefined }))).toEqual([undefined, '2025-05']);
});

test('one whose date is before the month of its key belongs to the month of the key', () => {
  expect(monthOf(row('2025-04-30T10:00:00Z'))).toEqual([undefined, '2025-05']);
});

test('the last evening of a month in Brasília belongs to it', () => {
  expect(monthOf(row('2025-06-01T02:30:00Z'))).toEqual(['2025-06-01T02:30:00Z', '2025-05']);
});

test('a key with a wrong digit decides nothing', () => {
  const raw = row('2025-06-02T10:00:00Z', {
    authorization: { accessKey: key.replace(/7$/, '8'), receiptOn: '2025-06-02' },
  });
  expect(dated(raw)).toBe('2025-06-02');
});

test.each([
  [{ type: 'Cancellation', sequence: 1 }, 'Cancellation-1', { code: 110111, sequence: 1 }],
  [{ type: 'CorrectionLetter', sequence: 3 }, 'CorrectionLetter-3', { code: 110110, sequence: 3 }],
  [{ type: '110112' }, '110112-2', { code: 110112, sequence: 2 }],
])('the event %j of an invoice has its code', (raw, eventKey, facts) => {
  expect(seenIssuedEvent('i1', raw, 2)).toEqual({ eventKey, documentId: 'i1', type: raw.type, facts });
});

test('an event whose type is no known word has no code, and one that was refused is none', () => {
  expect(seenIssuedEvent('i1', { type: 'Other' }, 2)).toEqual({
    ...{ eventKey: 'Other-2', documentId: 'i1', type: 'Other' },
  });
  expect(seenIssuedEvent('i1', { type: 'Cancellation', status: 'Rejected' }, 2)).toBeUndefined();
});
