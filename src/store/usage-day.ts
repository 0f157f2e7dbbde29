import type { ActorRecord } from './actor-columns.js';
import type { UsageCount } from './store.js';

/** SQL of both engines: the midnight in Brasília (UTC-3) that begins the day of a call. */
export const usageDay = '(at - 10800000) / 86400000 * 86400000 + 10800000';

export type UsageCountRecord = Omit<UsageCount, 'companyId' | 'machine' | 'user'> &
  Pick<ActorRecord, 'machine' | 'user'> & { readonly companyId: string | null };
