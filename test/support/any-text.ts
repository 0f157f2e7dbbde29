import fc, { type StringConstraints } from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };

/** Any character of Unicode. The `binary` unit of fast-check keeps a map of all 1,112,064 of them in memory. */
const character = fc.integer({ min: 0, max: 0x10ffff - SURROGATES.count }).map(
  (index) => String.fromCodePoint(index < SURROGATES.from ? index : index + SURROGATES.count),
  (text) => {
    if (typeof text !== 'string' || [...text].length !== 1) throw new Error('not one character');
    const point = text.codePointAt(0) ?? 0;
    return point < SURROGATES.from ? point : point - SURROGATES.count;
  },
);

/** Texts of any characters, control characters among them, and those that programs confuse, such as `__proto__`. */
export function anyText(constraints: Omit<StringConstraints, 'unit'> = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: character });
}
