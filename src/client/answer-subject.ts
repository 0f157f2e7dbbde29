import type { AnswerShape, Repeated } from '../contract/answers.js';
import { fieldOf } from '../domain/record.js';
import { FiscalError, type ErrorFacts } from '../errors/fiscal-error.js';
import { isSame, listsIn, shorten, textOf } from './answer-owner.js';
import { redactText } from './redact.js';

/** The words that a request names its object by: the parameters of its path and the plain fields of its body. */
export type Asked = Readonly<Record<string, string>>;

/** An answer that names another object than the request did. */
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

/** The first word of the request that the answer repeats otherwise. What the answer leaves out proves nothing. */
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

/** `service.other_subject`: what the answer says, or what was done, concerns another object. Never retryable. */
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

/** What is masked cannot be compared. */
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
