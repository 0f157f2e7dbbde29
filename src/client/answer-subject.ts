import { asKey, looksLikeKey } from '../domain/access-key.js';
import type { AnswerShape, Repeated } from '../contract/answers.js';
import type { Text } from '../contract/text.js';
import { fieldOf } from '../domain/record.js';
import { terminalLine } from '../domain/terminal-text.js';
import { reasons } from '../errors/reasons.js';
import { type ErrorFacts, FiscalError } from '../errors/fiscal-error.js';
import { redactText } from './redact.js';
import { isNumber } from '../domain/json-numbers.js';

/** What a request is about: the parameters of its path, and its body. */
export interface Asked {
  readonly path: Readonly<Record<string, string>>;
  readonly body?: object | undefined;
}

/** An answer about another object than the one requested. */
export interface OtherSubject {
  readonly field: string;
  readonly asked: string;
  readonly answered: string;
  /** The company that the answer names instead, where the object is a company. */
  readonly company?: string;
}

/** The first identifier that the answer contradicts. A missing one proves nothing. */
export function otherSubject(
  asked: Asked,
  body: unknown,
  { shape, repeated }: { readonly shape: AnswerShape; readonly repeated: readonly Repeated[] },
): OtherSubject | undefined {
  for (const rule of repeated) {
    const wanted = asked.path[rule.asked] ?? textAt(asked.body, rule.asked);
    if (wanted === undefined || !applies(rule, wanted)) continue;
    for (const thing of thingsIn(body, rule, shape)) {
      const found = otherIn(thing, rule, wanted);
      if (found !== undefined) return rule.of === 'company' ? { ...found, company: companyIn(thing, found) } : found;
    }
  }
  return undefined;
}

function companyIn(thing: unknown, { answered }: OtherSubject): string {
  return shorten(textAt(thing, 'company.id') ?? textAt(thing, 'id') ?? answered);
}

function textAt(thing: unknown, path: string): string | undefined {
  return textOf(path.split('.').reduce((inner: unknown, name) => fieldOf(inner, name), thing));
}

/**
 * `service.other_subject`: the answer, or the effect, concerns another object; `service.other_company` where that is a
 * company. Never retryable.
 */
export function wrongSubject(
  { field, asked, answered, company }: OtherSubject,
  facts: ErrorFacts & { readonly operation: string },
): FiscalError {
  const { operation } = facts;
  if (company !== undefined) {
    const owner = { what: 'companyId', asked, answered, resourceId: company } as const;
    return wrongOwner(owner, { ...facts, answeredCompany: company });
  }
  return new FiscalError(
    'service.other_subject',
    { operation, field, asked, answered },
    { sent: 'yes', retryable: false, ...facts, details: [{ field, message: `${asked} → ${answered}` }] },
  );
}

function otherIn(thing: unknown, { shown, as }: Repeated, wanted: string): OtherSubject | undefined {
  for (const field of shown) {
    const answered = textAt(thing, field);
    if (answered === undefined || isSameAs(as, wanted, answered)) continue;
    return { field, asked: shownWord(wanted), answered: shownWord(answered) };
  }
  return undefined;
}

function isSameAs(as: Repeated['as'], wanted: string, answered: string): boolean {
  if (as === 'address') return addressOf(wanted) === addressOf(answered);
  return (
    isSame(wanted, asKey(answered)) || isSame(wanted, answered) || (as === 'number' && isSameNumber(wanted, answered))
  );
}

/** Masked numbers cannot be compared. */
function isSameNumber(wanted: string, answered: string): boolean {
  return /[*x\u2022]/i.test(answered) || numberOf(wanted) === numberOf(answered);
}

function numberOf(text: string): string {
  return text
    .replaceAll(/[^0-9A-Z]/gi, '')
    .replace(/^0+/, '')
    .toUpperCase();
}

function addressOf(text: string): string {
  return URL.canParse(text) ? new URL(text).href : text;
}

function applies({ when }: Repeated, wanted: string): boolean {
  return when === undefined || (when === 'key') === looksLikeKey(wanted);
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
export function wrongOwner(other: OtherOwner, facts: ErrorFacts & { readonly operation: string }): FiscalError {
  const { what, asked, answered, resourceId } = other;
  const id = resourceId === undefined ? '' : ` (id ${resourceId})`;
  return new FiscalError(
    'service.other_company',
    { operation: facts.operation, who: names[what], asked, answered, id },
    {
      ...(what === 'companyId' ? { answeredCompany: answered } : {}),
      ...facts,
      sent: 'yes',
      retryable: false,
      details: [{ field: what, message: `${asked} → ${answered}` }],
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

const names: Readonly<Record<keyof Owner, Text>> = { companyId: reasons.aCompany, tenantId: reasons.aTenant };
