import type { Text } from '../contract/text.js';
import { answerReasons } from './answer-reasons.js';
import { errorCatalogue } from './catalogue.js';
import { reasons } from './reasons.js';
import { allCodesInWords, codeInWords } from './system-codes.js';
import { filled, valuesIn } from './text-template.js';
import { xmlReasons } from './xml-reasons.js';

/** Longer texts, and texts of more parts, are of no row of this program. */
const LONGEST = 2_000;
const MOST_PARTS = 12;

/**
 * An English text of this program in both languages: an error or a reason, or several of them. What the service or the user
 * wrote is kept as it came. Rows store texts in English only, and most of them come from earlier runs.
 */
export function knownText(text: string, templates = templatesByBeginning()): string | Text {
  if (text.length > LONGEST) return text;
  const parts = text.split('; ');
  if (parts.length > MOST_PARTS) return text;
  const found: (string | Text)[] = [];
  for (let start = 0, end = parts.length; start < parts.length; end = parts.length) {
    let known = wholeText(parts.slice(start, end).join('; '), templates);
    while (known === undefined && end > start + 1) known = wholeText(parts.slice(start, --end).join('; '), templates);
    found.push(known ?? partlyKnown(parts[start] ?? '', templates));
    start = end;
  }
  if (found.every((part) => typeof part === 'string')) return text;
  return joined(found, '; ');
}

/** The same as a text, where the words of others stand in both. */
export function inBothLanguages(text: string): Text {
  const known = knownText(text);
  return typeof known === 'string' ? { en: known, pt: known } : known;
}

function joined(parts: readonly (string | Text)[], separator: string): Text {
  return {
    en: parts.map((part) => (typeof part === 'string' ? part : part.en)).join(separator),
    pt: parts.map((part) => (typeof part === 'string' ? part : part.pt)).join(separator),
  };
}

/** `reason: names`, `target: reason` and `reason (evidence)`. */
function partlyKnown(text: string, templates: Templates): string | Text {
  const colon = text.indexOf(': ');
  if (colon > 0) {
    const parts = [text.slice(0, colon), text.slice(colon + 2)].map((part) => wholeText(part, templates) ?? part);
    if (parts.some((part) => typeof part !== 'string')) return joined(parts, ': ');
  }
  const bracket = text.lastIndexOf(' (');
  if (bracket < 0 || !text.endsWith(')')) return text;
  const before = wholeText(text.slice(0, bracket), templates);
  if (before === undefined) return text;
  const inside = text.slice(bracket + 2, -1);
  return joined([joined([before, wholeText(inside, templates) ?? inside], ' ('), ''], ')');
}

/** The text as one template makes it: the one with the most words of its own. */
function wholeText(text: string, templates: Templates): Text | undefined {
  let best: { readonly template: Text; readonly values: ReadonlyMap<string, string> } | undefined;
  let most = 0;
  for (const template of [...(templates.get(beginningOf(text)) ?? []), ...(templates.get('') ?? [])]) {
    const values = valuesIn(template.en, text);
    if (values === undefined) continue;
    const own = text.length - [...values.values()].reduce((sum, value) => sum + value.length, 0);
    if (own > most) [best, most] = [{ template, values }, own];
  }
  if (best === undefined) {
    const words = codeInWords(text);
    return typeof words === 'string' ? undefined : words;
  }
  const values = [...best.values].map(([name, value]) => [name, knownText(value, templates)] as const);
  return filled(best.template, Object.fromEntries(values));
}

/** By the beginning of their English, so that a text is compared with few of them; under the empty text, those that begin with a value. */
type Templates = ReadonlyMap<string, readonly Text[]>;

function templatesByBeginning(): Templates {
  const lists = [reasons, answerReasons, xmlReasons, errorCatalogue()];
  const found = new Map<string, Text[]>();
  for (const text of [...lists.flatMap((texts): Text[] => Object.values(texts)), ...allCodesInWords()]) {
    const beginning = beginningOf(text.en);
    const before = found.get(beginning);
    if (before === undefined) found.set(beginning, [text]);
    else before.push(text);
  }
  return found;
}

/** Two letters at most: fewer where a value begins. */
function beginningOf(text: string): string {
  return text.slice(0, 2).includes('{') ? '' : text.slice(0, 2);
}
