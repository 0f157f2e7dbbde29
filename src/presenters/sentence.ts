import type { Sentence } from '../domain/outcome.js';
import { paintedAs, signed } from './cell.js';
import { noticeLines } from './error-text.js';
import type { RenderOptions } from './render.js';

/** `✓ COFFEE-250 created and active (1 billed call)`, wrapped at the width of the terminal, with a sign that shows how sure it is. */
export function sentenceLines(sentence: Sentence, options: RenderOptions): readonly string[] {
  const { tone } = sentence;
  const lines = noticeLines(signed(sentence[options.language], tone, options), options.columns - 1);
  if (tone === 'none') return lines;
  const [first = '', ...more] = lines;
  return [first.replace(/^\S+/, paintedAs(tone, options)), ...more];
}
