import type { ItemStep } from '../domain/item-step.js';
import { fieldOf, isRecord } from '../domain/record.js';
import { isReason, type Reason } from '../errors/reasons.js';
import { DamagedRow, fromJson, LAST_TIME } from './row.js';

type Check = (value: unknown) => boolean;

const text: Check = (value) => typeof value === 'string';
const texts: Check = (value) => Array.isArray(value) && value.every(text);
const number: Check = (value) => typeof value === 'number';
const time: Check = (value) => typeof value === 'number' && value >= 0 && value <= LAST_TIME;
const yes: Check = (value) => value === true;
const one =
  (...words: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && words.includes(value);
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

type FieldsOf<Step> = { readonly [Name in Exclude<keyof Step, 'is' | 'status' | 'keptSince'>]-?: Check };

/** Each step there is, and what its fields hold: whoever shows a step or decides by it relies on that. */
const steps: { readonly [Name in ItemStep['is']]: FieldsOf<Extract<ItemStep, { readonly is: Name }>> } = {
  sent: { attempt: number, perhaps: maybe(one('server-changed', 'went-back')) },
  answered: { said: maybe(text) },
  'taken-unnamed': { reason: maybe(isReason) },
  failed: { code: text },
  'held-up': {},
  interrupted: { otherContent: maybe(yes) },
  found: { after: maybe((value) => value === 'refusal' || number(value)), beforeAnySend: maybe(yes) },
  'not-found': {},
  absent: { because: one('billed', 'taken', 'absent'), looks: number, seconds: number },
  'several-alike': { candidates: texts },
  'already-there': { httpStatus: number, named: maybe(yes) },
  'there-unread': { words: maybe(text), looksAgain: maybe(yes) },
  read: { by: maybe(one('person', 'resume', 'apply')) },
  'person-decided': { verdict: one('succeeded', 'failed', 'not-sent') },
  cancelled: { because: maybe(one('may-have-arrived', 'opposite', 'planned-again', 'sent-again', 'plan-changed')) },
  contradicted: { at: time, state: text, resourceId: maybe(text) },
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

/** The column of a reason. */
export function reasonText<Nothing extends null | undefined>(reason: Reason | Nothing): string | Nothing {
  return reason && JSON.stringify(reason);
}

/** The reason in a column. Throws `DamagedRow`. */
export function reasonIn(text: string | null): Reason | null {
  if (text === null) return null;
  const value = fromJson(text);
  if (isReason(value)) return value;
  throw new DamagedRow(
    { en: 'a row contains no known reason', pt: 'uma linha não contém um motivo conhecido' },
    { column: 'reason' },
  );
}

/** Why a target did not take an event. */
export interface TargetReason {
  readonly target: string;
  readonly reason: Reason;
}

export function areFailures(value: unknown): value is readonly TargetReason[] {
  const isFailure = (each: unknown) => typeof fieldOf(each, 'target') === 'string' && isReason(fieldOf(each, 'reason'));
  return Array.isArray(value) && value.every(isFailure);
}

/** The failures in a column. Throws `DamagedRow`. */
export function failuresIn(text: string | null): readonly TargetReason[] | null {
  if (text === null) return null;
  const value = fromJson(text);
  if (areFailures(value)) return value;
  throw new DamagedRow(
    { en: 'a row contains no known failures of targets', pt: 'uma linha não contém falhas conhecidas de destinos' },
    { column: 'failures' },
  );
}

export function isKnownStep(value: unknown): value is ItemStep {
  if (!isRecord(value) || typeof value['is'] !== 'string' || !Object.hasOwn(steps, value['is'])) return false;
  // `hasOwn` has found the name.
  const fields = Object.entries<Check>({
    ...steps[value['is'] as ItemStep['is']],
    status: maybe(text),
    keptSince: maybe(time),
  });
  return fields.every(([name, holds]) => holds(value[name]));
}
