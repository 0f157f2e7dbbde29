import { createHash } from 'node:crypto';
import { stringify } from 'csv-stringify/sync';
import { canonicalJson } from '../../domain/canonical-json.js';
import type { DocumentFact } from '../../domain/document-fact.js';
import { withoutFormula } from '../../domain/spreadsheet-cell.js';
import type { DocumentEvent } from '../../services/documents/events.js';

/** One proposal. The fields are the columns of the file, in this order. */
export interface PlanRow {
  readonly accessKey: string;
  /** The company of the event; absent when neither the document nor a flag names it. */
  readonly companyId?: string;
  /** For the reader; ignored when the plan is read. */
  readonly companyName?: string;
  readonly companyTaxNumber?: string;
  /** The name of the event, as in `manifestation submit --event`. */
  readonly event: string;
  readonly sequence: number;
  readonly justification?: string;
  readonly reason?: number;
  readonly supplier: string;
  readonly amount?: string;
  readonly issuedOn: string;
  /** The last day for this event; absent when no term is known. */
  readonly deadline?: string;
  readonly rule: string;
  readonly fingerprint: string;
}

export const planColumns = [
  'accessKey',
  'companyId',
  'companyName',
  'companyTaxNumber',
  'event',
  'sequence',
  'justification',
  'reason',
  'supplier',
  'amount',
  'issuedOn',
  'deadline',
  'rule',
  'fingerprint',
] as const satisfies readonly (keyof PlanRow)[];

/** The earliest deadline first; documents without a term last. */
export function inOrder(rows: readonly PlanRow[]): readonly PlanRow[] {
  const sortKey = ({ deadline, accessKey, companyId = '' }: PlanRow) =>
    `${deadline ?? '9999-99-99'} ${accessKey} ${companyId}`;
  return rows.toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
}

export function planText(rows: readonly PlanRow[], form: 'csv' | 'json'): string {
  if (form === 'json') return `${JSON.stringify(rows, null, 2)}\n`;
  const cells = rows.map((row) =>
    planColumns.map((column) =>
      column === 'companyName' ? withoutFormula(row.companyName ?? '') : (row[column] ?? ''),
    ),
  );
  return stringify([[...planColumns], ...cells]);
}

/** During processing the status of a document changes without any news. */
const processing = new Set(['Received', 'Processed', 'PdfPending', 'PdfFailed'].map((status) => status.toLowerCase()));

/**
 * The basis of a proposal: the document and its active events. `nsu` is left out, because the same document
 * may be delivered again; so are the company, which may come from a flag, and the progress of an event, which does not change the decision.
 */
export function fingerprintOf(fact: DocumentFact, events: readonly Omit<DocumentEvent, 'progress'>[]): string {
  const { nsu: _nsu, companyId: _companyId, captured: _captured, status, ...document } = fact;
  const shown = status !== undefined && !processing.has(status.toLowerCase()) ? { status } : {};
  const stood = events.map(({ eventCode, sequence }) => `${eventCode} ${sequence}`).toSorted();
  const text = canonicalJson({ version: 1, document, ...shown, events: stood });
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
