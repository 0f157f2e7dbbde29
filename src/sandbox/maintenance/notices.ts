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
  list(companyId: string, family: Family, wanted: WantedNotices): readonly CaptureNotification[];
}

export interface WantedNotices {
  readonly skip: number;
  readonly limit: number;
  readonly types: readonly string[];
}

export type Severity = 'Info' | 'Warning' | 'Critical';

/** How the sandbox rates and names its own types (assumed). */
export const noticeKinds: Readonly<Record<NoticeType, { severity: Severity; title: string }>> = {
  RateLimited: { severity: 'Warning', title: 'The capture is limited' },
  CertificateMissing: { severity: 'Critical', title: 'No usable certificate' },
  CertificateExpired: { severity: 'Critical', title: 'The certificate has expired' },
  CaptureReactivated: { severity: 'Info', title: 'The capture is active again' },
  NsuReset: { severity: 'Info', title: 'The capture restarts' },
  CutOffChanged: { severity: 'Info', title: 'The cut-off has changed' },
  BackfillReleased: { severity: 'Info', title: 'The history is released' },
  BackfillRevoked: { severity: 'Info', title: 'The history is hidden again' },
  BackfillReplaced: { severity: 'Info', title: 'A change of the history was replaced' },
};

export const noticeTypes = Object.entries(noticeKinds).map(([type, { severity }]) => ({ type, severity }));

interface NoticeRow {
  id: string;
  company_id: string;
  type: NoticeType;
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
  const list = database.prepare<[object], NoticeRow>(
    `SELECT * FROM capture_notices
     WHERE company_id = @companyId AND family = @family AND type IN (SELECT value FROM json_each(@types))
     ORDER BY created_on DESC, position DESC LIMIT +@limit OFFSET @skip`,
  );
  return {
    add(notice) {
      const ordinal = (count.get()?.last ?? 0) + 1;
      add.run({ ...notice, id: uuidOf(`notice:${notice.companyId}:${ordinal}`) });
    },
    has: ({ companyId, family, type, at }) => (find.get({ companyId, family, type, at })?.found ?? 0) > 0,
    list: (companyId, family, { types, ...page }) =>
      list.all({ companyId, family, types: JSON.stringify(types), ...page }).map(toNotification),
  };
}

function toNotification(row: NoticeRow): CaptureNotification {
  const { id, company_id: companyId, type, message: description, created_on: createdOn } = row;
  return { id, companyId, type, ...noticeKinds[type], description, createdAt: iso(createdOn) };
}

/** Statistics of the captured documents of a company, hidden ones included. */
export interface Statistics {
  of(companyId: string, family: Family): DocumentStatistics;
  /** The highest captured NSU and the highest of all; 0 without one (assumed). */
  position(companyId: string, family: Family): CapturePosition;
}

type CapturePosition = Required<Pick<CaptureStatistics, 'currentNsu' | 'maxAvailableNsu'>>;
type DocumentStatistics = Omit<
  CaptureStatistics,
  'id' | 'accountId' | 'name' | 'isActive' | 'rateLimitedUntil'
>;

interface Group {
  status: string;
  webhookStatus: string;
  count: number;
  captured: number;
}

export function openStatistics(database: SandboxDatabase): Statistics {
  const groups = database.prepare<[string, string], Group>(
    `SELECT status, webhook_status AS webhookStatus, count(*) AS count, max(created_on) AS captured FROM documents
     WHERE company_id = ? AND family = ? AND visibility <> 'uncaptured' GROUP BY status, webhook_status`,
  );
  const highest = database.prepare<[string, string], { captured: number | null; known: number | null }>(
    `SELECT max(CASE visibility WHEN 'uncaptured' THEN NULL ELSE nsu END) AS captured, max(nsu) AS known
     FROM documents WHERE company_id = ? AND family = ?`,
  );
  const position = (companyId: string, family: Family): CapturePosition => {
    const found = highest.get(companyId, family);
    return { currentNsu: found?.captured ?? 0, maxAvailableNsu: found?.known ?? 0 };
  };
  return {
    position,
    of(companyId, family) {
      const found = groups.all(companyId, family);
      const count = (isMeant: (group: Group) => boolean): number =>
        found.filter(isMeant).reduce((total, group) => total + group.count, 0);
      return {
        ...position(companyId, family),
        lastExecutedAt: found.length === 0 ? null : iso(Math.max(...found.map(({ captured }) => captured))),
        documentsTotal: count(() => true),
        documentsProcessed: count(({ status }) => status === 'Processed' || status === 'Reprocessed'),
        documentsFailed: count(({ status }) => status === 'Failed' || status === 'PdfFailed'),
        documentsPdfPending: count(({ status }) => status === 'PdfPending'),
        webhooksDelivered: count(({ webhookStatus }) => webhookStatus === 'Delivered'),
        webhooksFailed: count(({ webhookStatus }) => webhookStatus === 'DefinitivelyFailed'),
      };
    },
  };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
