import type { CaptureStatistics } from '../../contract/maintenance.js';
import type { Family } from '../core/captures.js';
import type { SandboxDatabase } from '../core/open-database.js';

/** What was captured for a company, hidden documents with the others. */
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
