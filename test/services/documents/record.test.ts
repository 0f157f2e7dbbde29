import { describe, expect, test } from 'vitest';
import { recordOf, type RecordRow } from '../../../src/services/documents/record.js';

/** Of October 2026: model 55, series 001, number 000000001. */
const key = '13261011222333000181550010000000011123456783';
const noteKey = '26116062270813542000169000000000000126106932733447';

/** As a sync stores the row of an NF-e of Amazonas that was issued at 23:30 there. */
const row: RecordRow = {
  ...{ id: key, accessKey: key, family: 'nfe', eventCodes: [], unreadEvents: 0 },
  ...{ issuedOn: '2026-11-01T03:30:00Z', status: 'Received', issuer: '11222333000181', issuerName: 'E' },
  ...{ recipient: '44555666000158', amountText: '10.00', data: { buyer: { name: 'Empresa Um' } } },
};

const ofKey = { key, family: 'nfe', model: '55', series: '1', number: '1' };
const parties = {
  ...{ issuer: '11222333000181', issuerName: 'E', recipient: '44555666000158' },
  recipientName: 'Empresa Um',
};
const standing = { state: 'standing', source: 'none' };

describe('the record of a document', () => {
  test('whose XML was never read is that of its row and key', () => {
    expect(recordOf(row)).toEqual({
      ...ofKey,
      ...parties,
      ...{ amountText: '10.00', day: '2026-10-31', month: '2026-10', dateSource: 'row' },
      ...{ otherMonths: [], state: standing },
    });
  });

  test('is that of its XML where the XML says something', () => {
    const facts = {
      ...{ issuedOn: '2026-10-31T23:30:00-04:00', series: '001', number: '42', amountText: '12.50' },
      ...{ issuer: '11222333000181', issuerName: 'Emitente Ltda', recipient: '44555666000158' },
      ...{ recipientName: 'Empresa Um Ltda', protocolCode: '100' },
    };
    expect(recordOf({ ...row, facts, xmlKind: 'full' })).toEqual({
      ...ofKey,
      ...parties,
      ...{ number: '42', issuerName: 'Emitente Ltda', recipientName: 'Empresa Um Ltda' },
      ...{
        amountText: '12.50',
        isAmountOfXml: true,
        kind: 'full',
        day: '2026-10-31',
        month: '2026-10',
        dateSource: 'xml',
      },
      ...{ otherMonths: [], state: standing },
    });
  });

  test.each([
    ['0001-01-01T00:00:00', { month: '2026-10', dateSource: 'key' }],
    ['', { month: '2026-10', dateSource: 'key' }],
    ['2026-10-31T23:30:00', { day: '2026-10-31', month: '2026-10', dateSource: 'row' }],
  ])('whose row is dated %j', (issuedOn, dated) => {
    expect(recordOf({ ...row, issuedOn })).toEqual({
      ...ofKey,
      ...parties,
      ...{ amountText: '10.00', otherMonths: [], state: standing },
      ...dated,
    });
  });

  test('that row and XML date differently says the month of both', () => {
    const facts = { issuedOn: '2026-09-30T23:00:00-03:00' };
    const { day, month, dateSource, otherMonths } = recordOf({ ...row, facts, issuedOn: '2026-11-05T12:00:00Z' });
    expect({ day, month, dateSource, otherMonths }).toEqual({
      ...{ day: '2026-09-30', month: '2026-09', dateSource: 'xml', otherMonths: ['2026-10', '2026-11'] },
    });
  });

  test('of an NFS-e has its number out of the key and the month of its competence', () => {
    const facts = { issuedOn: '2026-10-02T10:00:00-03:00', competence: '2026-09-30' };
    const { accessKey: _key, ...rest } = row;
    expect(recordOf({ ...rest, id: noteKey, accessKey: noteKey, family: 'nfse', facts })).toEqual({
      ...{ key: noteKey, family: 'nfse', number: '1', ...parties, amountText: '10.00' },
      ...{ day: '2026-10-02', month: '2026-10', dateSource: 'xml', competence: '2026-09' },
      ...{ otherMonths: [], state: standing },
    });
  });

  test('without a key has its id, and no month where nothing dates it', () => {
    const bare = { id: 'n-1', family: 'nfse', eventCodes: [], unreadEvents: 0, data: {} } as const;
    expect(recordOf(bare)).toEqual({ key: 'n-1', family: 'nfse', otherMonths: [], state: standing });
  });
});

describe('the state in a record', () => {
  test.each([
    ['an event', { eventCodes: [110110, 110111] }, { state: 'cancelled', source: 'event', detail: '110111' }],
    ['its summary', { facts: { situation: '2' } }, { state: 'denied', source: 'summary', detail: '2' }],
    ['its protocol', { facts: { protocolCode: '302' } }, { state: 'denied', source: 'protocol', detail: '302' }],
    ['its row', { status: 'Cancelled' }, { state: 'cancelled', source: 'status', detail: 'Cancelled' }],
    [
      'the key of its substitute',
      { data: { substituteAccessKey: noteKey } },
      { state: 'substituted', source: 'substitute', detail: noteKey },
    ],
    ['an event that could not be told', { unreadEvents: 2 }, { state: 'unknown', source: 'event' }],
    ['no substitute', { data: { substituteAccessKey: '' } }, standing],
    ['itself as its substitute', { data: { substituteAccessKey: key } }, standing],
  ])('is by %s', (_what, change, state) => {
    expect(recordOf({ ...row, ...change }).state).toEqual(state);
  });
});
