import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadCommands } from '../support/commands.js';

/**
 * The most lines of src/commands that a command of each noun may have, on average. Whoever raises one says in the commit why
 * the work needs no second way.
 */
const budgets: Readonly<Record<string, number>> = {
  api: 170,
  auth: 150,
  backfill: 415,
  certificate: 120,
  company: 270,
  config: 50,
  doctor: 2_340,
  export: 1_730,
  history: 70,
  inbound: 440,
  invoice: 350,
  job: 200,
  key: 160,
  lookup: 150,
  manifestation: 530,
  product: 480,
  report: 270,
  sandbox: 160,
  setup: 470,
  status: 1_800,
  store: 150,
  tax: 100,
  usage: 550,
  webhook: 310,
};

/** A new command is a new word to learn: it takes the place of another one, or raises this number. */
const MOST_COMMANDS = 132;

const folder = join(import.meta.dirname, '../../src/commands');

function linesBelow(noun: string): number {
  const files = readdirSync(join(folder, noun), { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.ts'))
    .reduce((sum, name) => sum + readFileSync(join(folder, noun, name), 'utf8').split('\n').length - 1, 0);
}

test('no noun has more lines a command than its budget, and each has one', async () => {
  const names = [...(await loadCommands()).keys()];
  const nouns = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
  expect(nouns.toSorted()).toEqual(Object.keys(budgets));
  const over = nouns.flatMap((noun) => {
    const commands = names.filter((name) => name.split(' ', 1)[0] === noun).length;
    const each = Math.ceil(linesBelow(noun) / commands);
    return each > (budgets[noun] ?? 0) ? [`${noun}: ${each}`] : [];
  });
  expect(over).toEqual([]);
});

test('there are no more commands than there were', async () => {
  expect((await loadCommands()).size).toBeLessThanOrEqual(MOST_COMMANDS);
});
