import { cursorRows } from '../../client/list-rows.js';
import type { Text } from '../../contract/text.js';
import type { JsonObject } from '../../domain/field-changes.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { readTaxNumber } from '../../domain/tax-number.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import { accountCompanies } from '../../jobs/kinds/received-note.js';
import { noCompany, readCompany } from '../../jobs/resources/read-company.js';
import type { KnownRow } from '../../store/store.js';
import type { Context } from '../context.js';
import type { AccountCompany } from './scope.js';

const PAGE = 50;
/** Of a company that a whole list of the account no longer names. */
const GONE = 'gone';

type Caller = Pick<Context, 'client' | 'interruption'>;

/** The account's list, page by page to its end. Errors: `service.list_cut`; those of a call. */
export async function listAccount(context: Caller): Promise<readonly AccountCompany[]> {
  const client = await context.client();
  const found = new Map<string, AccountCompany>();
  const input = { path: {}, query: { limit: PAGE } };
  for await (const row of cursorRows(client, 'company.list', input, { signal: context.interruption })) {
    const company = companyIn(row);
    if (company !== undefined) found.set(company.id, company);
  }
  return [...found.values()];
}

/** One company by its id; `undefined` when the account has none (404). Error: `service.unreadable`; those of a call. */
export async function readAccountCompany(context: Caller, id: string): Promise<AccountCompany | undefined> {
  const client = await context.client();
  try {
    const input = { path: { companyId: id } };
    const { body, status } = await client.call('company.get', input, { signal: context.interruption });
    const answer: unknown = body;
    const company = isRecord(answer) ? companyIn(answer['company']) : undefined;
    if (company?.id.toLowerCase() === id.toLowerCase()) return company;
    throw unreadable('company.get', status, company === undefined ? noCompany : anotherCompany);
  } catch (error) {
    if (error instanceof FiscalError && error.facts.httpStatus === 404) return undefined;
    throw error;
  }
}

/** One company, without its envelope. Errors: those of `readCompany`. */
export async function fetchCompany(context: Caller, companyId: string): Promise<JsonObject> {
  return await readCompany(await context.client(), companyId, { signal: context.interruption });
}

/** What a row of a list, or the answer to a read, says of a company. */
export function companyIn(body: unknown): AccountCompany | undefined {
  const id = textField(body, 'id');
  if (id === undefined) return undefined;
  const taxNumber = readTaxNumber(fieldOf(body, 'federalTaxNumber'));
  return { id, name: textField(body, 'name'), taxNumber };
}

export type Keeper = Pick<Context, 'store' | 'settings' | 'clock'>;

/** The companies that this machine has seen with this profile, or with the profile of `space`. */
export async function knownCompanies(
  { store, settings }: Keeper,
  storeNamespace?: string,
): Promise<readonly AccountCompany[]> {
  const [{ known }, own] = await Promise.all([store(), settings()]);
  const rows = await known.list({ profile: storeNamespace ?? own.storeNamespace, ...accountCompanies });
  return rows.filter(({ status }) => status !== GONE).map(companyOfRow);
}

export async function knownCompany({ store, settings }: Keeper, id: string): Promise<AccountCompany | undefined> {
  const [{ known }, { storeNamespace: profile }] = await Promise.all([store(), settings()]);
  const row = await known.get({ profile, ...accountCompanies, id });
  return row === undefined || row.status === GONE ? undefined : companyOfRow(row);
}

/** Writes what is new. With `isAll`, the companies that are kept and not among these are marked as gone. */
export async function keepCompanies(
  context: Keeper,
  companies: readonly AccountCompany[],
  isAll: boolean,
): Promise<void> {
  const [{ known }, { storeNamespace: profile }] = await Promise.all([context.store(), context.settings()]);
  const before = new Map((await knownCompanies(context)).map((company) => [company.id, company]));
  const changed = companies.filter(({ id, name, taxNumber }) => {
    const kept = before.get(id);
    return kept === undefined || kept.name !== name || kept.taxNumber !== taxNumber;
  });
  const listed = new Set(companies.map(({ id }) => id));
  const gone = isAll ? [...before.values()].filter(({ id }) => !listed.has(id)) : [];
  const put = ({ id, name, taxNumber }: AccountCompany, status: string): Promise<void> =>
    known.put(
      {
        ...{ profile, ...accountCompanies, id, status, seenAt: context.clock.now() },
        ...(name === undefined ? {} : { label: name }),
        data: { taxNumber },
      },
      { durable: false },
    );
  await Promise.all([
    ...changed.map((company) => put(company, 'listed')),
    ...gone.map((company) => put(company, GONE)),
  ]);
}

/** Whether documents, events or billed calls of this company are in the store: the service has told this machine of it. */
export async function storeMentions({ store, settings }: Keeper, id: string): Promise<boolean> {
  const [{ documents, known, usage }, { storeNamespace: profile }] = await Promise.all([store(), settings()]);
  if ((await usage.list({ profile, companyIds: [id], since: 0 })).length > 0) return true;
  if ((await documents.list({ profile, companies: [id], limit: 1 })).length > 0) return true;
  for (const kind of ['nfe-manifestation', 'nfse-manifestation']) {
    if ((await known.list({ profile, kind, scope: id, limit: 1 })).length > 0) return true;
  }
  return false;
}

function companyOfRow({ id, label, data }: KnownRow): AccountCompany {
  return { id, name: label, taxNumber: textField(data, 'taxNumber') };
}

function unreadable(operation: string, status: number, reason: Text): FiscalError {
  const facts = { operation, httpStatus: status, sent: 'yes', retryable: false } as const;
  return new FiscalError('service.unreadable', { operation, status, reason }, facts);
}

const anotherCompany: Text = { en: 'it is about another company', pt: 'é de outra empresa' };
