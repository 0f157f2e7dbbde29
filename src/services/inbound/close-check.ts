import { join } from 'node:path';
import { digestOf } from '../../archive/digest.js';
import type { ManifestEntry, ManifestEvent, ManifestFile } from '../../archive/manifest.js';
import type { DocumentRow, EventRow } from '../../store/documents.js';

/**
 * `not-synced`: the service lists it, this machine has never seen it · `not-archived`: seen, without its file · `outdated`: the
 * service says another status by now · `file-missing`, `file-changed`, `other-archive`: the file is not what the store
 * remembers · `event-…`: the same for an event · `unread`: the service's list could not be read · `capture-spaced`: the
 * service itself is behind, by a limit or a certificate (§2).
 */
export type CloseKind =
  | 'not-synced'
  | 'not-archived'
  | 'outdated'
  | 'file-missing'
  | 'file-changed'
  | 'other-archive'
  | 'event-not-archived'
  | 'event-file-missing'
  | 'event-file-changed'
  | 'unread'
  | 'capture-spaced';

/** What stands between the archive and a complete month. */
export interface CloseProblem {
  readonly kind: CloseKind;
  readonly key?: string;
  readonly path?: string;
  readonly event?: string;
  readonly reason?: string;
}

export interface CheckedDocument {
  readonly entry?: ManifestEntry;
  readonly problems: readonly CloseProblem[];
}

/** Reads the files of one document again, and says what it may stand in the manifest with. */
export async function checkDocument(
  row: DocumentRow,
  events: readonly EventRow[],
  archive: string,
): Promise<CheckedDocument> {
  const key = row.id;
  if (row.state !== 'archived') {
    const reason = row.reason ?? row.state;
    return { problems: [{ kind: 'not-archived', key, reason }] };
  }
  const file = fileOf(row);
  const problem = file === undefined ? 'file-missing' : await faultOf(file, row.archive, archive);
  if (file === undefined || problem !== undefined) {
    return { problems: [{ kind: problem ?? 'file-missing', key, ...(row.path && { path: row.path }) }] };
  }
  const checked = await checkEvents(key, events, archive);
  const pdf = await pdfOf(row, archive);
  const status = row.status === undefined ? {} : { status: row.status };
  const entry = { key, type: row.family, ...status, ...file, ...(pdf && { pdf }), events: checked.events };
  return { entry, problems: checked.problems };
}

async function checkEvents(key: string, rows: readonly EventRow[], archive: string) {
  const events: ManifestEvent[] = [];
  const problems: CloseProblem[] = [];
  for (const row of rows) {
    const file = row.state === 'archived' ? fileOf(row) : undefined;
    const fault = file === undefined ? undefined : await faultOf(file, row.archive, archive);
    if (file === undefined) {
      const reason = row.reason ?? row.state;
      problems.push({ kind: 'event-not-archived', key, event: row.eventKey, reason });
    } else if (fault === undefined) events.push({ key: row.eventKey, ...file });
    else {
      const kind = fault === 'file-changed' ? 'event-file-changed' : 'event-file-missing';
      problems.push({ kind, key, event: row.eventKey, path: file.path });
    }
  }
  return { events, problems };
}

/** The PDF is no legal document: it stands in the manifest where it is there, and its absence stops nothing. */
async function pdfOf(row: DocumentRow, archive: string): Promise<ManifestFile | undefined> {
  const { pdfPath: path, pdfSha256: sha256, pdfBytes: bytes } = row;
  if (path === undefined || sha256 === undefined || bytes === undefined) return undefined;
  const file = { path, sha256, bytes };
  return (await faultOf(file, row.archive, archive)) === undefined ? file : undefined;
}

async function faultOf(
  file: ManifestFile,
  from: string | undefined,
  archive: string,
): Promise<'file-missing' | 'file-changed' | 'other-archive' | undefined> {
  if (from !== archive) return 'other-archive';
  const found = await digestOf(join(archive, file.path));
  if (found === undefined) return 'file-missing';
  return found.sha256 === file.sha256 ? undefined : 'file-changed';
}

function fileOf(row: DocumentRow | EventRow): ManifestFile | undefined {
  const { path, sha256, bytes } = row;
  return path === undefined || sha256 === undefined || bytes === undefined
    ? undefined
    : { path, sha256, bytes };
}
