import { checkInvoiceKey, checkServiceKey } from '../../domain/access-key.js';
import { reasons } from '../../errors/reasons.js';
import type { IssuedList } from '../../services/issued/book.js';
import { issuedType } from '../../services/issued/book.js';
import type { DocumentSource, DownloadTo, EventFile, SyncGroup } from '../../services/sync/source.js';
import type { SyncContext } from '../../services/sync/state.js';
import type { DocumentPatch, DueDocument, EventPatch, EventRow } from '../../store/documents.js';
import { lookAtEvents } from './issued-events.js';
import { listIssued, Undecided, wasListedSince, withdrawEvents } from './issued-list.js';
import { finalityOf, letterSequence } from '../../services/issued/rows.js';

/** The invoices that a company issues, in one environment. */
export function issuedSource(list: IssuedList, lookBackMs: number): DocumentSource {
  const { model } = list;
  const isService = model === 'nfse';
  const undecided = new Undecided();
  return {
    type: issuedType(list),
    // NFC-e have the layout of NF-e. Many cities have a layout of their own. An NFS-e may be issued by its taker.
    expected: isService ? { family: 'nfse', anyLayout: true } : { family: 'nfe', isIssuedByCompany: true },
    goneIsFinal: true,
    hasLists: () => Promise.resolve(true),
    list: (context, group, listing) => listIssued(context, group, { list, lookBackMs, listing, undecided }),
    wasListedSince,
    nameOf: ({ id, accessKey }) => accessKey ?? id,
    isUsable: (row) => isUsable(row, isService),
    prepare: (context, group, row) => prepare(context, group, { row, list, undecided }),
    xml: async ({ client }, { companyId }, { id }, how) =>
      isService
        ? await client.download('nfse.xml', { path: { companyId, id } }, how)
        : await client.download(`${model}.xml`, { path: { companyId, invoiceId: id } }, how),
    pdf: async ({ client }, { companyId }, { id }, how) =>
      isService
        ? await client.download('nfse.pdf', { path: { companyId, id } }, how)
        : await client.download(`${model}.pdf`, { path: { companyId, invoiceId: id } }, how),
    event: async (context, group, event) =>
      isService ? await cancellationFile(context, group, event) : await letterFile(context, group, event),
  };
}

/** An issued NF-e or NFC-e has its key; without it nothing tells whether a file is the right one. */
function isUsable({ id, accessKey, status }: DueDocument, isService: boolean): boolean {
  if (!/^[\w-]{1,64}$/.test(id)) return false;
  if (accessKey === undefined) return isService || finalityOf(status) !== 'issued';
  const { value, parts } = isService ? checkServiceKey(accessKey) : checkInvoiceKey(accessKey);
  return parts !== undefined && value === accessKey;
}

/** Nothing is downloaded of an invoice that is not final, or that was refused. The events of the others are read first. */
async function prepare(
  context: SyncContext,
  group: SyncGroup,
  {
    row,
    list,
    undecided,
  }: { readonly row: DueDocument; readonly list: IssuedList; readonly undecided: Undecided },
): Promise<DocumentPatch | undefined> {
  switch (finalityOf(row.status)) {
    case 'not-final':
      return { state: row.state, due: false, reason: reasons.notFinal.en };
    case 'refused':
      return { state: 'gone', due: false, reason: reasons.neverIssued.en };
    case 'issued':
      if (!(await lookAtEvents(context, group, { row, model: list.model }))) {
        undecided.add(row);
        await withdrawEvents(context, group, undecided);
      }
      return undefined;
  }
}

/** Of the events of an NF-e the service gives the XML of the last correction letter only; it holds every correction. */
async function letterFile(
  { client, store }: SyncContext,
  group: SyncGroup,
  { documentId, ...event }: EventRow,
): Promise<EventFile | EventPatch> {
  const { companyId } = group;
  const sequence = letterSequence({ documentId, ...event });
  if (sequence === undefined) return withoutFile;
  const others = (await store.events.of(group, documentId)).map(letterSequence);
  if (others.some((other) => other !== undefined && other > sequence)) return withoutFile;
  const accessKey = (await store.documents.get(group, documentId))?.accessKey;
  return {
    download: (how: DownloadTo) =>
      client.download('nfe.letter.xml', { path: { companyId, invoiceId: documentId } }, how),
    expected: { accessKey, family: 'nfe', part: 'event', event: { code: 110110, sequence } },
  };
}

/** The XML of a cancellation: only the national environment makes one. */
async function cancellationFile(
  { client, store }: SyncContext,
  group: SyncGroup,
  { documentId }: EventRow,
): Promise<EventFile> {
  const { companyId, taxNumber } = group;
  const accessKey = (await store.documents.get(group, documentId))?.accessKey;
  return {
    download: (how: DownloadTo) =>
      client.download('nfse.cancellation.xml', { path: { companyId, id: documentId } }, how),
    expected: { accessKey, companyTaxNumber: taxNumber, family: 'nfse', part: 'event', anyLayout: true },
    mayBeAbsent: true,
  };
}

const withoutFile: EventPatch = { state: 'gone', due: false, reason: reasons.noEventFile.en };
