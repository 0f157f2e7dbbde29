import { DOMParser } from '@xmldom/xmldom';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExclusiveCanonicalization, ExclusiveCanonicalizationWithComments } from 'xml-crypto';
import { Canonical, type CanonicalForm, XmlScopes } from '../../src/archive/xml-canonical.js';
import { readEitherXml } from '../../src/archive/xml-plain.js';
import type { XmlSource, XmlTag, XmlText, XmlVisitor } from '../../src/archive/xml-read.js';

/** The canonical form of the first element of this local name. */
class Subtree implements XmlVisitor {
  written = '';
  readonly #scopes = new XmlScopes();
  readonly #canonical: Canonical;
  #depth = 0;

  constructor(
    private readonly name: string,
    form: CanonicalForm,
  ) {
    this.#canonical = new Canonical((piece) => (this.written += Buffer.from(piece).toString()), form);
  }

  open(tag: XmlTag, source?: XmlSource): void {
    this.#scopes.open(tag);
    if (this.#depth === 0 && (tag.local !== this.name || this.written !== '')) return;
    this.#depth += 1;
    this.#canonical.open(tag, this.#scopes, source);
  }

  text(text: XmlText, source?: XmlSource): void {
    if (this.#depth > 0) this.#canonical.text(text, source);
  }

  close(tag: XmlTag, source?: XmlSource): void {
    this.#scopes.close();
    if (this.#depth === 0) return;
    this.#depth -= 1;
    this.#canonical.close(tag, source);
  }

  instruction(target: string, body: string): void {
    if (this.#depth > 0) this.#canonical.instruction(target, body);
  }

  comment(text: string): void {
    if (this.#depth > 0) this.#canonical.comment(text);
  }
}

function canonical(xml: string, form: CanonicalForm, name = 'signed'): string {
  return readEitherXml(Buffer.from(xml), () => new Subtree(name, form)).written;
}

const attributes = [
  ...[' a="1"', " b='&lt;&#9;&#10;&#13;&quot;'", ' Id="é"', ' p:a="1"', ' q:a="2"', ' p:b="&gt;\'"', ' xml:lang="pt"'],
  ...[' xmlns="urn:x"', ' xmlns="urn:y"', ' xmlns:p="urn:p"', ' xmlns:p="urn:other"', ' xmlns:q="urn:z"'],
  ' xmlns:unused="urn:unused"',
];
const texts = [
  ...['1', 'São \u{1f600}', ' ', '\n\t', '\r\n', '&#13;', '&amp;&lt;&gt;', '"\'', '>', '<![CDATA[a<b&c>]]>'],
  ...['<!-- c -->', '<!--a-b-->', '<!---->', '<!--\r\n-->', '<e/>'],
];
const element = (names: readonly string[]): fc.Arbitrary<string> =>
  fc.letrec<{ element: string }>((tie) => ({
    element: fc
      .tuple(
        fc.constantFrom(...names),
        fc.uniqueArray(fc.constantFrom(...attributes), { maxLength: 4, selector: (one) => one.split('=')[0] }),
        fc.array(fc.oneof({ maxDepth: 5 }, fc.constantFrom(...texts), tie('element')), { maxLength: 4 }),
      )
      .map(([name, given, inside]) => `<${name}${given.join('')}>${inside.join('')}</${name}>`),
  })).element;

/** The signed element, within others that declare namespaces. */
const document = fc
  .tuple(
    fc.constantFrom(' xmlns="urn:x"', ' xmlns="urn:root"'),
    fc.constantFrom('', ' xmlns="urn:y"', ' xmlns:q="urn:z"'),
    fc.constantFrom('signed', 'p:signed'),
    fc.array(element(['e', 'f', 'p:e', 'q:e']), { maxLength: 3 }),
  )
  .map(
    ([outer, inner, name, inside]) =>
      `<root${outer} xmlns:p="urn:p" xmlns:q="urn:q" xmlns:xsi="urn:xsi"><holder${inner}>` +
      `<${name} p:Id="1" Id="2">${inside.join('')}</${name}></holder></root>`,
  );

/** Made of the document as a tree, by a library. It is not exact for instructions, an undone default, and comments with markup. */
function byLibrary(xml: string, Form: new () => { process: unknown }): string {
  const [node] = Array.from(new DOMParser().parseFromString(xml, 'text/xml').getElementsByTagNameNS('*', 'signed'));
  const form = new Form();
  // Its types know the nodes of browsers only.
  if (typeof form.process !== 'function') throw new TypeError('no canonical form');
  return Reflect.apply(form.process, form, [node, {}]);
}

test.each([
  ['without', false, ExclusiveCanonicalization],
  ['with', true, ExclusiveCanonicalizationWithComments],
] as const)('the exclusive form %s comments is that of a library', (_name, withComments, Form) => {
  fc.assert(
    fc.property(document, (xml) => {
      expect(canonical(xml, { withComments, exclusiveBut: [] })).toBe(byLibrary(xml, Form));
    }),
    { numRuns: 500 },
  );
});

const xml =
  `<root xmlns="urn:d" xmlns:p="urn:p" xmlns:u="urn:u" xml:lang="pt"><signed b="1" p:a="2"><!--a & <b>--><?pi  x y?>` +
  `<e xmlns=""><f/><p:f/></e><u:g xmlns:u="urn:other" xmlns:p="urn:p"/></signed></root>`;

test.each<[string, CanonicalForm, string]>([
  [
    'the inclusive form',
    { withComments: false },
    `<signed xmlns="urn:d" xmlns:p="urn:p" xmlns:u="urn:u" b="1" xml:lang="pt" p:a="2"><?pi x y?>` +
      `<e xmlns=""><f></f><p:f></p:f></e><u:g xmlns:u="urn:other"></u:g></signed>`,
  ],
  [
    'the inclusive form with comments',
    { withComments: true },
    `<signed xmlns="urn:d" xmlns:p="urn:p" xmlns:u="urn:u" b="1" xml:lang="pt" p:a="2"><!--a & <b>--><?pi x y?>` +
      `<e xmlns=""><f></f><p:f></p:f></e><u:g xmlns:u="urn:other"></u:g></signed>`,
  ],
  [
    'the exclusive form',
    { withComments: false, exclusiveBut: [] },
    `<signed xmlns="urn:d" xmlns:p="urn:p" b="1" p:a="2"><?pi x y?>` +
      `<e xmlns=""><f></f><p:f></p:f></e><u:g xmlns:u="urn:other"></u:g></signed>`,
  ],
  [
    'the exclusive form with the prefix of no element that is signed',
    { withComments: true, exclusiveBut: ['u', 'nowhere'] },
    `<signed xmlns="urn:d" xmlns:p="urn:p" xmlns:u="urn:u" b="1" p:a="2"><!--a & <b>--><?pi x y?>` +
      `<e xmlns=""><f></f><p:f></p:f></e><u:g xmlns:u="urn:other"></u:g></signed>`,
  ],
])('%s is that of the recommendation', (_name, form, expected) => {
  expect(canonical(xml, form)).toBe(expected);
});

test('the default namespace is written where it is listed, also by elements that do not use it', () => {
  const prefixed = `<root xmlns="urn:d" xmlns:p="urn:p"><p:signed><p:e xmlns=""/></p:signed></root>`;
  const form = { withComments: false } as const;
  expect(canonical(prefixed, { ...form, exclusiveBut: [''] })).toBe(
    `<p:signed xmlns="urn:d" xmlns:p="urn:p"><p:e xmlns=""></p:e></p:signed>`,
  );
  expect(canonical(prefixed, { ...form, exclusiveBut: [] })).toBe(`<p:signed xmlns:p="urn:p"><p:e></p:e></p:signed>`);
});
