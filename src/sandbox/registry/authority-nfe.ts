import type { StoredNfeEvent } from '../core/records.js';
import type { LookupNfe, LookupNfeEvent, LookupParty } from '../../contract/lookup-nfe.js';
import type { LookupByteOperationId } from '../../contract/lookup-operations.js';
import { unitOf, uuidOf } from '../core/chance.js';
import type { Core } from '../core/core.js';
import { businessName, businessPlace } from '../core/identity.js';
import { invalid, Refusal } from '../core/refusal.js';
import { eventKeyOf, eventName, type StoredEvent } from '../document/document-events.js';
import { type StoredDocument, usualNote } from '../document/documents.js';
import { hasKeyDigit, inventEvent } from '../document/invent-document.js';
import type { ByteReference } from '../inbound/byte-host.js';
import { documentPdf } from '../inbound/bytes.js';
import { temporaryIssuedBytes } from '../invoice/issued-bytes.js';
import { requireNfeKey } from '../manifestation/find-company.js';
import type { Content, Reply } from '../routes/handler.js';
import type { Party } from '../xml/layout.js';
import { documentXml, partiesOf } from '../xml/render.js';
import { refuseReserved } from './invented.js';
import { buyerOf, documentOf, issuedNote, issuedNoteEvents } from './issued-note.js';

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
    buyer: issued === undefined ? partyOf(parties.recipient) : buyerOf(issued),
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
  return { federalTaxNumber: taxNumber, name, address: { state, city: { name: city }, postalCode } };
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
  const invented =
    document.cancelled && known.length === 0 ? inventEvent(document, 'cancellation') : undefined;
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
    protocol: event.protocol,
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
    ...(protocol === null ? {} : { protocol }),
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
    const made = {
      operation: operation === 'lookup.nfe.pdf' ? 'nfe.pdf' : 'nfe.xml',
      companyId,
      name,
    } as const;
    const { content } = temporaryIssuedBytes(core, made);
    if (content !== undefined) return content;
  }
  if (operation === 'lookup.nfe.pdf') return documentPdf(document);
  return { type: 'application/xml', bytes: documentXml(core, document) };
}
