import type { InboundFamily } from '../../contract/inbound.js';
import type { BilledCount, GroupCount, OverviewRows, TroubledJob } from '../overview.js';
import type { Connection } from './connection.js';
import { outstandingGroups } from './owed.js';
import { fromJson, presentColumns, sound } from '../row.js';

/** An earlier step; `sightOfGroupIndex` replaces it. */
export const sightIndex = `
  CREATE INDEX documents_by_sight ON documents (profile, first_seen_at, company_id, family);
`;

/** The new documents of a company are counted from the index alone, and listed by it. */
export const sightOfGroupIndex = `
  DROP INDEX documents_by_sight;
  CREATE INDEX documents_by_sight ON documents (profile, company_id, family, first_seen_at);
`;

interface JobRecord extends Omit<TroubledJob, 'scope' | 'isLeft'> {
  readonly scope: string;
  readonly isLeft: number;
}

interface CursorRecord {
  readonly companyId: string;
  readonly family: InboundFamily;
  readonly stream: string;
  readonly position: string;
  readonly at: number;
}

const itemsIn = (states: string) =>
  `(SELECT count(*) FROM items WHERE job_id = jobs.id AND replaced = 0 AND state IN (${states}))`;

function statements({ statement }: Connection) {
  return {
    // One lookup per company and family: DISTINCT and GROUP BY would read every row.
    seen: statement<[{ profile: string; since: number }], GroupCount>(
      `WITH RECURSIVE companies (company) AS (
         SELECT min(company_id) FROM documents WHERE profile = @profile
         UNION ALL
         SELECT (SELECT min(company_id) FROM documents WHERE profile = @profile AND company_id > company)
         FROM companies WHERE company IS NOT NULL)
       SELECT company AS companyId, families.value AS family, (SELECT count(*) FROM documents INDEXED BY documents_by_sight
         WHERE profile = @profile AND company_id = company AND family = families.value AND first_seen_at >= @since) AS count
       FROM companies, json_each('["cte","nfe","nfse"]') AS families WHERE count > 0`,
    ),
    outstanding: statement<[{ profile: string }], GroupCount>(outstandingGroups),
    cursors: statement<[string], CursorRecord>(
      'SELECT company_id AS companyId, family, stream, position, at FROM cursors WHERE profile = ?',
    ),
    jobs: statement<[Record<string, unknown>], JobRecord>(
      `SELECT id, scope, uncertain, isLeft,
         iif(isRecent OR uncertain > 0, ${itemsIn(`'rejected', 'failed'`).replace('jobs.id', 'found.id')}, 0) AS failed
       FROM (SELECT id, scope, ${itemsIn(`'uncertain'`)} AS uncertain,
           state IN ('loading', 'open') AND NOT EXISTS (SELECT 1 FROM workers WHERE job_id = jobs.id
             AND expires_at > @now) AS isLeft,
           state IN ('loading', 'open') OR coalesce(finished_at, updated_at) >= @since AS isRecent
         FROM jobs WHERE profile = @profile) AS found
       WHERE uncertain > 0 OR isLeft OR failed > 0`,
    ),
    billed: statement<
      [number, string | null, string | null],
      Omit<BilledCount, 'companyId'> & { companyId: string | null }
    >(
      `SELECT company_id AS companyId, billed, outcome, count(*) AS count FROM usage
       WHERE at >= ? AND (? IS NULL OR profile = ?) GROUP BY company_id, billed, outcome`,
    ),
  };
}

export function createOverviewRows(connection: Connection): OverviewRows {
  const { read } = connection;
  const { seen, outstanding, cursors, jobs, billed } = statements(connection);
  return {
    seenSince: (profile, since) => read(() => seen().all({ profile, since })),
    outstanding: (profile) => read(() => outstanding().all({ profile })),
    cursors: (profile) =>
      read(() =>
        cursors()
          .all(profile)
          .map((row) => ({ ...sound(row), profile, position: fromJson(row.position) })),
      ),
    troubledJobs: (profile, range) =>
      read(() =>
        jobs()
          .all({ profile, ...range })
          .map((row) => ({ ...row, scope: scopeOf(row.scope), isLeft: row.isLeft === 1 })),
      ),
    billed: (profile, since) =>
      read(() =>
        billed()
          .all(since, profile ?? null, profile ?? null)
          .map(presentColumns),
      ),
  };
}

/** Only `jobs.create` writes this column. */
function scopeOf(text: string): Readonly<Record<string, string>> {
  return fromJson(text) as Readonly<Record<string, string>>;
}
