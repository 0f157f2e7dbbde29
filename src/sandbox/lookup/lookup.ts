import type { LegalEntity } from '../../contract/legal-entity.js';
import type { LookupNfe, LookupNfeEvent, LookupParty } from '../../contract/lookup-nfe.js';
import type { LookupByteOperationId } from '../../contract/lookup-operations.js';
import type { OperationId } from '../../contract/operations.js';
import { requireNfeKey } from '../company/find-company.js';
import { unitOf, uuidOf } from '../core/chance.js';
import type { Core } from '../core/core.js';
import {
  addressOfPostalCode,
  businessAddress,
  businessName,
  businessPlace,
  isCnpj,
  isCpf,
  personOf,
  readBirthDate,
  refuseReserved,
  requireOwnBirthDate,
  shownNumber,
} from '../core/identity.js';
import type { StoredNfeEvent } from '../core/records.js';
import { Refusal, invalid } from '../core/refusal.js';
import { type StoredEvent, eventKeyOf, eventName } from '../document/document-events.js';
import { type StoredDocument, usualNote } from '../document/documents.js';
import { hasKeyDigit, inventEvent } from '../document/invent-document.js';
import type { Call, Content, HandlersOf, Reply } from '../http/handler.js';
import type { ByteReference } from '../inbound/byte-host.js';
import { documentPdf } from '../inbound/bytes.js';
import { buyerOf, documentOf, issuedNote, issuedNoteEvents } from '../inbound/capture.js';
import { temporaryIssuedBytes } from '../invoice/issued-bytes.js';
import type { Party } from '../xml/layout.js';
import { documentXml, partiesOf } from '../xml/render.js';

/** Queries (§1): companies, people, addresses, and NF-e at the state tax authority. */
export const lookupHandlers: HandlersOf<Extract<OperationId, `lookup.${string}`>> = {
  'lookup.cnpj': cnpj,
  'lookup.cpf': cpf,
  'lookup.address': address,
  'lookup.nfe': nfe,
  'lookup.nfe.pdf': bytes,
  'lookup.nfe.xml': bytes,
  'lookup.nfe.events': events,
};

const reservedRoot = 8;
const reservedPerson = 6;

/** The registry has the companies of the account; any other valid CNPJ is invented. */
function cnpj(core: Core, call: Call<'lookup.cnpj'>): Reply {
  const number = call.path.numero;
  if (!isCnpj(number, core.options.alphanumericKeys)) throw invalid('numero', 'Is not a valid CNPJ.');
  const company = core.companies.withTaxNumber(call.caller.tenantId, number);
  if (company === undefined) refuseReserved(number, reservedRoot, 'The registry does not know this CNPJ.');
  const name = company?.name ?? businessName(number);
  const year = 1970 + Math.floor(unitOf(`${number}:year`) * 54);
  const isActive = company !== undefined || unitOf(`${number}:status`) < 0.9;
  const body: LegalEntity = {
    federalTaxNumber: number,
    name,
    tradeName: name.replace(' Ltda', ''),
    status: isActive ? 'Active' : 'Suspended',
    openedOn: `${year}-03-01T00:00:00Z`,
    address: businessPlace(number),
  };
  return { status: 200, body: call.address.includes('/legalentities/') ? inEnvelope(call.address, body) : body };
}

/** The published forms: in an envelope, with the city as an object; the number is one in version 2 and text in version 3. */
function inEnvelope(address: string, { federalTaxNumber, ...entity }: LegalEntity): object {
  const shown = address.includes('/v2/') ? shownNumber(federalTaxNumber) : federalTaxNumber;
  return { legalEntity: { federalTaxNumber: shown, ...entity, address: businessAddress(federalTaxNumber) } };
}

function cpf(core: Core, call: Call<'lookup.cpf'>): Reply {
  const { cpf: number, birthDate } = call.path;
  if (!isCpf(number)) throw invalid('cpf', 'Is not a valid CPF.');
  const bornAt = readBirthDate(birthDate, core.clock.now());
  refuseReserved(number, reservedPerson, 'The CPF is unknown, or the date of birth does not match.');
  requireOwnBirthDate(birthDate);
  const { name, status } = personOf(number);
  return {
    status: 200,
    body: {
      federalTaxNumber: number,
      name,
      birthOn: new Date(bornAt).toISOString(),
      status,
      createdOn: new Date(core.clock.now()).toISOString(),
    },
  };
}

/** Seen live: one address, and the CEP with a hyphen. */
function address(_core: Core, call: Call<'lookup.address'>): Reply {
  const text = call.path.postalCode;
  if (!/^\d{5}-?\d{3}$/.test(text)) throw invalid('postalCode', 'Must have eight digits.');
  const postalCode = text.replace('-', '');
  refuseReserved(postalCode, postalCode.length, 'There is no address with this postal code.');
  const found = addressOfPostalCode(postalCode);
  if (found === undefined) throw new Refusal('not_found', 'There is no address with this postal code.');
  const hyphenated = `${postalCode.slice(0, 5)}-${postalCode.slice(5)}`;
  return { status: 200, body: { address: { ...found, postalCode: hyphenated } } };
}

function nfe(core: Core, call: Call<'lookup.nfe'>): Reply {
  return { status: 200, body: showAuthorityNfe(core, authorityDocument(core, call.path.accessKey)) };
}

function bytes(core: Core, call: Call<LookupByteOperationId>): Reply {
  return answerAuthorityBytes(core, call.operation, call.path.accessKey);
}

function events(core: Core, call: Call<'lookup.nfe.events'>): Reply {
  const document = authorityDocument(core, call.path.accessKey);
  const createdOn = new Date(core.clock.now()).toISOString();
  return { status: 200, body: { events: authorityEvents(core, document), createdOn } };
}

const highestCents = 5_000_000;
const cancelledShare = 0.05;
const dayMs = 86_400_000;

/**
 * An NF-e at the state tax authority: issued or captured by a company of the sandbox, else invented, always the same
 * for its key. Throws 400 for an impossible key, 404 for a future month and for the reserved roots.
 */
export function authorityDocument(core: Core, accessKey: string): StoredDocument {
  requireNfeKey(accessKey, core.options.alphanumericKeys);
  if (accessKey.slice(20, 22) !== '55') throw invalid('accessKey', 'Is not the key of an NF-e (model 55).');
  if (!hasKeyDigit(accessKey)) throw invalid('accessKey', 'Has a wrong check digit.');
  const month = monthOf(accessKey);
  const issued = issuedNote(core, accessKey);
  if (issued !== undefined) return documentOf(core, accessKey, issued);
  const [known] = core.documents.withKey(accessKey);
  if (known !== undefined) return known;
  refuseReserved(accessKey.slice(6), reservedDigits, unknown);
  if (month > core.clock.now()) throw new Refusal('not_found', unknown);
  return invent(accessKey, month, core.clock.now());
}

const unknown = 'The tax authority does not know this NF-e.';
const reservedDigits = 8;

/** The start of the month in the key. */
function monthOf(accessKey: string): number {
  const [year, month] = [Number(accessKey.slice(2, 4)), Number(accessKey.slice(4, 6))];
  if (month < 1 || month > 12) throw invalid('accessKey', 'Has a month that does not exist.');
  return Date.UTC(2000 + year, month - 1);
}

function invent(accessKey: string, month: number, now: number): StoredDocument {
  const unit = (label: string) => unitOf(`authority:${accessKey}:${label}`);
  const issuerTaxNumber = accessKey.slice(6, 20);
  const cents = String(100 + Math.floor(unit('amount') * highestCents));
  const issuedOn = Math.min(month + Math.floor(unit('day') * 28 * dayMs), now);
  const authorizedOn = issuedOn + 60_000;
  return {
    family: 'nfe',
    id: uuidOf(accessKey),
    companyId: '',
    accessKey,
    issuerTaxNumber,
    issuerName: businessName(issuerTaxNumber),
    totalAmount: `${cents.slice(0, -2)}.${cents.slice(-2)}`,
    issuedOn,
    authorizedOn,
    cancelled: unit('cancelled') < cancelledShare,
    direction: 'incoming',
    nsu: null,
    status: 'Processed',
    webhookStatus: 'Skipped',
    visibility: 'uncaptured',
    createdOn: authorizedOn,
    modifiedOn: authorizedOn,
    stage: 'full',
    ...usualNote,
    hostile: null,
  };
}

export function showAuthorityNfe(core: Core, document: StoredDocument): LookupNfe {
  const { accessKey, issuedOn, authorizedOn, cancelled } = document;
  const parties = partiesOf(core, document);
  const issued = issuedNote(core, accessKey);
  return {
    accessKey,
    currentStatus: cancelled ? 'canceled' : 'authorized',
    stateCode: Number(accessKey.slice(0, 2)),
    codeModel: Number(accessKey.slice(20, 22)),
    serie: Number(accessKey.slice(22, 25)),
    number: Number(accessKey.slice(25, 34)),
    issuedOn: new Date(issuedOn).toISOString(),
    operationNature: 'VENDA DE MERCADORIA',
    operationType: 'outgoing',
    environmentType: 'test',
    issuer: partyOf(parties.issuer),
    buyer: issued === undefined ? partyOf(parties.recipient) : withNumber(buyerOf(issued)),
    totals: totalsOf(document),
    protocol: {
      accessKey,
      protocolNumber: `1${accessKey.slice(0, 4)}${accessKey.slice(25, 35)}`,
      receiptOn: new Date(authorizedOn).toISOString(),
      statusCode: 100,
      description: 'Autorizado o uso da NF-e',
    },
  };
}

function partyOf({ taxNumber, name }: Party): LookupParty {
  const { state, city, postalCode } = businessPlace(taxNumber);
  return withNumber({ federalTaxNumber: taxNumber, name, address: { state, city: { name: city }, postalCode } });
}

function withNumber(party: LookupParty): LookupParty {
  const { federalTaxNumber } = party;
  return federalTaxNumber === undefined ? party : { ...party, federalTaxNumber: shownNumber(federalTaxNumber) };
}

/** Decimal numbers (§1, convention 3). */
function totalsOf({ totalAmount }: StoredDocument): NonNullable<LookupNfe['totals']> {
  const amount = Number(totalAmount);
  return { icms: { baseTax: amount, productAmount: amount, invoiceAmount: amount } };
}

/** The code of the national environment, which registers the events of recipients. */
const national = 91;

/** The registered events of a note: the issuer's, then the accepted ones of the recipient. */
export function authorityEvents(core: Core, document: StoredDocument): readonly LookupNfeEvent[] {
  const issued = issuedNote(core, document.accessKey);
  const ofRecipient = core.nfeEvents.accepted(document.accessKey).map((event) => recipientEvent(core, event));
  if (issued !== undefined) return [...issuedNoteEvents(core, document.accessKey, issued), ...ofRecipient];
  const known = core.documentEvents.withKey(document.accessKey).filter(({ author }) => author === null);
  const invented = document.cancelled && known.length === 0 ? inventEvent(document, 'cancellation') : undefined;
  const ofIssuer = invented === undefined ? known : [invented];
  return [...ofIssuer.map((event) => issuerEvent(event, document.issuerTaxNumber)), ...ofRecipient];
}

function issuerEvent(event: StoredEvent, author: string): LookupNfeEvent {
  return {
    stateCode: Number(event.accessKey.slice(0, 2)),
    type: Number(event.type),
    sequence: event.sequence,
    authorFederalTaxNumber: author,
    id: event.eventKey,
    protocol: shownNumber(event.protocol),
    authorizedOn: new Date(event.issuedOn).toISOString(),
    description: event.description,
  };
}

function recipientEvent(core: Core, event: StoredNfeEvent): LookupNfeEvent {
  const { accessKey, eventCode, sequence, protocol } = event;
  const author = core.companies.find(event.tenantId, event.companyId)?.federalTaxNumber;
  return {
    stateCode: national,
    type: eventCode,
    sequence,
    ...(author === undefined ? {} : { authorFederalTaxNumber: author }),
    id: eventKeyOf({ family: 'nfe', accessKey, eventCode, sequence }),
    ...(protocol === null ? {} : { protocol: shownNumber(protocol) }),
    authorizedOn: new Date(event.modifiedAt).toISOString(),
    description: eventName(eventCode),
  };
}

/** Replaces the company in the temporary addresses of the authority. */
const noCompany = 'authority';

/** Answers in the configured mode: the bytes, 302 to another port, or JSON with such an address. */
export function answerAuthorityBytes(core: Core, operation: LookupByteOperationId, accessKey: string): Reply {
  const content = contentOf(core, operation, accessKey);
  const mode = core.behaviour.bytes();
  if (mode === 'bytes') return { status: 200, content };
  const address = core.byteHost.addressOf({ operation, companyId: noCompany, name: accessKey });
  if (mode === 'redirect') return { status: 302, headers: { location: address } };
  return { status: 200, body: { uri: address } };
}

/** The reply of a temporary address. */
export function temporaryAuthorityBytes(core: Core, { operation, name }: ByteReference): Reply {
  const isPdf = operation === 'lookup.nfe.pdf';
  return { status: 200, content: contentOf(core, isPdf ? 'lookup.nfe.pdf' : 'lookup.nfe.xml', name) };
}

function contentOf(core: Core, operation: LookupByteOperationId, accessKey: string): Content {
  const document = authorityDocument(core, accessKey);
  const issued = issuedNote(core, accessKey);
  if (issued !== undefined) {
    const { companyId, id: name } = issued;
    const made = { operation: operation === 'lookup.nfe.pdf' ? 'nfe.pdf' : 'nfe.xml', companyId, name } as const;
    const { content } = temporaryIssuedBytes(core, made);
    if (content !== undefined) return content;
  }
  if (operation === 'lookup.nfe.pdf') return documentPdf(document);
  return { type: 'application/xml', bytes: documentXml(core, document) };
}
