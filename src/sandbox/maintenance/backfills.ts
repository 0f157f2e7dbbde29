import type { Family } from '../core/captures.js';
import type { SandboxDatabase } from '../core/database.js';

/** The last request for the history of NFS-e of a company. */
interface Backfill {
  readonly released: boolean;
  /** Time of the last request in milliseconds; 0: never. */
  readonly askedAt: number;
  /** Number of the request: a sweep of an older request stops. */
  readonly sweep: number;
  /** True until the last sweep is complete. */
  readonly isSweeping: boolean;
  /** The cut-off, as sent. */
  readonly startFromDate: string | undefined;
}

export interface Backfills {
  /** Includes inactive registrations; `undefined` without one. */
  find(companyId: string): Backfill | undefined;
  /** Stores the request and returns the number of its sweep. */
  ask(companyId: string, released: boolean, at: number): number;
  /** Marks the last sweep as complete. */
  finishSweep(companyId: string): void;
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
  const finishSweep = database.prepare(`UPDATE captures SET swept = sweep ${ofCompany}`);
  return {
    finishSweep: (companyId) => void finishSweep.run(companyId),
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

/** Written by the settings routes, which check the date. */
function cutOffIn(settings: string): string | undefined {
  const given: Readonly<Record<string, unknown>> = JSON.parse(settings);
  const { startFromDate } = given;
  return typeof startFromDate === 'string' ? startFromDate : undefined;
}

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

/** The index contains the expression `issued_on + 0`. */
const ofFamily = 'company_id = @companyId AND family = @family';
const shown = "visibility = 'listed', modified_on = @at";
const hidden = "visibility = 'hidden', webhook_status = 'Skipped', modified_on = @at";

export function openSweeping(database: SandboxDatabase): Sweeping {
  const batchOf = (change: string, where: string) =>
    database.prepare<[object]>(
      `UPDATE documents SET ${change} WHERE position IN (
         SELECT position FROM documents WHERE ${ofFamily} AND ${where} ORDER BY issued_on + 0 DESC LIMIT +@limit)`,
    );
  const show = batchOf(shown, "visibility = 'hidden'");
  const hide = batchOf(hidden, "visibility = 'listed' AND issued_on + 0 < @cutOff");
  const hideAll = database.prepare(
    `UPDATE documents SET ${hidden} WHERE ${ofFamily} AND visibility = 'listed' AND issued_on + 0 < @cutOff`,
  );
  const showAll = database.prepare(
    `UPDATE documents SET ${shown} WHERE ${ofFamily} AND visibility = 'hidden' AND issued_on + 0 >= @cutOff`,
  );
  const again = database.prepare(
    `UPDATE documents SET modified_on = @at WHERE ${ofFamily} AND nsu > @nsu AND visibility <> 'uncaptured'`,
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
