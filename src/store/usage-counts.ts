import type { ActorRecord } from './actor-columns.js';
import type { UsageCount } from './store.js';

export type UsageCountRecord = Omit<UsageCount, 'companyId' | 'machine' | 'user'> &
  Pick<ActorRecord, 'machine' | 'user'> & { readonly companyId: string | null };

/** SQL of both engines: the midnight in Brasília (UTC-3) that begins the day of a call. */
const usageDay = '(at - 10800000) / 86400000 * 86400000 + 10800000';

/** SQL of both engines: the head of a query of `UsageCountRecord`; conditions and `byUsageCount` follow. */
export function usageCounts(table: string): string {
  return `SELECT ${usageDay} AS at, profile, operation, billed, outcome, company_id AS "companyId", machine, os_user AS "user",
      count(*) AS calls
    FROM ${table}`;
}

export const byUsageCount = 'GROUP BY 1, 2, 3, 4, 5, 6, 7, 8';

/** SQL of both engines: the head of a query of `CountedCalls`, which an index alone answers; `byCountedCalls` ends it. */
export function countedCalls(table: string): string {
  return `SELECT ${usageDay} AS at, operation, billed, outcome, count(*) AS calls FROM ${table}`;
}

export const byCountedCalls = 'GROUP BY 1, 2, 3, 4';
