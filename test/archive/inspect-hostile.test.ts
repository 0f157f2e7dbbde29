import { describe, expect, test } from 'vitest';
import { inspectXml, type ExpectedXml } from '../../src/archive/inspect.js';
import { anotherSigner } from './certificate.js';
import * as make from './signed-xml.js';

const bytes = (text: string): Uint8Array => Buffer.from(text);

function judged(xml: string | Uint8Array, expected: ExpectedXml = {}) {
  const found = inspectXml(typeof xml === 'string' ? bytes(xml) : xml, expected);
  return {
    signature: found.signature,
    reason: found.signatureReason?.en,
    problems: found.problems.map(({ code }) => code),
  };
}

const changed = 'the content changed after it was signed: the digest differs';
const other = 'the signature refers to another element';
const misfit = 'the signature value does not match its certificate';

describe('a signature', () => {
  test('is invalid after a change of one signed byte', () => {
    const xml = make.signedNfe().replace('10:00:00-03:00', '10:00:01-03:00');
    expect(judged(xml)).toEqual({ signature: 'invalid', reason: changed, problems: [] });
  });

  test('is invalid with a new digest that was not signed', () => {
    const wanted = make.signedNfe({ dest: '11444777000161' });
    const xml = wanted.replace(/<SignatureValue>[^<]+/, /<SignatureValue>[^<]+/.exec(make.signedNfe())?.[0] ?? '');
    expect(judged(xml)).toEqual({ signature: 'invalid', reason: misfit, problems: [] });
  });

  test("is valid only with the certificate of the signer's key", () => {
    const other = anotherSigner(make.signer, 'OUTRA').certificate;
    const xml = make.signedNfe().replace(make.signer.certificate, other);
    expect(judged(xml)).toEqual({ signature: 'invalid', reason: misfit, problems: [] });
  });

  test('without a certificate cannot be verified', () => {
    const xml = make.signedNfe().replace(/<KeyInfo>.*<\/KeyInfo>/, '');
    expect(judged(xml)).toEqual({
      signature: 'unverifiable',
      reason: 'the signature has no readable certificate',
      problems: [],
    });
  });

  test('with an unknown algorithm cannot be verified', () => {
    const xml = make.signedNfe().replace('xmldsig#rsa-sha1', 'xmldsig#hmac-sha1');
    expect(judged(xml)).toEqual({
      signature: 'unverifiable',
      reason: 'the signature uses an unsupported algorithm',
      problems: [],
    });
  });

  test('is invalid if the document has two', () => {
    const xml = make.signedNfe();
    const signature = /<Signature .*<\/Signature>/s.exec(xml)?.[0] ?? '';
    expect(judged(xml.replace('</NFe>', `${signature}</NFe>`))).toEqual({
      signature: 'invalid',
      reason: 'there is not exactly one signature of the usual size',
      problems: [],
    });
  });

  test('outside its place is ignored', () => {
    const xml = make.signedNfe();
    const signature = /<Signature .*<\/Signature>/s.exec(xml)?.[0] ?? '';
    const moved = xml.replace(signature, '').replace('</nfeProc>', `${signature}</nfeProc>`);
    expect(judged(moved, { requireSignature: true })).toEqual({
      signature: 'absent',
      reason: undefined,
      problems: ['no-signature'],
    });
  });

  test('of an element that was moved does not cover the one that is read', () => {
    const xml = make.signedNfe();
    const signed = /<infNFe .*<\/infNFe>/s.exec(xml)?.[0] ?? '';
    const forged = signed
      .replace(`Id="NFe${make.NFE_KEY}"`, 'Id="NFe35250530057049000141550010000280191030656850"')
      .replace('33000167000101', '11444777000161');
    const wrapped = xml.replace(signed, forged).replace('</nfeProc>', `<any>${signed}</any></nfeProc>`);
    expect(judged(wrapped)).toEqual({ signature: 'invalid', reason: other, problems: ['other-protocol'] });
  });

  test('of a duplicate Id covers neither element', () => {
    const xml = make.signedNfe().replace('<protNFe', `<x Id="NFe${make.NFE_KEY}"/><protNFe`);
    expect(judged(xml)).toEqual({ signature: 'invalid', reason: 'two elements have the signed Id', problems: [] });
  });

  test('cannot select another part by a transform', () => {
    const xml = make.signedNfe().replace('xmldsig#enveloped-signature', 'xmldsig#filter2');
    expect(judged(xml).signature).toBe('unverifiable');
  });

  test('that is invalid is a problem if signatures are required', () => {
    const xml = make.signedNfe().replace('10:00:00-03:00', '10:00:01-03:00');
    expect(judged(xml, { requireSignature: true }).problems).toEqual(['bad-signature']);
  });

  test('stays valid with comments in the document, which are never signed', () => {
    expect(judged(make.signedNfe().replace('<ide>', '<ide><!-- a note -->')).signature).toBe('valid');
  });
});

describe('bytes that are not a fiscal document', () => {
  const bomb = `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><nfeProc>&b;</nfeProc>`;
  const xxe = `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><nfeProc>&x;</nfeProc>`;

  test.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'empty'],
    ['an entity of a file', xxe, 'doctype'],
    ['entities of entities', bomb, 'doctype'],
    ['an entity that nobody declared', '<nfeProc>&x;</nfeProc>', 'malformed'],
    ['a body that was cut', make.signedNfe().slice(0, -20), 'malformed'],
    ['a page of HTML', '<html><body>503</body></html>', 'html'],
    ['the right names in another namespace', make.nfe().replaceAll('portalfiscal', 'example'), 'unknown-layout'],
    [
      'a note of no namespace in the file of its protocol',
      make.nfe().replaceAll(/ xmlns="[^"]*"/g, ''),
      'unknown-layout',
    ],
    ['two notes in one file', make.nfe().replace('</NFe>', '</NFe><NFe><infNFe/></NFe>'), 'several-documents'],
    [
      'namespaces without end, which every element would copy',
      `<NFe${Array.from({ length: 5_000 }, (_, at) => ` xmlns:a${at}="b"`).join('')}>${'<a xmlns:b="c"/>'.repeat(50_000)}</NFe>`,
      'too-many-parts',
    ],
    ['depth without end', '<a>'.repeat(200_000), 'too-deep'],
    ['a page of HTML as XML', '<?xml version="1.0"?><html><body>503</body></html>', 'html'],
    ['a control character', make.nfe({ filler: '\u0007' }), 'malformed'],
  ])('%s is refused', (_, xml, code) => {
    expect(judged(xml)).toEqual({ signature: 'absent', reason: undefined, problems: [code] });
  });

  test('the size and the number of elements are limited', () => {
    const xml = make.nfe();
    expect(judged(xml, { limits: { bytes: 100, depth: 64, parts: 1000 } }).problems).toEqual(['too-large']);
    expect(judged(xml, { limits: { bytes: 1e6, depth: 64, parts: 10 } }).problems).toEqual(['too-many-parts']);
  });

  test('a document of 5 MB is read completely', () => {
    const xml = make.nfe({ filler: `<obs>${'çé '.repeat(1_000_000)}</obs>` });
    expect(Buffer.byteLength(xml)).toBeGreaterThan(5_000_000);
    expect(judged(xml).problems).toEqual([]);
  });
});

describe('a document other than the expected one', () => {
  test.each<[string, ExpectedXml, string[]]>([
    ['another key', { accessKey: make.CTE_KEY }, ['other-key']],
    ['another family', { family: 'cte' }, ['other-type']],
    ['an event', { part: 'event' }, ['other-event']],
    ['another company', { companyTaxNumber: '99999999000191' }, ['other-company']],
    ['its recipient', { companyTaxNumber: '33000167000101', accessKey: make.NFE_KEY, family: 'nfe' }, []],
    ['its issuer', { companyTaxNumber: '30057049000141' }, []],
  ])('is a problem if %s is expected', (_, expected, problems) => {
    expect(judged(make.signedNfe(), expected).problems).toEqual(problems);
  });

  test.each([
    ['note', make.signedNfe(), `<infProt><chNFe>${make.NFE_KEY}</chNFe>`],
    ['note that is read in pieces', `${make.signedNfe()}<!-- -->`, `<infProt><chNFe>${make.NFE_KEY}</chNFe>`],
    ['event', make.signedNfeEvent(), `<retEvento versao="1.00"><infEvento><chNFe>${make.NFE_KEY}</chNFe>`],
    ['transport document', withProtocol(make.signedCte()), `<infProt><chCTe>${make.CTE_KEY}</chCTe>`],
  ])('a %s with the protocol of another key is a problem', (_, xml, protocol) => {
    expect(xml).toContain(protocol);
    const [key = ''] = /[0-9]{44}/.exec(protocol) ?? [];
    const other = xml.replace(protocol, protocol.replace(key, `${key.slice(0, -2)}99`));
    expect([judged(xml).problems, judged(other)]).toMatchObject([
      [],
      { signature: 'valid', problems: ['other-protocol'] },
    ]);
  });

  test('an Id that is not an access key is a problem', () => {
    expect(judged(make.nfe().replace(`Id="NFe${make.NFE_KEY}"`, 'Id="NFe../../x"')).problems).toEqual(['no-key']);
  });
});

function withProtocol(cte: string): string {
  const protocol = `<protCTe versao="4.00"><infProt><chCTe>${make.CTE_KEY}</chCTe></infProt></protCTe>`;
  return cte.replace('</cteProc>', `${protocol}</cteProc>`);
}
