import type { Client } from '../../client/client.js';
import { cursorRows } from '../../client/list-rows.js';
import type { CompanyInput } from '../../contract/company.js';
import { fiscalLine } from '../../domain/command-words.js';
import {
  checkCompany,
  cnpjToSend,
  companyBody,
  companyTaxRegime,
  fieldsNotTaken,
  type TaxNumberForm,
} from '../../domain/company-check.js';
import { changesBetween, type JsonObject, takenFrom } from '../../domain/field-changes.js';
import { isGiven } from '../../domain/invoice-rules.js';
import { fieldOf } from '../../domain/record.js';
import { SETTLE_MS } from '../../domain/settle-time.js';
import { readTaxNumber } from '../../domain/tax-number.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { JobKind, LookupResult, Observation } from '../kind.js';
import { textField } from '../kinds/answer-fields.js';
import { recordIn } from './enveloped.js';
import { readCompany, shownCompany } from './read-company.js';
import { problemsOf, type Resource } from './resource.js';

/** The service replaces the whole company by a closed body; what it shows besides is its own. `form`: how a body carries a CNPJ. */
export function companyResource(companyId: string, form: TaxNumberForm): Resource {
  const path = { companyId };
  return {
    name: { en: `company ${companyId}`, pt: `a empresa ${companyId}` },
    see: fiscalLine({ command: 'company get', positionals: [companyId] }),
    replay: 'natural',
    async read(client, options) {
      const company = await readCompany(client, companyId, options);
      const { id = companyId, name, federalTaxNumber } = company;
      if (id === companyId && typeof name === 'string' && federalTaxNumber !== undefined) return company;
      const reason = {
        en: `the response is not company ${companyId} with name and CNPJ; nothing was changed`,
        pt: `não é a empresa ${companyId} com nome e CNPJ; nada foi alterado`,
      };
      const operation = 'company.get';
      throw new FiscalError('service.unreadable', { operation, status: 200, reason }, { operation, sent: 'no' });
    },
    sendable: (standing) => companyBody(standing),
    inItsWords: (written, standing) => companyBody(companyInItsWords(written, standing ?? {}, form), undefined, true),
    comparable: shownCompany,
    problems: (plan) => [
      ...fieldsNotTaken(plan.written, plan.standing ?? {}),
      ...problemsOf(plan, checkCompany(plan.merged, form)),
    ],
    request: ({ merged }) => ({
      operation: 'company.update',
      input: { path, body: { company: companyInput(merged) } },
    }),
    answered: (body) => recordIn(body, 'company'),
    lost: (standing, after) => takenFrom(changesBetween(companyBody(standing), standing), after).unseen,
    idOf: (standing) => textField(standing, 'id'),
  };
}

/** The checks have shown that these are its fields. */
export function companyInput(fields: JsonObject): CompanyInput {
  const { name, federalTaxNumber: number } = fields;
  const federalTaxNumber = typeof number === 'number' ? number : String(number);
  return { ...fields, name: String(name), federalTaxNumber };
}

/** CNPJ and tax regime as the service writes them, and its own values where they mean the same. */
function companyInItsWords(written: JsonObject, standing: JsonObject, form: TaxNumberForm): JsonObject {
  const { federalTaxNumber, taxRegime } = written;
  const isSameNumber = readTaxNumber(federalTaxNumber) === readTaxNumber(standing['federalTaxNumber']);
  const cnpj = isSameNumber ? standing['federalTaxNumber'] : cnpjToSend(federalTaxNumber, form);
  const [regime, before] = [taxRegime, standing['taxRegime']].map((word) =>
    typeof word === 'string' ? companyTaxRegime(word) : word,
  );
  return {
    ...written,
    ...(isGiven(federalTaxNumber) ? { federalTaxNumber: cnpj } : {}),
    ...(isGiven(taxRegime) ? { taxRegime: regime === before ? standing['taxRegime'] : regime } : {}),
  };
}

/** The input of a `company-create` item. */
export interface CompanyCreateItem {
  readonly company: CompanyInput;
}

const PAGE = 50;

/**
 * After an unknown outcome, the companies of the account are searched for the CNPJ. The create is sent again only when
 * the CNPJ is not there; a company of this CNPJ is ours when it shows nothing else than what was sent.
 */
export const companyCreate: JobKind<CompanyCreateItem, 'company.create', never> = {
  name: 'company-create',
  submit: 'company.create',
  poll: null,
  replay: 'unsafe',
  rejectedStays: false,
  onceOnly: false,
  billed: () => false,
  submitInput: ({ company }) => ({ path: {}, body: { company } }),
  pollInput: () => {
    throw new Error('company-create has no read: its answer is the company');
  },
  observeSubmit: ({ body }) => observed(envelope(body)),
  // Created by someone else: our own would have been found before sending again.
  observeConflict: () => ({ state: 'skipped' }),
  observePoll: () => ({ state: 'pending' }),
  lookup: async (client, { company }, { signal }) => findCompany(client, company, signal),
  settleMs: SETTLE_MS,
};

function envelope(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'company' in body ? body.company : body;
}

function observed(company: unknown): Observation {
  const resourceId = textField(company, 'id');
  const remoteStatus = textField(company, 'status');
  if (resourceId === undefined) return { state: 'uncertain', reason: { is: 'nameless-company' } };
  return { state: 'succeeded', resourceId, ...(remoteStatus === undefined ? {} : { remoteStatus }) };
}

async function findCompany(client: Client, sent: CompanyInput, signal: AbortSignal): Promise<LookupResult> {
  const cnpj = readTaxNumber(sent.federalTaxNumber);
  const input = { path: {}, query: { limit: PAGE } };
  for await (const row of cursorRows(client, 'company.list', input, { signal })) {
    if (readTaxNumber(fieldOf(row, 'federalTaxNumber')) !== cnpj) continue;
    const companyId = textField(row, 'id');
    if (companyId === undefined) return observed(row);
    // A row of the list shows only a part of the company.
    const { body } = await client.call('company.get', { path: { companyId } }, { signal });
    return { ...compared(sent, envelope(body)), resourceId: companyId };
  }
  return 'absent';
}

function compared({ federalTaxNumber, ...sent }: CompanyInput, company: unknown): Observation {
  const { otherwise, unseen } = takenFrom(changesBetween({}, { ...sent }), company);
  const fields = otherwise.map(({ field }) => field);
  if (readTaxNumber(fieldOf(company, 'federalTaxNumber')) !== readTaxNumber(federalTaxNumber))
    fields.push('federalTaxNumber');
  if (fields.length > 0) return { state: 'uncertain', reason: { is: 'company-otherwise', about: fields } };
  if (unseen.includes('name')) return { state: 'uncertain', reason: { is: 'content-unseen' } };
  return observed(company);
}
