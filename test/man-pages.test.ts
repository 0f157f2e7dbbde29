import { exampleLine } from '../src/cli/command.js';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { manPages } from '../scripts/man/pages.js';
import { roffText } from '../scripts/man/roff.js';
import { loadCommands } from './support/commands.js';
import { temporaryFolder } from './support/temporary-folder.js';

const commands = await loadCommands();
const pages = { en: await manPages('en'), pt: await manPages('pt') };
const has = (program: string, word: string): boolean => spawnSync(program, [word]).error === undefined;

/** A folder as `man -M` reads it. */
function manFolder(): string {
  const folder = temporaryFolder();
  for (const [language, place] of [
    ['en', 'man1'],
    ['pt', 'pt_BR/man1'],
  ] as const) {
    mkdirSync(join(folder, place), { recursive: true });
    for (const [name, text] of pages[language]) writeFileSync(join(folder, place, `${name}.1`), text);
  }
  return folder;
}

/** What a reader sees, without the wrapping and the bold of the terminal. */
function read(page: string, lang: string): string {
  const { stdout } = spawnSync('man', ['-M', manFolder(), page], {
    encoding: 'utf8',
    env: { ...process.env, LANG: lang, LC_ALL: lang, LANGUAGE: '', MANWIDTH: '200', MAN_KEEP_FORMATTING: '' },
  });
  return stdout.replaceAll(/.\u0008/g, '');
}

describe.each(['en', 'pt'] as const)('the man pages (%s)', (language) => {
  test('are those of every command, with its options and examples', () => {
    for (const [name, { options, examples, summary }] of commands) {
      const page = pages[language].get(`fiscal-${name.replaceAll(' ', '-')}`) ?? '';
      expect(page).toContain(roffText(summary[language]));
      for (const spec of Object.values(options)) expect(page).toContain(roffText(spec.summary[language]));
      for (const example of examples) expect(page).toContain(roffText(exampleLine(name, example)));
    }
  });

  test('have no line that a formatter takes for a request of its own', () => {
    const known = /^\.(?:TH|SH|TP|PP|RS|RE|nf|fi|nh|ad) ?/;
    for (const page of pages[language].values())
      expect(page.split('\n').filter((line) => /^[.']/.test(line) && !known.test(line))).toEqual([]);
  });
});

test('text cannot leave its place in a page', () => {
  expect(roffText(".TH x\n'so\\*(x --flag `a`")).toBe("\\&.TH x\n\\&'so\\e*(x \\-\\-flag \\(gaa\\(ga");
});

test.skipIf(!has('mandoc', '-h'))('mandoc finds nothing wrong but the missing date', () => {
  const files = [...pages.en, ...pages.pt].map(([name, text], index) => {
    const file = join(temporaryFolder(), `${name}-${index}.1`);
    writeFileSync(file, text);
    return file;
  });
  const { stdout } = spawnSync('mandoc', ['-Tlint', '-W', 'warning', ...files], { encoding: 'utf8' });
  expect(stdout.split('\n').filter((line) => line !== '' && !line.includes('missing date'))).toEqual([]);
});

test.skipIf(!has('man', '--version'))('man shows a page with hyphens that can be copied', () => {
  const page = read('fiscal-inbound-sync', 'C.UTF-8');
  expect(page).toMatch(/^ +fiscal inbound sync --company c1,c2 --type nfe --pdf --archive \.\/archive$/m);
  expect(page).toContain("--layout '{cnpj}/{yyyy}/{mm}/{key}.xml'");
});
