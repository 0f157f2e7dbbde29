import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pdfPath, stemOf, xmlPath } from '../../archive/layout.js';
import type { Text } from '../../contract/text.js';
import { checkInvoiceKey, checkServiceKey } from '../../domain/access-key.js';
import type { DocumentPatch, DueDocument } from '../../store/documents.js';
import { MemorySink } from '../../client/memory-sink.js';
import { XML_LIMIT } from './sync-bytes.js';
import { concernsAll, failureOf } from './sync-failure.js';
import type { SyncGroup, SyncParts } from './sync-parts.js';

/**
 * Brings one wanted document to the archive: bytes, inspection, file, and then the row. What is not what it should be is
 * quarantined with its reason; a failure is noted; the others go on. Throws only what concerns all.
 */
export async function syncDocument(parts: SyncParts, group: SyncGroup, row: DueDocument): Promise<void> {
  const { clock, settlements } = parts;
  const settle = async (patch: DocumentPatch): Promise<void> =>
    await settlements.add({ row, patch, at: clock.now() });
  try {
    const patch = await fetchDocument(parts, group, row);
    parts.health.answered(clock.now(), undefined);
    await settle(patch);
  } catch (error) {
    if (concernsAll(error, parts)) {
      parts.requests.close(error);
      throw error;
    }
    const { state, code, reason } = failureOf(error);
    group.tally.note({ key: row.id, state, code, reason });
    await settle({ state: state === 'gone' ? 'gone' : row.state, ...owing(reason) });
  }
}

async function fetchDocument(parts: SyncParts, group: SyncGroup, row: DueDocument): Promise<DocumentPatch> {
  if (!isUsable(group, row)) return quarantine(group, row, noKey);
  const stem = standingStem(parts, row) ?? newStem(parts, group, row);
  const xml = row.state === 'archived' ? archivedAlready : await fetchXml(parts, group, { row, stem });
  if (xml.state !== 'archived' || !wantsPdf(parts, row)) return xml;
  return { ...xml, ...(await fetchPdf(parts, group, { row, stem })) };
}

/** Nothing is to be written; or the PDF alone was missing. */
const archivedAlready: DocumentPatch = { state: 'archived', due: false };

interface Place {
  readonly row: DueDocument;
  readonly stem: string;
}

async function fetchXml(parts: SyncParts, group: SyncGroup, { row, stem }: Place): Promise<DocumentPatch> {
  const { client, requests, signal, options } = parts;
  const { companyId, family, tally, taxNumber } = group;
  const sink = new MemorySink();
  const how = { sink, maxBytes: XML_LIMIT, signal };
  const done = await requests.run(() =>
    family === 'nfse'
      ? client.download('nfse.inbound.xml', { path: { companyId, idOrAccessKey: row.id } }, how)
      : client.download(`${family}.inbound.xml`, { path: { companyId, accessKey: row.id } }, how),
  );
  if (done.status !== 200) return later(group, row, done.status);
  const admission = await parts.intake.admit({
    path: xmlPath(stem),
    bytes: sink.bytes(),
    expected: {
      family,
      part: 'document',
      requireSignature: options.requireSignature,
      accessKey: row.accessKey,
      companyTaxNumber: taxNumber,
      hasFull: hasFull(parts, row),
    },
  });
  const { signature } = admission;
  // What stands is more than what came.
  if ('problem' in admission && admission.problem.code === 'summary-after-full')
    return { ...archivedAlready, reason: null };
  if ('problem' in admission) return { ...quarantine(group, row, admission.problem), signature };
  const { file, xmlKind } = admission;
  if (xmlKind === 'summary') tally.summaries += 1;
  else tally.archived += 1;
  tally.bytes += file.bytes;
  const archivedAt = parts.clock.now();
  const kept = { archive: parts.archive, file, ...(xmlKind && { xmlKind }), archivedAt, signature };
  return { state: 'archived', due: false, ...kept, reason: null };
}

/** The full document stands on the disk: a repair may have found it gone. */
function hasFull({ archive }: SyncParts, { xmlKind, archive: from, path }: DueDocument): boolean {
  return xmlKind === 'full' && from === archive && path !== undefined && existsSync(join(archive, path));
}

/** Straight to the disk: a PDF is not looked into. 202 is asked again by the next run; 204 means that there is none. */
async function fetchPdf(
  parts: SyncParts,
  group: SyncGroup,
  { row, stem }: Place,
): Promise<Partial<DocumentPatch>> {
  const { client, requests, signal } = parts;
  const { companyId, family, tally } = group;
  const draft = parts.writer.draft();
  const how = { sink: draft, signal };
  try {
    const done = await requests.run(() =>
      family === 'nfse'
        ? client.download('nfse.inbound.pdf', { path: { companyId, idOrAccessKey: row.id } }, how)
        : client.download(`${family}.inbound.pdf`, { path: { companyId, accessKey: row.id } }, how),
    );
    if (done.status === 204) return { pdfState: 'absent', reason: null };
    if (done.status !== 200) return { pdfState: 'wanted', ...owing(noPdfYet) };
    const pdf = await draft.place(pdfPath(stem));
    tally.pdfs += 1;
    tally.bytes += pdf.bytes;
    return { pdfState: 'archived', pdf, reason: null };
  } catch (error) {
    if (concernsAll(error, parts)) throw error;
    const { code, reason, state } = failureOf(error);
    tally.note({ key: row.id, state, code, reason });
    return { pdfState: 'wanted', ...owing(reason) };
  } finally {
    await draft.discard();
  }
}

function wantsPdf({ options }: SyncParts, row: DueDocument): boolean {
  return row.pdfState === 'wanted' || options.pdf;
}

function quarantine(
  group: SyncGroup,
  row: DueDocument,
  { code, message }: { readonly code: string; readonly message: Text },
): DocumentPatch {
  group.tally.note({ key: row.id, state: 'quarantined', code, reason: message });
  return { state: 'quarantined', ...owing(message) };
}

/** The service has the document and not yet its bytes. */
function later(group: SyncGroup, row: DueDocument, status: number): DocumentPatch {
  const reason: Text = {
    en: `the service has no XML yet (HTTP ${status}); the next sync asks again`,
    pt: `o serviço ainda não tem o XML (HTTP ${status}); a próxima sincronização pergunta de novo`,
  };
  group.tally.note({ key: row.id, state: 'failed', code: 'service.unavailable', reason });
  return { state: row.state, ...owing(reason) };
}

/** Tried in vain: the store says when it is tried again. */
function owing({ en }: Text) {
  return { due: false, reason: en, owed: en };
}

const noPdfYet: Text = {
  en: 'the service is still making the PDF',
  pt: 'o serviço ainda está gerando o PDF',
};

/** What names neither a key nor an id of the service is asked for nowhere, and names no file. */
function isUsable({ family }: SyncGroup, { id, accessKey }: DueDocument): boolean {
  if (accessKey === undefined) return family === 'nfse' && /^[\w-]{1,64}$/.test(id);
  const { value, parts } = family === 'nfse' ? checkServiceKey(accessKey) : checkInvoiceKey(accessKey);
  return parts !== undefined && value === accessKey;
}

const noKey = {
  code: 'no-key',
  message: {
    en: 'its access key is not one, so nothing was asked for',
    pt: 'sua chave de acesso não é válida, então nada foi pedido',
  },
};

/** A document that stands in this archive keeps its place, also when its layout is another now. */
function standingStem({ archive }: SyncParts, row: DueDocument): string | undefined {
  return row.archive === archive ? row.path?.replace(/\.xml$/, '') : undefined;
}

function newStem({ template }: SyncParts, group: SyncGroup, row: DueDocument): string {
  return stemOf(template, {
    cnpj: group.taxNumber ?? group.companyId,
    companyId: group.companyId,
    family: group.family,
    key: row.id,
    issuer: row.issuer,
    issuedOn: row.issuedOn,
  });
}
