import type { DocumentRow } from '../../store/documents.js';
import { groupOf, typesOf } from '../closing/direction.js';
import { entryName } from '../closing/found-close.js';
import { clockRange } from '../closing/month.js';
import type { Context } from '../context.js';
import { documentPages } from '../documents/pages.js';
import { recordOf } from '../documents/record.js';
import type { IssuedModel } from '../issued/book.js';
import { finalityOf } from '../issued/rows.js';
import type { StoredDocument } from './close-facts.js';
import { fileState, type MonthRequest, shownAmount } from './read-documents.js';

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
    const range = { ...clockRange(month), limit: BATCH };
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
  const { key, recipient, recipientName, day, competence, amountText, state } = recordOf(row);
  return {
    ...{ key, family: type, party: recipient, partyName: recipientName },
    ...{ day, competence, amount: shownAmount(amountText), state: state.state },
    file: fileState(row.state === 'archived', row.xmlKind),
    isProven: proven.has(entryName({ type, key })),
    manifestation: 'not-due' as const,
    terms: [],
    answers: [],
  };
}
