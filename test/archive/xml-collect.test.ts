import fc from 'fast-check';
import { DOMParser } from '@xmldom/xmldom';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { C14nCanonicalization } from 'xml-crypto';
import { type SignatureForms, usualForms } from '../../src/archive/signature.js';
import { XmlCollector } from '../../src/archive/xml-collect.js';
import { readPlainXml } from '../../src/archive/xml-plain.js';
import { XmlRefused, readXml, xmlLimits, type XmlVisitor } from '../../src/archive/xml-read.js';
import { testService } from '../conformance/service.js';
import { NFE_NS } from './signed-xml.js';

const DSIG = 'http://www.w3.org/2000/09/xmldsig#';

/** All that the verdict about a document rests on. */
function collected(read: (visitor: XmlVisitor) => boolean, forms = usualForms): unknown {
  const collector = new XmlCollector(forms);
  try {
    if (!read(collector)) return 'left';
  } catch (error) {
    if (error instanceof XmlRefused) return error.problem.code;
    throw error;
  }
  const { layout, id, doubledIds, signatures } = collector;
  const { issuer = [], others = [], issuedOn = [] } = layout ?? {};
  const element = collector.element();
  return {
    ...{ kind: layout?.kind, id, doubledIds, count: signatures.length, signature: collector.signatureParts() },
    values: collector.values([...issuer, ...others, ...issuedOn]),
    digests: [element.digests('sha1'), element.digests('sha256')],
  };
}

const fast = (xml: string | Buffer, forms?: SignatureForms): unknown =>
  collected((visitor) => readPlainXml(Buffer.from(xml), visitor, xmlLimits), forms);

const slow = (xml: string | Buffer, forms?: SignatureForms): unknown =>
  collected((visitor) => {
    readXml(Buffer.from(xml), visitor);
    return true;
  }, forms);

function sameOrLeft(xml: string | Buffer, forms?: SignatureForms): void {
  const found = fast(xml, forms);
  if (found !== 'left') expect(found).toEqual(slow(xml, forms));
}

const exclusive = { withComments: false, exclusiveBut: [] };
const exclusiveForms: SignatureForms = {
  signedInfo: exclusive,
  element: [exclusive, { withComments: true, exclusiveBut: ['', 'p'] }],
};

/** A note with this inside what is signed, and that inside what the signature signs. */
function note(inside: string, signed: string): string {
  const signature = `<Signature xmlns="${DSIG}"><SignedInfo>${signed}</SignedInfo></Signature>`;
  return `<nfeProc xmlns="${NFE_NS}" a="1"><NFe><infNFe v="4.00" Id="NFe1">${inside}</infNFe>${signature}</NFe></nfeProc>`;
}

/** Elements with these attributes and texts, within each other. */
function content(attributes: fc.Arbitrary<string>, texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const name = fc.constantFrom('emit', 'CNPJ', 'ide', 'dhEmi', 'x', 'a.b-c', 'constructor');
  const list = fc.uniqueArray(attributes, { maxLength: 3, selector: (text) => text.trim().split('=')[0] });
  const end = fc.constantFrom('', '', ' ');
  const { inside } = fc.letrec<{ element: string; inside: string }>((tie) => ({
    inside: fc.array(fc.oneof({ maxDepth: 4 }, texts, tie('element')), { maxLength: 4 }).map((all) => all.join('')),
    element: fc.tuple(name, list, end, tie('inside')).map(([tag, given, space, text]) => {
      const head = `<${tag}${given.join('')}${space}`;
      return text === '' && space === ' ' ? `${head}/>` : `${head}>${text}</${tag}>`;
    }),
  }));
  return inside;
}

const plainAttributes = [' Id="1"', ' a="é \u{1f600}"', ' B=""', ' b="\'>"', ' xmlns=""', ' xmlns="urn:x"'];
const plainTexts = [
  'ção &amp; '.repeat(99),
  '1',
  'São',
  '\u{1f600}',
  ' ',
  '\n\t',
  '&amp;',
  '&lt;&gt;',
  '&quot;',
  "&apos;'",
  'a"b',
  '>',
];
const otherAttributes = [
  ' a="&lt;&#10;"',
  " b='1'",
  ' c="\t\n"',
  ' xmlns:p="urn:p"',
  ' xmlns:p="urn:q"',
  ' p:a="1"',
  ' xml:lang="pt"',
  '\n d="1"',
];
const otherTexts = [
  '\r\n',
  '&#13;',
  '<![CDATA[a<b]]>',
  '<!-- c -->',
  '<?pi x?>',
  '<p:a/>',
  '<p:a xmlns:p="urn:p">1</p:a>',
  ']]>',
  '&foo;',
  '\ufffd',
  '\ufffe',
  '\u0001',
  '<',
];

const plain = content(fc.constantFrom(...plainAttributes), fc.constantFrom(...plainTexts));
const any = content(
  fc.constantFrom(...plainAttributes, ...plainAttributes, ...otherAttributes),
  fc.constantFrom(...plainTexts, ...plainTexts, ...plainTexts, ...otherTexts),
);

/** Made of the document as a tree, by a library. */
function canonical(xml: string, name: string): string {
  const [element] = Array.from(new DOMParser().parseFromString(xml, 'text/xml').getElementsByTagName(name));
  if (element === undefined) throw new Error(`no ${name}`);
  // Its types know the nodes of browsers only.
  return Reflect.apply(C14nCanonicalization.prototype.process, new C14nCanonicalization(), [element, {}]);
}

const hashed = (name: string, text: string): string => createHash(name).update(text).digest('base64');

describe('the signed text', () => {
  test('is the same for both readers, whatever it contains', () => {
    fc.assert(
      fc.property(any, any, (inside, signed) => sameOrLeft(note(inside, signed))),
      { numRuns: 2_000 },
    );
    fc.assert(
      fc.property(any, any, (inside, signed) => sameOrLeft(note(inside, signed), exclusiveForms)),
      { numRuns: 1_000 },
    );
  });

  test('is the same for both readers and for an independent one if the document is plain', () => {
    fc.assert(
      fc.property(plain, plain, (inside, signed) => {
        const xml = note(inside, signed);
        const element = canonical(xml, 'infNFe');
        const found = fast(xml);
        expect(found).toEqual(slow(xml));
        expect(found).toMatchObject({
          signature: { signedInfo: canonical(xml, 'SignedInfo') },
          digests: [[hashed('sha1', element)], [hashed('sha256', element)]],
        });
      }),
      { numRuns: 500 },
    );
  });
});

test('SignedInfo inherits the xml:lang of the signature', () => {
  const xml = note('', '').replace('<Signature ', '<Signature xml:lang="pt" ');
  const signedInfo = `<SignedInfo xmlns="${DSIG}" xml:lang="pt"></SignedInfo>`;
  expect(slow(xml)).toMatchObject({ signature: { signedInfo } });
});

const service = testService();

async function captured(family: string, route: string): Promise<Buffer> {
  const { captured: documents } = await service.control('POST', 'seed', { documents: 1, family });
  const path = `/v2/companies/${service.ready().companyId}/inbound/${route}${documents[0].accessKey}/xml`;
  return Buffer.from((await service.send('GET', path)).text);
}

const put = fc.constantFrom(
  ...['', '<', '>', '/', '"', "'", ' ', '&', '\u0000', '\t', '\r\n', 'é', '\u{1f600}', '\uffff', ':', '='],
  ...['&amp;', '&quot;', '&#10;', ']]>', '<!-- c -->', '<![CDATA[<]]>', '<?pi x?>', '<a/>', '<a ></a>'],
  ...[' xmlns=""', ' xmlns="urn:x"', ' xmlns:p="urn:p"', '<p:a/>', ' xml:lang="pt"', ' Id="1"', ' B="2" a="1"'],
  ...['<Signature/>', '<infNFe/>', '<NFe/>', '<CNPJ>1</CNPJ>'],
);
/** Most changes next to where a tag begins, a tag or a name ends, or an attribute. */
const change = fc.record({
  at: fc.nat(10_000),
  next: fc.constantFrom('<', '>', '"', ' ', ''),
  more: fc.nat(1),
  cut: fc.constantFrom(0, 0, 0, 1, 2, 7),
  put,
});

test.each([
  ['nfe', 'nfe/'],
  ['cte', ''],
  ['nfse', 'nfse/'],
])('a document of the family %s is the same for both readers, damaged or not', async (family, route) => {
  const whole = await captured(family, route);
  expect(fast(whole)).toEqual(slow(whole));
  const changes = fc.array(change, { minLength: 1, maxLength: 2 });
  fc.assert(
    fc.property(changes, (all) => {
      let bytes = whole;
      for (const { at, next, more, cut, put: text } of all) {
        const place = Math.max(0, bytes.indexOf(next, at % bytes.length)) + more;
        bytes = Buffer.concat([bytes.subarray(0, place), Buffer.from(text), bytes.subarray(place + cut)]);
      }
      sameOrLeft(bytes);
    }),
    { numRuns: 700 },
  );
});
