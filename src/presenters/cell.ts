import { looksLikeKey } from '../domain/access-key.js';
import type { Language, Text } from '../contract/text.js';
import { amountText } from '../domain/amount-text.js';
import { brasiliaTime, dayInWords, parseUtc } from '../domain/dates.js';
import { isNumber } from '../domain/json-numbers.js';
import { codeInWords } from '../errors/system-codes.js';
import { Prose } from '../domain/prose.js';
import { isRecord } from '../domain/record.js';
import { formatCnpj, looksLikeCnpj } from '../domain/tax-number.js';
import { kindWords, stateWords, type Tone } from '../domain/shown-words.js';
import type { RenderOptions } from './render.js';
import { innerOf, type OutputSchema } from './record.js';
import { scalarText } from './scalar.js';

/** A cell for people, and how its state is meant. */
export interface Cell {
  readonly text: string;
  readonly tone: Tone;
}

/** A field by its name, and how its record describes it. */
export interface ShownField {
  readonly name: string;
  readonly schema?: OutputSchema | undefined;
}

/** Yes and no, lists, times, CNPJ and states, as people read them. A cell is one line. */
export function shownCell(field: ShownField, value: unknown, options: RenderOptions): Cell {
  const { language } = options;
  if (typeof value === 'boolean') return { text: answers[language][value ? 'yes' : 'no'], tone: 'none' };
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string' || isNumber(entry))) {
    const entries = value.map((entry) => wordOf(field, scalarText(entry), language)[0]);
    return { text: entries.join(', '), tone: 'none' };
  }
  if (Array.isArray(value) && value.length > 0 && value.every(isMessage))
    return { text: value.map(({ message }) => message[language]).join('; '), tone: 'none' };
  if (value instanceof Prose) return { text: value[language], tone: 'none' };
  if (Array.isArray(value) && value.length === 0) return { text: '', tone: 'none' };
  const text = scalarText(value);
  const [word, tone] = wordOf(field, isReason(field) ? reasonText(text, language) : text, language);
  return { text: signed(shownText(field, word, options), tone, options), tone };
}

function isReason({ schema }: ShownField): boolean {
  return innerOf(schema)?.shown === 'reason';
}

/** A code of the system in words; the words of the service as they came. */
function reasonText(text: string, language: Language): string {
  const words = codeInWords(text);
  return typeof words === 'string' ? words : words[language];
}

/** The word of a cell and its tone; the value itself where there is no word. */
export function wordOf({ schema }: ShownField, value: string, language: Language): readonly [string, Tone] {
  const { shown, words } = innerOf(schema) ?? {};
  if (shown === 'state' && Object.hasOwn(stateWords, value)) {
    const [tone, pt = value, en = value] = stateWords[value] ?? ['none'];
    return [language === 'pt' ? pt : en, tone];
  }
  const known = words ?? kindWords;
  const isWord = shown === 'word' && language === 'pt' && Object.hasOwn(known, value);
  return [isWord ? (known[value] ?? value) : value, 'none'];
}

/** A reason in both languages. */
function isMessage(value: unknown): value is { readonly message: Text } {
  const message = isRecord(value) ? value['message'] : undefined;
  return isRecord(message) && typeof message['en'] === 'string' && typeof message['pt'] === 'string';
}

export const answers: Readonly<Record<Language, Readonly<Record<'yes' | 'no', string>>>> = {
  en: { yes: 'yes', no: 'no' },
  pt: { yes: 'sim', no: 'não' },
};

/** Texts beyond this length are neither times nor numbers of companies. */
const longestShort = 40;

/** A time in Brasília or UTC, a date, a CNPJ and, in Portuguese, an amount in the form that people write. */
export function shownText({ name, schema }: ShownField, text: string, { language, isUtc }: RenderOptions): string {
  const shown = innerOf(schema)?.shown;
  if (language === 'pt' && (shown === 'money' || amountNames.test(name))) return amountText(text).pt;
  if (text.length < 10 || text.length > longestShort) return text;
  if ((shown === 'cnpj' || cnpjNames.test(name)) && looksLikeCnpj(text)) return formatCnpj(text);
  if (!startsWithDay.test(text)) return text;
  const ms = parseUtc(text);
  if (ms === undefined) return text;
  const written = withoutTime(name, text);
  if (written.length === 10) return dayInWords(written)[language];
  const local = isUtc === true ? new Date(ms).toISOString() : brasiliaTime(ms);
  return `${dayInWords(local.slice(0, 10))[language]} ${local.slice(11, 16)}${isUtc === true ? 'Z' : ''}`;
}

/**
 * The day of a field that is a day, although the service writes a time with it (published: `birthOn`, `openedOn`, at midnight
 * UTC): in Brasília it would be the day before. Other fields as they are.
 */
export function withoutTime(field: string, text: string): string {
  return dayFields.test(field) && startsWithDay.test(text) ? text.slice(0, 10) : text;
}

const dayFields = /(?:^|\.)(?:birthOn|openedOn)$/;
/** The names by which the service calls amounts and tax numbers; nobody described each of its fields. */
const amountNames = /(?<!^without)[aA]mount(?:Text|Difference)?$/;
const cnpjNames = /[tT]axNumber$/;
const startsWithDay = /^\d{4}-\d\d-\d\d/;

const signs: Readonly<Record<Tone, readonly [sign: string, ascii: string]>> = {
  good: ['✓', '+'],
  bad: ['✗', 'x'],
  warn: ['!', '!'],
  open: ['…', '~'],
  none: ['', ''],
};

/** A state with its sign, so that it is read without colours. */
export function signed(text: string, tone: Tone, { isAscii }: RenderOptions): string {
  const sign = signs[tone][isAscii === true ? 1 : 0];
  return sign === '' || text === '' ? text : `${sign} ${text}`;
}

/** In the colour of the tone. */
export function paintedAs(tone: Tone, { paint }: RenderOptions): (text: string) => string {
  switch (tone) {
    case 'good':
      return paint.good;
    case 'bad':
      return paint.bad;
    case 'warn':
    case 'open':
      return paint.warn;
    case 'none':
      return (text) => text;
  }
}

/** `3526…6857`: the ends of an access key, a UUID or a hash, by which people tell them apart. */
export function shortId(text: string, { isAscii }: RenderOptions): string {
  if (!isLongId(text)) return text;
  return `${text.slice(0, 4)}${isAscii === true ? '~' : '…'}${text.slice(-4)}`;
}

/** An access key (44 or 50), a UUID, an id or a hash in hexadecimal digits. */
export function isLongId(text: string): boolean {
  return text.length >= 24 && text.length <= 64 && (looksLikeKey(text) || longId.test(text));
}

const longId = /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-fA-F]{24,64})$/;
