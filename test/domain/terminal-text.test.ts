import fc from 'fast-check';
import { expect, test } from 'vitest';
import { terminalData, terminalJson, terminalLine, terminalText } from '../../src/domain/terminal-text.js';
import { anyText } from '../support/any-text.js';

const dangerous = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/;

test('an escape sequence becomes visible', () => {
  expect(terminalText('a\u001b[31mred\u009b2Jz\u202etxt')).toBe('a\\u001b[31mred\\u009b2Jz\\u202etxt');
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
