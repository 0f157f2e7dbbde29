import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeName } from '../../src/archive/layout.js';
import { isInsidePath } from '../../src/domain/inside-path.js';
import { terminalData, terminalJson, terminalLine, terminalText } from '../../src/domain/terminal-text.js';
import { visible } from '../../src/report/markup.js';
import { anyText } from '../support/any-text.js';

const dangerous =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\p{Default_Ignorable_Code_Point}\p{Cf}]/u;

test('an escape sequence becomes visible', () => {
  expect(terminalText('a\u001b[31mred\u009b2Jz\u202etxt')).toBe('a\\u001b[31mred\\u009b2Jz\\u202etxt');
});

/** No terminal shows them: tags, Hangul and Khitan fillers, joiners, selectors, blanks of Braille and of music. */
const hidden = [
  ...[0x00ad, 0x034f, 0x061c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180b, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f],
  ...[0x202a, 0x202e, 0x2060, 0x2061, 0x2065, 0x2066, 0x206f, 0x2800, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff0],
  ...[0xfff9, 0x16fe4, 0x1bca0, 0x1d159, 0x1d173, 0xe0000, 0xe0001, 0xe0041, 0xe007f, 0xe0100, 0xe01ef, 0xe0fff],
].map((code) => String.fromCodePoint(code));

test('a character that no terminal shows becomes visible, is replaced in a page, and makes no name of a file', () => {
  expect(hidden.filter((each) => !/^(?:\\u[0-9a-f]{4}){1,2}$/.test(terminalLine(each)))).toEqual([]);
  expect(hidden.filter((each) => JSON.parse(terminalJson(JSON.stringify(each))) !== each)).toEqual([]);
  expect(hidden.filter((each) => visible(`1${each}2`) !== '1\uFFFD2' && visible(`1${each}2`) !== '1 2')).toEqual([]);
  expect(hidden.filter((each) => isInsidePath(`a${each}.xml`) || safeName(`a${each}`).includes(each))).toEqual([]);
});

test('line feeds stay in a text and become visible in a line', () => {
  expect(terminalText('a\n\tb\r')).toBe('a\n\tb\\u000d');
  expect(terminalLine('a\n\tb')).toBe('a\\n\\tb');
});

test('accents, wide characters and emoji stay as they are', () => {
  expect(terminalLine('Ação 株式会社 👍')).toBe('Ação 株式会社 👍');
});

test('no text keeps a control character', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      expect(terminalLine(text)).not.toMatch(dangerous);
      expect(terminalText(terminalText(text))).toBe(terminalText(text));
    }),
  );
});

test('JSON keeps its data while its bytes become harmless', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      const json = terminalJson(JSON.stringify({ text }));
      expect(json).not.toMatch(dangerous);
      expect(JSON.parse(json)).toEqual({ text });
    }),
  );
});

test('every text in data becomes safe, field names included', () => {
  expect(terminalData({ 'a\u001b': ['b\u0007', { c: 1, d: null, e: true }] })).toEqual({
    'a\\u001b': ['b\\u0007', { c: 1, d: null, e: true }],
  });
});
