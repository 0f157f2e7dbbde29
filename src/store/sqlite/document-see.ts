import type { ArchiveState, DocumentGroup, SeenDocument } from '../documents.js';
import type { Connection } from './connection.js';
import { seenNames, seenValues } from './document-columns.js';

interface KnownDocument {
  readonly seq: number;
  readonly state: ArchiveState;
  readonly data: string;
  readonly differs: 0 | 1;
}

type Seen = 'added' | 'changed' | 'known';

/** What makes the bytes worth reading again. The state of a webhook does not. */
const telling = ['status', 'type', 'nsu', 'modified_on'];

function statements({ statement }: Connection) {
  const marks = (names: readonly string[]) => names.map(() => '?').join(', ');
  const insert = statement(
    `INSERT INTO documents (profile, company_id, family, id, first_seen_at, updated_at, version, state, due,
       ${seenNames.join(', ')})
     VALUES (?, ?, ?, ?, ?, ?, 1, 'wanted', 1, ${marks(seenNames)})
     ON CONFLICT (profile, company_id, family, id) DO NOTHING`,
  );
  const known = statement<unknown[], KnownDocument>(
    `SELECT seq, state, data, (${telling.join(', ')}) IS NOT (${marks(telling)}) AS differs FROM documents
     WHERE profile = ? AND company_id = ? AND family = ? AND id = ?`,
  );
  const update = statement(
    `UPDATE documents SET ${seenNames.map((name) => `${name} = ?`).join(', ')}, updated_at = ? WHERE seq = ?`,
  );
  const wantAgain = statement<[number]>(
    `UPDATE documents SET version = version + 1, due = 1, state = 'wanted', reason = NULL WHERE seq = ?`,
  );
  return { insert, known, update, wantAgain };
}

/** Keeps one document; what says nothing new is not written. */
export function createSee(connection: Connection) {
  const { insert, known, update, wantAgain } = statements(connection);
  return ({ profile, companyId, family }: DocumentGroup, seen: SeenDocument, at: number): Seen => {
    const values = seenValues(seen);
    // Most documents of a list are new, so that is tried first.
    const { changes } = insert().run(profile, companyId, family, seen.id, at, at, ...values);
    if (changes === 1) return 'added';
    const told = telling.map((name) => values[seenNames.indexOf(name)]);
    const before = known().get(...told, profile, companyId, family, seen.id);
    if (before === undefined) return 'known';
    if (before.data === values[seenNames.indexOf('data')]) return 'known';
    update().run(...values, at, before.seq);
    if (before.differs === 0) return 'known';
    wantAgain().run(before.seq);
    return 'changed';
  };
}
