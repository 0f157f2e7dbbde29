import { expect, test } from 'vitest';
import { listedRow } from '../../../src/commands/inbound/close-received.js';
import { seenDocument, seenRow } from '../../../src/commands/inbound/seen-rows.js';

test('an NFS-e is recorded equally with the names of the service document and the published ones', () => {
  const key = '35503081234567800019500000000000000126100000000001';
  const named = {
    ...{ accessKey: key, nsu: '12', createdOn: '2026-10-01T00:00:00Z', modifiedOn: '2026-10-02T00:00:00Z' },
    issuer: { federalTaxNumber: '11222333000181', name: 'Prestadora' },
    taker: { federalTaxNumber: '11444777000161' },
    totalAmount: '150.5',
  };
  const published = {
    ...{ accessKey: key, nsu: 12, createdAt: '2026-10-01T00:00:00Z', updatedAt: '2026-10-02T00:00:00Z' },
    provider: { federalTaxNumber: '11222333000181', name: 'Prestadora' },
    borrower: { federalTaxNumber: '11444777000161' },
    servicesAmount: 150.5,
  };
  const seen = {
    ...{ id: key, accessKey: key, nsu: '12', issuer: '11222333000181', issuerName: 'Prestadora' },
    ...{ recipient: '11444777000161', amountText: '150.5' },
    ...{ createdOn: '2026-10-01T00:00:00Z', modifiedOn: '2026-10-02T00:00:00Z' },
  };
  expect(seenDocument(named)).toEqual({ ...seen, data: named });
  expect(seenDocument(published)).toEqual({ ...seen, data: published });
});

test('a status is compared as it is kept, in whatever form it is listed', () => {
  const key = '35503081234567800019500000000000000126100000000001';
  for (const status of ['Received', 100, '', null, undefined, 'x'.repeat(600), {}])
    expect([status, listedRow({ accessKey: key, status } as never).status]).toEqual([
      ...[status, seenDocument({ accessKey: key, status })?.status ?? ''],
    ]);
});

test('a key that others write with the name of its document, blanks or a lower-case CNPJ is the key of the document', () => {
  const nfe = '35261011222333000181550010000000011000000018';
  const cte = '35261011222333000181570010000000011000000011';
  const cfe = '35261011222333000181590010000000011000000013';
  const written = [`NFe${nfe}`, nfe.replaceAll(/(.{4})/g, '$1 ').trim(), `CTe${cte}`, `CFe${cfe}`];
  const bare = [nfe, nfe, cte, cfe];
  for (const name of ['accessKey', 'id']) expect(written.map((key) => seenDocument({ [name]: key })?.id)).toEqual(bare);
  expect(seenDocument({ accessKey: `NFe${nfe}` })?.accessKey).toBe(nfe);
  expect(seenRow({ type: 'event', accessKey: `NFe${nfe}`, eventKey: 'e', eventCode: '210200' })?.events).toMatchObject([
    { documentId: nfe, eventKey: 'e' },
  ]);
  // Of another document than the name says: one of the two is wrong.
  expect(seenDocument({ accessKey: `CTe${nfe}` })?.id).toBe(`CTe${nfe}`);
});
