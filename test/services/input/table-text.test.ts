import { describe, expect, test } from 'vitest';
import { FiscalError } from '../../../src/errors/fiscal-error.js';
import { Conversions } from '../../../src/services/input/conversions.js';
import { type Encoding, tableText } from '../../../src/services/input/table-text.js';

async function read(bytes: Uint8Array, encoding?: Encoding, chunkSize = bytes.length) {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
  }
  const conversions = new Conversions();
  const parts: Uint8Array[] = [];
  try {
    for await (const part of tableText(chunks(), { name: 'p.csv', encoding, conversions })) parts.push(part);
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    return `${error.code}: ${error.message}`;
  }
  const text = Buffer.concat(parts).toString('utf8');
  return { text, notices: conversions.texts('p.csv').map(({ en }) => en) };
}

const latin = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le');
const big = (text: string) => utf16(text).swap16();
const table = 'código;descrição\nA;Pão de açúcar\n';
const asWindows = 'p.csv: reads the text as Windows-1252 (código, descrição, Pão); if this is wrong, give --encoding';
const asUtf16 = 'p.csv: reads the text as UTF-16 (código, descrição, Pão); if this is wrong, give --encoding';

describe.each([1, 3, 4096])('in chunks of %i bytes', (size) => {
  test('Windows-1252 is known by bytes that UTF-8 cannot have', async () => {
    const found = await read(latin(table), undefined, size);
    expect(found).toMatchObject({ text: table });
    if (size === 4096) expect(found).toEqual({ text: table, notices: [asWindows] });
  });

  test('UTF-16 is known by its byte order mark', async () => {
    for (const bytes of [utf16(table), big(table)]) {
      const found = await read(bytes, undefined, size);
      expect(found).toMatchObject({ text: table });
      if (size === 4096) expect(found).toEqual({ text: table, notices: [asUtf16] });
    }
  });

  test('UTF-8 is no conversion', async () => {
    expect(await read(Buffer.from(`\uFEFF${table}€😀`), undefined, size)).toEqual({
      text: `\uFEFF${table}€😀`,
      notices: [],
    });
  });

  test.each<[string, Buffer, number]>([
    ['UTF-8 with a broken character', Buffer.concat([Buffer.from('A\n'), Buffer.from([0xe2, 0x82, 0x41])]), 2],
    ['UTF-8 that ends within a character', Buffer.from([0x41, 0xc3]), 1],
    ['UTF-8 before a broken character', Buffer.concat([Buffer.from('é'), Buffer.from([0xe7, 0x41])]), 2],
  ])('%s is refused, although Windows-1252 has characters for its bytes', async (_name, bytes, offset) => {
    expect(await read(bytes, undefined, size)).toBe(
      `input.not_text: p.csv is not UTF-8 text: byte ${offset} does not belong to any character; nothing was sent`,
    );
  });

  test('Windows-1252 that looks like UTF-8 further on is refused, unless it is named', async () => {
    const mixed = Buffer.concat([latin('não\n'), Buffer.from('pão\n')]);
    expect(await read(mixed, undefined, size)).toBe(
      'input.not_text: p.csv is not UTF-8 text: byte 1 does not belong to any character; nothing was sent',
    );
    expect(await read(mixed, 'windows-1252', size)).toMatchObject({ text: 'não\npÃ£o\n' });
  });
});

test('a named encoding is taken', async () => {
  expect(await read(utf16('é').subarray(2), 'utf-16le')).toMatchObject({ text: 'é' });
  expect(await read(big('é').subarray(2), 'utf-16be')).toMatchObject({ text: 'é' });
  expect(await read(Buffer.from([0x80, 0x96, 0x9f, 0xe9]), 'windows-1252')).toMatchObject({ text: '€–Ÿé' });
  expect(await read(latin('é\n'), 'utf-8')).toMatch(/^input.not_text: p.csv is not UTF-8 text: byte 0 /);
});

test.each<[Encoding | undefined, Uint8Array, RegExp]>([
  ['windows-1252', Buffer.from([0x41, 0x81]), /not Windows-1252 text: byte 1 /],
  ['windows-1252', Buffer.from([0x41, 0x00]), /not Windows-1252 text: byte 1 /],
  [undefined, Buffer.from([0x41, 0x00]), /not UTF-8 text: byte 1 /],
  ['utf-16le', Buffer.from([0x41]), /not UTF-16 text: byte 1 /],
  ['utf-16le', Buffer.from([0x41, 0x00, 0x00, 0xd8, 0x41, 0x00]), /not UTF-16 text: byte 0 /],
  ['utf-16le', Buffer.from([0x41, 0x00, 0x00, 0x00]), /not UTF-16 text: byte 0 /],
])('%s refuses bytes without a character', async (encoding, bytes, message) => {
  expect(await read(bytes, encoding)).toMatch(message);
});
