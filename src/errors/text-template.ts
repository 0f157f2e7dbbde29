import type { Language, Text } from '../contract/text.js';
import { codeInWords } from './system-codes.js';

/** The values of a text's placeholders; parts in prose come in both languages. */
export type TextValues = Readonly<Record<string, string | number | Text>>;

/** The text with its values in the places of their names in braces; a code of the system becomes words. */
export function filled({ en, pt }: Text, values: TextValues): Text {
  return { en: fill(en, values, 'en'), pt: fill(pt, values, 'pt') };
}

function fill(template: string, values: TextValues, language: Language): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    const shown = typeof value === 'string' ? codeInWords(value) : value;
    return bounded(typeof shown === 'object' ? shown[language] : String(shown));
  });
}

/** A value may come from a file or a service: a header of a million columns does not become a line of megabytes. */
const MOST_SHOWN = 2_000;

export function bounded(value: string): string {
  return value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN)}…` : value;
}

/** The names of its values. */
export function namesIn(template: string): readonly string[] {
  return [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}
