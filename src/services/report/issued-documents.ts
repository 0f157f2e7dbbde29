import { isCancelledStatus } from '../../domain/document-fact.js';
import { fieldOf } from '../../domain/record.js';
import { readTaxNumber } from '../../domain/tax-number.js';
import type { DocumentRow } from '../../store/documents.js';
import { groupOf, typesOf } from '../closing/direction.js';
import { entryName } from '../closing/found-close.js';
import type { Context } from '../context.js';
import { documentPages } from '../documents/pages.js';
import type { IssuedModel } from '../issued/book.js';
import { finalityOf } from '../issued/rows.js';
import { textIn } from '../sync/columns.js';
import type { StoredDocument } from './close-facts.js';
import { fileState, type MonthRequest, shownAmount, shownDay } from './read-documents.js';

const BATCH = 1_000;

export interface IssuedMonth {
  readonly stored: readonly StoredDocument[];
  /** Invoices that are no documents: rejected, denied or disabled, and those whose state may still change. */
  readonly undecided: { readonly refused: number; readonly notFinal: number };
}

/** The invoices of the month that this machine has read from the lists of issued ones. Makes no request. */
export async function readIssuedMonth(
  context: Context,
  { month, company, proven }: Pick<MonthRequest, 'month' | 'company' | 'proven'>,
): Promise<IssuedMonth> {
  const { storeNamespace } = await context.settings();
  const { documents } = await context.store();
  const stored: StoredDocument[] = [];
  const undecided = { refused: 0, notFinal: 0 };
  for (const type of typesOf.issued) {
    const { profile, family } = groupOf('issued', { profile: storeNamespace, companyId: company.id }, type);
    const range = { since: month.since, until: month.until, limit: BATCH };
    const filter = { profile, companies: [company.id], families: [family], ...range };
    for await (const page of documentPages(documents, filter)) {
      context.interruption.throwIfAborted();
      for (const row of page) {
        const finality = finalityOf(row.status);
        if (finality === 'refused') undecided.refused += 1;
        else if (finality === 'not-final') undecided.notFinal += 1;
        else stored.push({ status: row.status, document: documentOf(row, type, proven) });
      }
    }
  }
  return { stored, undecided };
}

function documentOf(row: DocumentRow, type: IssuedModel, proven: MonthRequest['proven']) {
  const { id, accessKey, recipient, issuedOn, amountText, state, xmlKind, status, data } = row;
  const key = accessKey ?? id;
  const named = fieldOf(data, 'buyer') ?? fieldOf(data, 'borrower');
  return {
    ...{ key, family: type, party: readTaxNumber(recipient), partyName: textIn(named, 'name') },
    ...{ day: shownDay(issuedOn), amount: shownAmount(amountText) },
    fate: isCancelledStatus(status) ? ('cancelled' as const) : ('not-cancelled' as const),
    file: fileState(state === 'archived', xmlKind),
    isProven: proven.has(entryName({ type, key })),
    manifestation: 'not-due' as const,
    terms: [],
  };
}
