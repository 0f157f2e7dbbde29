import type { Chance } from './chance.js';
import type { SandboxDatabase } from './open-database.js';
import { doesStrike, type Striking } from './strike.js';

/**
 * Ways to fail. `cut-before` destroys the socket before the effect, `cut-after` after it, `cut-body` in the middle
 * of the answer; `500-after` answers 500 after the effect; `stall` begins the answer and never ends it. `ignore-key` does
 * as if no Idempotency-Key had come, as some deployments do.
 */
export const faultKinds = [
  '429',
  '503',
  '500',
  '500-after',
  'slow',
  'cut-before',
  'cut-after',
  'cut-body',
  'broken-json',
  'stall',
  'redirect',
  'ignore-key',
] as const;

export type FaultKind = (typeof faultKinds)[number];

export interface FaultRule extends Striking {
  /** An operation id, or `*` for every request, unknown routes included. */
  readonly operation: string;
  readonly kind: FaultKind;
  /** Seconds, or an HTTP date. */
  readonly retryAfter?: number | string;
  readonly delayMs?: number;
  /** Where `redirect` points. */
  readonly to?: string;
}

export interface StoredFault extends FaultRule {
  readonly id: number;
  readonly seen: number;
  readonly applied: number;
}

export interface Faults {
  add(rule: FaultRule): StoredFault;
  list(): readonly StoredFault[];
  clear(): number;
  /** The first rule that strikes this request. Counts as seen by every rule that matches before it. */
  strike(operation: string | null): StoredFault | undefined;
}

interface FaultRow {
  id: number;
  rule: string;
  seen: number;
  applied: number;
}

export function openFaults(database: SandboxDatabase, chance: Chance): Faults {
  const insert = database.prepare('INSERT INTO faults (operation, rule, seen, applied) VALUES (?, ?, 0, 0)');
  const all = database.prepare<[], FaultRow>('SELECT id, rule, seen, applied FROM faults ORDER BY id');
  const matching = database.prepare<[string | null], FaultRow>(
    "SELECT id, rule, seen, applied FROM faults WHERE operation IN ('*', ?) ORDER BY id",
  );
  const mark = database.prepare<[number, number]>(
    'UPDATE faults SET seen = seen + 1, applied = applied + ? WHERE id = ?',
  );
  const clear = database.prepare('DELETE FROM faults');
  return {
    add(rule) {
      const { lastInsertRowid } = insert.run(rule.operation, JSON.stringify(rule));
      return { ...rule, id: Number(lastInsertRowid), seen: 0, applied: 0 };
    },
    list: () => all.all().map(toFault),
    clear: () => clear.run().changes,
    strike(operation) {
      for (const fault of matching.all(operation).map(toFault)) {
        const strikes = doesStrike(fault, () => chance.unit(`fault:${fault.id}:${fault.seen}`));
        mark.run(strikes ? 1 : 0, fault.id);
        if (strikes) return fault;
      }
      return undefined;
    },
  };
}

function toFault(row: FaultRow): StoredFault {
  return { ...JSON.parse(row.rule), id: row.id, seen: row.seen, applied: row.applied };
}
