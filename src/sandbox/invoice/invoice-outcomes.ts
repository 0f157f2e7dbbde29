import type { InvoiceOutcomeKind } from '../../contract/sandbox.js';
import { type Chance, doesStrike, type Striking, type Struck } from '../core/chance.js';
import type { SandboxDatabase } from '../core/database.js';
import type { InvoiceKind } from './invoices.js';

/** The phase of an outcome. */
type InvoicePhase = 'issue' | 'cancel';

export interface InvoiceOutcomeRule extends Striking {
  /** Absent: all kinds of invoices. */
  readonly family?: InvoiceKind;
  /** One invoice, by the caller's id or by that of the service; absent: all. */
  readonly externalId?: string;
  readonly id?: string;
  /** Absent: only the time of the outcome changes. */
  readonly outcome?: InvoiceOutcomeKind;
  /** Code of a refusal, e.g. `204`. */
  readonly code?: string;
  readonly message?: string;
  /** The extra delay. */
  readonly delayMs?: number;
}

/** `outcomeId` instead of `id`, which is that of an invoice. */
export interface StoredInvoiceOutcome extends InvoiceOutcomeRule, Struck {
  readonly outcomeId: number;
}

/** The invoice to find an outcome for. */
interface OutcomeSubject {
  readonly id: string;
  readonly kind: InvoiceKind;
  readonly externalId: string | null;
}

export interface InvoiceOutcomes {
  add(rule: InvoiceOutcomeRule): StoredInvoiceOutcome;
  get(outcomeId: number): StoredInvoiceOutcome | undefined;
  list(): readonly StoredInvoiceOutcome[];
  clear(): number;
  /** The first rule that applies. Every matching rule up to it counts the invoice as seen. */
  strike(phase: InvoicePhase, subject: OutcomeSubject): StoredInvoiceOutcome | undefined;
}

interface OutcomeRow {
  id: number;
  rule: string;
  seen: number;
  applied: number;
}

export function openInvoiceOutcomes(database: SandboxDatabase, chance: Chance): InvoiceOutcomes {
  const insert = database.prepare('INSERT INTO invoice_outcomes (rule, seen, applied) VALUES (?, 0, 0)');
  const find = database.prepare<[number], OutcomeRow>('SELECT * FROM invoice_outcomes WHERE id = ?');
  const all = database.prepare<[], OutcomeRow>('SELECT * FROM invoice_outcomes ORDER BY id');
  const mark = database.prepare<[number, number]>(
    'UPDATE invoice_outcomes SET seen = seen + 1, applied = applied + ? WHERE id = ?',
  );
  const clear = database.prepare('DELETE FROM invoice_outcomes');
  return {
    add(rule) {
      const { lastInsertRowid } = insert.run(JSON.stringify(rule));
      return { ...rule, outcomeId: Number(lastInsertRowid), seen: 0, applied: 0 };
    },
    get(outcomeId) {
      const row = find.get(outcomeId);
      return row && toOutcome(row);
    },
    list: () => all.all().map(toOutcome),
    clear: () => clear.run().changes,
    strike(phase, subject) {
      const rules = all.all().map(toOutcome);
      for (const rule of rules.filter((each) => concerns(each, phase, subject))) {
        const strikes = doesStrike(rule, () => chance.unit(`invoice:${rule.outcomeId}:${rule.seen}`));
        mark.run(strikes ? 1 : 0, rule.outcomeId);
        if (strikes) return rule;
      }
      return undefined;
    },
  };
}

function concerns(rule: InvoiceOutcomeRule, phase: InvoicePhase, subject: OutcomeSubject): boolean {
  return (
    phaseOf(rule.outcome) === phase &&
    (rule.family === undefined || rule.family === subject.kind) &&
    (rule.externalId === undefined || rule.externalId === subject.externalId) &&
    (rule.id === undefined || rule.id === subject.id)
  );
}

function phaseOf(outcome: InvoiceOutcomeKind | undefined): InvoicePhase {
  return outcome?.startsWith('cancel') === true ? 'cancel' : 'issue';
}

function toOutcome(row: OutcomeRow): StoredInvoiceOutcome {
  return { ...JSON.parse(row.rule), outcomeId: row.id, seen: row.seen, applied: row.applied };
}
