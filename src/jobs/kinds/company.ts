import type { CompanyInput } from '../../contract/company.js';
import type { Client } from '../../client/client.js';
import type { JobKind, LookupResult, Observation } from '../kind.js';
import { listField, textField } from './answer-fields.js';

/** What an item of `company-create` holds. */
export interface CompanyCreateItem {
  readonly company: CompanyInput;
}

const PAGE = 50;
const MAX_PAGES = 2_000;

/**
 * A create is never repeated on the program's own idea: after an unknown outcome the companies of the account are looked
 * through for the CNPJ, and only when it is not there the request goes out again.
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
  // Another's, since our own would have been found before anything was sent again.
  observeConflict: () => ({ state: 'skipped' }),
  observePoll: () => ({ state: 'pending' }),
  lookup: async (client, { company }, { signal }) => findCompany(client, company.federalTaxNumber, signal),
  settleMs: 10 * 60_000,
};

function envelope(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'company' in body ? body.company : body;
}

function observed(company: unknown): Observation {
  const resourceId = textField(company, 'id');
  const remoteStatus = textField(company, 'status');
  if (resourceId === undefined) return { state: 'uncertain', errorMessage: 'the answer names no id' };
  return { state: 'succeeded', resourceId, ...(remoteStatus === undefined ? {} : { remoteStatus }) };
}

async function findCompany(client: Client, cnpj: string, signal: AbortSignal): Promise<LookupResult> {
  let startingAfter: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = { limit: PAGE, startingAfter };
    const { body } = await client.call('company.list', { path: {}, query }, { signal });
    const companies = listField(body, 'companies');
    if (companies === undefined) return 'cannot tell';
    const found = companies.find((company) => bare(textField(company, 'federalTaxNumber')) === cnpj);
    if (found !== undefined) return observed(found);
    const last = textField(companies.at(-1), 'id');
    if (body.hasMore !== true) return 'absent';
    if (last === undefined || last === startingAfter) return 'cannot tell';
    startingAfter = last;
  }
  return 'cannot tell';
}

/** Some deployments show the number with punctuation, or as a number without its leading zeros. */
function bare(text: string | undefined): string {
  return (text ?? '').replaceAll(/[^0-9A-Z]/g, '').padStart(14, '0');
}
