import type { CompanyInput } from '../../contract/company.js';
import type { Client } from '../../client/client.js';
import { cursorRows } from '../../client/list-rows.js';
import { SETTLE_MS } from '../../domain/settle-time.js';
import { changesBetween, takenFrom } from '../../domain/field-changes.js';
import { fieldOf } from '../../domain/record.js';
import { readTaxNumber } from '../../domain/tax-number.js';
import type { JobKind, LookupResult, Observation } from '../kind.js';
import { reasonAbout, reasons } from '../../errors/reasons.js';
import { textField } from './answer-fields.js';

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
  if (resourceId === undefined) return { state: 'uncertain', errorMessage: reasons.namelessCompany.en };
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
  if (fields.length > 0)
    return { state: 'uncertain', errorMessage: reasonAbout(reasons.companyOtherwise, fields).en };
  if (unseen.includes('name')) return { state: 'uncertain', errorMessage: reasons.contentUnseen.en };
  return observed(company);
}
