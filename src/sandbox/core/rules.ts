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

/** A rule with its number, and how often it matched and applied so far. */
type Stored<Rule, Name extends string> = Rule & {
  readonly [Each in Name]: number;
} & { readonly seen: number; readonly applied: number };

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

interface UsedFault extends FaultRule {
  /** The page that `list-page-again` gives. */
  readonly rows?: readonly unknown[];
}

export type StoredFault = Stored<UsedFault, 'id'>;

/** A fault of deliveries instead of requests. */
export interface DeliveryFaultRule extends Striking {
  /** The pseudo-operation of delivery faults. */
  readonly operation: 'deliveries';
  readonly kind: DeliveryFaultKind;
  /** The delay of `late`; the maximum delay of `reordered`. */
  readonly delayMs?: number;
}

export type StoredDeliveryFault = Stored<DeliveryFaultRule, 'id'>;

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

export type StoredOutcome = Stored<OutcomeRule, 'id'>;

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
export type StoredInvoiceOutcome = Stored<InvoiceOutcomeRule, 'outcomeId'>;

/** The rules of one kind, in order of their creation. */
interface Rules<Rule extends Striking, Name extends string> {
  add<Added extends Rule>(rule: Added): Stored<Added, Name>;
  list(): readonly Stored<Rule, Name>[];
  get(number: number): Stored<Rule, Name> | undefined;
  clear(): number;
}

interface RuleParts {
  readonly open: OpenCollection;
  readonly meta: Meta;
  readonly chance: Chance;
}

/** The rules of a kind, numbered from 1 under this name. */
function openRules<Rule extends Striking, Name extends string>(
  { open, meta, chance }: RuleParts,
  kind: string,
  name: Name,
) {
  type Kept = Stored<Rule, Name>;
  const all = open<Kept>({ kind, idOf: (rule) => String(rule[name]), ownerOf: () => kind });
  const strikes = (rule: Kept): boolean => {
    const { rate, count, skip, seen, applied } = rule;
    const isOver = seen < skip || (count !== undefined && applied >= count);
    const doesNow = !isOver && chance.unit(`${kind}:${rule[name]}:${seen}`) < rate;
    all.put({ ...rule, seen: seen + 1, applied: applied + (doesNow ? 1 : 0) });
    return doesNow;
  };
  const rules: Rules<Rule, Name> = {
    add<Added extends Rule>(rule: Added) {
      const added = { ...rule, [name]: meta.next(`${kind}.rules`), seen: 0, applied: 0 } as Stored<Added, Name>;
      all.put(added);
      return added;
    },
    list: () => all.of(kind),
    get: (number) => all.get(String(number)),
    clear: all.clear,
  };
  return {
    ...rules,
    /** Replaces a rule. */
    keep: all.put,
    /** The first rule that concerns the subject and applies. Every one that concerns it up to there counts it as seen. */
    strike: (concerns: (rule: Kept) => boolean) => all.of(kind).filter(concerns).find(strikes),
    /** Every rule that concerns the subject and applies. */
    strikeAll: (concerns: (rule: Kept) => boolean) => all.of(kind).filter(concerns).filter(strikes),
  };
}

interface Faults extends Rules<UsedFault | DeliveryFaultRule, 'id'> {
  /** The rule that applies to this request. */
  strike(operation: string | null): StoredFault | undefined;
  /** Every rule that applies to one delivery. */
  strikeDelivery(): readonly StoredDeliveryFault[];
  /** Remembers a page for later answers. */
  keepRows(fault: StoredFault, rows: readonly unknown[]): void;
}

export function openFaults(parts: RuleParts): Faults {
  const { keep, strike, strikeAll, ...rules } = openRules<UsedFault | DeliveryFaultRule, 'id'>(parts, 'fault', 'id');
  const isOfDeliveries = (rule: StoredFault | StoredDeliveryFault): rule is StoredDeliveryFault =>
    rule.operation === 'deliveries';
  return {
    ...rules,
    strike(operation) {
      const struck = strike((rule) => rule.operation === '*' || rule.operation === operation);
      return struck === undefined || isOfDeliveries(struck) ? undefined : struck;
    },
    // Struck since it was read: the counts of the file stay.
    keepRows: ({ id }, rows) => {
      const standing = rules.get(id);
      if (standing !== undefined && !isOfDeliveries(standing)) keep({ ...standing, rows });
    },
    strikeDelivery: () => strikeAll(isOfDeliveries).filter(isOfDeliveries),
  };
}

interface Outcomes extends Rules<OutcomeRule, 'id'> {
  strike(accessKey: string, eventCode: number): StoredOutcome | undefined;
}

export function openOutcomes(parts: RuleParts): Outcomes {
  const { strike, ...rules } = openRules<OutcomeRule, 'id'>(parts, 'outcome', 'id');
  return {
    ...rules,
    strike: (accessKey, eventCode) =>
      strike(
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

interface InvoiceOutcomes extends Rules<InvoiceOutcomeRule, 'outcomeId'> {
  strike(phase: InvoicePhase, subject: OutcomeSubject): StoredInvoiceOutcome | undefined;
}

export function openInvoiceOutcomes(parts: RuleParts): InvoiceOutcomes {
  const { strike, ...rules } = openRules<InvoiceOutcomeRule, 'outcomeId'>(parts, 'invoice', 'outcomeId');
  return {
    ...rules,
    strike: (phase, { id, kind, externalId }) =>
      strike(
        (rule) =>
          (rule.outcome?.startsWith('cancel') === true ? 'cancel' : 'issue') === phase &&
          [undefined, kind].includes(rule.family) &&
          (rule.externalId === undefined || rule.externalId === externalId) &&
          [undefined, id].includes(rule.id),
      ),
  };
}
