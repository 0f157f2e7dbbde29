import type { Family } from '../core/captures.js';
import type { SandboxDatabase } from '../core/open-database.js';

/** A part of a sweep. Times are milliseconds since the epoch. */
export interface SweepBatch {
  readonly companyId: string;
  readonly family: Family;
  /** What was issued before it is history. */
  readonly cutOff: number;
  /** The change that readers see. */
  readonly at: number;
  readonly limit: number;
}

export interface CutOff extends Omit<SweepBatch, 'limit'> {
  /** A release in force keeps shown what is shown. */
  readonly released: boolean;
}

/** What hides captured documents and shows them again. Each gives how many it changed. */
export interface Sweeping {
  /** Shows hidden documents, the newest first. They stay `Skipped`. */
  show(batch: SweepBatch): number;
  /** Hides documents of before the cut-off, the newest first. */
  hide(batch: SweepBatch): number;
  applyCutOff(cutOff: CutOff): number;
  /** Marks what stands after this place in the sequence as captured again. */
  captureAgain(again: {
    readonly companyId: string;
    readonly family: Family;
    readonly nsu: number;
    readonly at: number;
  }): number;
}

/** `issued_on + 0` is what the index for this holds. */
const ofCompany = 'company_id = @companyId AND family = @family';
const shown = "visibility = 'listed', modified_on = @at";
const hidden = "visibility = 'hidden', webhook_status = 'Skipped', modified_on = @at";

export function openSweeping(database: SandboxDatabase): Sweeping {
  const batchOf = (change: string, where: string) =>
    database.prepare<[object]>(
      `UPDATE documents SET ${change} WHERE position IN (
         SELECT position FROM documents WHERE ${ofCompany} AND ${where} ORDER BY issued_on + 0 DESC LIMIT @limit)`,
    );
  const show = batchOf(shown, "visibility = 'hidden'");
  const hide = batchOf(hidden, "visibility = 'listed' AND issued_on + 0 < @cutOff");
  const hideAll = database.prepare(
    `UPDATE documents SET ${hidden} WHERE ${ofCompany} AND visibility = 'listed' AND issued_on + 0 < @cutOff`,
  );
  const showAll = database.prepare(
    `UPDATE documents SET ${shown} WHERE ${ofCompany} AND visibility = 'hidden' AND issued_on + 0 >= @cutOff`,
  );
  const again = database.prepare(
    `UPDATE documents SET modified_on = @at WHERE ${ofCompany} AND nsu > @nsu AND visibility <> 'uncaptured'`,
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
