import type { ArchiveState, DocumentCounts, DocumentPatch, DocumentRows, WantedAgain } from '../documents.js';
import type { Connection } from './connection.js';
import { groupOf, readAgain } from './cursors.js';
import { documentColumns, seenParameters, toDocument, type DocumentRecord } from './document-columns.js';
import { createDocumentList } from './document-list.js';

/** Without the metadata: to read them would be most of the work, and nobody who fetches a document looks at them. */
const workColumns = documentColumns.replace(' data,', " 'null' AS data,");

const inGroup = 'profile = @profile AND company_id = @companyId AND family = @family';

interface KnownDocument {
  readonly seq: number;
  readonly status: string | null;
  readonly type: string | null;
  readonly nsu: string | null;
  readonly modifiedOn: string | null;
  readonly state: ArchiveState;
  readonly data: string;
}

function seeStatements({ statement }: Connection) {
  const known = statement<[Record<string, unknown>], KnownDocument>(
    `SELECT seq, status, type, nsu, modified_on AS modifiedOn, state, data FROM documents WHERE ${inGroup} AND id = @id`,
  );
  const insert = statement<[Record<string, unknown>]>(
    `INSERT INTO documents (profile, company_id, family, id, access_key, nsu, nsu_number, status, webhook_status, type, issuer,
       issuer_name, recipient, amount_text, issued_on, issued_at, authorized_on, created_on, modified_on, data,
       version, state, due, first_seen_at, updated_at)
     VALUES (@profile, @companyId, @family, @id, @accessKey, @nsu, @nsuNumber, @status, @webhookStatus, @type, @issuer,
       @issuerName, @recipient, @amountText, @issuedOn, @issuedAt, @authorizedOn, @createdOn, @modifiedOn, @data,
       1, 'wanted', 1, @at, @at)`,
  );
  const update = statement<[Record<string, unknown>]>(
    `UPDATE documents SET access_key = @accessKey, nsu = @nsu, nsu_number = @nsuNumber, status = @status,
       webhook_status = @webhookStatus, type = @type, issuer = @issuer, issuer_name = @issuerName, recipient = @recipient,
       amount_text = @amountText, issued_on = @issuedOn, issued_at = @issuedAt, authorized_on = @authorizedOn,
       created_on = @createdOn, modified_on = @modifiedOn, data = @data, updated_at = @at,
       version = version + @changed, due = max(due, @changed),
       state = iif(@changed, 'wanted', state), reason = iif(@changed, NULL, reason)
     WHERE seq = @seq`,
  );
  return { known, insert, update };
}

function workStatements({ statement }: Connection) {
  const byId = statement<[Record<string, unknown>], DocumentRecord>(
    `SELECT ${documentColumns} FROM documents WHERE ${inGroup} AND id = @id`,
  );
  const work = statement<[Record<string, unknown>], DocumentRecord>(
    `SELECT ${workColumns} FROM documents WHERE ${inGroup} AND due = 1 AND seq > @afterSeq ORDER BY seq LIMIT @limit`,
  );
  const workCount = statement<[Record<string, unknown>], number>(
    `SELECT count(*) FROM documents WHERE ${inGroup} AND due = 1`,
  );
  const byState = statement<[Record<string, unknown>], { state: ArchiveState; count: number }>(
    `SELECT state, count(*) AS count FROM documents WHERE ${inGroup} GROUP BY state`,
  );
  const settle = statement<[Record<string, unknown>]>(
    `UPDATE documents SET state = @state, due = @due, archive = coalesce(@archive, archive), path = coalesce(@path, path),
       sha256 = coalesce(@sha256, sha256), bytes = coalesce(@bytes, bytes), archived_at = coalesce(@archivedAt, archived_at),
       pdf_state = coalesce(@pdfState, pdf_state), pdf_path = coalesce(@pdfPath, pdf_path),
       pdf_sha256 = coalesce(@pdfSha256, pdf_sha256), pdf_bytes = coalesce(@pdfBytes, pdf_bytes),
       signature = coalesce(@signature, signature), reason = iif(@keepReason, reason, @reason), updated_at = @at
     WHERE seq = @seq AND version = @version`,
  );
  const archived = statement<[Record<string, unknown>], string>(
    `SELECT id FROM documents INDEXED BY documents_by_issue
     WHERE ${inGroup} AND issued_at >= @since AND issued_at < @until AND state = 'archived'`,
  );
  return { byId, work, workCount, byState, archived, settle };
}

function wantStatements({ statement }: Connection) {
  const again = (change: string, condition: string) =>
    statement<[Record<string, unknown>]>(
      `UPDATE documents SET due = 1, updated_at = @at, ${change} WHERE ${inGroup} AND ${condition}`,
    );
  return {
    notIn: again(
      `state = 'wanted', pdf_state = iif(pdf_state = 'archived', 'wanted', pdf_state)`,
      `state = 'archived' AND archive IS NOT @archive`,
    ),
    withoutPdf: again(`pdf_state = 'wanted'`, `state = 'archived' AND pdf_state IS NULL`),
    quarantined: again(`state = 'wanted', reason = NULL`, `state = 'quarantined'`),
  };
}

export function createDocumentRows(connection: Connection): DocumentRows {
  const { read, write } = connection;
  const see = createSee(connection);
  const { byId, work, workCount, byState, archived, settle } = workStatements(connection);
  const wanted = wantStatements(connection);
  return {
    ...createDocumentList(connection),
    see: (group, documents, at) =>
      write(() => {
        const counts = { added: 0, changed: 0, known: 0 };
        for (const document of documents) {
          counts[see({ ...groupOf(group), ...seenParameters(document), at })] += 1;
        }
        return counts;
      }, readAgain),
    get: (group, id) =>
      read(() => {
        const record = byId().get({ ...groupOf(group), id });
        return record === undefined ? undefined : toDocument(record);
      }),
    due: (group, page) =>
      read(() =>
        work()
          .all({ ...groupOf(group), ...page })
          .map(toDocument),
      ),
    dueCount: (group) => read(() => workCount().pluck().get(groupOf(group)) ?? 0),
    settle: ({ seq, version }, patch, at) =>
      write(() => settle().run({ seq, version, at, ...settleParameters(patch) }).changes === 1, readAgain),
    want: (group, which, at) =>
      write(() => wantStatement(wanted, which).run({ ...groupOf(group), at, ...archiveOf(which) }).changes),
    archivedIds: (group, { since, until }) =>
      read(() =>
        archived()
          .pluck()
          .all({ ...groupOf(group), since, until }),
      ),
    counts: (group) => read(() => countsOf(byState().all(groupOf(group)))),
  };
}

type Seen = 'added' | 'changed' | 'known';

/** Keeps one document; what says nothing new is not written. */
function createSee(connection: Connection) {
  const { known, insert, update } = seeStatements(connection);
  return (row: ReturnType<typeof seenParameters> & { readonly at: number }): Seen => {
    const before = known().get({ ...row });
    if (before === undefined) {
      insert().run({ ...row });
      return 'added';
    }
    if (before.data === row.data && before.state !== 'gone') return 'known';
    const changed = isChanged(before, row);
    update().run({ ...row, seq: before.seq, changed: changed ? 1 : 0 });
    return changed ? 'changed' : 'known';
  };
}

/** What makes the bytes worth reading again. The state of a webhook does not. */
function isChanged(before: KnownDocument, now: ReturnType<typeof seenParameters>): boolean {
  const names = ['status', 'type', 'nsu', 'modifiedOn'] as const;
  return before.state === 'gone' || names.some((name) => before[name] !== now[name]);
}

function settleParameters({ file, pdf, ...patch }: DocumentPatch) {
  return {
    state: patch.state,
    due: patch.due ? 1 : 0,
    archive: patch.archive ?? null,
    path: file?.path ?? null,
    sha256: file?.sha256 ?? null,
    bytes: file?.bytes ?? null,
    archivedAt: patch.archivedAt ?? null,
    pdfState: patch.pdfState ?? null,
    pdfPath: pdf?.path ?? null,
    pdfSha256: pdf?.sha256 ?? null,
    pdfBytes: pdf?.bytes ?? null,
    signature: patch.signature ?? null,
    keepReason: patch.reason === undefined ? 1 : 0,
    reason: patch.reason ?? null,
  };
}

function wantStatement(wanted: ReturnType<typeof wantStatements>, which: WantedAgain) {
  if ('notIn' in which) return wanted.notIn();
  return 'withoutPdf' in which ? wanted.withoutPdf() : wanted.quarantined();
}

function archiveOf(which: WantedAgain) {
  return 'notIn' in which ? { archive: which.notIn } : {};
}

function countsOf(
  found: readonly { readonly state: ArchiveState; readonly count: number }[],
): DocumentCounts {
  const counts = { wanted: 0, archived: 0, quarantined: 0, gone: 0 };
  for (const { state, count } of found) counts[state] = count;
  return counts;
}
