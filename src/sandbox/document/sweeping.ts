import type { CaptureStatistics } from '../../contract/maintenance.js';
import type { SandboxDatabase } from '../core/database.js';
import type { Family } from '../core/records.js';

/** One batch of a sweep. Times are milliseconds since the epoch. */
interface SweepBatch {
  readonly companyId: string;
  readonly family: Family;
  /** The cut-off: documents issued earlier are history. */
  readonly cutOff: number;
  /** The time of change that readers see. */
  readonly at: number;
  readonly limit: number;
}

interface CutOff extends Omit<SweepBatch, 'limit'> {
  /** True keeps the listed documents of a released history. */
  readonly released: boolean;
}

/** Hides captured documents and lists them again. Each method returns the number of changed documents. */
export interface Sweeping {
  /** Lists hidden documents, newest first. They stay `Skipped`. */
  show(batch: SweepBatch): number;
  /** Hides documents from before the cut-off, newest first. */
  hide(batch: SweepBatch): number;
  applyCutOff(cutOff: CutOff): number;
  /** Marks the documents after this NSU as captured again. */
  captureAgain(again: {
    readonly companyId: string;
    readonly family: Family;
    readonly nsu: number;
    readonly at: number;
  }): number;
}

/** The index contains the expression `issuedOn + 0`. */
const ofFamily = 'companyId = @companyId AND family = @family';
const shown = "visibility = 'listed', modifiedOn = @at";
const hidden = "visibility = 'hidden', webhookStatus = 'Skipped', modifiedOn = @at";

export function openSweeping(database: SandboxDatabase): Sweeping {
  const batchOf = (change: string, where: string) =>
    database.prepare<[object]>(
      `UPDATE documents SET ${change} WHERE position IN (
         SELECT position FROM documents WHERE ${ofFamily} AND ${where} ORDER BY issuedOn + 0 DESC LIMIT +@limit)`,
    );
  const show = batchOf(shown, "visibility = 'hidden'");
  const hide = batchOf(hidden, "visibility = 'listed' AND issuedOn + 0 < @cutOff");
  const hideAll = database.prepare(
    `UPDATE documents SET ${hidden} WHERE ${ofFamily} AND visibility = 'listed' AND issuedOn + 0 < @cutOff`,
  );
  const showAll = database.prepare(
    `UPDATE documents SET ${shown} WHERE ${ofFamily} AND visibility = 'hidden' AND issuedOn + 0 >= @cutOff`,
  );
  const again = database.prepare(
    `UPDATE documents SET modifiedOn = @at WHERE ${ofFamily} AND nsu > @nsu AND visibility <> 'uncaptured'`,
  );
  return {
    show: ({ companyId, family, at, limit }) => show.run({ companyId, family, at, limit }).changes,
    hide: (batch) => hide.run(batch).changes,
    applyCutOff({ released, ...change }) {
      return showAll.run(change).changes + (released ? 0 : hideAll.run(change).changes);
    },
    captureAgain: (change) => again.run(change).changes,
  };
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
    `SELECT status, webhookStatus, count(*) AS count, max(createdOn) AS captured FROM documents
     WHERE companyId = ? AND family = ? AND visibility <> 'uncaptured' GROUP BY status, webhookStatus`,
  );
  const highest = database.prepare<[string, string], { captured: number | null; known: number | null }>(
    `SELECT max(CASE visibility WHEN 'uncaptured' THEN NULL ELSE nsu END) AS captured, max(nsu) AS known
     FROM documents WHERE companyId = ? AND family = ?`,
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
