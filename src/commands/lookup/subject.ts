import { createHash } from 'node:crypto';
import { redactText } from '../../client/redact.js';
import type { Text } from '../../contract/text.js';
import { checkInvoiceKey } from '../../domain/access-key.js';
import type { Issue } from '../../domain/issue.js';
import { checkPostalCode } from '../../domain/address.js';
import { checkCnpj, checkCpf, maskCpf } from '../../domain/tax-number.js';
import { parseUtc } from '../../domain/dates.js';
import type { LookupName, LookupNumber } from '../../jobs/kinds/lookup.js';

/** One thing to ask about, checked: a mistyped number is not worth a query. */
export interface Subject extends LookupNumber {
  /** Finds its kept answer; for a CPF it stands for the number, which no row holds. */
  readonly digest: string;
  /** As rows, errors and progress may show it. */
  readonly label: string;
}

/** The words of one line or of one command. */
export interface Written {
  readonly number: string;
  readonly birthDate?: string | undefined;
  readonly companyId?: string | undefined;
}

export type Read = { readonly subject: Subject } | { readonly problem: Text };

/** Reads what was typed: digits checked, punctuation taken away. A problem never repeats a CPF. */
export function readSubject(name: LookupName, written: Written): Read {
  const { value, issues } = checks[name](written.number);
  const problem = issues.find(({ severity }) => severity === 'error');
  if (problem !== undefined) return { problem: problem.message };
  const { companyId } = written;
  if (name !== 'cpf')
    return { subject: subjectOf(name, { number: value, ...(companyId ? { companyId } : {}) }) };
  const birthDate = written.birthDate?.trim() ?? '';
  if (!/^\d{4}-\d\d-\d\d$/.test(birthDate) || parseUtc(birthDate) === undefined)
    return { problem: aBirthDate };
  return { subject: subjectOf(name, { number: value, birthDate }) };
}

function subjectOf(name: LookupName, asked: LookupNumber): Subject {
  const { number, birthDate = '', companyId = '' } = asked;
  const digest = createHash('sha256').update([name, number, birthDate, companyId].join(' ')).digest('hex');
  return { ...asked, digest, label: name === 'cpf' ? maskCpf(number) : number };
}

/** What an error may repeat of a number: no CPF, though it was typed at the wrong place or with wrong digits. */
export function shownNumber(name: LookupName, text: string): string {
  return name === 'cpf' ? '***' : redactText(text.slice(0, 60));
}

type Check = (text: string) => { readonly value: string; readonly issues: readonly Issue[] };

/** A CT-e and an NF-e are told apart by their models, which stand in the key (facts §1). */
function keyOf(models: readonly string[], wanted: string): Check {
  return (text) => {
    const { value, issues } = checkInvoiceKey(text);
    if (issues.some(({ severity }) => severity === 'error') || models.includes(value.slice(20, 22)))
      return { value, issues };
    const message = { en: `is no key of ${wanted}`, pt: `não é uma chave de ${wanted}` };
    return { value, issues: [{ code: 'model', severity: 'error', field: 'model', message }] };
  };
}

const checks: Readonly<Record<LookupName, Check>> = {
  cnpj: checkCnpj,
  cpf: (text) => {
    const { value, issues } = checkCpf(text);
    // "expected 25" would tell two digits of it.
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
  en: 'the date of birth is needed (--birth-date, or beside it in a list), such as 1990-12-31',
  pt: 'é necessária a data de nascimento (--birth-date, ou ao lado dele numa lista), como 1990-12-31',
};
