import type { Text } from '../../contract/text.js';
import { dayOf } from '../../domain/dates.js';
import { parseDecimalText } from '../../domain/decimal-text.js';
import { checkCnpj, checkCpf } from '../../domain/tax-number.js';
import { type ErrorDetail, FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../context.js';
import { openSource, type Source } from './source.js';
import { textBytes } from './text-bytes.js';
import { brokenYaml, parseYaml } from './yaml.js';

const MAX_KIB = 512;

/**
 * A small YAML file that a person writes. Every scalar stays the text that was written, so that a CNPJ keeps its zeros
 * and a value its decimals. No aliases, one document, bounded size and depth.
 * Errors: `input.syntax`, `input.empty`, and those of the source.
 */
export async function readYamlFile(context: Context, path: string): Promise<unknown> {
  const source = await openSource(context, path, { again: false });
  try {
    const text = await readYamlText(source, MAX_KIB);
    return parseYaml(text, { name: source.name });
  } finally {
    await source.close();
  }
}

/** The text of a YAML file of at most so many KiB. Errors: `input.syntax`, `input.empty`, those of the source. */
export async function readYamlText(source: Source, mostKib: number): Promise<string> {
  const { name } = source;
  const bytes = textBytes(source.bytes(), name);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > mostKib * 1024)
      throw brokenYaml(name, {
        en: `it is larger than the ${mostKib} KiB that such a file may have`,
        pt: `é maior que os ${mostKib} KiB permitidos para um arquivo assim`,
      });
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  if (text.trim() === '') throw new FiscalError('input.empty', { path: name });
  return text;
}

const SHOWN_TEXT = 40;
const MAX_FINDINGS = 20;

const states = new Set('RO AC AM RR PA AP TO MA PI CE RN PB PE AL SE BA MG ES RJ SP PR SC RS MS MT GO DF'.split(' '));

/** Collects what is wrong with a file of rules; a problem names its path, e.g. `rules[0].when.supplier[2]`. */
export class RuleFindings {
  readonly list: ErrorDetail[] = [];

  add(field: string, message: Text): undefined {
    if (this.list.length < MAX_FINDINGS) this.list.push({ field, message });
    return undefined;
  }

  /** The fields of a mapping; names beyond `known` are findings. */
  mapping(path: string, value: unknown, known: readonly string[]): Readonly<Record<string, unknown>> {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.add(path, { en: 'must be a mapping (name: value)', pt: 'deve ser um mapa (nome: valor)' });
      return {};
    }
    for (const name of Object.keys(value)) {
      if (!known.includes(name)) this.add(inside(path, shown(name)), unknownName(known));
    }
    return Object.fromEntries(Object.entries(value));
  }

  /** Entries of a list; one scalar counts as a list of one. */
  entries(path: string, value: unknown): readonly (readonly [string, string])[] {
    if (typeof value === 'string') return [[path, value]];
    if (!Array.isArray(value) || value.length === 0) {
      this.add(path, { en: 'must be a list', pt: 'deve ser uma lista' });
      return [];
    }
    return value.flatMap((entry: unknown, index): readonly (readonly [string, string])[] => {
      const at = `${path}[${index}]`;
      if (typeof entry === 'string') return [[at, entry]];
      this.add(at, mustBeText);
      return [];
    });
  }

  text(path: string, value: unknown): string | undefined {
    return typeof value === 'string' ? value : this.add(path, mustBeText);
  }

  count(path: string, value: unknown): number | undefined {
    const text = this.text(path, value);
    if (text === undefined) return undefined;
    return /^\d{1,5}$/.test(text)
      ? Number(text)
      : this.add(path, { en: 'must be a whole number of days', pt: 'deve ser um número inteiro de dias' });
  }

  amount(path: string, value: unknown): string | undefined {
    const text = this.text(path, value);
    if (text === undefined || parseDecimalText(text) !== undefined) return text;
    return this.add(path, {
      en: 'must be a number with a point, e.g. 1500.00',
      pt: 'deve ser um número com ponto, p. ex. 1500.00',
    });
  }

  /** An amount of money that is not negative. */
  price(path: string, value: unknown): string | undefined {
    const amount = this.amount(path, value);
    if (amount?.startsWith('-') !== true) return amount;
    return this.add(path, { en: 'must not be negative', pt: 'não pode ser negativo' });
  }

  day(path: string, value: unknown): string | undefined {
    const text = this.text(path, value);
    if (text === undefined || (text.length === 10 && dayOf(text) !== undefined)) return text;
    return this.add(path, { en: 'must be a day, e.g. 2026-06-01', pt: 'deve ser um dia, p. ex. 2026-06-01' });
  }

  choice<Word extends string>(path: string, value: unknown, words: readonly Word[]): Word | undefined {
    const found = words.find((word) => word === value);
    const list = words.join(', ');
    return found ?? this.add(path, { en: `must be one of ${list}`, pt: `deve ser um de ${list}` });
  }

  /** CNPJ or CPF of suppliers, without punctuation. */
  taxNumbers(path: string, value: unknown): readonly string[] {
    return this.entries(path, value).flatMap(([at, text]) => {
      const found = [checkCnpj(text), checkCpf(text)].find(({ valid }) => valid);
      if (found !== undefined) return [found.value];
      this.add(at, { en: 'is not a CNPJ or CPF', pt: 'não é um CNPJ nem um CPF' });
      return [];
    });
  }

  /** The same, or the first 8 characters of a CNPJ for all establishments of a supplier. */
  suppliers(path: string, value: unknown): readonly string[] {
    return this.entries(path, value).flatMap(([at, text]) => {
      const root = text.replace('.', '').replace('.', '').toUpperCase();
      return /^[0-9A-Z]{8}$/.test(root) ? [root] : this.taxNumbers(at, text);
    });
  }

  stateCodes(path: string, value: unknown): readonly string[] {
    return this.entries(path, value).flatMap(([at, text]) => {
      if (states.has(text)) return [text];
      this.add(at, { en: 'is no state, e.g. SP', pt: 'não é uma UF, p. ex. SP' });
      return [];
    });
  }
}

export function inside(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function shown(name: string): string {
  return name.length > SHOWN_TEXT ? `${name.slice(0, SHOWN_TEXT)}…` : name;
}

function unknownName(known: readonly string[]): Text {
  const list = known.join(', ');
  return { en: `is not known; possible: ${list}`, pt: `não é conhecido; possíveis: ${list}` };
}

const mustBeText: Text = { en: 'must be one value', pt: 'deve ser um único valor' };
