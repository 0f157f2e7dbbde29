import type { InboundFamily } from '../../contract/inbound.js';
import { toScope } from '../job-columns.js';
import type { BilledCount, GroupCount, OverviewRows, TroubledJob } from '../overview.js';
import { fromJson, presentColumns } from '../row.js';
import type { Connection } from './connection.js';
import { companiesOf } from './document-list.js';
import { outstandingGroups } from './owed.js';

interface CursorRecord {
  readonly companyId: string;
  readonly family: InboundFamily;
  readonly stream: string;
  readonly position: string;
  readonly at: number;
}

type JobRecord = Omit<TroubledJob, 'scope'> & { readonly scope: string };

const itemsIn = (states: string) =>
  `(SELECT count(*) FROM fiscal.items WHERE job_id = j.id AND replaced = 0 AND state IN (${states}))`;

export function createOverviewRows({ all }: Connection): OverviewRows {
  return {
    // One lookup per company and family: grouping would read every row.
    seenSince: (profile, since) =>
      all<GroupCount>(
        `SELECT "companyId", family, count FROM (${companiesOf}) AS companies
         CROSS JOIN unnest(ARRAY['cte', 'nfe', 'nfse']) AS families (family)
         CROSS JOIN LATERAL (SELECT count(*) AS count FROM fiscal.documents AS d WHERE d.profile = @profile
           AND d.company_id = "companyId" AND d.family = families.family AND d.first_seen_at >= @since) AS counted
         WHERE count > 0 ORDER BY "companyId", family`,
        { profile, since },
      ),
    outstanding: (profile) => all<GroupCount>(outstandingGroups, { profile }),
    cursors: async (profile) =>
      (
        await all<CursorRecord>(
          `SELECT company_id AS "companyId", family, stream, position, at FROM fiscal.cursors
           WHERE profile = @profile ORDER BY company_id, family, stream`,
          { profile },
        )
      ).map((row) => ({ ...row, profile, position: fromJson(row.position) })),
    troubledJobs: async (profile, range) =>
      (
        await all<JobRecord>(
          `SELECT id, scope, uncertain, "isLeft",
             CASE WHEN "isRecent" OR uncertain > 0 THEN ${itemsIn("'rejected', 'failed'")} ELSE 0 END AS failed
           FROM (SELECT id, seq, scope, ${itemsIn("'uncertain'")} AS uncertain,
               state IN ('loading', 'open') AND NOT EXISTS (SELECT 1 FROM fiscal.workers WHERE job_id = j.id
                 AND expires_at > @now) AS "isLeft",
               state IN ('loading', 'open') OR coalesce(finished_at, updated_at) >= @since AS "isRecent"
             FROM fiscal.jobs AS j WHERE profile = @profile) AS j
           ORDER BY seq`,
          { profile, ...range },
        )
      )
        .filter(({ uncertain, isLeft, failed }) => uncertain > 0 || isLeft || failed > 0)
        .map((row) => ({ ...row, scope: toScope(fromJson(row.scope)) })),
    billed: async (profile, since) =>
      (
        await all<Omit<BilledCount, 'companyId'> & { companyId: string | null }>(
          `SELECT company_id AS "companyId", billed, outcome, count(*) AS count FROM fiscal.usage
           WHERE at >= @since AND (@profile::text IS NULL OR profile = @profile)
           GROUP BY company_id, billed, outcome ORDER BY company_id NULLS FIRST, billed, outcome`,
          { profile, since },
        )
      ).map(presentColumns),
  };
}
