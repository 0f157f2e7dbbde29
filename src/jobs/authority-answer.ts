import type { FiscalError } from '../errors/fiscal-error.js';
import type { KnownRow, SeenRow, Store } from '../store/store.js';
import { textField } from './kinds/answer-fields.js';

/** What the authority answered to an event, as far as the service says it. */
export interface AuthorityAnswer {
  readonly protocol?: string;
  /** `cStat` of the authority. */
  readonly code?: string;
  /** `xMotivo` of the authority. */
  readonly text?: string;
}

/** Longest text that is stored, in characters. */
const MAX_TEXT = 1_000;
const MAX_CODE = 60;

/** The names that the service has for it, then those of the official layout. */
const fieldNames = {
  protocol: ['protocol', 'nProt'],
  code: ['errorCode', 'cStat'],
  text: ['errorMessage', 'xMotivo'],
} as const;

/** What a body says of it; a field that it does not have is absent. `undefined`: nothing. */
export function authorityAnswer(body: unknown): AuthorityAnswer | undefined {
  const read = (names: readonly string[], longest: number): string | undefined =>
    names
      .map((name) => textField(body, name))
      .find((value) => value !== undefined)
      ?.slice(0, longest);
  const protocol = read(fieldNames.protocol, MAX_CODE);
  const text = read(fieldNames.text, MAX_TEXT);
  const code = codeOf(read(fieldNames.code, MAX_CODE), text);
  if (protocol === undefined && code === undefined && text === undefined) return undefined;
  return {
    ...(protocol === undefined ? {} : { protocol }),
    ...(code === undefined ? {} : { code }),
    ...(text === undefined ? {} : { text }),
  };
}

const bareCode = /^(?:cStat|rejei[cç][aã]o)?[\s:=-]*(\d{3})$/i;
const codeBefore = /^(?:cStat|rejei[cç][aã]o)?[\s:=[(-]*(\d{3})\s*[-–:\])]/i;

const codeNamed = /\b(?:cStat|rejei[cç][aã]o)[\s:=[(-]*(\d{3})\b/i;

/** The three digits, however they are written around them: `cStat 596`, or in the text, as `596 - …` or `Rejeição 596: …`. */
function codeOf(code: string | undefined, text: string | undefined): string | undefined {
  const written = code?.trim() ?? '';
  if (written !== '') return bareCode.exec(written)?.[1] ?? written;
  return text === undefined ? undefined : (codeBefore.exec(text.trim()) ?? codeNamed.exec(text))?.[1];
}

/** Names of fields whose value is a code. */
const codeField = /^(?:.*\.)?(?:cStat|errorCode|code)$/i;

/**
 * What the authority answered, where the service hands its refusal of an event on as a refusal of the request: its code stands in the
 * code, the message or a detail of the error. `undefined`: nothing shows a code of the authority.
 */
export function authorityRefusal({
  code,
  facts,
}: FiscalError): Required<Omit<AuthorityAnswer, 'protocol'>> | undefined {
  const { said: text = '', details = [], httpStatus } = facts;
  if (code !== 'service.refused') return undefined;
  const written = details.map(({ field, message }) =>
    typeof message === 'string' ? [codeField.test(field) ? message : undefined, message] : [],
  );
  const found = [[bareCode.exec(text)?.[1], text], [undefined, text.replace(/^[\w.-]+: /, '')], ...written]
    .map(([bare, words]) => codeOf(bare, words))
    .find((each) => each !== undefined && /^\d{3}$/.test(each) && each !== String(httpStatus));
  return found === undefined ? undefined : { code: found, text };
}

/** Its kind among the rows of what is known. The id is that of the event at the service or, without one, of the item. */
const kind = 'authority-answer';

interface Kept {
  readonly profile: string;
  readonly id: string;
  readonly at: number;
}

/** As it is kept for the lists and reports of this machine. */
export function answerRow({ profile, id, at }: Kept, answer: AuthorityAnswer): SeenRow {
  return { profile, kind, scope: '', id, label: id, data: answer, seenAt: at };
}

/** An answer that says nothing replaces none. */
export async function keepAnswer(
  { known }: Pick<Store, 'known'>,
  kept: Kept,
  answer: AuthorityAnswer | undefined,
): Promise<void> {
  if (answer !== undefined) await known.put(answerRow(kept, answer), { durable: false });
}

/** By id; an event whose answer is not known is left out. */
export async function answersOf(
  { known }: Pick<Store, 'known'>,
  profile: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AuthorityAnswer>> {
  const found = new Map<string, AuthorityAnswer>();
  for (let from = 0; from < ids.length; from += PAGE) {
    const rows = await known.labelled({ profile, kind, labels: ids.slice(from, from + PAGE) });
    for (const row of rows) found.set(row.id, answerIn(row));
  }
  return found;
}

const PAGE = 500;

// Written by `answerRow` alone.
const answerIn = ({ data }: KnownRow): AuthorityAnswer => data as AuthorityAnswer;

/** As the records of events show it. */
export function answerFields({ protocol, code, text }: AuthorityAnswer = {}): Readonly<Record<string, string>> {
  return {
    ...(protocol === undefined ? {} : { protocol }),
    ...(code === undefined ? {} : { answerCode: code }),
    ...(text === undefined ? {} : { answerText: text }),
  };
}
