import type { Candidate, LayoutPlace } from '../../archive/intake.js';
import { eventPath, pdfPath, stemOf, xmlPath } from '../../archive/layout.js';
import { MemorySink } from '../../client/receive.js';
import type { XmlProblem } from '../../archive/xml-read.js';
import { mayStand } from '../../domain/document-state.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Reason } from '../../errors/reasons.js';
import type {
  DocumentGroup,
  DocumentPatch,
  DocumentRow,
  DueDocument,
  EventPatch,
  EventRow,
} from '../../store/documents.js';
import type { Store } from '../../store/store.js';
import { recordOf } from '../documents/record.js';
import { concernsAll, failureOf, Listing, type SyncContext } from './state.js';
import type { SyncGroup } from './source.js';

const BUFFER = 64;

/** The due rows, in small pages from the store, while the list is still read; each once, also when its work failed. */
export async function* dueDocuments(store: Store, group: DocumentGroup, listing: Listing): AsyncGenerator<DueDocument> {
  let afterSeq = 0;
  for (;;) {
    const isComplete = listing.isComplete;
    const rows = await store.documents.due(group, { afterSeq, limit: BUFFER });
    yield* rows;
    const last = rows.at(-1);
    if (last !== undefined) afterSeq = last.seq;
    else if (isComplete) return;
    else await listing.next();
  }
}

/** Rows that the list changed after they were read as due. */
export async function* changedMeanwhile(store: Store, group: SyncGroup): AsyncGenerator<DueDocument> {
  if (group.tally.changed === 0) return;
  yield* dueDocuments(store, group, Listing.ended());
}

export async function* dueEvents(store: Store, group: DocumentGroup): AsyncGenerator<EventRow> {
  let afterSeq = 0;
  for (;;) {
    const rows = await store.events.due(group, { afterSeq, limit: BUFFER });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    afterSeq = last.seq;
  }
}

/** The limit of the XML reader; a fiscal document is far smaller. */
export const XML_LIMIT = 16 * 1024 * 1024;

/**
 * Brings one wanted document to the archive: bytes, inspection, file, and then the row. What is not what it should be is
 * quarantined with its reason; a failure is noted; the others go on. Throws only what concerns all.
 */
export async function syncDocument(context: SyncContext, group: SyncGroup, row: DueDocument): Promise<void> {
  const { clock, documentWrites } = context;
  const write = async (patch: DocumentPatch): Promise<void> =>
    await documentWrites.add({ row, patch, at: clock.now() });
  try {
    const patch = await fetchDocument(context, group, row);
    context.health.answered(clock.now(), undefined);
    await write(patch);
  } catch (error) {
    if (concernsAll(error, context)) {
      context.requests.close(error);
      throw error;
    }
    const { state, code, reason } = failureOf(error);
    group.tally.note({ key: row.id, state, code, reason });
    await write({ state: state === 'gone' ? 'gone' : row.state, ...owing(reason) });
  }
}

async function fetchDocument(context: SyncContext, group: SyncGroup, row: DueDocument): Promise<DocumentPatch> {
  if (!group.source.isUsable(row)) return quarantine(group, row, noKey);
  const patch = await group.source.prepare(context, group, row);
  if (patch !== undefined) return patch;
  const standing = standingStem(context, row);
  const place = standing === undefined ? await newPlace(context, group, row) : xmlPath(standing);
  const xml = row.state === 'archived' ? archivedAlready : await fetchXml(context, group, { row, place });
  if (xml.state !== 'archived' || !wantsPdf(context, row)) return xml;
  const stem = xml.file?.path.replace(/\.xml$/, '') ?? standing;
  return stem === undefined ? xml : { ...xml, ...(await fetchPdf(context, group, { row, stem })) };
}

/** Nothing to write, or only the PDF was missing. */
const archivedAlready: DocumentPatch = { state: 'archived', due: false };

interface XmlTarget {
  readonly row: DueDocument;
  readonly place: Candidate['place'];
}

async function fetchXml(context: SyncContext, group: SyncGroup, { row, place }: XmlTarget): Promise<DocumentPatch> {
  const { requests, signal, options } = context;
  const { source, tally, taxNumber } = group;
  const sink = new MemorySink();
  const how = { sink, maxBytes: XML_LIMIT, signal };
  const done = await requests.run(() => source.xml(context, group, row, how));
  if (done.status !== 200) return later(group, row, done.status);
  const admission = await context.work.intake.admit({
    place,
    bytes: sink.bytes(),
    replaces: (await standingRow(context, group, row))?.sha256,
    expected: {
      ...source.expected,
      part: 'document',
      requireSignature: options.requireSignature,
      accessKey: row.accessKey,
      companyTaxNumber: taxNumber,
      hasFull: await hasFull(context, row),
    },
  });
  const { signature } = admission;
  const { situation = row.facts?.situation } = admission.facts ?? {};
  // A full XML never says what a summary said of the state, before it or after it.
  const told = situation === undefined ? {} : { situation };
  // What stands is more than what came.
  if ('problem' in admission && admission.problem.code === 'summary-after-full')
    return { ...archivedAlready, facts: { ...row.facts, ...told }, reason: null };
  if ('problem' in admission) return { ...quarantine(group, row, unusable(admission.problem)), signature };
  const { file, xmlKind } = admission;
  const facts = admission.facts && { ...admission.facts, ...told };
  if (xmlKind === 'summary') {
    tally.summaries += 1;
    const known = await context.store.documents.get(group, row.id);
    if (known !== undefined && mayStand(recordOf({ ...known, ...(facts && { facts }) }).state.state))
      tally.waiting += 1;
  } else tally.archived += 1;
  tally.bytes += file.bytes;
  const archivedAt = context.clock.now();
  const read = { ...(xmlKind && { xmlKind }), ...(facts && { facts }) };
  const kept = { archive: context.archive, file, ...read, archivedAt, signature };
  return { state: 'archived', due: false, ...kept, reason: null };
}

/** What the store knows of a document that is in this archive already. */
async function standingRow(
  { archive, store }: SyncContext,
  group: SyncGroup,
  row: DueDocument,
): Promise<DocumentRow | undefined> {
  return row.archive === archive ? await store.documents.get(group, row.id) : undefined;
}

/** True when the full document is in the archive: a repair may have found it missing. */
async function hasFull(
  { archive, storage }: SyncContext,
  { xmlKind, archive: from, path }: DueDocument,
): Promise<boolean> {
  return xmlKind === 'full' && from === archive && path !== undefined && (await storage.exists(path));
}

interface FileTarget {
  readonly row: DueDocument;
  readonly stem: string;
}

/** Streams the PDF to the disk without a look inside. 202: the next run asks again; 204: there is none. */
async function fetchPdf(
  context: SyncContext,
  group: SyncGroup,
  { row, stem }: FileTarget,
): Promise<Partial<DocumentPatch>> {
  const { requests, signal } = context;
  const { source, tally } = group;
  const draft = context.work.draft();
  const how = { sink: draft, signal };
  try {
    const done = await requests.run(() => source.pdf(context, group, row, how));
    if (done.status === 204) return { pdfState: 'absent', reason: null };
    if (done.status !== 200) return { pdfState: 'wanted', ...owing({ is: 'no-pdf-yet' }) };
    const pdf = await draft.commit(pdfPath(stem), (await standingRow(context, group, row))?.pdfSha256);
    tally.pdfs += 1;
    tally.bytes += pdf.bytes;
    return { pdfState: 'archived', pdf, reason: null };
  } catch (error) {
    if (concernsAll(error, context)) throw error;
    const { code, reason, state } = failureOf(error);
    tally.note({ key: row.id, state, code, reason });
    return { pdfState: 'wanted', ...owing(reason) };
  } finally {
    await draft.discard();
  }
}

function wantsPdf({ options }: SyncContext, row: DueDocument): boolean {
  return row.pdfState === 'wanted' || options.pdf;
}

function quarantine(
  group: SyncGroup,
  row: DueDocument,
  { code, reason }: { readonly code: string; readonly reason: Reason },
): DocumentPatch {
  group.tally.note({ key: row.id, state: 'quarantined', code, reason });
  return { state: 'quarantined', ...owing(reason) };
}

/** The service lists the document and does not have its bytes yet. */
function later(group: SyncGroup, row: DueDocument, status: number): DocumentPatch {
  const reason = { is: 'no-xml-yet', status } as const;
  group.tally.note({ key: row.id, state: 'failed', code: 'service.unavailable', reason });
  return { state: row.state, ...owing(reason) };
}

function isNotFound(error: unknown): boolean {
  return error instanceof FiscalError && error.code === 'service.not_found';
}

/** The same for the file of an event. */
function laterEvent(group: SyncGroup, event: EventRow, status: number): EventPatch {
  const reason = { is: 'no-xml-yet', status } as const;
  group.tally.note({ key: event.eventKey, state: 'failed', code: 'service.unavailable', reason });
  return { state: event.state, ...owing(reason) };
}

/** The patch of a failed try; the store decides when the next one is due. */
function owing(reason: Reason) {
  return { due: false, reason, owed: reason };
}

const noKey = { code: 'no-key', reason: { is: 'key-not-valid' } } as const;

function unusable({ code, message }: XmlProblem): { readonly code: string; readonly reason: Reason } {
  return { code, reason: { is: 'unusable-file', code, words: message } };
}

/** A document that is in this archive keeps its path, also when the layout has changed. */
function standingStem({ archive }: SyncContext, row: DueDocument): string | undefined {
  return row.archive === archive ? row.path?.replace(/\.xml$/, '') : undefined;
}

/** Where the layout puts a document that is not in this archive. */
async function newPlace(
  { template, store, archive, taxNumbers }: SyncContext,
  group: SyncGroup,
  row: Pick<DueDocument, 'id' | 'accessKey' | 'issuer' | 'issuedOn'>,
): Promise<LayoutPlace> {
  const { taxNumber, companyId, source, profile, family } = group;
  const values = {
    ...{ cnpj: taxNumber ?? companyId, companyId, type: source.type, key: source.nameOf(row) },
    ...{ issuer: row.issuer, issuedOn: row.issuedOn },
  };
  const namesakes = namesakesOf(group, template, await taxNumbers());
  // A document of two companies whose paths would be one has two files, also when both are fetched at this moment.
  const copies = namesakes.length === 0 ? [] : await store.documents.capturers({ profile, family, id: row.id });
  const isShared = copies.some((copy) => namesakes.includes(copy.companyId) && (copy.archive ?? archive) === archive);
  const word = template.includes('{cnpj}') ? 'cnpj' : 'key';
  return { template, values: isShared ? { ...values, [word]: `${values[word]}-${companyId}` } : values };
}

/** The other companies whose documents the layout may put where it puts those of this one. */
function namesakesOf(
  { companyId, taxNumber }: SyncGroup,
  template: string,
  taxNumbers: ReadonlyMap<string, string | undefined>,
): readonly string[] {
  if (template.includes('{company}')) return [];
  const isByNumber = template.includes('{cnpj}');
  if (isByNumber && taxNumber === undefined) return [];
  return [...taxNumbers].flatMap(([id, number = taxNumber]) =>
    id === companyId || (isByNumber && number !== taxNumber) ? [] : [id],
  );
}

/** Archives one event beside its document. A failure is noted, and the other events continue. */
export async function syncEvent(context: SyncContext, group: SyncGroup, event: EventRow): Promise<void> {
  const write = async (patch: EventPatch): Promise<void> =>
    await context.eventWrites.add({ seq: event.seq, patch, at: context.clock.now() });
  try {
    await write(await fetchEvent(context, group, event));
  } catch (error) {
    if (concernsAll(error, context)) {
      context.requests.close(error);
      throw error;
    }
    const { state, code, reason } = failureOf(error);
    group.tally.note({ key: event.eventKey, state, code, reason });
    await write({ state: state === 'gone' ? 'gone' : event.state, ...owing(reason) });
  }
}

async function fetchEvent(context: SyncContext, group: SyncGroup, event: EventRow): Promise<EventPatch> {
  const { signal, requests } = context;
  const { source, tally } = group;
  const wanted = await source.event(context, group, event);
  if ('state' in wanted) return wanted;
  const sink = new MemorySink();
  const how = { sink, maxBytes: XML_LIMIT, signal };
  const done = await requests
    .run(() => wanted.download(how))
    .catch((error: unknown) => {
      if (wanted.mayBeAbsent === true && isNotFound(error)) return undefined;
      throw error;
    });
  if (done === undefined) return { state: 'gone', due: false, reason: { is: 'no-event-file' } };
  if (done.status !== 200) return laterEvent(group, event, done.status);
  const admission = await context.work.intake.admit({
    place: eventPath(await stemOfDocument(context, group, event), event.eventKey),
    bytes: sink.bytes(),
    replaces: event.archive === context.archive ? event.sha256 : undefined,
    expected: wanted.expected,
  });
  if ('problem' in admission) {
    const { code, reason } = unusable(admission.problem);
    tally.note({ key: event.eventKey, state: 'quarantined', code, reason });
    return { state: 'quarantined', ...owing(reason) };
  }
  const { file, event: facts } = admission;
  tally.events += 1;
  tally.bytes += file.bytes;
  const archivedAt = context.clock.now();
  const kept = { archive: context.archive, file, ...(facts && { facts }), archivedAt };
  return { state: 'archived', due: false, ...kept, reason: null };
}

/** The path of the document in this archive, or the one that it would have. */
async function stemOfDocument(context: SyncContext, group: SyncGroup, event: EventRow): Promise<string> {
  const document = await context.store.documents.get(group, event.documentId);
  if (document?.path !== undefined && document.archive === context.archive) return document.path.replace(/\.xml$/, '');
  const { template, values } = await newPlace(context, group, document ?? { id: event.documentId });
  return stemOf(template, { ...values, xmlIssuedOn: document?.facts?.issuedOn });
}
