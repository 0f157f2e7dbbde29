import { operations } from '../../contract/operations.js';
import type { Core } from '../core/core.js';
import {
  deliveries,
  type DeliveryFaultKind,
  deliveryFaultKinds,
  type DeliveryFaultRule,
  type FaultKind,
  faultKinds,
  type FaultRule,
} from '../core/faults.js';
import { invalid } from '../core/refusal.js';
import type { Striking } from '../core/strike.js';
import type { ControlRequest } from './control.js';
import { choiceField, type Fields, fieldsOf, numberField, textField } from './fields.js';

const names = ['operation', 'kind', 'rate', 'count', 'skip', 'retryAfter', 'delayMs', 'to'];
const kinds = [...faultKinds, ...deliveryFaultKinds] as const;
const most = 1_000_000_000;

export function listFaults(core: Core): object {
  return { faults: core.faults.list() };
}

export function clearFaults(core: Core): object {
  return { cleared: core.faults.clear() };
}

/** One about requests, or about deliveries: the kind tells. */
export function addFault(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, names);
  const kind = choiceField(fields, 'kind', kinds);
  if (kind === undefined) throw invalid('kind', `Is required: one of ${kinds.join(', ')}.`);
  return isOfDeliveries(kind)
    ? core.faults.addDeliveryFault(deliveryRuleOf(fields, kind))
    : core.faults.add(ruleOf(fields, kind));
}

function isOfDeliveries(kind: (typeof kinds)[number]): kind is DeliveryFaultKind {
  return deliveryFaultKinds.some((each) => each === kind);
}

function deliveryRuleOf(fields: Fields, kind: DeliveryFaultKind): DeliveryFaultRule {
  for (const name of ['operation', 'retryAfter', 'to']) {
    if (fields[name] !== undefined) throw invalid(name, 'Has no meaning for deliveries of webhooks.');
  }
  const delayMs = numberField(fields, 'delayMs', { from: 0, to: most, whole: true });
  return {
    operation: deliveries,
    kind,
    ...strikingOf(fields),
    ...(delayMs === undefined ? {} : { delayMs }),
  };
}

function strikingOf(fields: Fields): Striking {
  const count = numberField(fields, 'count', { from: 1, to: most, whole: true });
  return {
    rate: numberField(fields, 'rate', { from: 0, to: 1, whole: false }) ?? 1,
    skip: numberField(fields, 'skip', { from: 0, to: most, whole: true }) ?? 0,
    ...(count === undefined ? {} : { count }),
  };
}

function ruleOf(fields: Fields, kind: FaultKind): FaultRule {
  const delayMs = numberField(fields, 'delayMs', { from: 0, to: 3_600_000, whole: true });
  const retryAfter = retryAfterOf(fields);
  const to = textField(fields, 'to');
  if (kind === 'redirect' && to === undefined) throw invalid('to', 'A redirect needs an address.');
  if (to !== undefined && !URL.canParse(to, 'http://127.0.0.1')) throw invalid('to', 'Must be an address.');
  return {
    operation: choiceField(fields, 'operation', ['*', ...Object.keys(operations)]) ?? '*',
    kind,
    ...strikingOf(fields),
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(to === undefined ? {} : { to: new URL(to, 'http://127.0.0.1').href }),
  };
}

/** Seconds or an HTTP date. Text that is neither passes too, for it is what a hostile server would send. */
function retryAfterOf(fields: Fields): number | string | undefined {
  const value = fields['retryAfter'];
  if (typeof value !== 'string') return numberField(fields, 'retryAfter', { from: 0, to: most, whole: true });
  if (!/^[\x20-\x7e]{1,100}$/.test(value)) throw invalid('retryAfter', 'Must fit in a header.');
  return value;
}
