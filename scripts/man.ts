import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Language } from '../src/contract/text.js';
import { manPages } from './man/pages.js';

/**
 * Writes the man pages of the package from the definitions of the program. npm links no man page: the script of
 * `fiscal completion` adds the folder to MANPATH, where `man` finds the pages in the language of the shell.
 */
const folders: Readonly<Record<Language, string>> = { en: 'man/man1', pt: 'man/pt_BR/man1' };

async function main(): Promise<void> {
  await rm('man', { recursive: true, force: true });
  for (const language of ['en', 'pt'] as const) {
    await mkdir(folders[language], { recursive: true });
    for (const [name, text] of await manPages(language)) await writeFile(join(folders[language], `${name}.1`), text);
  }
}

await main();
