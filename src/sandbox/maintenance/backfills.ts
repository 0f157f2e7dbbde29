import type { SandboxDatabase } from '../core/open-database.js';

/** What was last asked for the history of NFS-e of a company. */
export interface Backfill {
  readonly released: boolean;
  /** Milliseconds; 0: never. */
  readonly askedAt: number;
  /** Counts the requests: a sweep of an older one stops. */
  readonly sweep: number;
  /** The last sweep is not at its end. */
  readonly isSweeping: boolean;
  /** The cut-off as it was sent. */
  readonly startFromDate: string | undefined;
}

export interface Backfills {
  /** Also of a registration that is inactive; `undefined` without any. */
  find(companyId: string): Backfill | undefined;
  /** Keeps what is asked for and gives the number of its sweep. */
  ask(companyId: string, released: boolean, at: number): number;
  /** The last sweep is at its end. */
  settle(companyId: string): void;
}

interface BackfillRow {
  released: number;
  asked_at: number;
  sweep: number;
  swept: number;
  settings: string;
}

const ofCompany = "WHERE company_id = ? AND family = 'nfse'";

export function openBackfills(database: SandboxDatabase): Backfills {
  const find = database.prepare<[string], BackfillRow>(
    `SELECT released, asked_at, sweep, swept, settings FROM captures ${ofCompany}`,
  );
  const ask = database.prepare<[number, number, string], { sweep: number }>(
    `UPDATE captures SET released = ?, asked_at = ?, sweep = sweep + 1 ${ofCompany} RETURNING sweep`,
  );
  const settle = database.prepare(`UPDATE captures SET swept = sweep ${ofCompany}`);
  return {
    settle: (companyId) => void settle.run(companyId),
    find(companyId) {
      const row = find.get(companyId);
      if (row === undefined) return undefined;
      const { asked_at: askedAt, sweep, swept, settings } = row;
      const isSweeping = swept < sweep;
      return { released: row.released === 1, askedAt, sweep, isSweeping, startFromDate: cutOffIn(settings) };
    },
    ask: (companyId, released, at) => ask.get(released ? 1 : 0, at, companyId)?.sweep ?? 0,
  };
}

/** What is read here was written by us, with a date that was checked. */
function cutOffIn(settings: string): string | undefined {
  const given: Readonly<Record<string, unknown>> = JSON.parse(settings);
  const { startFromDate } = given;
  return typeof startFromDate === 'string' ? startFromDate : undefined;
}
