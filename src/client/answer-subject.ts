import type { AnswerShape, Repeated } from '../contract/answers.js';
import type { Text } from '../contract/text.js';
import { fieldOf } from '../domain/record.js';
import { terminalLine } from '../domain/terminal-text.js';
import { type ErrorFacts, FiscalError } from '../errors/fiscal-error.js';
import { redactText } from './redact.js';
import { isNumber } from '../domain/json-numbers.js';

/** The identifiers in a request: its path parameters and the plain fields of its body. */
export type Asked = Readonly<Record<string, string>>;

/** An answer about another object than the one requested. */
export interface OtherSubject {
  readonly field: string;
  readonly asked: string;
  readonly answered: string;
}

export function askedIn(path: Readonly<Record<string, string>>, body: object | undefined): Asked {
  const fields = Object.entries(body ?? {}).flatMap(([name, value]) => {
    const text = textOf(value);
    return text === undefined ? [] : [[name, text] as const];
  });
  return { ...Object.fromEntries(fields), ...path };
}

/** The first identifier that the answer contradicts. A missing one proves nothing. */
export function otherSubject(
  asked: Asked,
  body: unknown,
  { shape, repeated }: { readonly shape: AnswerShape; readonly repeated: readonly Repeated[] },
): OtherSubject | undefined {
  for (const rule of repeated) {
    const wanted = asked[rule.asked];
    if (wanted === undefined || !applies(rule, wanted)) continue;
    for (const thing of thingsIn(body, rule, shape)) {
      const found = otherIn(thing, rule, wanted);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** `service.other_subject`: the answer, or the effect, concerns another object. Never retryable. */
export function wrongSubject(
  { field, asked, answered }: OtherSubject,
  facts: ErrorFacts & { readonly operation: string },
): FiscalError {
  const { operation } = facts;
  return new FiscalError(
    'service.other_subject',
    { operation, field, asked, answered },
    { sent: 'yes', retryable: false, ...facts, details: [{ field, message: `${asked} → ${answered}` }] },
  );
}

function otherIn(thing: unknown, { shown, as }: Repeated, wanted: string): OtherSubject | undefined {
  for (const field of shown) {
    const answered = textOf(field.split('.').reduce((inner: unknown, name) => fieldOf(inner, name), thing));
    if (answered === undefined || isSame(wanted, answered)) continue;
    if (as === 'number' && isSameNumber(wanted, answered)) continue;
    return { field, asked: shownWord(wanted), answered: shownWord(answered) };
  }
  return undefined;
}

/** Masked numbers cannot be compared. */
function isSameNumber(wanted: string, answered: string): boolean {
  return /[*x•]/i.test(answered) || numberOf(wanted) === numberOf(answered);
}

function numberOf(text: string): string {
  return text
    .replaceAll(/[^0-9A-Z]/gi, '')
    .replace(/^0+/, '')
    .toUpperCase();
}

function applies({ when }: Repeated, wanted: string): boolean {
  return when === undefined || (when === 'key') === /^(?:[0-9A-Z]{44}|[0-9A-Z]{50})$/.test(wanted);
}

function thingsIn(body: unknown, rule: Repeated, shape: AnswerShape): readonly unknown[] {
  if (rule.in === 'rows') return shape.is === 'list' ? listsIn(body, shape.in) : [];
  return shape.is === 'object' && shape.in !== undefined ? [fieldOf(body, shape.in)] : [body];
}

function shownWord(text: string): string {
  return redactText(shorten(text));
}

/** The company or tenant of a request; the answer must be about the same. */
export interface Owner {
  readonly companyId?: string;
  readonly tenantId?: string;
}

/** An answer, or one of its rows, about another company or tenant. */
export interface OtherOwner {
  readonly what: keyof Owner;
  readonly asked: string;
  readonly answered: string;
  /** The id of the object in the answer. */
  readonly resourceId?: string;
}

/**
 * Compares the owner in an answer with the one in the request: `companyId`, the id of `company`, `tenantId`, and the
 * same in what the answer wraps and in every row of a list. An answer without an owner passes. One row of another company invalidates the list: the
 * service may also have left out rows of the requested one.
 */
export function otherOwner(asked: Owner, body: unknown, shape: AnswerShape): OtherOwner | undefined {
  if (asked.companyId === undefined && asked.tenantId === undefined) return undefined;
  const wrapped = shape.is === 'object' && shape.in !== undefined ? [fieldOf(body, shape.in)] : [];
  for (const thing of [body, ...wrapped, ...listsIn(body, listNames(shape))]) {
    const found = otherOf(asked, thing, shape);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `service.other_company`: the service acted for another company. Never retryable. */
export function wrongOwner(
  other: OtherOwner,
  facts: ErrorFacts & { readonly operation: string },
): FiscalError {
  const { what, asked, answered, resourceId } = other;
  const id = resourceId === undefined ? '' : ` (id ${resourceId})`;
  return new FiscalError(
    'service.other_company',
    { operation: facts.operation, who: names[what], asked, answered, id },
    {
      ...facts,
      sent: 'yes',
      retryable: false,
      details: [{ field: what, message: `${asked} → ${answered}` }],
      ...(what === 'companyId' ? { answeredCompany: answered } : {}),
    },
  );
}

function otherOf(asked: Owner, thing: unknown, shape: AnswerShape): OtherOwner | undefined {
  const resourceId = textOf(fieldOf(thing, 'id') ?? fieldOf(thing, 'documentId'));
  const pairs = [
    ['companyId', asked.companyId, companyOf(thing, shape)],
    ['tenantId', asked.tenantId, textOf(fieldOf(thing, 'tenantId'))],
  ] as const;
  for (const [what, wanted, answered] of pairs) {
    if (wanted === undefined || answered === undefined || isSame(wanted, answered)) continue;
    const shown = { what, asked: wanted, answered: shorten(answered) };
    return resourceId === undefined ? shown : { ...shown, resourceId: shorten(resourceId) };
  }
  return undefined;
}

function companyOf(thing: unknown, shape: AnswerShape): string | undefined {
  const named = textOf(fieldOf(thing, 'companyId')) ?? textOf(fieldOf(fieldOf(thing, 'company'), 'id'));
  if (named !== undefined) return named;
  return shape.is === 'object' && shape.owner === 'id' ? textOf(fieldOf(thing, 'id')) : undefined;
}

function listNames(shape: AnswerShape): readonly string[] {
  if (shape.is === 'list') return shape.in;
  return shape.is === 'object' && shape.orList !== undefined ? [shape.orList] : [];
}

export function listsIn(body: unknown, lists: readonly string[]): readonly unknown[] {
  return lists.flatMap((name) => {
    const rows = fieldOf(body, name);
    return Array.isArray(rows) ? (rows as readonly unknown[]) : [];
  });
}

/** Identifiers are UUIDs or numbers (§1); UUIDs are compared without regard to case. */
export function isSame(one: string, other: string): boolean {
  return one === other || one.toLowerCase() === other.toLowerCase();
}

export function textOf(value: unknown): string | undefined {
  if (isNumber(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function shorten(text: string): string {
  return terminalLine(text.slice(0, 100));
}

const names: Readonly<Record<keyof Owner, Text>> = {
  companyId: { en: 'company', pt: 'a empresa' },
  tenantId: { en: 'tenant', pt: 'o tenant' },
};
