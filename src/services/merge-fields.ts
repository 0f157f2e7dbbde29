import type { Text } from '../contract/text.js';
import { isRecord } from '../domain/record.js';

export type Fields = Readonly<Record<string, unknown>>;

/** One field that differs, by its path, e.g. `address.city.name`. */
export interface Change {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** What was written over what stands, object by object; null takes a field away. Pure. */
export function merge(standing: Fields, written: Fields): Fields {
  const merged = new Map(Object.entries(standing));
  for (const [name, value] of Object.entries(written)) {
    const before = merged.get(name);
    if (value === null) merged.delete(name);
    else if (isRecord(value)) merged.set(name, merge(isRecord(before) ? before : {}, value));
    else merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

/** The fields by which two objects differ, in the order of their names. Pure. */
export function changesBetween(from: Fields, to: Fields, path = ''): readonly Change[] {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])].toSorted();
  return names.flatMap((name) => {
    const [before, after] = [from[name], to[name]];
    const field = `${path}${name}`;
    if (isRecord(before) && isRecord(after)) return changesBetween(before, after, `${field}.`);
    const isSame = JSON.stringify(before) === JSON.stringify(after);
    return isSame ? [] : [{ field, from: before, to: after }];
  });
}

/** A change as a person reads it: `address.street: "Rua A" → "Rua B"`. */
export function changeText({ field, from, to }: Change): Text {
  const text = `${field}: ${shown(from)} → ${shown(to)}`;
  return { en: text, pt: text };
}

function shown(value: unknown): string {
  return value === undefined ? '—' : JSON.stringify(value).slice(0, 200);
}
