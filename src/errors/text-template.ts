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

function bounded(value: string): string {
  return value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN)}…` : value;
}

/** What stands in the places of the names, if the text was made of the template. */
export function valuesIn(template: string, text: string): ReadonlyMap<string, string> | undefined {
  const [start = '', ...rest] = template.split(/\{(\w+)\}/);
  if (!text.startsWith(start)) return undefined;
  const values = new Map<string, string>();
  let at = start.length;
  for (let index = 0; index < rest.length; index += 2) {
    const [name = '', literal = ''] = rest.slice(index, index + 2);
    const isLast = index + 2 >= rest.length;
    const end = isLast ? endBefore(text, literal) : text.indexOf(literal, at);
    const value = end < at ? '' : text.slice(at, end);
    if (value === '' || (values.get(name) ?? value) !== value) return undefined;
    values.set(name, value);
    at = end + literal.length;
  }
  return at === text.length ? values : undefined;
}

/** Where the ending begins; -1 if the text ends otherwise. */
function endBefore(text: string, ending: string): number {
  return text.endsWith(ending) ? text.length - ending.length : -1;
}
