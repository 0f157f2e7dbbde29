import type { Given } from '../../cli/command.js';
import type { CallInput } from '../../client/client.js';
import { createHash } from 'node:crypto';
import { redactData, redactText } from '../../client/redact.js';
import type { Text } from '../../contract/text.js';
import { checkInvoiceKey } from '../../domain/access-key.js';
import { momentInWords, DAY_MS } from '../../domain/dates.js';
import { errorIn, isValid, type Issue } from '../../domain/issue.js';
import type { Outcome } from '../../domain/outcome.js';
import { checkPostalCode } from '../../domain/address.js';
import { isRecord } from '../../domain/record.js';
import { checkCnpj, checkCpf, maskCpf } from '../../domain/tax-number.js';
import { parseDay } from '../../domain/typed-dates.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { askAbout, type LookupName, type LookupNumber } from '../../jobs/kinds/lookup.js';
import type { Context } from '../../services/context.js';
import { type DryRun, previewOne } from '../../services/calls/one-call.js';
import { companyOf } from '../../services/scope/companies.js';
import type { AnswerRow } from '../../store/answers.js';
import { rowsOf } from '../../client/read-answer.js';
import { readBytes, type BytesOutcome } from '../../services/calls/read-bytes.js';
import type { cte, nfe } from './commands.js';

/** One number, or a list of them. Without `maxAge`: the default of the kind. */
export type Asked = Omit<Given<typeof cte>, 'key'> & {
  readonly name: LookupName;
  readonly number: string | undefined;
  readonly birthDate?: string | undefined;
};

/**
 * One query (§4, §5), or the answer that this machine has kept. Errors: `input.invalid`; `service.not_found` (9) if the number
 * does not exist; `service.unavailable` (5) if the source does not answer, which proves nothing.
 */
export async function lookUp(context: Context, { name, number, ...given }: Asked): Promise<Outcome> {
  if (number === undefined) throw new FiscalError('usage.missing', { names: numberOrFile }, { sent: 'no' });
  const subject = await requireSubject(context, { name, number, birthDate: given.birthDate });
  if ((await context.settings()).dryRun) return { data: await previewLookup(context, name, subject) };
  const cache = new AnswerCache(context, name, given.maxAge ?? usualAgeMs[name]);
  const kept = given.refresh ? undefined : await cache.fresh(subject.digest);
  if (kept !== undefined) return { data: withNumber(kept.answer, subject), notices: [keptSince(kept.fetchedAt)] };
  const client = await context.client();
  try {
    const { body } = await askAbout(client, name, { ...subject, signal: context.interruption });
    await cache.keep(subject, body);
    return { data: body };
  } catch (error) {
    if (error instanceof FiscalError && error.code === 'service.unavailable') throw error.with({ hint: noVerdict });
    throw error;
  }
}

const numberOrFile: Text = { en: 'a number, - or --file', pt: 'um número, - ou --file' };

interface AskedNumber {
  readonly name: LookupName;
  readonly number: string;
  readonly birthDate?: string | undefined;
}

/** Checks the number. Error: `input.invalid`, which never repeats a CPF. */
async function requireSubject(context: Context, { name, number, birthDate }: AskedNumber): Promise<Subject> {
  const companyId = name === 'cte' ? await companyOf(context) : undefined;
  const read = readSubject(name, { number, birthDate, companyId });
  if ('subject' in read) return read.subject;
  const details = [{ field: fields[name], message: read.problem }];
  const what = `${titles[name]} ${shownNumber(name, number)}`;
  throw new FiscalError('input.invalid', { what }, { sent: 'no', operation: `lookup.${name}`, details });
}

const titles = { cnpj: 'CNPJ', cpf: 'CPF', address: 'CEP', nfe: 'NF-e', cte: 'CT-e' } as const;
const fields = { cnpj: 'cnpj', cpf: 'cpf', address: 'cep', nfe: 'accessKey', cte: 'accessKey' } as const;

/** Adds the number and the date, which the kept answer of a CPF does not hold. */
function withNumber(answer: unknown, { number, birthDate }: Subject): unknown {
  if (birthDate === undefined || !isRecord(answer)) return answer;
  return { federalTaxNumber: number, ...answer, birthOn: `${birthDate}T00:00:00.000Z` };
}

function keptSince(at: number): Text {
  const time = momentInWords(at);
  return {
    en: `this answer is from ${time.en}; to query the service again: --refresh`,
    pt: `esta resposta é de ${time.pt}; para consultar de novo: --refresh`,
  };
}

const noVerdict: Text = {
  en: 'the data source does not answer; that does not mean that nothing exists: try later',
  pt: 'a fonte dos dados não responde; isso não quer dizer que não exista: tente mais tarde',
};

/** A checked number: a mistyped one is not queried. */
export interface Subject extends LookupNumber {
  /** The key of the stored answer; rows contain it instead of a CPF. */
  readonly digest: string;
  /** As rows, errors and progress may show it. */
  readonly label: string;
}

/** A number from a line or an argument. */
export interface Written {
  readonly number: string;
  readonly birthDate?: string | undefined;
  readonly companyId?: string | undefined;
}

export type Read = { readonly subject: Subject } | { readonly problem: Text };

/** Checks the digits and removes punctuation. A problem never repeats a CPF. */
export function readSubject(name: LookupName, written: Written): Read {
  const { value, issues } = checks[name](written.number);
  const problem = errorIn(issues);
  if (problem !== undefined) return { problem };
  const { companyId } = written;
  if (name !== 'cpf') return { subject: subjectOf(name, { number: value, ...(companyId ? { companyId } : {}) }) };
  const birthDate = parseDay(written.birthDate ?? '');
  if (birthDate === undefined) return { problem: aBirthDate };
  return { subject: subjectOf(name, { number: value, birthDate }) };
}

function subjectOf(name: LookupName, asked: LookupNumber): Subject {
  const { number, birthDate = '', companyId = '' } = asked;
  const digest = createHash('sha256').update([name, number, birthDate, companyId].join(' ')).digest('hex');
  return { ...asked, digest, label: name === 'cpf' ? maskCpf(number) : number };
}

/** A number as an error may show it: never a CPF, even a mistyped one. */
export function shownNumber(name: LookupName, text: string): string {
  return name === 'cpf' ? '***' : redactText(text.slice(0, 60));
}

type Check = (text: string) => { readonly value: string; readonly issues: readonly Issue[] };

/** The model in the key distinguishes a CT-e from an NF-e (facts §1). */
function keyOf(models: readonly string[], wanted: string): Check {
  return (text) => {
    const { value, issues } = checkInvoiceKey(text);
    if (!isValid(issues) || models.includes(value.slice(20, 22))) return { value, issues };
    const message = { en: `is not a key of ${wanted}`, pt: `não é uma chave de ${wanted}` };
    return { value, issues: [{ code: 'model', severity: 'error', field: 'model', message }] };
  };
}

const checks: Readonly<Record<LookupName, Check>> = {
  cnpj: checkCnpj,
  cpf: (text) => {
    const { value, issues } = checkCpf(text);
    // "expected 25" would reveal two of its digits.
    const isOff = issues.some(({ code }) => code === 'check-digit');
    return {
      value,
      issues: isOff ? [{ code: 'check-digit', severity: 'error', field: 'cpf', message: wrongCpf }] : issues,
    };
  },
  address: checkPostalCode,
  nfe: keyOf(['55', '65'], 'NF-e'),
  cte: keyOf(['57', '67'], 'CT-e'),
};

const wrongCpf: Text = { en: 'the check digits do not fit', pt: 'os dígitos verificadores não conferem' };
const aBirthDate: Text = {
  en: 'the date of birth is required (--birth-date, or a column of the list), such as 31/12/1990 or 1990-12-31',
  pt: 'é necessária a data de nascimento (--birth-date, ou ao lado dele numa lista), como 31/12/1990 ou 1990-12-31',
};

/** The default age of a kept answer: registry data seldom change, the state of a document may change at any moment. */
export const usualAgeMs: Readonly<Record<LookupName, number>> = {
  cnpj: 30 * DAY_MS,
  address: 30 * DAY_MS,
  cpf: DAY_MS,
  nfe: 0,
  cte: 0,
};

/** The stored answers of one profile and kind. */
export class AnswerCache {
  readonly #context: Context;
  readonly #name: LookupName;
  readonly #maxAgeMs: number;

  constructor(context: Context, name: LookupName, maxAgeMs: number) {
    this.#context = context;
    this.#name = name;
    this.#maxAgeMs = maxAgeMs;
  }

  /** The kept answer, if it is young enough. */
  async fresh(digest: string): Promise<AnswerRow | undefined> {
    if (this.#maxAgeMs <= 0) return undefined;
    const row = await this.any(digest);
    return row !== undefined && this.#age(row) < this.#maxAgeMs ? row : undefined;
  }

  /** The kept answer, however old. */
  async any(digest: string): Promise<AnswerRow | undefined> {
    const { storeNamespace } = await this.#context.settings();
    const store = await this.#context.store();
    return await store.answers.get({ profile: storeNamespace, kind: this.#name, digest });
  }

  async keep({ digest }: Pick<Subject, 'digest'>, answer: unknown): Promise<void> {
    const { storeNamespace } = await this.#context.settings();
    const store = await this.#context.store();
    const kept = this.#name === 'cpf' ? impersonal(answer) : answer;
    const fetchedAt = this.#context.clock.now();
    await store.answers.put({ profile: storeNamespace, kind: this.#name, digest, fetchedAt, answer: kept });
  }

  /** Never negative, even if the clock went back. */
  #age({ fetchedAt }: AnswerRow): number {
    return Math.max(0, this.#context.clock.now() - fetchedAt);
  }
}

/** Without the number and the date of birth: whoever queries again types them again. */
function impersonal(answer: unknown): unknown {
  if (!isRecord(answer)) return redactData(answer);
  const { federalTaxNumber: _number, birthOn: _birth, ...others } = answer;
  return redactData(others);
}

/** The request of one query; a CPF in it is masked. */
export async function previewLookup(context: Context, name: LookupName, subject: Subject): Promise<DryRun> {
  const { number, birthDate = '', companyId = '' } = subject;
  switch (name) {
    case 'cnpj':
      return await previewOne(context, 'lookup.cnpj', { path: { numero: number } });
    case 'cpf':
      return await previewOne(context, 'lookup.cpf', { path: { cpf: number, birthDate } });
    case 'address':
      return await previewOne(context, 'lookup.address', { path: { postalCode: number } });
    case 'nfe':
      return await previewOne(context, 'lookup.nfe', { path: { accessKey: number } });
    case 'cte':
      return await previewOne(context, 'cte.inbound.get', { path: { companyId, accessKey: number } });
  }
}

/** The XML or PDF of an NF-e at the state tax authority, byte for byte, or its events. Error: `usage.invalid` for two forms at once, or one of a list. */
export async function lookUpForm(context: Context, given: Given<typeof nfe>): Promise<BytesOutcome> {
  const { key, out, timeout } = given;
  const [form, ...others] = (['xml', 'pdf', 'events'] as const).filter((each) => given[each]);
  const isList = key === undefined || key === '-' || given.file !== undefined;
  if (form === undefined || others.length > 0 || isList || (form === 'events' && out !== undefined))
    throw new FiscalError('usage.invalid', { message: oneForm }, { sent: 'no' });
  const { number } = await requireSubject(context, { name: 'nfe', number: key });
  const input = { path: { accessKey: number } };
  if (form === 'events') return await lookUpEvents(context, input);
  const name = form.toUpperCase();
  return await readBytes(context, {
    ...{ operation: `lookup.nfe.${form}`, input, key: number, out, timeout },
    what: { en: `the ${name}`, pt: `o ${name}` },
    ...(form === 'xml' && { expected: { family: 'nfe', part: 'document', accessKey: number } as const }),
  });
}

async function lookUpEvents(context: Context, input: CallInput<'lookup.nfe.events'>): Promise<Outcome> {
  if ((await context.settings()).dryRun) return { data: await previewOne(context, 'lookup.nfe.events', input) };
  const client = await context.client();
  const { body } = await client.call('lookup.nfe.events', input, { signal: context.interruption });
  return { data: rowsOf('lookup.nfe.events', body) };
}

const oneForm: Text = {
  en: 'give one key with one of --xml, --pdf and --events; --out goes with --xml or --pdf',
  pt: 'informe uma chave com um destes: --xml, --pdf ou --events; --out vale com --xml ou --pdf',
};
