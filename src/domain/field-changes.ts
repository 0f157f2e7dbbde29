import { fieldOf, isRecord } from './record.js';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Merges the input into the current value, object by object; null removes a field. Pure. */
export function merge(standing: JsonObject, written: JsonObject): JsonObject {
  const merged = new Map(Object.entries(standing));
  for (const [name, value] of Object.entries(written)) {
    const before = merged.get(name);
    if (value === null) merged.delete(name);
    else if (isRecord(value)) merged.set(name, merge(isRecord(before) ? before : {}, value));
    else merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

/** One field that differs, by its path, e.g. `address.city.name`. */
export interface Change {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The fields in which two objects differ, whatever the spelling of a value, sorted by name. Pure. */
export function changesBetween(from: JsonObject, to: JsonObject, path = ''): readonly Change[] {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].toSorted();
  return names.flatMap((name) => {
    const [before, after] = [from[name], to[name]];
    const field = `${path}${name}`;
    if (isRecord(before) && isRecord(after)) return changesBetween(before, after, `${field}.`);
    const isAway = (before ?? undefined) === undefined || (after ?? undefined) === undefined;
    const isSame = isAway ? before === after : isSameValue(before, after, field);
    return isSame ? [] : [{ field, from: before, to: after }];
  });
}

/** The written fields, as a read shows them. */
export interface Taken {
  /** Shown with another value. */
  readonly otherwise: readonly Change[];
  /** Not shown at all. */
  readonly unseen: readonly string[];
}

/** Compares the written fields with what the service shows. Pure. */
export function takenFrom(changes: readonly Change[], shown: unknown): Taken {
  const otherwise: Change[] = [];
  const unseen: string[] = [];
  for (const { field, to } of changes) {
    const value = field.split('.').reduce((inner: unknown, name) => fieldOf(inner, name), shown);
    const isAway = value === undefined || value === null;
    const isWantedAway = to === undefined || to === null;
    if (isAway && !isWantedAway) unseen.push(field);
    else if (!isAway && (isWantedAway || !isSameValue(to, value, field)))
      otherwise.push({ field, from: to, to: value });
  }
  return { otherwise, unseen };
}

/**
 * Whether two spellings of a field are one value: a number and its text, a day and its midnight, the order of a list, and the
 * case of a word where the field knows certain words only.
 */
export function isSameValue(one: unknown, other: unknown, field: string): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    const [left, right] = [one, other].map((list) => list.map((each) => spelled(each, field)).toSorted());
    return JSON.stringify(left) === JSON.stringify(right);
  }
  if (isRecord(one) && isRecord(other)) return takenFrom(changesBetween({}, one), other).otherwise.length === 0;
  const [left, right] = [spelled(one, field), spelled(other, field)];
  const isOfDay = [left, right].some((text) => /^\d{4}-\d{2}-\d{2}$/.test(text));
  return isOfDay ? dayOf(left) === dayOf(right) : left === right;
}

const fieldsOfWords: ReadonlySet<string | undefined> = new Set([
  'environmentSEFAZ',
  'legalNature',
  'municipalTaxDetermination',
  'specialTaxRegime',
  'state',
  'status',
  'taxRegime',
  'webhookEvents',
]);

function spelled(value: unknown, field: string): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return fieldsOfWords.has(field.split('.').at(-1)) ? text.toLowerCase() : text;
}

/** The day of a midnight, in UTC, in Brasília or without a zone; any other text stays as it is. */
function dayOf(text: string): string {
  return text
    .replace(/^(\d{4}-\d{2}-\d{2})T00:00(?::00(?:\.0+)?)?(?:Z|[+-]00:?00|-03:?00)?$/, '$1')
    .replace(/^(\d{4}-\d{2}-\d{2})T03:00(?::00(?:\.0+)?)?(?:Z|[+-]00:?00)$/, '$1');
}
