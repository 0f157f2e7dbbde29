import type { Text } from '../contract/text.js';
import { parseDuration } from '../domain/dates.js';
import { codeOf, shownAs } from '../domain/shown-words.js';
import { invalidValue } from '../errors/invalid-value.js';
import { closestWord } from './closest-word.js';
import type { ArgumentSpec, OptionSpec } from './command.js';

/** The parsed value of an option: text, number (counts; durations in ms), toggle or list. */
export type ParsedValue = string | number | boolean | readonly string[] | undefined;

/** `retryBillable` → `--retry-billable`. */
export function flagWord(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** `<id>`, `[file]`, `<words...>`: an argument as it stands in a usage line. */
export function argumentWord(name: string, { required, variadic }: ArgumentSpec): string {
  const word = variadic === true ? `${name}...` : name;
  return required ? `<${word}>` : `[${word}]`;
}

/** `retryBillable` → `FISCAL_RETRY_BILLABLE`. */
export function variableWord(name: string): string {
  return `FISCAL_${flagWord(name).slice(2).replaceAll('-', '_').toUpperCase()}`;
}

/**
 * Parses the text of an option; `origin` is the flag or variable that it came from. Throws `usage.invalid_value` with
 * the origin and what was expected.
 */
export function parseOptionText(spec: OptionSpec, text: string, origin: string): ParsedValue {
  switch (spec.kind) {
    case 'text':
      // What a script writes for a variable that is not set; as a path it would be the working folder.
      return text === '' && isPath(spec.value) ? invalid(text, origin, aPath) : text;
    case 'choice':
      return choiceOf(text, origin, spec.choices);
    case 'list': {
      const { choices } = spec;
      const entries = splitList(text);
      return choices === undefined ? entries : entries.map((entry) => choiceOf(entry, origin, choices));
    }
    case 'texts':
      return [text];
    case 'toggle':
      return parseToggle(text) ?? invalid(text, origin, oneOf(['true', 'false']));
    case 'count':
      return parseCount(text, spec.min ?? 0) ?? invalid(text, origin, atLeast(spec.min ?? 0));
    case 'duration':
      return (
        durationOf(text, spec.min) ?? invalid(text, origin, spec.min === undefined ? aDuration : durationFrom(spec.min))
      );
  }
}

/** The value of an option that was not given. */
export function defaultValue(spec: OptionSpec): ParsedValue {
  switch (spec.kind) {
    case 'toggle':
      return false;
    case 'list':
    case 'texts':
      return [];
    case 'text':
      return undefined;
    case 'choice':
    case 'count':
      return spec.default;
    case 'duration':
      return spec.default === undefined ? undefined : parseDuration(spec.default);
  }
}

export function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function durationOf(text: string, min: string | undefined): number | undefined {
  const ms = parseDuration(text);
  const least = min === undefined ? 0 : (parseDuration(min) ?? 0);
  return ms === undefined || ms < least ? undefined : ms;
}

function durationFrom(min: string): Text {
  return { en: `a duration of at least ${min} is expected`, pt: `espera-se uma duração de no mínimo ${min}` };
}

function parseToggle(text: string): boolean | undefined {
  if (/^(?:1|true|yes|on)$/i.test(text)) return true;
  return /^(?:0|false|no|off|)$/i.test(text) ? false : undefined;
}

function parseCount(text: string, min: number): number | undefined {
  if (!/^\d{1,15}$/.test(text)) return undefined;
  return Number(text) >= min ? Number(text) : undefined;
}

function isPath(value: string | undefined): boolean {
  return value === 'file' || value === 'folder';
}

const aPath: Text = { en: 'a path is expected', pt: 'espera-se um caminho' };

const aDuration: Text = {
  en: 'a time such as 500ms, 5s, 10m, 1h or 10d is expected',
  pt: 'espera-se um tempo como 500ms, 5s, 10m, 1h ou 10d',
};

function oneOf(choices: readonly string[]): Text {
  const list = choices.join(', ');
  return { en: `one of ${list} is expected`, pt: `espera-se um de ${list}` };
}

function choiceOf(text: string, origin: string, choices: readonly string[]): string {
  return codeOf(text, choices) ?? unknownChoice(text, origin, choices);
}

/** Names the choice that is spelt almost the same. */
function unknownChoice(value: string, origin: string, choices: readonly string[]): never {
  const near = choices.find((code) => closestWord(value, shownAs(code)) !== undefined);
  if (near === undefined) return invalid(value, origin, oneOf(choices));
  const { en, pt } = oneOf(choices);
  return invalid(value, origin, { en: `${en}; did you mean ${near}?`, pt: `${pt}; você quis dizer ${near}?` });
}

function atLeast(min: number): Text {
  return {
    en: `a whole number of at least ${min} is expected`,
    pt: `espera-se um número inteiro de pelo menos ${min}`,
  };
}

function invalid(value: string, name: string, expected: Text): never {
  throw invalidValue(name, value, expected);
}
