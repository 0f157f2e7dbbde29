import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { Language, Text } from '../src/contract/text.js';
import { office } from './walk/office.js';
import { comparable } from './walk/comparable.js';
import { Stage } from './walk/stage.js';

/*
 * Records docs/walk: what an accounting office types, and what its terminal of 80x24 shows, in both languages. With --check it
 * writes nothing, and ends 1 when a screen shows something else than its record, apart from times and ids.
 */

const folder = 'docs/walk';
const pages = { en: 'README.md', pt: 'pt-BR.md' } as const;

const title: Text = { en: 'A walk through the program', pt: 'Um passeio pelo programa' };

const opening: Text = {
  en: `The days of an accounting office, as its terminal of 80 columns shows them. Recorded with the embedded sandbox by
\`npm run walk\`; the CI compares every screen with this page. Em português: [pt-BR.md](pt-BR.md).`,
  pt: `Os dias de um escritório de contabilidade, como o terminal de 80 colunas os mostra. Gravado com o sandbox embutido por
\`npm run walk\`; o CI compara cada tela com esta página. In English: [README.md](README.md).`,
};

async function record(language: Language): Promise<string> {
  const stage = await Stage.open(language);
  try {
    await office(stage);
    const steps = stage.steps.map(
      ({ title, command, lines }, index) =>
        `## ${index + 1}. ${title}\n\n\`\`\`console\n$ ${[command, ...lines].join('\n')}\n\`\`\`\n`,
    );
    return [`# ${title[language]}\n`, `${opening[language]}\n`, ...steps].join('\n');
  } finally {
    await stage.close();
  }
}

async function walk(isCheck: boolean): Promise<void> {
  const languages = ['en', 'pt'] as const;
  const recorded = await Promise.all(languages.map(record));
  await mkdir(folder, { recursive: true });
  for (const [index, language] of languages.entries()) {
    const [path, page] = [`${folder}/${pages[language]}`, recorded[index] ?? ''];
    const kept = await readFile(path, 'utf8').catch(() => '');
    if (comparable(kept) === comparable(page)) continue;
    if (isCheck) {
      console.error(`${path} differs: run "npm run walk" and look at what changed\n${firstDifference(kept, page)}`);
      process.exitCode = 1;
    } else await writeFile(path, page);
  }
}

function firstDifference(kept: string, page: string): string {
  const [before, now] = [kept.split('\n'), page.split('\n')];
  const at = now.findIndex((line, index) => comparable(line) !== comparable(before[index] ?? ''));
  return [`line ${at + 1}`, `- ${before[at] ?? ''}`, `+ ${now[at] ?? ''}`].join('\n');
}

walk(process.argv.includes('--check')).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
