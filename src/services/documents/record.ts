import type { InboundFamily } from '../../contract/inbound.js';
import { checkInvoiceKey, checkServiceKey } from '../../domain/access-key.js';
import { compareDecimalText, parseDecimalText } from '../../domain/decimal-text.js';
import { type DateSource, monthOfDay, localDay } from '../../domain/document-date.js';
import type { XmlFileKind } from '../../domain/document-fact.js';
import { type KnownState, stateOf, type StateEvidence } from '../../domain/document-state.js';
import { fieldOf, present } from '../../domain/record.js';
import { readTaxNumber } from '../../domain/tax-number.js';
import { dateOf } from '../../store/document-dates.js';
import type { DocumentRow } from '../../store/documents.js';

/**
 * What a document is, out of its row in a list, its XML and its events: the one reader of all three. The XML decides where it says
 * something; then the row, then the access key.
 */
export interface DocumentRecord {
  /** The access key; the id of the service where there is none. */
  readonly key: string;
  readonly family: InboundFamily;
  /** `55`, `57`, `65`, `67`; absent: the key names none, as that of an NFS-e. */
  readonly model?: string;
  readonly series?: string;
  readonly number?: string;
  /** CNPJ or CPF. */
  readonly issuer?: string;
  readonly issuerName?: string;
  readonly recipient?: string;
  readonly recipientName?: string;
  /** Decimal text, as it was written. */
  readonly amountText?: string;
  /** The list has another amount than the XML, or none. */
  readonly isAmountOfXml?: true;
  /** What the archived XML is; absent: no XML of it was read. */
  readonly kind?: XmlFileKind;
  /** `2026-10-31`: its own day; absent: only its month is known, or nothing. */
  readonly day?: string;
  /** `2026-10`; absent: no evidence dates it. */
  readonly month?: string;
  readonly dateSource?: DateSource;
  /** Other months that XML, row or key name. */
  readonly otherMonths: readonly string[];
  /** The month of the competence of an NFS-e. */
  readonly competence?: string;
  readonly state: KnownState;
}

/** The columns that a record is made of. */
export type RecordRow = Pick<DocumentRow, 'id' | 'family' | 'eventCodes' | 'unreadEvents' | 'data'> &
  Partial<DocumentRow>;

export function recordOf(row: RecordRow): DocumentRecord {
  const { id, accessKey, family, facts = {}, xmlKind } = row;
  const { day, month, source, otherMonths } = dateOf(row);
  const { issuer, recipient, amountText } = partiesOf(row);
  const { parts } = family === 'nfse' ? { parts: undefined } : checkInvoiceKey(accessKey ?? id);
  const number = facts.number ?? parts?.number ?? numberInServiceKey(family, accessKey);
  const competence = localDay(facts.competence);
  const texts = {
    model: parts?.model,
    series: plainNumber(facts.series ?? parts?.series),
    number: plainNumber(number),
    issuer,
    issuerName: facts.issuerName ?? row.issuerName,
    recipient,
    recipientName: facts.recipientName ?? nameOf(row.data),
    amountText,
    isAmountOfXml: isOther(facts.amountText, row.amountText) ? (true as const) : undefined,
    kind: xmlKind,
    ...{ day, month, dateSource: source },
    competence: competence === undefined ? undefined : monthOfDay(competence),
  };
  return { ...{ key: accessKey ?? id, family, otherMonths, state: stateOf(evidenceOf(row)) }, ...present(texts) };
}

/** From whom to whom, as numbers, and the amount. */
export function partiesOf({ facts, ...row }: Pick<RecordRow, 'facts' | 'issuer' | 'recipient' | 'amountText'>) {
  return {
    issuer: readTaxNumber(facts?.issuer ?? row.issuer),
    recipient: readTaxNumber(facts?.recipient ?? row.recipient),
    amountText: facts?.amountText ?? row.amountText,
  };
}

function isOther(ofXml: string | undefined, ofRow: string | undefined): boolean {
  if (ofXml === undefined || parseDecimalText(ofXml) === undefined) return false;
  return ofRow === undefined || parseDecimalText(ofRow) === undefined || compareDecimalText(ofXml, ofRow) !== 0;
}

/** What a row of the store says of the state of its document: `recordOf` judges it. */
export function evidenceOf(row: RecordRow): StateEvidence {
  const { id, accessKey = id, status, facts = {}, eventCodes, unreadEvents, isRefusedAsCancelled, data } = row;
  const substitute = fieldOf(data, 'substituteAccessKey');
  return {
    accessKey,
    status,
    eventCodes,
    unreadEvents,
    isRefusedAsCancelled,
    situation: facts.situation,
    protocolCode: facts.protocolCode,
    substituteAccessKey: typeof substitute === 'string' && substitute !== '' ? substitute : undefined,
  };
}

function numberInServiceKey(family: InboundFamily, accessKey: string | undefined): string | undefined {
  return family === 'nfse' && accessKey !== undefined ? checkServiceKey(accessKey).parts?.number : undefined;
}

/** `001` → `1`; other text as it is. */
function plainNumber(text: string | undefined): string | undefined {
  return text !== undefined && /^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : text;
}

function nameOf(data: unknown): string | undefined {
  const parties = ['buyer', 'taker', 'borrower'].map((name) => fieldOf(fieldOf(data, name), 'name'));
  return parties.find((name): name is string => typeof name === 'string' && name !== '');
}
