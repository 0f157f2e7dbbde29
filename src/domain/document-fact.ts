import { stateOfCode } from './access-key.js';

/**
 * What an XML file holds: `full` is the document itself; `summary` is what the tax authority gives before the recipient's
 * manifestation (`resNFe`), without signature and without items; `event` belongs to a document.
 */
export type XmlFileKind = 'full' | 'summary' | 'event';

export type DocumentType = 'nfe' | 'nfse';

/**
 * What must be known of a document that the company received, to judge it and to count its terms. A captured
 * document of the store and a row of an input file both become one.
 */
export interface DocumentFact {
  readonly accessKey: string;
  /** Absent where a file does not say it and no company is set. */
  readonly companyId?: string;
  readonly type: DocumentType;
  /** CNPJ or CPF, without punctuation. */
  readonly issuerTaxNumber: string;
  readonly recipientTaxNumber?: string;
  /** Decimal text; absent where a file does not say it. */
  readonly totalAmountText?: string;
  /** A day (`2026-11-21`) or a moment in UTC. */
  readonly issuedOn: string;
  /** The same; the terms count from here. */
  readonly authorizedOn?: string;
  /** The service's own word. */
  readonly status?: string;
  readonly nsu?: string;
  /** Only of a document that a sync has brought. */
  readonly captured?: CapturedFact;
}

/** What the capture says beside the document. A plan does not rest on it. */
export interface CapturedFact {
  /** CNPJ of the company that captured it. */
  readonly holderTaxNumber?: string;
  /** The service's own word, e.g. `Outgoing`. */
  readonly operationType?: string;
  /** Of the archived XML. */
  readonly xmlKind?: XmlFileKind;
}

/** The state of the issuer, as both kinds of key begin with its code: `SP`. */
export function issuerState({ accessKey }: Pick<DocumentFact, 'accessKey'>): string | undefined {
  return stateOfCode(accessKey.slice(0, 2));
}

/** What the establishments of one company share: the first 8 characters of a CNPJ; a CPF is its own. */
export function cnpjRoot(taxNumber: string): string {
  return taxNumber.length === 14 ? taxNumber.slice(0, 8) : taxNumber;
}

/**
 * Whether the company that holds a document issued it itself, from any of its establishments: nobody manifests on a note
 * of one's own. `holder`: its CNPJ, where the capture does not say it.
 */
export function isOwnNote(document: DocumentFact, holder: string | undefined): boolean {
  const { issuerTaxNumber, recipientTaxNumber, captured } = document;
  const own = [recipientTaxNumber, captured?.holderTaxNumber, holder].flatMap((number) =>
    number === undefined ? [] : [cnpjRoot(number)],
  );
  return own.includes(cnpjRoot(issuerTaxNumber));
}

/** Delivered to a company that is not its recipient: an issue of its own, or one that it only carries. */
export function isOutgoing({ recipientTaxNumber, captured }: DocumentFact): boolean {
  const holder = captured?.holderTaxNumber;
  if (captured?.operationType?.toLowerCase() !== 'outgoing') return false;
  return holder !== undefined && recipientTaxNumber !== undefined
    ? cnpjRoot(holder) !== cnpjRoot(recipientTaxNumber)
    : false;
}

/** The service's own word for a note that its issuer took back. */
export function isCancelledStatus(status: string | undefined): boolean {
  return /^cancel(?:l?ed|ada|ado)$/i.test(status ?? '');
}
