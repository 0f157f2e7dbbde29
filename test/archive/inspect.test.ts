import { describe, expect, test } from 'vitest';
import { inspectXml } from '../../src/archive/inspect.js';
import * as make from './signed-xml.js';

const bytes = (text: string): Uint8Array => Buffer.from(text);
const certificate = {
  subject: 'CN=EMPRESA DE TESTE:11222333000181',
  validFrom: '2025-01-01T00:00:00.000Z',
  validTo: '2026-01-01T00:00:00.000Z',
};

describe('the content of a document', () => {
  test('an NF-e has its key, its parties and the verdict on its signature', () => {
    expect(inspectXml(bytes(make.signedNfe()))).toEqual({
      kind: 'nfe',
      accessKey: make.NFE_KEY,
      issuedOn: '2026-10-05T10:00:00-03:00',
      issuerTaxNumber: '30057049000141',
      recipientTaxNumbers: ['33000167000101', '11222333000181', '52998224725'],
      signature: 'valid',
      certificate,
      problems: [],
    });
  });

  test('a CT-e names its taker', () => {
    const { kind, accessKey, recipientTaxNumbers, signature, problems } = inspectXml(bytes(make.signedCte()));
    expect({ kind, accessKey, recipientTaxNumbers, signature, problems }).toEqual({
      kind: 'cte',
      accessKey: make.CTE_KEY,
      recipientTaxNumbers: ['33000167000101', '11222333000181'],
      signature: 'valid',
      problems: [],
    });
  });

  test('an NFS-e is judged by the signature of the note, not of the declaration inside', () => {
    const { kind, accessKey, signature, signatureReason } = inspectXml(bytes(make.signedNfse()));
    expect({ kind, accessKey, signature, signatureReason }).toEqual({
      kind: 'nfse',
      accessKey: make.NFSE_KEY,
      signature: 'valid',
      signatureReason: undefined,
    });
  });

  test.each([
    ['nfe-event', make.signedNfeEvent(), make.NFE_KEY, '30057049000141'],
    ['cte-event', make.signedCteEvent(), make.CTE_KEY, '30057049000141'],
    ['nfse-event', make.signedNfseEvent(), make.NFSE_KEY, '00574753000100'],
  ])(
    'an event of type %s names the key of its document and its author',
    (...[kind, xml, accessKey, author]) => {
      const found = inspectXml(bytes(xml), { part: 'event', companyTaxNumber: '99999999000191' });
      expect([found.kind, found.accessKey, found.issuerTaxNumber, found.signature, found.problems]).toEqual([
        kind,
        accessKey,
        author,
        'valid',
        [],
      ]);
    },
  );
});
