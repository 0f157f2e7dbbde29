import type { CaptureNotification } from '../../contract/maintenance.js';
import type { Family } from '../core/captures.js';
import { uuidOf } from '../core/chance.js';
import type { SandboxDatabase } from '../core/open-database.js';

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

/** What happened to the capture of a company. `at` in milliseconds since the epoch. */
export interface Notice {
  readonly companyId: string;
  readonly family: Family;
  readonly type: NoticeType;
  readonly message: string;
  readonly at: number;
}

export interface Notices {
  add(notice: Notice): void;
  /** The same one stands already, of that very moment. */
  has(notice: Pick<Notice, 'companyId' | 'family' | 'type' | 'at'>): boolean;
  /** The newest first. */
  list(companyId: string, family: Family): readonly CaptureNotification[];
}

interface NoticeRow {
  id: string;
  type: string;
  message: string;
  created_on: number;
}

const most = 100;

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
  const list = database.prepare<[string, string, number], NoticeRow>(
    `SELECT * FROM capture_notices WHERE company_id = ? AND family = ?
     ORDER BY created_on DESC, position DESC LIMIT ?`,
  );
  return {
    add(notice) {
      const ordinal = (count.get()?.last ?? 0) + 1;
      add.run({ ...notice, id: uuidOf(`notice:${notice.companyId}:${ordinal}`) });
    },
    has: ({ companyId, family, type, at }) => (find.get({ companyId, family, type, at })?.found ?? 0) > 0,
    list: (companyId, family) => list.all(companyId, family, most).map(toNotification),
  };
}

function toNotification({ id, type, message, created_on: createdOn }: NoticeRow): CaptureNotification {
  return { id, type, message, createdOn: new Date(createdOn).toISOString() };
}
