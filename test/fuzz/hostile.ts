import fc from 'fast-check';
import { anyText } from '../support/any-text.js';

/** Texts that have broken programs: controls, paths, names of object members, numbers at the edges. */
const texts: readonly string[] = [
  '',
  ' ',
  '\0',
  '\u001b]0;title\u0007',
  '\u001b[5mblinking',
  '\u009b31m',
  '\u202e4321',
  '\ud800',
  '\ufeff',
  '\r\n',
  'a\tb',
  '../escape',
  '..\\escape',
  '/dev/null/x',
  'C:\\Windows\\x',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'toString',
  "' OR 1=1 --",
  '$(touch escape)',
  '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>',
  'null',
  'NaN',
  '-1',
  '1e400',
  '9999999999999999999999',
  '0.30000000000000000001',
  '2026-02-30',
  '275760-09-13',
  '35261057049000141530550010000000011000000003',
  'ação'.normalize('NFD'),
  'x'.repeat(70_000),
  '1'.repeat(70_000),
  `1.${'0'.repeat(70_000)}1`,
  '<title'.repeat(10_000),
  'eyJ-'.repeat(15_000),
  `${'.'.repeat(70_000)}/${'/'.repeat(70_000)}x`,
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...texts) },
  { weight: 1, arbitrary: anyText({ maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 12 }) },
);

/** Any value of JSON, hostile texts and names among them. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>(null, true, 0, -1, 1e21, 1e-9, '', [], {}, [null], [[]]) },
  { weight: 3, arbitrary: hostileText },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.dictionary(hostileText, fc.constantFrom<unknown>(null, 'x', {}), { maxKeys: 4 }) },
);

/** Text that is no JSON, or JSON that readers stumble over. */
export const hostileBody: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    'null',
    '"',
    '{',
    '[]',
    'hello',
    '<html><body>502</body></html>',
    '\u0000',
    '{"a":1e999}',
    '{"__proto__":{"id":"x"}}',
    '{"a":1,"a":2}',
    '\ufeff{}',
    '{"companies":[null]}',
    '[[[[[[]]]]]]',
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  ),
  hostileText,
  hostileJson.map((value) => JSON.stringify(value)),
);

/** How one value somewhere in a JSON document is replaced. */
export interface Replacement {
  /** Chooses the place: the number of the value in the order of the document, modulo their count. */
  readonly at: number;
  readonly value: unknown;
}

export const replacement: fc.Arbitrary<Replacement> = fc.record({ at: fc.nat(200), value: hostileJson });

/** The document with one value replaced. */
export function replaceIn(document: unknown, { at, value }: Replacement): unknown {
  const places = placesIn(document, []);
  const place = places[at % places.length] ?? [];
  return withAt(document, place, value);
}

type Place = readonly (string | number)[];

function placesIn(value: unknown, place: Place): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [place];
  const steps: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return [place, ...steps.flatMap(([step, entry]) => placesIn(entry, [...place, step]))];
}

function withAt(document: unknown, [step, ...rest]: Place, value: unknown): unknown {
  if (step === undefined) return value;
  if (Array.isArray(document))
    return document.map((entry, index) => (index === step ? withAt(entry, rest, value) : entry));
  return Object.fromEntries(
    Object.entries(document as object).map(([name, entry]) => [
      name,
      name === step ? withAt(entry, rest, value) : entry,
    ]),
  );
}

/** How the bytes of a file are damaged. */
export type Damage =
  | { readonly how: 'replaced'; readonly text: string }
  | { readonly how: 'cut' | 'doubled'; readonly at: number }
  | { readonly how: 'inserted'; readonly at: number; readonly text: string }
  | { readonly how: 'json'; readonly replacement: Replacement }
  /** Saved by a spreadsheet in another encoding, with more text. */
  | { readonly how: 'saved'; readonly encoding: 'latin1' | 'utf16le'; readonly text: string };

export const damage: fc.Arbitrary<Damage> = fc.oneof(
  fc.record({ how: fc.constant('replaced' as const), text: hostileBody }),
  fc.record({ how: fc.constantFrom('cut' as const, 'doubled' as const), at: fc.nat(5_000) }),
  fc.record({ how: fc.constant('inserted' as const), at: fc.nat(5_000), text: hostileText }),
  fc.record({ how: fc.constant('json' as const), replacement }),
  fc.record({
    how: fc.constant('saved' as const),
    encoding: fc.constantFrom('latin1' as const, 'utf16le' as const),
    text: hostileText,
  }),
);

/** The damaged bytes; `json` leaves what is no JSON as it was. */
export function damaged(content: Uint8Array, change: Damage): Uint8Array {
  const bytes = Buffer.from(content);
  switch (change.how) {
    case 'replaced':
      return Buffer.from(change.text);
    case 'cut':
      return bytes.subarray(0, change.at % (bytes.length + 1));
    case 'doubled':
      return Buffer.concat([bytes, bytes.subarray(change.at % (bytes.length + 1))]);
    case 'inserted': {
      const at = change.at % (bytes.length + 1);
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(change.text), bytes.subarray(at)]);
    }
    case 'saved': {
      const mark = change.encoding === 'utf16le' ? '\uFEFF' : '';
      return Buffer.from(`${mark}${bytes.toString()}${change.text}\u00e3`, change.encoding);
    }
    case 'json':
      try {
        return Buffer.from(JSON.stringify(replaceIn(JSON.parse(bytes.toString()), change.replacement)) ?? '');
      } catch {
        return bytes;
      }
  }
}
