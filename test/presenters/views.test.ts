import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Language } from '../../src/contract/text.js';
import { Prose } from '../../src/domain/prose.js';
import { fieldOf, isRecord } from '../../src/domain/record.js';
import { plainPaint } from '../../src/presenters/render.js';
import { valueAt } from '../../src/presenters/scalar.js';
import { displayWidth } from '../../src/presenters/width.js';
import { type Described, titleOf } from '../../src/presenters/record.js';
import { commandOf, describedOf, loadCommands } from '../support/commands.js';
import { tableCases } from './tables/records.js';

const languages = ['en', 'pt'] as const;
const commands = await loadCommands();

/** Outputs of commands as JSON, for the views that `tables.test.ts` has no records of. */
const recorded: unknown = JSON.parse(readFileSync(new URL('./tables/recorded.json', import.meta.url), 'utf8'), revived);
const samples = new Map<string, unknown>(isRecord(recorded) ? Object.entries(recorded) : []);
for (const { command, records } of tableCases) samples.set(command, records);
/** `status --check` is a mode of `status`. */
const definitionOf = (sample: string) => commands.get(commandOf(sample));

/** A reason, which the records of a command have in both languages. */
function revived(_key: string, value: unknown): unknown {
  const prose = fieldOf(value, 'prose');
  return isRecord(prose) ? new Prose({ en: String(prose['en']), pt: String(prose['pt']) }) : value;
}

/** Their views show text, or what `fiscal schema` prints. */
const withoutTable = ['schema'];

test('every command with a view of its own has a screen', () => {
  const viewed = [...commands].flatMap(([name, { view }]) => (view === undefined ? [] : [name]));
  const shown = new Set([...samples.keys()].map(definitionOf));
  expect(viewed.filter((name) => !shown.has(definitionOf(name)) && !withoutTable.includes(name))).toEqual([]);
});

describe.each([...samples])('the view of %s', (command, data) => {
  const look = async (language: Language, columns: number) => ({
    ...{ language, columns, paint: plainPaint },
    described: await describedOf(commandOf(command)),
  });

  test('looks as it was approved at 80 and 120 columns in both languages', async () => {
    const view = await definitionOf(command)?.view?.();
    if (view === undefined || tableCases.some((one) => one.command === command)) return;
    const screens: string[] = [];
    for (const language of languages)
      for (const columns of [80, 120]) {
        const lines = view(data, await look(language, columns));
        screens.push(`$ fiscal ${command}   (${language}, ${columns})`, ...lines, '');
      }
    await expect(screens.join('\n')).toMatchFileSnapshot(`tables/${command.replaceAll(/[ -]+/g, '-')}.txt`);
  });

  test('drops no required column, and its rows fit the terminal', async () => {
    const view = await definitionOf(command)?.view?.();
    // Its records are lines of JSON on a terminal too.
    const rows: readonly unknown[] = Array.isArray(data) && command !== 'job items --full' ? data : [];
    // What became of the items of a job has a table of its own.
    const isOfJob = command === 'backfill show --wait';
    const present = (isOfJob ? [] : (view?.required ?? [])).filter((name) => rows.some((row) => isGiven(row, name)));
    if (view === undefined || rows.length === 0) return;
    for (const language of languages) {
      for (const columns of [80, 120]) {
        const options = await look(language, columns);
        const lines = view(data, options);
        const cells = lines.flatMap((line) => line.split('│').map((cell) => cell.trim()));
        const isBelow = lines.some((line) => line.includes('↳'));
        for (const name of present) {
          const titles = titlesOf(options.described, name, language);
          const isShown = cells.some((cell) =>
            titles.some((title) => isTitle(cell, title) || cell.startsWith(`${title}:`)),
          );
          const mayBeBelow = isBelow && view.below?.includes(name) === true;
          expect([name, isShown || mayBeBelow]).toEqual([name, true]);
        }
        for (const line of lines.filter((one) => one.includes('│')))
          expect(displayWidth(line)).toBeLessThanOrEqual(columns);
      }
    }
  });
});

/** In the records of the command. */
function titlesOf(described: Described | undefined, name: string, language: Language): readonly string[] {
  return Object.values(described?.records ?? {}).map((record) => titleOf(record, name, language));
}

/** A title may be longer than its column. */
function isTitle(cell: string, title: string): boolean {
  return cell === title || (cell.endsWith('…') && title.startsWith(cell.slice(0, -1)));
}

function isGiven(row: unknown, name: string): boolean {
  const value = isRecord(row) ? valueAt(row, name) : undefined;
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}
