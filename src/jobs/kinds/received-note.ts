import type { Client } from '../../client/client.js';
import type { Text } from '../../contract/text.js';
import { fieldOf } from '../../domain/record.js';
import { bareTaxNumber, formatCnpj, looksLikeCnpj } from '../../domain/tax-number.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { DocumentRow } from '../../store/documents.js';
import type { Store } from '../../store/store.js';
import { textField } from './answer-fields.js';

/** Dependencies of the company check. */
export interface CompanyCheck {
  readonly store: Store;
  readonly client: Client;
  readonly profile: string;
  readonly now: number;
  readonly signal: AbortSignal;
}

/** The part of a submission that names its company. */
export interface CompanyClaim {
  readonly family: 'nfe' | 'nfse';
  readonly accessKey: string;
  readonly companyId?: string;
  /** Set by `--company-unchecked`: the user vouches for the company. */
  readonly companyUnchecked?: true;
}

/** Where the store caches the companies of the account; their data holds the `taxNumber`. */
export const accountCompanies = { kind: 'company', scope: '' } as const;

/** Cached evidence about a document and a company. The row's id is the access key, its scope the company. */
const noteKind = 'received-note';

/** The data of a `noteKind` row. */
interface SeenNote extends NoteFacts {
  /** The service answered an event for this company that was sent for another. */
  readonly takenFor?: string;
}

/** What a person needs to know about a document before denying it. */
export interface NoteFacts {
  readonly issuer?: string;
  readonly issuerName?: string;
  readonly amount?: string;
}

/** The tax numbers of a document's parties. */
interface Parties {
  /** The tax number of the company that the service delivered it to. */
  readonly holder: string | undefined;
  readonly issuer: string | undefined;
  readonly recipient: string | undefined;
}

/** The cached evidence about a document and a company. Only this file writes it. */
export async function seenNote(
  { store, profile }: Pick<CompanyCheck, 'store' | 'profile'>,
  { accessKey, companyId = '' }: CompanyClaim,
): Promise<SeenNote | undefined> {
  const row = await store.known.get({ profile, kind: noteKind, scope: companyId, id: accessKey });
  return row === undefined ? undefined : (row.data as SeenNote);
}

/**
 * Drops cached proofs after the service acted for another company than the one named: until the path names the company,
 * a read by key proves nothing.
 */
export async function forgetProof(
  { store, profile, now }: Pick<CompanyCheck, 'store' | 'profile' | 'now'>,
  { accessKey, companyId = '' }: CompanyClaim,
  takenFor: string,
): Promise<void> {
  const row = { profile, kind: noteKind, scope: companyId, id: accessKey, seenAt: now };
  await store.known.put({ ...row, data: { takenFor } });
}

/**
 * The copies of the document that a sync listed, one per company, without companies that its tax numbers rule out as
 * recipient.
 */
export async function capturersOf(
  { store, profile }: Pick<CompanyCheck, 'store' | 'profile'>,
  { family, accessKey }: Pick<CompanyClaim, 'family' | 'accessKey'>,
): Promise<readonly DocumentRow[]> {
  const rows = await store.documents.capturers({ profile, family, id: accessKey });
  const found = await Promise.all(
    rows.map(async (row) => {
      const own = await taxNumberOf({ store, profile }, row.companyId);
      return objectionTo(partiesOfRow(row), own) === undefined ? [row] : [];
    }),
  );
  return found.flat();
}

/**
 * Reads the document under the company's path. The proof is a response for this document that names the company by id,
 * by CNPJ or as recipient, and contradicts nothing. It is cached; a refusal is not, since the document may be captured
 * later. Returns `absent` when the company has not captured it (404). Errors: `manifestation.not_recipient`,
 * `service.unreadable`, those of the call.
 */
export async function proveByRead(check: CompanyCheck, claim: CompanyClaim): Promise<'proven' | 'absent'> {
  const { store, profile, now } = check;
  const { companyId = '', accessKey } = claim;
  const note = await readNote(check, claim);
  if (note === undefined) return 'absent';
  if (textField(note, 'accessKey') !== accessKey) throw unreadable(claim, anotherNote(claim));
  const own = await taxNumberOf(check, companyId);
  const parties = partiesOf(note);
  const objection = objectionTo(parties, own);
  if (objection !== undefined) throw notRecipient(claim, objection);
  if (!namesCompany(note, parties, { companyId, own })) throw unreadable(claim, namesNobody);
  const known = await seenNote(check, claim);
  if (known?.takenFor === undefined) {
    const row = { profile, kind: noteKind, scope: companyId, id: accessKey, seenAt: now };
    await store.known.put({ ...row, data: factsOf(note) });
  }
  return 'proven';
}

/** The document as this company captured it; the client has checked the id of the response. */
async function readNote({ client, signal }: CompanyCheck, claim: CompanyClaim): Promise<unknown> {
  const { family, accessKey, companyId = '' } = claim;
  const how = { signal };
  try {
    const { body } =
      family === 'nfe'
        ? await client.call('nfe.inbound.get', { path: { companyId, accessKey } }, how)
        : await client.call('nfse.inbound.get', { path: { companyId, idOrAccessKey: accessKey } }, how);
    return body;
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    if (error.facts.httpStatus === 404) return undefined;
    const isFinal = ['service.forbidden', 'service.other_company', 'service.other_subject'].includes(error.code);
    throw isFinal ? error.with({ hint: vouch }) : error;
  }
}

function namesCompany(
  note: unknown,
  { holder, recipient }: Parties,
  { companyId, own }: { readonly companyId: string; readonly own: string | undefined },
): boolean {
  const id = textField(note, 'companyId') ?? textField(fieldOf(note, 'company'), 'id');
  if (id !== undefined) return id.toLowerCase() === companyId.toLowerCase();
  if (own === undefined) return false;
  return (holder !== undefined && isSame(holder, own)) || (recipient !== undefined && isSameOwner(recipient, own));
}

/** Why the company is not the recipient of the document. `own`: the company's tax number, when known. */
function objectionTo(parties: Parties, own: string | undefined): Text | undefined {
  const { holder, issuer, recipient } = parties;
  if (own !== undefined && holder !== undefined && !isSame(own, holder)) return deliveredTo(holder);
  const company = own ?? holder;
  if (company === undefined) return undefined;
  if (issuer !== undefined && isSame(issuer, company)) return issuedByItself;
  return recipient === undefined || isSameOwner(recipient, company) ? undefined : receivedBy(recipient);
}

async function taxNumberOf(
  { store, profile }: Pick<CompanyCheck, 'store' | 'profile'>,
  companyId: string,
): Promise<string | undefined> {
  const row = await store.known.get({ profile, ...accountCompanies, id: companyId });
  return bare(textField(row?.data, 'taxNumber'));
}

function partiesOf(note: unknown): Parties {
  const number = (...names: readonly string[]) =>
    names.map((name) => bare(textField(fieldOf(note, name), 'federalTaxNumber'))).find((found) => found !== undefined);
  return {
    holder: number('company'),
    issuer: number('issuer', 'provider') ?? bare(textField(note, 'federalTaxNumberSender')),
    recipient: number('buyer', 'taker', 'borrower'),
  };
}

function partiesOfRow({ data, issuer, recipient }: DocumentRow): Parties {
  const { holder } = partiesOf(data);
  return { holder, issuer: bare(issuer), recipient: bare(recipient) };
}

/** Digits and letters only; `undefined` for a masked or foreign number. */
function bare(text: string | undefined): string | undefined {
  const number = bareTaxNumber(text ?? '');
  return looksLikeCnpj(number) || /^\d{3,13}$/.test(number) ? number : undefined;
}

/** A tax number sent as a JSON number has lost its leading zeros. */
function isSame(one: string, other: string): boolean {
  return one.padStart(14, '0') === other.padStart(14, '0');
}

/** Establishments of one company share the first 8 characters of their CNPJ and may act for each other. */
function isSameOwner(one: string, other: string): boolean {
  const areCnpj = one.length > 11 && other.length > 11;
  const [root, otherRoot] = [one, other].map((number) => number.padStart(14, '0').slice(0, 8));
  return isSame(one, other) || (areCnpj && root === otherRoot);
}

/** What a sync or a read by key showed of the document. */
export async function readNoteFacts(
  check: Pick<CompanyCheck, 'store' | 'profile'>,
  claim: CompanyClaim,
): Promise<NoteFacts> {
  const { store, profile } = check;
  const { family, accessKey, companyId } = claim;
  const rows = await store.documents.capturers({ profile, family, id: accessKey });
  const row = rows.find((each) => each.companyId === companyId) ?? rows[0];
  if (row === undefined) return (await seenNote(check, claim)) ?? {};
  const { issuer, issuerName, amountText } = row;
  return {
    ...(issuer === undefined ? {} : { issuer }),
    ...(issuerName === undefined ? {} : { issuerName: issuerName.slice(0, 120) }),
    ...(amountText === undefined ? {} : { amount: amountText }),
  };
}

function factsOf(note: unknown): NoteFacts {
  const party = fieldOf(note, 'issuer') ?? fieldOf(note, 'provider');
  const issuer = textField(party, 'federalTaxNumber');
  const issuerName = textField(party, 'name');
  const amount =
    textField(note, 'totalInvoiceAmount') ?? textField(note, 'totalAmount') ?? textField(note, 'servicesAmount');
  return {
    ...(issuer === undefined ? {} : { issuer: issuer.slice(0, 20) }),
    ...(issuerName === undefined ? {} : { issuerName: issuerName.slice(0, 120) }),
    ...(amount === undefined ? {} : { amount: amount.slice(0, 30) }),
  };
}

function notRecipient({ accessKey, companyId = '' }: CompanyClaim, reason: Text): FiscalError {
  return new FiscalError(
    'manifestation.not_recipient',
    { accessKey, company: companyId, reason },
    { sent: 'no', hint: vouch },
  );
}

function unreadable({ family }: CompanyClaim, reason: Text): FiscalError {
  const operation = `${family}.inbound.get`;
  const facts = { operation, sent: 'no', hint: vouch } as const;
  return new FiscalError('service.unreadable', { operation, status: 200, reason }, facts);
}

function anotherNote({ accessKey }: CompanyClaim): Text {
  return { en: `it is not the note ${accessKey}`, pt: `não é a nota ${accessKey}` };
}

const namesNobody: Text = {
  en: 'it does not say whose note it is, so it proves nothing',
  pt: 'não diz de quem é a nota, portanto nada prova',
};

const issuedByItself: Text = { en: 'the company issued it itself', pt: 'a própria empresa a emitiu' };

function deliveredTo(number: string): Text {
  const shown = shownNumber(number);
  return { en: `it was delivered to ${shown}`, pt: `ela foi entregue a ${shown}` };
}

function receivedBy(number: string): Text {
  const shown = shownNumber(number);
  return { en: `its recipient is ${shown}`, pt: `o destinatário é ${shown}` };
}

/** Masks a CPF. */
function shownNumber(number: string): string {
  return number.length > 11 ? formatCnpj(number.padStart(14, '0')) : `***${number.slice(-2)}`;
}

export const vouch: Text = {
  en: '--company-unchecked sends all the same, for the company that the service picks',
  pt: '--company-unchecked envia mesmo assim, pela empresa que o serviço escolher',
};
