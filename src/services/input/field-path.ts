import type { Text } from '../../contract/text.js';
import { NumberLiteral, parseKeepingNumbers } from '../../domain/json-numbers.js';

/** A name, or the position in a list. */
export type PathStep = string | number;

export type Placed = { readonly value: unknown } | { readonly problem: Text };

const MAX_STEPS = 16;

/** `items[0].quantity` → `['items', 0, 'quantity']`; `undefined` for anything else. */
export function parseFieldPath(text: string): readonly PathStep[] | undefined {
  if (!/^[A-Za-z_$][\w$-]*(?:\[\d{1,3}\])*(?:\.[A-Za-z_$][\w$-]*(?:\[\d{1,3}\])*)*$/.test(text)) return undefined;
  const steps = text.split(/[.[]/).map((part) => (part.endsWith(']') ? Number(part.slice(0, -1)) : part));
  const isHostile = steps.some((step) => step === '__proto__' || step === 'constructor' || step === 'prototype');
  return isHostile || steps.length > MAX_STEPS ? undefined : steps;
}

/** The name that a value at this place stands under: `items[0].ncm` → `ncm`. */
export function lastName(path: readonly PathStep[]): string {
  const name = path.findLast((step) => typeof step === 'string');
  return typeof name === 'string' ? name : '';
}

/** A copy of `root` with `value` at the place; objects and lists on the way are made. A list grows by one at a time. */
export function placeAt(root: unknown, path: readonly PathStep[], value: unknown): Placed {
  const [step, ...rest] = path;
  if (step === undefined) return { value };
  if (typeof step === 'number') return placeInList(root ?? [], { step, rest, value });
  const group = root ?? {};
  if (typeof group !== 'object' || Array.isArray(group)) return { problem: noObject };
  const fields = new Map<string, unknown>(Object.entries(group));
  const inner = placeAt(fields.get(step), rest, value);
  return 'problem' in inner ? inner : { value: Object.fromEntries(fields.set(step, inner.value)) };
}

function placeInList(
  list: unknown,
  { step, rest, value }: { readonly step: number; readonly rest: readonly PathStep[]; readonly value: unknown },
): Placed {
  if (!Array.isArray(list)) return { problem: noList };
  if (step > list.length)
    return {
      problem: {
        en: `leaves a gap: the list has ${list.length} entries, and the next one is [${list.length}]`,
        pt: `deixa um vazio: a lista tem ${list.length} itens, e o próximo é [${list.length}]`,
      },
    };
  const entries: readonly unknown[] = list;
  const inner = placeAt(entries[step], rest, value);
  if ('problem' in inner) return inner;
  return { value: [...entries.slice(0, step), inner.value, ...entries.slice(step + 1)] };
}

const noObject: Text = { en: 'goes through something that is no object', pt: 'passa por algo que não é um objeto' };
const noList: Text = { en: 'counts in something that is no list', pt: 'conta em algo que não é uma lista' };

/** Fields that name something: as a number they would lose their leading zeros. */
const identifiers =
  /^(?:id|cpf|cnpj|code|ncm|cest|cfop|gtin|ean|protocol|phone.*|.*(?:[tT]axNumber|Id|SerialNumber|Key)|(?!operation).*Code)$/;

/**
 * What a plain word of YAML, a cell of CSV or a `--set` stands for: a JSON number, `true`, `false` and `null` are what they
 * are in JSON, all else is text; so is every word under a name that identifies something (`federalTaxNumber`, `ncm`).
 */
export function wordValue(word: string, field: string): unknown {
  if (identifiers.test(field)) return word;
  if (word === 'true' || word === 'false') return word === 'true';
  if (word === 'null' || word === '~' || word === '') return null;
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(word)) return word;
  return new NumberLiteral(word);
}

/** The same where a whole object, a list or a quoted text may stand as JSON. Throws `SyntaxError`. */
export function cellValue(cell: string, field: string): unknown {
  return /^[[{"]/.test(cell) ? parseKeepingNumbers(cell) : wordValue(cell, field);
}
