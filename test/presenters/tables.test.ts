import { describe, expect, test } from 'vitest';
import type { Language } from '../../src/contract/text.js';
import { defaultView } from '../../src/presenters/generic.js';
import { plainPaint } from '../../src/presenters/render.js';
import { displayWidth } from '../../src/presenters/width.js';
import { commandOf, describedOf, loadCommands } from '../support/commands.js';
import { tableCases } from './tables/records.js';

const widths = [80, 120];
const languages: readonly Language[] = ['en', 'pt'];
const commands = await loadCommands();

describe.each(tableCases)('the table of $command', ({ command, records, titles, cells = [] }) => {
  const screen = async (language: Language, columns: number): Promise<readonly string[]> => {
    const definition = commands.get(commandOf(command));
    if (definition === undefined) throw new Error(`no command ${command}`);
    const view = (await definition.view?.()) ?? defaultView;
    const described = await describedOf(commandOf(command));
    return view(records, { language, columns, paint: plainPaint, described });
  };

  test('looks as it was approved at 80 and 120 columns in both languages', async () => {
    const screens: string[] = [];
    for (const language of languages) {
      for (const columns of widths) {
        screens.push(`$ fiscal ${command}   (${language}, ${columns})`, ...(await screen(language, columns)), '');
      }
    }
    const file = `tables/${command.replaceAll(/ (?:--)?/g, '-')}.txt`;
    await expect(screens.join('\n')).toMatchFileSnapshot(file);
  });

  test('never drops what people decide by', async () => {
    for (const [index, language] of languages.entries()) {
      for (const columns of widths) {
        const lines = await screen(language, columns);
        const words = lines.flatMap((line) => line.split('│').map((cell) => cell.trim()));
        for (const title of titles) expect(words).toContain(title[index]);
        const whole = lines.join('\n').replaceAll(/\n {3,}/g, ' ');
        for (const cell of cells) expect(whole).toContain(cell[index]);
      }
    }
  });

  test('fits the terminal', async () => {
    for (const language of languages) {
      for (const columns of widths) {
        const rows = (await screen(language, columns)).filter((line) => /│|↳/.test(line));
        for (const line of rows) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
      }
    }
  });
});
