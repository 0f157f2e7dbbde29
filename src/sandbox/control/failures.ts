import { onlySet } from '../core/exact-json.js';
import {
  type DeliveryFaultRule,
  type FaultRule,
  type InvoiceOutcomeRule,
  type OutcomeRule,
  type Striking,
} from '../core/rules.js';
import {
  authorityOutcomes,
  type DeliveryFaultKind,
  deliveryFaultKinds,
  type FaultKind,
  faultKinds,
  invoiceKinds,
  invoiceOutcomeKinds,
} from '../../contract/sandbox.js';
import { operations } from '../../contract/operations.js';
import type { Core } from '../core/core.js';
import { invalid } from '../core/refusal.js';
import { choiceField, type ControlRequest, type Fields, fieldsOf, numberField, textField } from './control.js';

const faultNames = ['operation', 'kind', 'rate', 'count', 'skip', 'retryAfter', 'delayMs', 'to'];
const kinds = [...faultKinds, ...deliveryFaultKinds] as const;
const most = 1_000_000_000;

export function listFaults(core: Core): object {
  // The page that a rule remembers is of no interest here.
  return { faults: core.faults.list().map((fault) => ({ ...fault, rows: undefined })) };
}

export function clearFaults(core: Core): object {
  return { cleared: core.faults.clear() };
}

/** Adds a fault of requests or of depending on its kind. */
export function addFault(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, faultNames);
  const kind = choiceField(fields, 'kind', kinds);
  if (kind === undefined) throw invalid('kind', `Is required: one of ${kinds.join(', ')}.`);
  return isOfDeliveries(kind)
    ? core.faults.add(deliveryRuleOf(fields, kind))
    : core.faults.add(faultRuleOf(fields, kind));
}

function isOfDeliveries(kind: (typeof kinds)[number]): kind is DeliveryFaultKind {
  return deliveryFaultKinds.some((each) => each === kind);
}

function deliveryRuleOf(fields: Fields, kind: DeliveryFaultKind): DeliveryFaultRule {
  for (const name of ['operation', 'retryAfter', 'to']) {
    if (fields[name] !== undefined) throw invalid(name, 'Does not apply to webhook deliveries.');
  }
  const delayMs = numberField(fields, 'delayMs', { from: 0, to: most, whole: true });
  return { operation: 'deliveries', kind, ...strikingOf(fields), ...onlySet({ delayMs }) };
}

function strikingOf(fields: Fields): Striking {
  const count = numberField(fields, 'count', { from: 1, to: most, whole: true });
  return {
    rate: numberField(fields, 'rate', { from: 0, to: 1, whole: false }) ?? 1,
    skip: numberField(fields, 'skip', { from: 0, to: most, whole: true }) ?? 0,
    ...onlySet({ count }),
  };
}

function faultRuleOf(fields: Fields, kind: FaultKind): FaultRule {
  const delayMs = numberField(fields, 'delayMs', { from: 0, to: 3_600_000, whole: true });
  const retryAfter = retryAfterOf(fields);
  const to = textField(fields, 'to');
  if (kind === 'redirect' && to === undefined) throw invalid('to', 'Is required for a redirect.');
  if (to !== undefined && !URL.canParse(to, 'http://127.0.0.1')) throw invalid('to', 'Must be an address.');
  return {
    operation: choiceField(fields, 'operation', ['*', ...Object.keys(operations)]) ?? '*',
    kind,
    ...strikingOf(fields),
    ...onlySet({ retryAfter, delayMs }),
    ...(to === undefined ? {} : { to: new URL(to, 'http://127.0.0.1').href }),
  };
}

/** Seconds or an HTTP date. Other text is valid too: a hostile server could send it. */
function retryAfterOf(fields: Fields): number | string | undefined {
  const value = fields['retryAfter'];
  if (typeof value !== 'string') return numberField(fields, 'retryAfter', { from: 0, to: most, whole: true });
  if (!/^[\x20-\x7e]{1,100}$/.test(value)) throw invalid('retryAfter', 'Must be a valid header value.');
  return value;
}

const authorityNames = ['accessKey', 'eventCode', 'outcome', 'code', 'message', 'rate', 'count', 'skip', 'delayMs'];

/** The configured outcomes, the number of events sent to the authority, and the number registered. */
export function showAuthority(core: Core): object {
  return { rules: core.outcomes.list(), sendings: core.registry.sendings(), registered: core.registry.count() };
}

export function clearOutcomes(core: Core): object {
  return { cleared: core.outcomes.clear() };
}

export function addOutcome(core: Core, request: ControlRequest): object {
  return core.outcomes.add(authorityRuleOf(fieldsOf(request.body, authorityNames)));
}

function authorityRuleOf(fields: Fields): OutcomeRule {
  const outcome = choiceField(fields, 'outcome', authorityOutcomes);
  const delayMs = numberField(fields, 'delayMs', { from: 0, to: most, whole: true });
  if (outcome === undefined && delayMs === undefined) {
    throw invalid('outcome', `Is required unless delayMs is given: one of ${authorityOutcomes.join(', ')}.`);
  }
  const eventCode = numberField(fields, 'eventCode', { from: 1, to: 999_999, whole: true });
  return {
    ...onlySet({ outcome, eventCode, message: textField(fields, 'message') }),
    ...keyOf(fields),
    ...codeOf(fields, outcome),
    ...strikingOf(fields),
    ...onlySet({ delayMs }),
  };
}

function keyOf(fields: Fields): Pick<OutcomeRule, 'accessKey'> {
  const accessKey = textField(fields, 'accessKey');
  if (accessKey === undefined) return {};
  if (!/^([0-9A-Z]{44}|[0-9A-Z]{50})$/.test(accessKey)) {
    throw invalid('accessKey', 'Must be an access key of 44 or 50 characters.');
  }
  return { accessKey };
}

function codeOf(fields: Fields, outcome: OutcomeRule['outcome']): Pick<OutcomeRule, 'code'> {
  const code = textField(fields, 'code');
  if (code === undefined) return {};
  if (outcome !== 'reject') throw invalid('code', 'Applies only to a rejection.');
  if (!/^[A-Z]?\d{3,4}$/.test(code)) throw invalid('code', 'Must be a number such as 596 or E1833.');
  return { code };
}

const outcomeNames = ['family', 'externalId', 'id', 'outcome', 'code', 'message', 'rate', 'count', 'skip', 'delayMs'];

/** The configured outcomes, and the number of invoices by status. */
export function showInvoiceOutcomes(core: Core): object {
  return { rules: core.invoiceOutcomes.list(), invoices: core.invoices.countByStatus() };
}

export function clearInvoiceOutcomes(core: Core): object {
  return { cleared: core.invoiceOutcomes.clear() };
}

export function addInvoiceOutcome(core: Core, request: ControlRequest): object {
  return core.invoiceOutcomes.add(outcomeRuleOf(fieldsOf(request.body, outcomeNames)));
}

function outcomeRuleOf(fields: Fields): InvoiceOutcomeRule {
  const outcome = choiceField(fields, 'outcome', invoiceOutcomeKinds);
  const delayMs = numberField(fields, 'delayMs', { from: 0, to: most, whole: true });
  if (outcome === undefined && delayMs === undefined) {
    throw invalid('outcome', `Is required unless delayMs is given: one of ${invoiceOutcomeKinds.join(', ')}.`);
  }
  const family = choiceField(fields, 'family', invoiceKinds);
  return {
    ...onlySet({ outcome, family, id: textField(fields, 'id'), externalId: textField(fields, 'externalId') }),
    ...refusalOf(fields, outcome),
    ...strikingOf(fields),
    ...onlySet({ delayMs }),
  };
}

const refusals: readonly (string | undefined)[] = ['failed', 'denied', 'cancel-failed'];

function refusalOf(
  fields: Fields,
  outcome: InvoiceOutcomeRule['outcome'],
): Pick<InvoiceOutcomeRule, 'code' | 'message'> {
  const code = textField(fields, 'code');
  if (code !== undefined && !refusals.includes(outcome)) throw invalid('code', 'Applies only to a refusal.');
  if (code !== undefined && !/^[A-Z]?\d{1,4}$/.test(code)) {
    throw invalid('code', 'Must be a number such as 204 or E10.');
  }
  return onlySet({ code, message: textField(fields, 'message') });
}
