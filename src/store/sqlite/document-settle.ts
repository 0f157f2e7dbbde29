import type { DocumentEnd } from '../documents.js';
import type { Connection } from './connection.js';
import { createOwing } from './owed.js';

/** Writes how the work on a document ended; false when the service changed it meanwhile. */
export function createSettle(connection: Connection): (end: DocumentEnd) => boolean {
  const { statement } = connection;
  const owing = createOwing(connection, 'documents');
  const settle = statement(
    `UPDATE documents SET state = ?, due = ?, archive = coalesce(?, archive), path = coalesce(?, path),
       sha256 = coalesce(?, sha256), bytes = coalesce(?, bytes), xml_kind = coalesce(?, xml_kind), archived_at = coalesce(?, archived_at),
       pdf_state = coalesce(?, pdf_state), pdf_path = coalesce(?, pdf_path),
       pdf_sha256 = coalesce(?, pdf_sha256), pdf_bytes = coalesce(?, pdf_bytes),
       signature = coalesce(?, signature), reason = iif(?, reason, ?), updated_at = ?
     WHERE seq = ? AND version = ?`,
  );
  return ({ row, patch, at }) => {
    const { file, pdf, reason } = patch;
    const { changes } = settle().run(
      ...[patch.state, patch.due ? 1 : 0, patch.archive, file?.path, file?.sha256, file?.bytes],
      ...[
        patch.xmlKind,
        patch.archivedAt,
        patch.pdfState,
        pdf?.path,
        pdf?.sha256,
        pdf?.bytes,
        patch.signature,
      ],
      ...[reason === undefined ? 1 : 0, reason, at, row.seq, row.version],
    );
    // What has work to do stays as it was: its try is still to come.
    if (changes === 1 && !patch.due) owing(row.seq, patch.owed, at);
    return changes === 1;
  };
}
