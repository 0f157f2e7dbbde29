import { isCancelledStatus } from '../../domain/document-fact.js';
import { isIssuerCancellation } from '../../domain/event-codes.js';
import type { DocumentRow } from '../../store/documents.js';
import { type ArchiveOpener, archiveOpener } from '../archive.js';
import type { Context } from '../context.js';
import { DocumentEvents, readListed } from './events.js';
import { factOfRow } from './facts.js';

/** Whether a document stands, as far as its status and the events that are known here say. */
export type Fate = 'not-cancelled' | 'cancelled' | 'substituted';

/** The fate of each of these documents. Makes no request. */
export async function readFates(
  context: Context,
  page: readonly DocumentRow[],
): Promise<ReadonlyMap<DocumentRow, Fate>> {
  const facts = new Map(
    page.flatMap((row) => {
      const read = row.family === 'cte' ? undefined : factOfRow(row);
      return read !== undefined && 'fact' in read ? [[row, read.fact] as const] : [];
    }),
  );
  const events = await DocumentEvents.about(context, [...facts.values()]);
  const cancelledCtes = await cteCancellations(context, page, archiveOpener(context));
  const fates = new Map<DocumentRow, Fate>();
  for (const row of page) {
    const fact = facts.get(row);
    const known = fact && (await events.of(fact));
    const codes = known?.events.map(({ eventCode }) => eventCode) ?? cancelledCtes.get(row.id) ?? [];
    fates.set(row, fateOf(known?.cancelled === true ? 'Cancelled' : row.status, codes));
  }
  return fates;
}

/** 110112 is the cancellation of a note that another one replaces; NFS-e tell it by their status. */
export function fateOf(status: string | undefined, codes: readonly number[]): Fate {
  if (codes.includes(110112) || /^(?:substitu|replaced)/i.test(status ?? '')) return 'substituted';
  return isCancelledStatus(status) || codes.some(isIssuerCancellation) ? 'cancelled' : 'not-cancelled';
}

/** The codes of the cancellations of CT-e among these documents, by key. */
export async function cteCancellations(
  context: Context,
  page: readonly DocumentRow[],
  open: ArchiveOpener,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const { storeNamespace: profile } = await context.settings();
  const store = await context.store();
  const documents = page.flatMap(({ family, companyId, id }) =>
    family === 'cte' ? [[companyId, id] as const] : [],
  );
  const rows =
    documents.length === 0 ? [] : await store.events.ofDocuments({ profile, family: 'cte', documents });
  const codes = new Map<string, number[]>();
  for (const row of rows) {
    const { events } = await readListed([row], open);
    const found = events.map(({ eventCode }) => eventCode).filter(isIssuerCancellation);
    codes.set(row.documentId, [...(codes.get(row.documentId) ?? []), ...found]);
  }
  return codes;
}
