import { type DocumentState } from '../../domain/document-state.js';
import type { DocumentRecord } from './record.js';

/** What a list says of a document beside its own row: its day and month, its competence where that is another month, and its state. */
export interface ShownDocument {
  readonly state: DocumentState;
  /** What the state rests on, where that is more than the absence of evidence. */
  readonly stateBy?: string;
  readonly day?: string;
  readonly month?: string;
  readonly competence?: string;
  /** Of the XML, where the row of the list has another one or none. */
  readonly amount?: string;
  /** Other months that its XML, row or key name. */
  readonly otherMonths?: readonly string[];
}

export function shownDocument({
  state: { state, source, detail },
  day,
  month,
  competence,
  otherMonths,
  amountText,
  isAmountOfXml,
}: Omit<DocumentRecord, 'key' | 'family'>): ShownDocument {
  return {
    state,
    ...(source !== 'none' && { stateBy: detail === undefined ? source : `${source} ${detail}` }),
    ...(day !== undefined && { day }),
    ...(month !== undefined && { month }),
    ...(competence !== undefined && competence !== month && { competence }),
    ...(otherMonths.length > 0 && { otherMonths }),
    ...(isAmountOfXml === true && amountText !== undefined && { amount: amountText }),
  };
}
