import type { Text } from '../../contract/text.js';
import { amountText } from '../../domain/amount-text.js';
import type { CheckedModel } from '../../domain/invoice-check.js';
import { fieldOf } from '../../domain/record.js';
import { formatCnpj, maskCpf, readTaxNumber } from '../../domain/tax-number.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import { invoiceCents } from '../../jobs/kinds/invoice-list.js';
import type { Context } from '../../services/context.js';
import { companyNamed } from '../../services/scope/text.js';
import { modelNames } from './invoice.js';

/** What is issued for how much, to whom, where: what a person confirms, and reads again when it is done. */
export interface IssueTerms {
  readonly model: CheckedModel;
  readonly invoice: Readonly<Record<string, unknown>>;
  /** As the body that is sent names it, or as the service shows it; absent: neither does. */
  readonly environment?: string | undefined;
}

/**
 * Asks before an invoice is issued, unless the body that is sent says that it is a test. Error: `usage.confirmation_required`
 * where nobody can answer and --yes is absent.
 */
export async function confirmIssue(context: Context, terms: IssueTerms, companyId?: string): Promise<void> {
  if (isTest(terms.environment)) return;
  const { storeNamespace: profile } = await context.settings();
  const { en, pt } = modelNames[terms.model];
  const { amount, recipient } = termWords(terms);
  const where = terms.environment === undefined ? productionUnlessSet(terms.model) : production;
  const company = companyId === undefined ? undefined : await companyNamed(context, companyId);
  const by = company === undefined ? { en: '', pt: '' } : { en: `company ${company}, `, pt: `empresa ${company}, ` };
  await context.consent({
    what: {
      en: `issue an ${en} of ${amount.en} to ${recipient.en} ${where.en} (${by.en}profile ${profile})`,
      pt: `emitir uma ${pt} de ${amount.pt} para ${recipient.pt} ${where.pt} (${by.pt}perfil ${profile})`,
    },
  });
}

/** `R$ 37.80 to Comércio Exemplo Ltda (11.222.333/0001-81), in production`. */
export function issuedTerms(terms: IssueTerms): Text {
  const { amount, recipient } = termWords(terms);
  const { environment } = terms;
  const known = isTest(environment) ? test : production;
  const where = environment === undefined ? notShown : known;
  return { en: `${amount.en} to ${recipient.en}, ${where.en}`, pt: `${amount.pt} para ${recipient.pt}, ${where.pt}` };
}

/** The environment that an invoice names: its body, or the service's answer. */
export function environmentOf(invoice: unknown): string | undefined {
  const named = textField(invoice, 'environmentType') ?? textField(invoice, 'environment');
  return named === undefined || named === '' || named.toLowerCase() === 'none' ? undefined : named;
}

const production: Text = { en: 'in production', pt: 'em produção' };
const test: Text = { en: 'as a test, without fiscal value', pt: 'em homologação, sem valor fiscal' };
const notShown: Text = {
  en: 'in the environment of the company, which the service does not show here',
  pt: 'no ambiente da empresa, que o serviço não mostra aqui',
};

/** Nothing in the request says where: the company at the service does. */
function productionUnlessSet(model: CheckedModel): Text {
  const [en, pt] =
    model === 'general'
      ? ['the account', 'a conta']
      : ['its registration at the service', 'a inscrição dela no serviço'];
  return { en: `in production, unless ${en} is set to test`, pt: `em produção, salvo se ${pt} estiver em homologação` };
}

/** Any other word is taken for production. */
function isTest(environment: string | undefined): boolean {
  return environment !== undefined && ['test', 'development', 'staging'].includes(environment.toLowerCase());
}

function termWords({ model, invoice }: IssueTerms): { readonly amount: Text; readonly recipient: Text } {
  const cents = invoiceCents(model, invoice);
  const party = fieldOf(invoice, { general: 'cliente', nfse: 'borrower', nfe: 'buyer', nfce: 'buyer' }[model]);
  return { amount: cents === undefined ? unreadable : money(cents), recipient: recipientOf(party) };
}

const unreadable: Text = { en: 'an amount that is not in the body', pt: 'um valor que não está no corpo' };

function money(cents: bigint): Text {
  const digits = String(cents).padStart(3, '0');
  const { en, pt } = amountText(`${digits.slice(0, -2)}.${digits.slice(-2)}`);
  return { en: `R$ ${en}`, pt: `R$ ${pt}` };
}

function recipientOf(party: unknown): Text {
  const name = textField(party, 'name') ?? textField(party, 'nome') ?? '';
  const written = ['federalTaxNumber', 'cnpj', 'cpf'].map((field) => fieldOf(party, field));
  const number = readTaxNumber(written.find((value) => value !== undefined));
  const shown = number?.length === 11 ? maskCpf(number) : formatCnpj(number ?? '');
  if (name === '' && shown === '')
    return { en: 'a recipient who is not named', pt: 'um destinatário não identificado' };
  const text = name === '' || shown === '' ? `${name}${shown}` : `${name.slice(0, 60)} (${shown})`;
  return { en: text, pt: text };
}
