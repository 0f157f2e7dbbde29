import type { Text } from '../contract/text.js';
import { layoutPresets, layoutWords } from './layout.js';

/** A layout by its preset name or as a template; or what is wrong with it. */
export type ReadLayout = { readonly template: string } | { readonly problem: Text };

export function readLayout(text: string): ReadLayout {
  const preset = Object.entries(layoutPresets).find(([name]) => name === text)?.[1];
  if (preset !== undefined) return { template: preset };
  const problem = problemOf(text);
  return problem === undefined ? { template: text } : { problem };
}

function problemOf(text: string): Text | undefined {
  if (!text.includes('{')) return noPreset;
  const words = [...text.matchAll(/\{(\w*)\}/g)].map(([, word = '']) => word);
  const unknown = words.find((word) => !layoutWords.some((known) => known === word));
  if (unknown !== undefined) return unknownWord(unknown);
  if (!text.split('/').at(-1)?.includes('{key}')) return noKey;
  const parts = text.replaceAll(/\{\w+\}/g, 'x').split('/');
  return parts.every((part) => /^[\w-][\w.-]*$/.test(part)) ? undefined : notRelative;
}

const presets = Object.keys(layoutPresets).join(', ');
const words = layoutWords.map((word) => `{${word}}`).join(' ');

const noPreset: Text = {
  en: `one of ${presets}, or a template with ${words}, is expected`,
  pt: `espera-se um de ${presets}, ou um modelo com ${words}`,
};

const noKey: Text = {
  en: 'the last part must hold {key}, so that every document has a file of its own',
  pt: 'a última parte deve conter {key}, para que cada documento tenha o seu arquivo',
};

const notRelative: Text = {
  en: 'a relative path is expected: parts of letters, digits, dot, dash and words in braces, joined by /',
  pt: 'espera-se um caminho relativo: partes com letras, dígitos, ponto, hífen e palavras entre chaves, unidas por /',
};

function unknownWord(word: string): Text {
  return {
    en: `{${word}} is not known; the words are ${words}`,
    pt: `{${word}} não é conhecido; as palavras são ${words}`,
  };
}
