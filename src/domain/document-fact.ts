import { stateOfCode } from './access-key.js';

/**
 * What an XML file contains: `full` is the document; `summary` is the `resNFe` that the tax authority provides before
 * the recipient's manifestation, without signature and items; `event` is an event of a document.
 */
export type XmlFileKind = 'full' | 'summary' | 'event';

export type DocumentType = 'nfe' | 'nfse';

/**
 * The facts of a received document that decide about its manifestation and its deadlines. They come from a captured
 * document of the store or from a row of an input file.
 */
export interface DocumentFact {
  readonly accessKey: string;
  /** Absent when the file does not name it and no company is set. */
  readonly companyId?: string;
  readonly type: DocumentType;
  /** CNPJ or CPF, without punctuation. */
  readonly issuerTaxNumber: string;
  readonly recipientTaxNumber?: string;
  /** Decimal text; absent when the file does not contain it. */
  readonly totalAmountText?: string;
  /** A day (`2026-11-21`) or a moment in UTC. */
  readonly issuedOn: string;
  /** A day or a moment in UTC; deadlines count from here. */
  readonly authorizedOn?: string;
  readonly status?: string;
  readonly nsu?: string;
  /** Only for a document that a sync captured. */
  readonly captured?: CapturedFact;
}

/** What only the capture knows. A plan does not depend on it. */
export interface CapturedFact {
  /** CNPJ of the company that captured it. */
  readonly holderTaxNumber?: string;
  /** As the service writes it, e.g. `Outgoing`. */
  readonly operationType?: string;
  /** Of the archived XML. */
  readonly xmlKind?: XmlFileKind;
}

/** The state of the issuer, e.g. `SP`: both kinds of key begin with its code. */
export function issuerState({ accessKey }: Pick<DocumentFact, 'accessKey'>): string | undefined {
  return stateOfCode(accessKey.slice(0, 2));
}

/** What all establishments of a company share: the first 8 characters of a CNPJ. A CPF is returned whole. */
export function cnpjRoot(taxNumber: string): string {
  return taxNumber.length === 14 ? taxNumber.slice(0, 8) : taxNumber;
}

/**
 * True if the company that received a document also issued it, from any of its establishments. A company does not
 * manifest on its own notes. `holder`: the CNPJ of the company, for a capture without one.
 */
export function isOwnNote(document: DocumentFact, holder: string | undefined): boolean {
  const { issuerTaxNumber, recipientTaxNumber, captured } = document;
  const own = [recipientTaxNumber, captured?.holderTaxNumber, holder].flatMap((number) =>
    number === undefined ? [] : [cnpjRoot(number)],
  );
  return own.includes(cnpjRoot(issuerTaxNumber));
}

/** True if the company is not the recipient: it issued the document or only carries it. */
export function isOutgoing({ recipientTaxNumber, captured }: DocumentFact): boolean {
  const holder = captured?.holderTaxNumber;
  if (captured?.operationType?.toLowerCase() !== 'outgoing') return false;
  return holder !== undefined && recipientTaxNumber !== undefined
    ? cnpjRoot(holder) !== cnpjRoot(recipientTaxNumber)
    : false;
}

/** True if the status of the service means that the issuer cancelled the note. */
export function isCancelledStatus(status: string | undefined): boolean {
  return /^cancel(?:l?ed|ada|ado)$/i.test(status ?? '');
}
