import type { AuthorityOutcome } from '../../contract/sandbox.js';
import { type Chance, doesStrike, type Striking, type Struck } from '../core/chance.js';
import type { SandboxDatabase } from '../core/database.js';

export interface OutcomeRule extends Striking {
  /** Access key of one document; absent: all documents. */
  readonly accessKey?: string;
  /** Code of one event; absent: all events. */
  readonly eventCode?: number;
  /** Absent: the authority applies its rules; only the time of its answer changes. */
  readonly outcome?: AuthorityOutcome;
  /** Code of a rejection, e.g. `999`. */
  readonly code?: string;
  readonly message?: string;
  /** The extra delay of the answer. */
  readonly delayMs?: number;
}

export interface StoredOutcome extends OutcomeRule, Struck {
  readonly id: number;
}

export interface Outcomes {
  add(rule: OutcomeRule): StoredOutcome;
  get(id: number): StoredOutcome | undefined;
  list(): readonly StoredOutcome[];
  clear(): number;
  /** The first rule that applies to this event. Every matching rule up to it counts the event as seen. */
  strike(accessKey: string, eventCode: number): StoredOutcome | undefined;
}

interface OutcomeRow {
  id: number;
  rule: string;
  seen: number;
  applied: number;
}

/** Wildcards for all documents and all events. */
const anyKey = '*';
const anyEvent = 0;

export function openOutcomes(database: SandboxDatabase, chance: Chance): Outcomes {
  const insert = database.prepare(
    'INSERT INTO outcomes (access_key, event_code, rule, seen, applied) VALUES (?, ?, ?, 0, 0)',
  );
  const find = database.prepare<[number], OutcomeRow>(
    'SELECT id, rule, seen, applied FROM outcomes WHERE id = ?',
  );
  const all = database.prepare<[], OutcomeRow>('SELECT id, rule, seen, applied FROM outcomes ORDER BY id');
  const matching = database.prepare<[string, number], OutcomeRow>(
    `SELECT id, rule, seen, applied FROM outcomes
     WHERE access_key IN ('${anyKey}', ?) AND event_code IN (${anyEvent}, ?) ORDER BY id`,
  );
  const mark = database.prepare<[number, number]>(
    'UPDATE outcomes SET seen = seen + 1, applied = applied + ? WHERE id = ?',
  );
  const clear = database.prepare('DELETE FROM outcomes');
  return {
    add(rule) {
      const { accessKey = anyKey, eventCode = anyEvent } = rule;
      const { lastInsertRowid } = insert.run(accessKey, eventCode, JSON.stringify(rule));
      return { ...rule, id: Number(lastInsertRowid), seen: 0, applied: 0 };
    },
    get(id) {
      const row = find.get(id);
      return row && toOutcome(row);
    },
    list: () => all.all().map(toOutcome),
    clear: () => clear.run().changes,
    strike(accessKey, eventCode) {
      for (const rule of matching.all(accessKey, eventCode).map(toOutcome)) {
        const strikes = doesStrike(rule, () => chance.unit(`outcome:${rule.id}:${rule.seen}`));
        mark.run(strikes ? 1 : 0, rule.id);
        if (strikes) return rule;
      }
      return undefined;
    },
  };
}

function toOutcome(row: OutcomeRow): StoredOutcome {
  return { ...JSON.parse(row.rule), id: row.id, seen: row.seen, applied: row.applied };
}
