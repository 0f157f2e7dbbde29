import { parseExactJson } from '../src/domain/json-numbers.js';
import { terminalData } from '../src/domain/terminal-text.js';
import { genericView } from '../src/presenters/generic.js';
import { jsonText } from '../src/presenters/json.js';
import { plainPaint } from '../src/presenters/render.js';
import { median } from './median.js';

const MB = 1024 * 1024;
const SIZE = 6 * MB;
const ROUNDS = 3;
const budget = 3;

const repeated = (text: string): string => text.repeat(Math.ceil(SIZE / text.length));
const counted = (make: (number: number) => string, count: number): string =>
  Array.from({ length: count }, (_, number) => make(number)).join(',');

/** Answers of 6 MB, as a service might send them to make a table slow. */
export const hostileAnswers: Readonly<Record<string, () => string>> = {
  'one cell': () => JSON.stringify([{ id: 'a', name: repeated('x') }]),
  'one wide cell': () => JSON.stringify([{ id: 'a', name: repeated('漢') }]),
  'two long ids': () => JSON.stringify([{ id: repeated('x').slice(MB), otherId: repeated('y').slice(MB) }]),
  'many rows': () => `[${counted((number) => `{"id":"${number}","name":"${'x'.repeat(70)}"}`, 66_000)}]`,
  'many columns': () => `[{${counted((number) => `"f${number}":"${'x'.repeat(8)}"`, 290_000)}}]`,
  'columns of one row each': () => `[${counted((number) => `{"field${number}":"${'x'.repeat(60)}"}`, 75_000)}]`,
  'many fields': () => `{${counted((number) => `"f${number}":"${'x'.repeat(8)}"`, 290_000)}}`,
  'a long name among many': () =>
    `{"${'n'.repeat(MB)}":1,${counted((number) => `"f${number}":"${'x'.repeat(8)}"`, 240_000)}}`,
  'a deep list': () => `${'{"a":'.repeat(5)}[${repeated('1,')}1]${'}'.repeat(5)}`,
  'control characters': () => JSON.stringify([{ name: '\u001b[2J'.repeat(SIZE / 12) }]),
};

/** What the table of a hostile answer costs, as a ratio to the JSON of the same answer: read, and formatted. */
export function measureHostileTables(): void {
  const rows = Object.entries(hostileAnswers).map(([name, answer]) => {
    const text = answer();
    const ratios = Array.from({ length: ROUNDS }, () => secondsOf(text, asTable) / secondsOf(text, jsonText));
    return { name, ratio: median(ratios), seconds: secondsOf(text, asTable) };
  });
  const worst = rows.toSorted((one, other) => other.ratio - one.ratio)[0];
  console.log(
    `\na 6 MB hostile table: at most ${worst?.ratio.toFixed(2)} of its JSON, with ${worst?.name} (budget ${budget})`,
  );
  for (const { name, ratio, seconds } of rows)
    console.log(`  ${name}: ${ratio.toFixed(2)}, ${(seconds * 1000).toFixed(0)} ms`);
}

function asTable(data: unknown): string {
  const lines = genericView(terminalData(data), { language: 'en', columns: 80, paint: plainPaint });
  return lines.map((line) => `${line}\n`).join('');
}

function secondsOf(text: string, format: (data: unknown) => string): number {
  const begin = performance.now();
  format(parseExactJson(text));
  return (performance.now() - begin) / 1000;
}
