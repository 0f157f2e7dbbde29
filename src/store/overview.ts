import type { Billing } from '../contract/operation.js';
import type { InboundFamily } from '../contract/inbound.js';
import type { CursorKey, CursorRow } from './documents.js';
import { outstandingGroups } from './owed.js';
import { present } from '../domain/record.js';
import { fromJson, toScope } from './row.js';
import { type Db, given, indexedBy, type Part, type Sql, sql, t, words } from './sql.js';

/** Documents or entries of one company and family. */
export interface GroupCount {
  readonly companyId: string;
  readonly family: InboundFamily;
  readonly count: number;
}

/** A job with items that failed or are uncertain, or one that did not finish. */
export interface TroubledJob {
  readonly id: string;
  readonly scope: Readonly<Record<string, string>>;
  /** `loading` or `open`, and no living worker writes it or works on it. */
  readonly isLeft: boolean;
  /** Rejected or failed items that nothing has replaced, of any age. */
  readonly failed: number;
  readonly uncertain: number;
}

export interface BilledCount {
  readonly billed: Exclude<Billing, null>;
  readonly outcome: 'billed' | 'unknown' | 'repeat';
  readonly companyId?: string;
  readonly count: number;
}

/** Sums over everything that the store keeps of one profile, each from an index. Times are milliseconds. */
export interface OverviewRows {
  /** Documents that a list first showed at `since` or later. */
  seenSince(profile: string, since: number): Promise<readonly GroupCount[]>;
  /** What is listed and could not be fetched, without what was written off. */
  outstanding(profile: string): Promise<readonly GroupCount[]>;
  /** How far every list was read. */
  cursors(profile: string): Promise<readonly (CursorKey & CursorRow)[]>;
  /** Jobs with uncertain items, those that did not end, and those with failed items that ended at `since` or later. */
  troubledJobs(
    profile: string,
    range: { readonly since: number; readonly now: number },
  ): Promise<readonly TroubledJob[]>;
  /** Calls that the service bills, or may have billed, from `since`; without a profile, of all. */
  billed(profile: string | undefined, since: number): Promise<readonly BilledCount[]>;
}

/** One lookup per company: DISTINCT would read every row. */
export const companiesOf = (profile: string): Sql => sql`WITH RECURSIVE found (company) AS (
    SELECT min(company_id) FROM ${t.documents} WHERE profile = ${profile}
    UNION ALL
    SELECT (SELECT min(company_id) FROM ${t.documents} WHERE profile = ${profile} AND company_id > company)
    FROM found WHERE company IS NOT NULL)
  SELECT company AS "companyId" FROM found WHERE company IS NOT NULL`;

const bySight = indexedBy('documents_by_sight');

/** One lookup per company and family: grouping would read every row. */
export const seenGroups = (profile: string, since: number): Sql => sql`WITH counted AS MATERIALIZED (
    SELECT "companyId", families.family, (SELECT count(*) FROM ${t.documents} AS d ${bySight} WHERE d.profile = ${profile}
      AND d.company_id = "companyId" AND d.family = families.family AND d.first_seen_at >= ${since}) AS count
    FROM (${companiesOf(profile)}) AS companies
    CROSS JOIN (SELECT 'cte' AS family UNION ALL SELECT 'nfe' UNION ALL SELECT 'nfse') AS families)
  SELECT "companyId", family, count FROM counted WHERE count > 0 ORDER BY "companyId", family`;

interface CursorRecord {
  readonly companyId: string;
  readonly family: InboundFamily;
  readonly stream: string;
  readonly position: string;
  readonly at: number;
}

type JobRecord = Omit<TroubledJob, 'scope' | 'isLeft'> & { readonly scope: string; readonly isLeft: number | boolean };

const failedStates = words("'rejected', 'failed'");
const uncertainState = words("'uncertain'");

const itemsIn = (states: Part): Sql =>
  sql`(SELECT count(*) FROM ${t.items} WHERE job_id = j.id AND replaced = 0 AND state IN (${states}))`;

export const troubledJobs = (profile: string, { since, now }: Parameters<OverviewRows['troubledJobs']>[1]): Sql =>
  sql`WITH found AS MATERIALIZED (
            SELECT id, seq, scope, ${itemsIn(uncertainState)} AS uncertain,
              state IN ('loading', 'open') AND NOT EXISTS (SELECT 1 FROM ${t.workers} WHERE job_id = j.id
                AND expires_at > ${now}) AS "isLeft",
              state IN ('loading', 'open') OR coalesce(finished_at, updated_at) >= ${since} AS "isRecent"
            FROM ${t.jobs} AS j WHERE profile = ${profile}),
          counted AS MATERIALIZED (
            SELECT id, seq, scope, uncertain, "isLeft",
              CASE WHEN "isRecent" OR uncertain > 0 THEN ${itemsIn(failedStates)} ELSE 0 END AS failed FROM found AS j)
          SELECT id, scope, uncertain, "isLeft", failed FROM counted WHERE uncertain > 0 OR "isLeft" OR failed > 0 ORDER BY seq`;

export function createOverviewRows(db: Db): OverviewRows {
  return {
    seenSince: (profile, since) => db.all<GroupCount>(seenGroups(profile, since)),
    outstanding: (profile) => db.all<GroupCount>(outstandingGroups(profile)),
    cursors: (profile) =>
      db.all(
        sql`SELECT company_id AS "companyId", family, stream, position, at FROM ${t.cursors}
          WHERE profile = ${profile} ORDER BY company_id, family, stream`,
        (row: CursorRecord) => ({ ...row, profile, position: fromJson(row.position) }),
      ),
    troubledJobs: (profile, range) =>
      db.all(troubledJobs(profile, range), ({ scope, isLeft, ...row }: JobRecord) => ({
        ...row,
        isLeft: Boolean(isLeft),
        scope: toScope(fromJson(scope)),
      })),
    billed: (profile, since) =>
      db.all(
        sql`SELECT company_id AS "companyId", billed, outcome, count(*) AS count FROM ${t.usage}
          WHERE at >= ${since} ${given(profile, sql`AND profile = ${profile}`)}
          GROUP BY company_id, billed, outcome ORDER BY company_id NULLS FIRST, billed, outcome`,
        (row: Omit<BilledCount, 'companyId'> & { readonly companyId: string | null }): BilledCount => present(row),
      ),
  };
}
