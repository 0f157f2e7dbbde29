import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const docs = join(import.meta.dirname, '../../docs');

/** A fenced block of a guide, wherever it is indented. */
export interface GuideBlock {
  /** The word behind the fence. */
  readonly language: string;
  readonly text: string;
  /** The line of the fence, from 1. */
  readonly line: number;
}

/** Every guide in both languages, as `guides/ci` and `pt-BR/cron`. */
export const guides: readonly string[] = ['guides', 'pt-BR'].flatMap((folder) =>
  readdirSync(join(docs, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name.slice(0, -'.md'.length)}`),
);

export function guideBlocks(guide: string): readonly GuideBlock[] {
  const text = readFileSync(join(docs, `${guide}.md`), 'utf8');
  return [...text.matchAll(/^( *)(```|~~~)(\w*)\n(.*?)^\1\2$/gms)].map(
    ({ 1: indent = '', 3: language = '', 4: body = '', index }) => ({
      language,
      text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      line: text.slice(0, index).split('\n').length,
    }),
  );
}
