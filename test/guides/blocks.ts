import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A fenced block of a guide. */
export interface Block {
  /** The word behind the fence. */
  readonly language: string;
  readonly text: string;
}

/** The fenced blocks of `docs/guides/<name>.md`, in their order. */
export function blocksOf(name: string): readonly Block[] {
  const path = join(import.meta.dirname, '../../docs/guides', `${name}.md`);
  const fences = readFileSync(path, 'utf8').matchAll(/^```(\w*)\n(.*?)^```$/gms);
  return [...fences].map(([, language = '', text = '']) => ({ language, text }));
}

/** The one block that holds `mark`. */
export function blockWith(blocks: readonly Block[], mark: string): string {
  const found = blocks.filter(({ text }) => text.includes(mark));
  if (found.length !== 1) throw new Error(`${found.length} blocks hold ${mark}`);
  return found[0]?.text ?? '';
}
