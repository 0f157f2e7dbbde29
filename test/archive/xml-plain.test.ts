import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inspectXml } from '../../src/archive/inspect.js';
import { readPlainXml } from '../../src/archive/xml-plain.js';
import { readXml, xmlLimits, type XmlTag, type XmlText, type XmlVisitor } from '../../src/archive/xml-read.js';
import * as make from './signed-xml.js';

/** The events of a reader. Adjacent texts are joined, and what is outside the root is left out. */
class Recorder implements XmlVisitor {
  readonly events: unknown[] = [];
  #depth = 0;
  #text = '';

  open({ name, local, uri, attributes, ns }: XmlTag): void {
    this.#flush();
    this.#depth += 1;
    const given = Object.values(attributes).map((one) => [one.name, one.value, one.uri]);
    this.events.push(['open', name, local, uri, given, Object.entries(ns)]);
  }

  text(text: XmlText): void {
    if (this.#depth > 0) this.#text += String(text);
  }

  close({ name }: XmlTag): void {
    this.#flush();
    this.#depth -= 1;
    this.events.push(['close', name]);
  }

  instruction(target: string, body: string): void {
    this.#flush();
    this.events.push(['instruction', target, body]);
  }

  #flush(): void {
    if (this.#text !== '') this.events.push(['text', this.#text]);
    this.#text = '';
  }
}

function plain(xml: string | Uint8Array, limits = xmlLimits): readonly unknown[] | undefined {
  const recorder = new Recorder();
  return readPlainXml(Buffer.from(xml), recorder, limits) ? recorder.events : undefined;
}

function general(xml: string | Uint8Array): readonly unknown[] {
  const recorder = new Recorder();
  readXml(Buffer.from(xml), recorder);
  return recorder.events;
}

const name = fc.constantFrom('a', 'infNFe', 'x-1', '_b', 'p:q', 'constructor');
const value = fc.constantFrom('', '1', 'São "x', "it's", 'a>b', 'a &amp; b', ' urn:x ', 'urn:x', 'a\tb', '\u{1f600}');
const piece = fc.constantFrom(
  ...['texto', ' ', '\n', '&amp;', '&lt;&gt;', '&quot;&apos;', '&#65;', '&foo;', '&', ']]>', '>', '\r\n', 'ç'],
  ...['<!-- c -->', '<![CDATA[x]]>', '<?pi x?>', '\u0001', '\ufffe', '</a>', '<', '\u00a0'],
);
const attributes = fc.array(
  fc.tuple(fc.constantFrom('Id', 'versao', 'xmlns', 'xmlns:p', 'xml:lang', 'p:a', '__proto__'), value),
  { maxLength: 3 },
);
const { xml: document } = fc.letrec<{ xml: string }>((tie) => ({
  xml: fc
    .tuple(name, attributes, fc.array(fc.oneof({ maxDepth: 4 }, piece, tie('xml')), { maxLength: 4 }))
    .map(([tag, given, inside]) => {
      const head = `<${[tag, ...given.map(([key, text]) => `${key}="${text.replaceAll('"', '&quot;')}"`)].join(' ')}`;
      return inside.length === 0 ? `${head}/>` : `${head}>${inside.join('')}</${tag}>`;
    }),
}));

function sameOrLeft(xml: string): void {
  const events = plain(xml);
  if (events !== undefined) expect(events).toEqual(general(xml));
}

describe('the reader of plain XML', () => {
  test('reports what the general reader reports, or leaves the document to it', () => {
    fc.assert(fc.property(document, sameOrLeft), { numRuns: 2_000 });
  });

  test('accepts nothing that the general reader refuses', () => {
    const whole = `<?xml version="1.0" encoding="UTF-8"?>\n<a xmlns="urn:x" Id="1"><b>t &amp; é</b><c/><d x="2"><e>1</e></d ></a>`;
    const place = fc.nat(whole.length);
    const change = fc.tuple(place, fc.nat(3), fc.constantFrom('', '<', '>', '/', '"', ' ', '&', 'x', '?', '\u0000'));
    fc.assert(
      fc.property(change, ([at, cut, put]) => sameOrLeft(whole.slice(0, at) + put + whole.slice(at + cut))),
      { numRuns: 2_000 },
    );
  });

  test('reads a machine-written document', () => {
    const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<a xmlns="urn:x" v="4.00"><b Id="1">S&amp;A ção</b><c xmlns=""/></a>\n`;
    expect(plain(xml)).toEqual(general(xml));
    expect(plain(xml)).toHaveLength(7);
  });

  test('distinguishes names in the same cache slot', () => {
    const xml = '<Aa><BB>1</BB><Aa>2</Aa><BBB/><AaB/></Aa>';
    expect(plain(xml)).toEqual(general(xml));
    expect(plain(xml.replace('</BB>', '</Aa>'))).toBeUndefined();
  });

  test.each([
    ['a byte that is not UTF-8', Buffer.from([0x3c, 0x61, 0x3e, 0xe7, 0x3c, 0x2f, 0x61, 0x3e])],
    ['another encoding', '<?xml version="1.0" encoding="ISO-8859-1"?><a/>'],
    ['a document type', '<!DOCTYPE a><a/>'],
    ['a second root', '<a/><b/>'],
    ['another byte in the place of a bracket', '<a>1\u0000/a>'],
    ['a name that goes on in its end tag', '<a>1</ab>'],
    ['a prefix', '<a><p:b/></a>'],
    ['an attribute without a space before it', '<a b="1"c="2"/>'],
    ['an attribute twice', '<a x="1" x="2"/>'],
    ['the name of XML as default', '<a xmlns="http://www.w3.org/XML/1998/namespace"/>'],
    ['nothing', ''],
  ])('leaves %s to the general reader', (_what, xml) => {
    expect(plain(xml)).toBeUndefined();
  });

  test('enforces the limits', () => {
    const deep = '<a>'.repeat(5) + '</a>'.repeat(5);
    expect(plain(deep, { ...xmlLimits, depth: 5 })).toHaveLength(10);
    expect(plain(deep, { ...xmlLimits, depth: 4 })).toBeUndefined();
    expect(plain('<a b="1"><c/></a>', { ...xmlLimits, parts: 3 })).toHaveLength(4);
    expect(plain('<a b="1"><c/></a>', { ...xmlLimits, parts: 2 })).toBeUndefined();
    expect(plain('<a>1</a>', { ...xmlLimits, bytes: 7 })).toBeUndefined();
  });

  test('verifies the signature like the general reader', () => {
    const unsigned = make
      .nfe()
      .replace(/<infAdic[\s\S]*<\/infAdic>/, '<infAdic><infCpl>São &amp; Cia</infCpl></infAdic>');
    const signed = make.sign(unsigned, make.nfeSigning).replaceAll(/ xmlns:\w+="[^"]*"/g, '');
    expect(plain(signed)).toEqual(general(signed));
    expect(inspectXml(Buffer.from(signed)).signature).toBe('valid');
    expect(inspectXml(Buffer.from(signed.replace('Cia', 'Cio'))).signature).toBe('invalid');
  });
});

test('cached names do not keep their documents in memory', () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('no gc');
  const heapAfter = (): number => {
    Reflect.apply(collect, undefined, []);
    return process.memoryUsage().heapUsed;
  };
  const before = heapAfter();
  for (let number = 0; number < 500; number += 1) {
    const name = `a-name-of-no-layout-${number}`;
    const xml = `<a><${name}>${'x'.repeat(200_000)}</${name}></a>`;
    expect(readPlainXml(Buffer.from(xml), new Recorder(), xmlLimits)).toBe(true);
  }
  expect(heapAfter() - before).toBeLessThan(50_000_000);
});
