import type { AuthorityOutcome, DeliveryFaultKind, FaultKind, InvoiceOutcomeKind } from '../../contract/sandbox.js';
import type { Chance } from './chance.js';
import type { Meta } from './database.js';
import type { InvoiceKind } from './records.js';
import type { OpenCollection } from './resources.js';

/** When a rule of a test applies. */
export interface Striking {
  /** The probability, 0 to 1; decided by the seed. */
  readonly rate: number;
  /** The most times that the rule applies. */
  readonly count?: number;
  /** The number of matching subjects to skip first. */
  readonly skip: number;
}

/** How often the rule matched and applied so far. */
interface Struck {
  readonly seen: number;
  readonly applied: number;
}

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

export interface StoredFault extends FaultRule, Struck {
  readonly id: number;
  /** The page that `list-page-again` gives. */
  readonly rows?: readonly unknown[];
}

/** A fault of deliveries instead of requests. */
export interface DeliveryFaultRule extends Striking {
  /** The pseudo-operation of delivery faults. */
  readonly operation: 'deliveries';
  readonly kind: DeliveryFaultKind;
  /** The delay of `late`; the maximum delay of `reordered`. */
  readonly delayMs?: number;
}

export interface StoredDeliveryFault extends DeliveryFaultRule, Struck {
  readonly id: number;
}

/** What the tax authority does with an event. */
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

/** How the issue or the cancellation of an invoice ends. */
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

/** The rules of one kind, in order of their creation. */
export interface Rules<Stored> {
  list(): readonly Stored[];
  get(number: number): Stored | undefined;
  /** Replaces a rule. */
  keep(stored: Stored): void;
  clear(): number;
  /** The first rule that concerns the subject and applies. Every one that concerns it up to there counts it as seen. */
  strike(concerns: (rule: Stored) => boolean): Stored | undefined;
  /** Every rule that concerns the subject and applies. */
  strikeAll(concerns: (rule: Stored) => boolean): readonly Stored[];
}

/** The rules of a kind, and the next number of one, from 1. */
function openRules<Stored extends Striking & Struck>(
  parts: RuleParts,
  kind: string,
  numberOf: (stored: Stored) => number,
): Rules<Stored> & { next(): number } {
  const { open, meta, chance } = parts;
  const all = open<Stored>({ kind, idOf: (stored) => String(numberOf(stored)), ownerOf: () => kind });
  const strikes = (rule: Stored): boolean => {
    const { rate, count, skip, seen, applied } = rule;
    const isOver = seen < skip || (count !== undefined && applied >= count);
    const doesNow = !isOver && chance.unit(`${kind}:${numberOf(rule)}:${seen}`) < rate;
    all.put({ ...rule, seen: seen + 1, applied: applied + (doesNow ? 1 : 0) });
    return doesNow;
  };
  return {
    next: () => meta.next(`${kind}.rules`),
    list: () => all.of(kind),
    get: (number) => all.get(String(number)),
    keep: all.put,
    clear: all.clear,
    strike: (concerns) => all.of(kind).filter(concerns).find(strikes),
    strikeAll: (concerns) => all.of(kind).filter(concerns).filter(strikes),
  };
}

export interface RuleParts {
  readonly open: OpenCollection;
  readonly meta: Meta;
  readonly chance: Chance;
}

export interface Faults extends Omit<Rules<StoredFault | StoredDeliveryFault>, 'strike' | 'strikeAll'> {
  add<Rule extends FaultRule | DeliveryFaultRule>(rule: Rule): Rule & Struck & { readonly id: number };
  /** The rule that applies to this request. */
  strike(operation: string | null): StoredFault | undefined;
  /** Every rule that applies to one delivery. */
  strikeDelivery(): readonly StoredDeliveryFault[];
  /** Remembers a page for later answers. */
  keepRows(fault: StoredFault, rows: readonly unknown[]): void;
}

export function openFaults(parts: RuleParts): Faults {
  const rules = openRules<StoredFault | StoredDeliveryFault>(parts, 'fault', ({ id }) => id);
  const isOfDeliveries = (rule: StoredFault | StoredDeliveryFault): rule is StoredDeliveryFault =>
    rule.operation === 'deliveries';
  return {
    ...rules,
    add(rule) {
      const stored = { ...rule, id: rules.next(), seen: 0, applied: 0 };
      rules.keep(stored);
      return stored;
    },
    strike(operation) {
      const struck = rules.strike((rule) => rule.operation === '*' || rule.operation === operation);
      return struck === undefined || isOfDeliveries(struck) ? undefined : struck;
    },
    // Struck since it was read: the counts of the file stay.
    keepRows: ({ id }, rows) => {
      const standing = rules.get(id);
      if (standing !== undefined && !isOfDeliveries(standing)) rules.keep({ ...standing, rows });
    },
    strikeDelivery: () => rules.strikeAll(isOfDeliveries).filter(isOfDeliveries),
  };
}

export interface Outcomes extends Omit<Rules<StoredOutcome>, 'strike'> {
  add(rule: OutcomeRule): StoredOutcome;
  strike(accessKey: string, eventCode: number): StoredOutcome | undefined;
}

export function openOutcomes(parts: RuleParts): Outcomes {
  const rules = openRules<StoredOutcome>(parts, 'outcome', ({ id }) => id);
  return {
    ...rules,
    add(rule) {
      const stored = { ...rule, id: rules.next(), seen: 0, applied: 0 };
      rules.keep(stored);
      return stored;
    },
    strike: (accessKey, eventCode) =>
      rules.strike(
        (rule) => [undefined, accessKey].includes(rule.accessKey) && [undefined, eventCode].includes(rule.eventCode),
      ),
  };
}

/** The phase of an outcome. */
type InvoicePhase = 'issue' | 'cancel';

/** The invoice to find an outcome for. */
interface OutcomeSubject {
  readonly id: string;
  readonly kind: InvoiceKind;
  readonly externalId: string | null;
}

export interface InvoiceOutcomes extends Omit<Rules<StoredInvoiceOutcome>, 'strike'> {
  add(rule: InvoiceOutcomeRule): StoredInvoiceOutcome;
  strike(phase: InvoicePhase, subject: OutcomeSubject): StoredInvoiceOutcome | undefined;
}

export function openInvoiceOutcomes(parts: RuleParts): InvoiceOutcomes {
  const rules = openRules<StoredInvoiceOutcome>(parts, 'invoice', ({ outcomeId }) => outcomeId);
  return {
    ...rules,
    add(rule) {
      const stored = { ...rule, outcomeId: rules.next(), seen: 0, applied: 0 };
      rules.keep(stored);
      return stored;
    },
    strike: (phase, { id, kind, externalId }) =>
      rules.strike(
        (rule) =>
          (rule.outcome?.startsWith('cancel') === true ? 'cancel' : 'issue') === phase &&
          [undefined, kind].includes(rule.family) &&
          (rule.externalId === undefined || rule.externalId === externalId) &&
          [undefined, id].includes(rule.id),
      ),
  };
}
