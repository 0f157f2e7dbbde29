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
      facts: {
        issuedOn: '2026-10-05T10:00:00-03:00',
        issuer: '30057049000141',
        issuerName: 'A & B <Ltda> "São"',
        recipient: '33000167000101',
      },
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

  const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
  test.each<[string, Parameters<typeof make.signedNfse>[0]]>([
    ['exclusive', { form: EXCLUSIVE }],
    ['exclusive with comments', { form: `${EXCLUSIVE}WithComments` }],
    ['exclusive with SHA-1', { form: EXCLUSIVE, hash: 'sha1' }],
    ['exclusive with prefixes', { form: EXCLUSIVE, prefixes: ['xsi', 'nowhere'] }],
    ['exclusive with the form first', { form: EXCLUSIVE, isFormFirst: true }],
    ['inclusive with comments', { form: `${make.C14N}#WithComments` }],
    ['inclusive with the form first', { isFormFirst: true }],
  ])('the signature of an NFS-e in the form "%s" is verified', (_form, how) => {
    const note = make.signedNfse(how);
    expect(note).toContain(how?.form ?? make.C14N);
    const judged = [
      note,
      note.replace('10:00:00', '10:00:01'),
      note.replace('versao="1.01"><infDPS', 'versao="1.02"><infDPS'),
      note.replace('<SignatureValue>', '<SignatureValue>AAAA'),
    ].map((xml) => inspectXml(bytes(xml)).signature);
    expect(judged).toEqual(['valid', 'invalid', 'invalid', 'invalid']);
  });

  test('the signature of an NFS-e may stand before what it signs', () => {
    const note = make.signedNfse({ form: EXCLUSIVE });
    const signature = note.slice(note.lastIndexOf('<Signature '), -'</NFSe>'.length);
    const before = note.replace(signature, '').replace('<infNFSe', `${signature}<infNFSe`);
    expect(inspectXml(bytes(before)).signature).toBe('valid');
    const ofDeclaration = note.replace(signature, '');
    expect([inspectXml(bytes(ofDeclaration)).signature, ofDeclaration.split('<Signature ').length]).toEqual([
      'absent',
      2,
    ]);
  });

  test.each([
    ['a signer that leaves comments out, as the recommendation says', ''],
    ['a signer that keeps them', '<!-- c -->'],
  ])('comments in an element that is signed with its comments are read as by %s', (_who, comment) => {
    const form = `${EXCLUSIVE}WithComments`;
    const signed = make.signedNfse({ form, comment });
    const note = comment === '' ? signed.replace('<dhProc>', '<!-- c --><dhProc>') : signed;
    expect(note).toContain('<!-- c -->');
    expect(inspectXml(bytes(note)).signature).toBe('valid');
    expect(inspectXml(bytes(note.replace('10:00:00', '10:00:01'))).signature).toBe('invalid');
  });

  test.each([
    ['another canonical form', (xml: string) => xml.replaceAll(EXCLUSIVE, 'http://www.w3.org/2006/12/xml-c14n11')],
    [
      'a list of prefixes without end',
      (xml: string) =>
        xml
          .replaceAll(
            `${EXCLUSIVE}"/>`,
            `${EXCLUSIVE}"><x:InclusiveNamespaces xmlns:x="${EXCLUSIVE}" PrefixList="${'a '.repeat(40)}"/></Transform>`,
          )
          .replace('</Transform><SignatureMethod', '</CanonicalizationMethod><SignatureMethod'),
    ],
  ])('a signature with %s cannot be verified', (_what, change) => {
    const { signature, signatureReason } = inspectXml(bytes(change(make.signedNfse({ form: EXCLUSIVE }))));
    expect([signature, signatureReason?.en]).toEqual(['unverifiable', 'the signature uses an unsupported algorithm']);
  });

  test.each([
    ['nfe-event', make.signedNfeEvent(), make.NFE_KEY, '30057049000141'],
    ['cte-event', make.signedCteEvent(), make.CTE_KEY, '30057049000141'],
    ['nfse-event', make.signedNfseEvent(), make.NFSE_KEY, '00574753000100'],
  ])('an event of type %s names the key of its document and its author', (...[kind, xml, accessKey, author]) => {
    const found = inspectXml(bytes(xml), { part: 'event', companyTaxNumber: '99999999000191' });
    expect([found.kind, found.accessKey, found.issuerTaxNumber, found.signature, found.problems]).toEqual([
      kind,
      accessKey,
      author,
      'valid',
      [],
    ]);
  });
});
