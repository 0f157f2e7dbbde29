import type { CaptureNotification, CaptureStatistics } from '../../contract/maintenance.js';
import type { Family } from '../core/captures.js';
import { uuidOf } from '../core/chance.js';
import type { SandboxDatabase } from '../core/database.js';

export type NoticeType =
  | 'RateLimited'
  | 'CertificateMissing'
  | 'CertificateExpired'
  | 'CaptureReactivated'
  | 'NsuReset'
  | 'CutOffChanged'
  | 'BackfillReleased'
  | 'BackfillRevoked'
  | 'BackfillReplaced';

/** A notice about the capture of a company. `at`: milliseconds since the epoch. */
export interface Notice {
  readonly companyId: string;
  readonly family: Family;
  readonly type: NoticeType;
  readonly message: string;
  readonly at: number;
}

export interface Notices {
  add(notice: Notice): void;
  /** True if the same notice exists with the same time. */
  has(notice: Pick<Notice, 'companyId' | 'family' | 'type' | 'at'>): boolean;
  /** Newest first. */
  list(
    companyId: string,
    family: Family,
    page: { readonly skip: number; readonly limit: number },
  ): readonly CaptureNotification[];
}

interface NoticeRow {
  id: string;
  type: string;
  message: string;
  created_on: number;
}

export function openNotices(database: SandboxDatabase): Notices {
  const add = database.prepare(
    `INSERT INTO capture_notices (id, company_id, family, type, message, created_on)
     VALUES (@id, @companyId, @family, @type, @message, @at)`,
  );
  const count = database.prepare<[], { last: number | null }>(
    'SELECT max(position) AS last FROM capture_notices',
  );
  const find = database.prepare<[object], { found: number }>(
    `SELECT count(*) AS found FROM capture_notices
     WHERE company_id = @companyId AND family = @family AND type = @type AND created_on = @at`,
  );
  const list = database.prepare<[string, string, number, number], NoticeRow>(
    `SELECT * FROM capture_notices WHERE company_id = ? AND family = ?
     ORDER BY created_on DESC, position DESC LIMIT ? OFFSET ?`,
  );
  return {
    add(notice) {
      const ordinal = (count.get()?.last ?? 0) + 1;
      add.run({ ...notice, id: uuidOf(`notice:${notice.companyId}:${ordinal}`) });
    },
    has: ({ companyId, family, type, at }) => (find.get({ companyId, family, type, at })?.found ?? 0) > 0,
    list: (companyId, family, { skip, limit }) =>
      list.all(companyId, family, limit, skip).map(toNotification),
  };
}

function toNotification({ id, type, message, created_on: createdOn }: NoticeRow): CaptureNotification {
  return { id, type, message, createdOn: new Date(createdOn).toISOString() };
}

/** Statistics of the captured documents of a company, hidden ones included. */
export interface Statistics {
  of(companyId: string, family: Family): CaptureStatistics;
}

interface Group {
  visibility: string;
  count: number;
  captured: number;
  issued: number;
}

export function openStatistics(database: SandboxDatabase): Statistics {
  const groups = database.prepare<[string, string], Group>(
    `SELECT visibility, count(*) AS count, max(created_on) AS captured, max(issued_on) AS issued FROM documents
     WHERE company_id = ? AND family = ? AND visibility <> 'uncaptured' GROUP BY visibility`,
  );
  const last = database.prepare<[string, string], { last: number | null }>(
    'SELECT max(nsu) AS last FROM documents WHERE company_id = ? AND family = ?',
  );
  return {
    of(companyId, family) {
      const found = groups.all(companyId, family);
      const nsu = last.get(companyId, family)?.last ?? null;
      return {
        companyId,
        totalDocuments: found.reduce((total, { count }) => total + count, 0),
        hiddenDocumentsCount: found.find(({ visibility }) => visibility === 'hidden')?.count ?? 0,
        lastNsu: nsu === null ? null : String(nsu),
        ...latest(
          'lastCapturedOn',
          found.map(({ captured }) => captured),
        ),
        ...latest(
          'lastDocumentOn',
          found.map(({ issued }) => issued),
        ),
      };
    },
  };
}

function latest(name: string, times: readonly number[]): Readonly<Record<string, string>> {
  return times.length === 0 ? {} : { [name]: new Date(Math.max(...times)).toISOString() };
}
