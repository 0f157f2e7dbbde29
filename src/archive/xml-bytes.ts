/** Reading UTF-8 by its bytes: what XML is written with is ASCII, and no part of another character looks like it. */

export const SPACE = 0x20;
export const QUOTE = 0x22;
export const AMPERSAND = 0x26;
export const SLASH = 0x2f;
export const LESS = 0x3c;
export const EQUALS = 0x3d;
export const GREATER = 0x3e;

/** What a byte may be a part of. */
export const IN_TEXT = 1;
export const IN_VALUE = 2;
export const IN_NAME = 4;
export const STARTS_NAME = 8;
export const BLANK = 16;

/**
 * Of texts and values all but what has a meaning there, control characters, line ends that XML would change, and the lead
 * of U+F000 to U+FFFF, of which two are no characters.
 */
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return (
    (/[^\0-\x08\x0b-\x1f<&>\xef]/.test(character) ? IN_TEXT : 0) |
    (/[^\0-\x1f<&"\xef]/.test(character) ? IN_VALUE : 0) |
    (/[\w.-]/.test(character) ? IN_NAME : 0) |
    (/[A-Za-z_]/.test(character) ? STARTS_NAME : 0) |
    (/[ \n\t]/.test(character) ? BLANK : 0)
  );
});

/** The place after all the bytes of this kind that stand at `at`. */
export function after(bytes: Uint8Array, at: number, kind: number): number {
  const { length } = bytes;
  let end = at;
  // Never to read beyond the end makes it twice as fast.
  while (end < length && isA(bytes[end], kind)) end += 1;
  return end;
}

export function isA(byte: number | undefined, kind: number): boolean {
  return ((kinds[byte ?? 0] ?? 0) & kind) !== 0;
}

export function standsAt(bytes: Uint8Array, at: number, part: Uint8Array): boolean {
  for (let index = 0; index < part.length; index += 1) {
    if (bytes[at + index] !== part[index]) return false;
  }
  return true;
}
