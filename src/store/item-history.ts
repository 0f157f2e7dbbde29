import type { ItemStep } from '../domain/item-step.js';
import { isRecord } from '../domain/record.js';
import { DamagedRow, fromJson } from './row.js';

/** Each step there is. */
const names: Readonly<Record<ItemStep['is'], true>> = {
  sent: true,
  answered: true,
  'taken-unnamed': true,
  failed: true,
  'held-up': true,
  interrupted: true,
  found: true,
  'not-found': true,
  absent: true,
  'several-alike': true,
  'already-there': true,
  'there-unread': true,
  read: true,
  'person-decided': true,
  cancelled: true,
  contradicted: true,
};

/** A step with its time, as it is added to the history of an item. */
export interface TimedStep {
  readonly at: number;
  readonly step: ItemStep;
}

/** The column of a step. Equal steps have equal texts. */
export function stepText(step: ItemStep): string {
  return JSON.stringify(step);
}

/** The step in a column. Throws `DamagedRow`. */
export function stepIn(text: string): ItemStep {
  const value = fromJson(text);
  if (isKnownStep(value)) return value;
  throw new DamagedRow(
    { en: 'a row contains no known step of an item', pt: 'uma linha não contém um passo conhecido de um item' },
    { column: 'step' },
  );
}

// Only `stepText` writes the column, and the schema of the store changes with the type.
export function isKnownStep(value: unknown): value is ItemStep {
  return isRecord(value) && typeof value['is'] === 'string' && Object.hasOwn(names, value['is']);
}
