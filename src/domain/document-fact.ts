import { stateOfCode } from './access-key.js';
import type { StateEvidence } from './document-state.js';

/**
 * What an XML file contains: `full` is the document; `summary` is the `resNFe` that the tax authority provides before
 * the recipient's manifestation, without signature and items; `event` is an event of a document.
 */
export type XmlFileKind = 'full' | 'summary' | 'event';

export type DocumentType = 'nfe' | 'nfse';

/** What an XML says of its document, as it is written there, without checks. Absent: its layout has no such field, or it is empty. */
export interface XmlFacts {
  /** `dhEmi`, or `dEmi` of old layouts. */
  readonly issuedOn?: string;
  /** `dhRecbto` of the protocol. */
  readonly authorizedOn?: string;
  /** `dCompet` of an NFS-e. */
  readonly competence?: string;
  readonly series?: string;
  readonly number?: string;
  /** CNPJ or CPF. */
  readonly issuer?: string;
  readonly issuerName?: string;
  readonly recipient?: string;
  readonly recipientName?: string;
  readonly amountText?: string;
  /** `cSitNFe` of a summary. */
  readonly situation?: string;
  /** `cStat` of the protocol. */
  readonly protocolCode?: string;
}

/** What is known of one event of a document, from its row in a list and its XML. */
export interface EventFacts {
  readonly code: number;
  readonly sequence: number;
  /** `cStat` of the answer of the authority; absent: the file or the list has none. */
  readonly answerCode?: string;
  /** `xMotivo`. */
  readonly answerText?: string;
  readonly protocol?: string;
  /** CNPJ or CPF of its author. */
  readonly author?: string;
  /** The key of the document that stands in the place of this one. */
  readonly substituteKey?: string;
}

/**
 * Registered: an event whose answer says so (135, 136, 155; 134 of CT-e, with a warning), and one without an answer, which the
 * authority distributes only when it is registered.
 */
export function isRegistered({ answerCode }: Pick<EventFacts, 'answerCode'>): boolean {
  return answerCode === undefined || ['134', '135', '136', '155'].includes(answerCode);
}

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
  /** What the list, the XML and the events say of its state. */
  readonly evidence: StateEvidence;
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

/** True if another company is the recipient: this one issued the document, only carries it, or may only read it. `holder` as above. */
export function isOfOthers({ recipientTaxNumber, captured }: DocumentFact, holder: string | undefined): boolean {
  const company = captured?.holderTaxNumber ?? holder;
  if (company === undefined || recipientTaxNumber === undefined) return false;
  return cnpjRoot(company) !== cnpjRoot(recipientTaxNumber);
}
