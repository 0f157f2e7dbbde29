import type { SandboxDatabase } from '../core/open-database.js';

/** What was last asked for the history of NFS-e of a company. */
export interface Backfill {
  readonly released: boolean;
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
  ask(companyId: string, released: boolean): number;
  /** The last sweep is at its end. */
  settle(companyId: string): void;
}

interface BackfillRow {
  released: number;
  sweep: number;
  swept: number;
  settings: string;
}

const ofCompany = "WHERE company_id = ? AND family = 'nfse'";

export function openBackfills(database: SandboxDatabase): Backfills {
  const find = database.prepare<[string], BackfillRow>(
    `SELECT released, sweep, swept, settings FROM captures ${ofCompany}`,
  );
  const ask = database.prepare<[number, string], { sweep: number }>(
    `UPDATE captures SET released = ?, sweep = sweep + 1 ${ofCompany} RETURNING sweep`,
  );
  const settle = database.prepare(`UPDATE captures SET swept = sweep ${ofCompany}`);
  return {
    settle: (companyId) => void settle.run(companyId),
    find(companyId) {
      const row = find.get(companyId);
      if (row === undefined) return undefined;
      const { sweep, swept, settings } = row;
      const isSweeping = swept < sweep;
      return { released: row.released === 1, sweep, isSweeping, startFromDate: cutOffIn(settings) };
    },
    ask: (companyId, released) => ask.get(released ? 1 : 0, companyId)?.sweep ?? 0,
  };
}

/** What is read here was written by us, with a date that was checked. */
function cutOffIn(settings: string): string | undefined {
  const given: Readonly<Record<string, unknown>> = JSON.parse(settings);
  const { startFromDate } = given;
  return typeof startFromDate === 'string' ? startFromDate : undefined;
}
