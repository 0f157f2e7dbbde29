import { describe, expect, test } from 'vitest';
import { inspectXml } from '../../src/archive/inspect.js';
import { kindByRoot } from '../../src/archive/root-element.js';
import * as make from './signed-xml.js';

const signed = make.signedNfe();
const declared = (encoding: string): string => `<?xml version="1.0" encoding="${encoding}"?>\n${signed}`;
const swapped = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
const zeros = Buffer.alloc(3);
const latin15 = Buffer.from(declared('ISO-8859-15'), 'latin1');

const exact: readonly [string, Buffer][] = [
  ['UTF-8 with a mark', Buffer.from(`\uFEFF${declared('utf-8')}`)],
  ['UTF-8 with a mark and another declaration', Buffer.from(`\uFEFF${declared('ISO-8859-1')}`)],
  ['UTF-8 without a declaration', Buffer.from(signed)],
  ['ISO-8859-1', Buffer.from(declared('ISO-8859-1'), 'latin1')],
  ['ISO-8859-15', latin15],
  ['Windows-1252', Buffer.from(declared('windows-1252'), 'latin1')],
  ['Windows-1252 by another name', Buffer.from(declared('CP1252'), 'latin1')],
  ['UTF-16 with a mark', Buffer.from(`\uFEFF${declared('utf-16')}`, 'utf16le')],
  ['UTF-16 without a mark', Buffer.from(declared('UTF-16'), 'utf16le')],
  ['UTF-16, high byte first', swapped(`\uFEFF${declared('UTF-16')}`)],
  ['UTF-16, high byte first, without a mark', swapped(declared('utf-16'))],
  ['UTF-16 with zeros behind', Buffer.concat([Buffer.from(`\uFEFF${declared('utf-16')}`, 'utf16le'), Buffer.alloc(4)])],
  ['blanks before the declaration', Buffer.from(`\r\n \t${declared('utf-8')}`)],
  ['zeros behind the root', Buffer.concat([Buffer.from(declared('utf-8')), zeros])],
];

const assumed: readonly [string, Buffer][] = [
  ['UTF-8 is declared and Latin-1 came', Buffer.from(declared('utf-8'), 'latin1')],
  ['nothing is declared and Latin-1 came', Buffer.from(signed, 'latin1')],
  ['UTF-16 is declared and UTF-8 came', Buffer.from(declared('utf-16'))],
  ['an unknown encoding is declared', Buffer.from(declared('ibm-850'), 'latin1')],
  [
    'UTF-8 is marked and Latin-1 came',
    Buffer.concat([Buffer.from('\uFEFF'), Buffer.from(declared('utf-8'), 'latin1')]),
  ],
];

const expected = { accessKey: make.NFE_KEY, family: 'nfe', companyTaxNumber: '33000167000101' } as const;

describe('the encoding of a document', () => {
  test.each(exact)('is read: %s', (_name, bytes) => {
    const { signature, problems } = inspectXml(bytes, expected);
    expect([signature, problems, kindByRoot(bytes)]).toEqual(['valid', [], 'full']);
  });

  test.each([
    ['windows-1252', '€ – “', Buffer.from('\u0080 \u0096 \u0093', 'latin1')],
    ['ISO-8859-15', '€', Buffer.from('\u00a4', 'latin1')],
    ['ISO-8859-1', '\u0080¤', Buffer.from('\u0080\u00a4', 'latin1')],
  ])('%s has its own characters', (encoding, text, written) => {
    const [before, after] = make.signedNfe({ filler: `<x>${text}</x>` }).split(text);
    const latin = (part = ''): Buffer => Buffer.from(part, 'latin1');
    const head = latin(`<?xml version="1.0" encoding="${encoding}"?>`);
    const bytes = Buffer.concat([head, latin(before), written, latin(after)]);
    expect(inspectXml(bytes, expected).signature).toBe('valid');
  });

  test.each(exact)('does not hide a change: %s', (name, bytes) => {
    const [from, to] = ['10:00:00-03:00', '10:00:01-03:00'].map((text) => {
      if (!name.startsWith('UTF-16')) return Buffer.from(text);
      return name.includes('high byte') ? swapped(text) : Buffer.from(text, 'utf16le');
    });
    const at = bytes.indexOf(from ?? '');
    const changed = Buffer.from(bytes);
    changed.set(to ?? [], at);
    expect([at > 0, inspectXml(changed, expected).signature]).toEqual([true, 'invalid']);
  });

  test.each(assumed)('is assumed, and nothing is said of the signature: %s', (_name, bytes) => {
    const { signature, signatureReason, problems, accessKey } = inspectXml(bytes, expected);
    expect([signature, signatureReason?.en, problems, accessKey, kindByRoot(bytes)]).toEqual([
      'unverifiable',
      'the bytes are not of the encoding that the file declares, so what was signed is not known',
      [],
      make.NFE_KEY,
      'full',
    ]);
    expect(inspectXml(bytes, { ...expected, accessKey: make.CTE_KEY }).problems).toMatchObject([{ code: 'other-key' }]);
    expect(inspectXml(bytes, { ...expected, requireSignature: true }).problems).toMatchObject([
      { code: 'bad-signature' },
    ]);
  });

  test.each([
    ['half a character', Buffer.concat([Buffer.from(`\uFEFF${declared('utf-16')}`, 'utf16le'), Buffer.from([1])])],
    ['a zero within', Buffer.from(declared('utf-8').replace('<ide>', '<ide>\0'))],
    ['two documents', Buffer.from(`${signed}\0${signed}`)],
  ])('lets nothing else through: %s', (_name, bytes) => {
    expect(inspectXml(bytes, expected).problems).toMatchObject([{ code: 'malformed' }]);
  });
});

describe('a document in the layout of a city', () => {
  const company = '33000167000101';
  const note = (inside: string): string =>
    `<?xml version="1.0" encoding="ISO-8859-1"?><CompNfse xmlns="http://www.abrasf.org.br/nfse.xsd"><Nfse>${inside}</Nfse></CompNfse>`;
  const judged = (xml: string | Buffer, companyTaxNumber?: string) => {
    const { signature, problems } = inspectXml(typeof xml === 'string' ? Buffer.from(xml, 'latin1') : xml, {
      ...{ accessKey: make.NFSE_KEY, family: 'nfse', part: 'document', anyLayout: true },
      companyTaxNumber,
    });
    return [signature, ...problems.map(({ code }) => code)];
  };

  test.each([
    ['by its number', note(`<Cnpj>${company}</Cnpj><x>São Paulo</x>`)],
    ['by its number with punctuation', note('<Tomador>33.000.167/0001-01</Tomador>')],
    ['in a text of text', note(`<![CDATA[<Cnpj>${company}</Cnpj>]]>`)],
    ['in UTF-16', Buffer.from(`\uFEFF${note(`<Cnpj>${company}</Cnpj>`)}`, 'utf16le')],
    [
      'in bytes that are not of their encoding',
      Buffer.from(note(`<Cnpj>${company}</Cnpj>ção`).replace('ISO-8859-1', 'utf-8'), 'latin1'),
    ],
  ])('that names the company %s is kept, and its signature cannot be verified', (_how, xml) => {
    expect(judged(xml, company)).toEqual(['unverifiable']);
  });

  test('may name a person, with punctuation', () => {
    expect(judged(note('<Cpf>529.982.247-25</Cpf>'), '52998224725')).toEqual(['unverifiable']);
  });

  test.each([
    ['does not name the company', note('<Cnpj>11222333000181</Cnpj>'), 'unknown-layout'],
    ['has its number within another one only', note(`<Chave>2111300${company}00</Chave>`), 'unknown-layout'],
    ['repeats the key that was asked for', `<Error><Key>${make.NFSE_KEY}</Key></Error>`, 'unknown-layout'],
    ['is a page of HTML', `<?xml version="1.0"?><HTML><body>${company}</body></HTML>`, 'html'],
    ['is a page with a document type', `<!DOCTYPE html><html><body>${company}</body></html>`, 'doctype'],
    ['is not well-formed', note(`<Cnpj>${company}`), 'malformed'],
  ])('that %s is refused', (_how, xml, code) => {
    expect(judged(xml, company)).toEqual(['absent', code]);
  });

  test('is refused where the tax number of the company is not known, or is none', () => {
    const xml = note(`<Cnpj>${company}</Cnpj>`);
    expect([judged(xml), judged(xml, '.*')]).toEqual([
      ['absent', 'unknown-layout'],
      ['absent', 'unknown-layout'],
    ]);
  });
});
