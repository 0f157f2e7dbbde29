import type { DeliveryFaultKind, FaultKind } from '../../contract/sandbox.js';
import { type Chance, doesStrike, type Striking, type Struck } from './chance.js';
import type { SandboxDatabase } from './database.js';
import { writeExactly } from './exact-json.js';

export interface FaultRule extends Striking {
  /** An operation id, or `*` for every request, unknown routes included. */
  readonly operation: string;
  readonly kind: FaultKind;
  /** Seconds, or an HTTP date. */
  readonly retryAfter?: number | string;
  readonly delayMs?: number;
  /** The target of `redirect`. */
  readonly to?: string;
}

/** A fault of deliveries instead of requests. */
export interface DeliveryFaultRule extends Striking {
  readonly operation: typeof deliveries;
  readonly kind: DeliveryFaultKind;
  /** The delay of `late`; the maximum delay of `reordered`. */
  readonly delayMs?: number;
}

/** The pseudo-operation of delivery faults. */
export const deliveries = 'deliveries';

export interface StoredDeliveryFault extends DeliveryFaultRule, Struck {
  readonly id: number;
}

export interface StoredFault extends FaultRule {
  readonly id: number;
  readonly seen: number;
  readonly applied: number;
  /** The page that `list-page-again` gives. */
  readonly rows?: readonly unknown[];
}

export interface Faults {
  add(rule: FaultRule): StoredFault;
  addDeliveryFault(rule: DeliveryFaultRule): StoredDeliveryFault;
  list(): readonly (StoredFault | StoredDeliveryFault)[];
  clear(): number;
  /** Remembers a page for later answers. */
  keepRows(id: number, rows: readonly unknown[]): void;
  /** The first rule that applies to this request. Every matching rule up to it counts the request as seen. */
  strike(operation: string | null): StoredFault | undefined;
  /** Every rule that applies to one delivery. */
  strikeDelivery(): readonly StoredDeliveryFault[];
}

interface FaultRow {
  id: number;
  rule: string;
  seen: number;
  applied: number;
}

export function openFaults(database: SandboxDatabase, chance: Chance): Faults {
  const insert = database.prepare('INSERT INTO faults (operation, rule, seen, applied) VALUES (?, ?, 0, 0)');
  const all = database.prepare<[], FaultRow>(
    "SELECT id, json_remove(rule, '$.rows') AS rule, seen, applied FROM faults ORDER BY id",
  );
  const matching = database.prepare<[string | null], FaultRow>(
    "SELECT id, rule, seen, applied FROM faults WHERE operation IN ('*', ?) ORDER BY id",
  );
  const ofDeliveries = database.prepare<[], FaultRow>(
    `SELECT id, rule, seen, applied FROM faults WHERE operation = '${deliveries}' ORDER BY id`,
  );
  const mark = database.prepare<[number, number]>(
    'UPDATE faults SET seen = seen + 1, applied = applied + ? WHERE id = ?',
  );
  const clear = database.prepare('DELETE FROM faults');
  const keep = database.prepare<[string, number]>(
    "UPDATE faults SET rule = json_set(rule, '$.rows', json(?)) WHERE id = ?",
  );
  const store = <Rule extends FaultRule | DeliveryFaultRule>(rule: Rule): Rule & StoredState => {
    const { lastInsertRowid } = insert.run(rule.operation, JSON.stringify(rule));
    return { ...rule, id: Number(lastInsertRowid), seen: 0, applied: 0 };
  };
  const strikes = (fault: Striking & StoredState): boolean => {
    const doesNow = doesStrike(fault, () => chance.unit(`fault:${fault.id}:${fault.seen}`));
    mark.run(doesNow ? 1 : 0, fault.id);
    return doesNow;
  };
  return {
    add: store,
    addDeliveryFault: store,
    list: () => all.all().map(toFault),
    clear: () => clear.run().changes,
    keepRows: (id, rows) => void keep.run(writeExactly(rows), id),
    strike: (operation) => matching.all(operation).map(toFault).find(strikes),
    strikeDelivery: () => ofDeliveries.all().map(toDeliveryFault).filter(strikes),
  };
}

interface StoredState extends Struck {
  readonly id: number;
}

function toFault(row: FaultRow): StoredFault {
  return { ...JSON.parse(row.rule), id: row.id, seen: row.seen, applied: row.applied };
}

function toDeliveryFault(row: FaultRow): StoredDeliveryFault {
  return { ...JSON.parse(row.rule), id: row.id, seen: row.seen, applied: row.applied };
}
