import { expect, test } from 'vitest';
import { safeName } from '../src/archive/layout.js';
import { decodeError } from '../src/client/answer-error.js';
import { redactText } from '../src/client/redact.js';
import { amountText } from '../src/domain/amount-text.js';
import { inexactNumbers, parseExactJson } from '../src/domain/json-numbers.js';
import { guardedText } from '../src/io/streams.js';
import { Conversions } from '../src/services/input/conversions.js';
import { tableText } from '../src/services/input/table-text.js';

const LENGTH = 200_000;

/** As in the fuzz runs: processor time, so that a busy machine fails no test. */
const MAX_CPU_MS = 10_000;

const long = (text: string) => text.repeat(Math.ceil(LENGTH / text.length));

async function readTable(bytes: Buffer): Promise<void> {
  const chunks = (async function* () {
    yield await Promise.resolve(bytes);
  })();
  const table = { name: 'p.csv', encoding: undefined, conversions: new Conversions() };
  for await (const _text of tableText(chunks, table)) continue;
}

/** Expressions that looked at such a text again from each of its characters took minutes. */
test.each<[string, () => unknown]>([
  ['an amount of many digits', () => amountText(long('1'))],
  ['a number with many zeros', () => inexactNumbers(parseExactJson(`1.${long('0')}1`), '')],
  ['an access key of points', () => safeName(`${long('.')}a`)],
  ['a page with many titles', () => decodeError(Buffer.from(long('<title')), [])],
  ['the beginnings of many tokens', () => redactText(long('eyJ-'))],
  ['an error of blank lines', () => guardedText(`${long('\n')}a`)],
  ['a word of a table in UTF-16', () => readTable(Buffer.from(`\uFEFF${long('x')}`, 'utf16le'))],
  ['a word of a table in Windows-1252', () => readTable(Buffer.from(`${long('x')},é,`, 'latin1'))],
])('%s takes linear time', async (_name, work) => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(MAX_CPU_MS);
});
