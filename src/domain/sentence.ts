import type { Text } from '../contract/text.js';
import { counted, nouns } from './counted.js';
import type { Sentence } from './outcome.js';

/** The sentence of a result, with the billed calls where there were any: `COFFEE-250 created and active (1 billed call)`. */
export function sentenceOf(tone: Sentence['tone'], { en, pt }: Text, billedCalls = 0): Sentence {
  if (billedCalls === 0) return { tone, en, pt };
  const calls = counted(billedCalls, nouns.billedCall);
  return { tone, en: `${en} (${calls.en})`, pt: `${pt} (${calls.pt})` };
}
