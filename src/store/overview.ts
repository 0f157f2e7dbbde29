import type { Billing } from '../contract/operation.js';
import type { InboundFamily } from '../contract/inbound.js';
import type { CursorKey, CursorRow } from './documents.js';

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
