import { type OutcomeRule, outcomeKinds } from '../authority/outcomes.js';
import type { Core } from '../core/core.js';
import { invalid } from '../core/refusal.js';
import type { ControlRequest } from './control.js';
import { choiceField, type Fields, fieldsOf, numberField, textField } from './fields.js';

const names = ['accessKey', 'eventCode', 'outcome', 'code', 'message', 'rate', 'count', 'skip', 'delayMs'];
const most = 1_000_000_000;

/** The rules of the tests, how many events have come to the authority, and how many it has registered. */
export function showAuthority(core: Core): object {
  return {
    rules: core.outcomes.list(),
    sendings: core.registry.sendings(),
    registered: core.registry.count(),
  };
}

export function clearOutcomes(core: Core): object {
  return { cleared: core.outcomes.clear() };
}

export function addOutcome(core: Core, request: ControlRequest): object {
  return core.outcomes.add(ruleOf(fieldsOf(request.body, names)));
}

function ruleOf(fields: Fields): OutcomeRule {
  const outcome = choiceField(fields, 'outcome', outcomeKinds);
  const delayMs = numberField(fields, 'delayMs', { from: 0, to: most, whole: true });
  if (outcome === undefined && delayMs === undefined) {
    throw invalid('outcome', `Is required, or delayMs: one of ${outcomeKinds.join(', ')}.`);
  }
  const eventCode = numberField(fields, 'eventCode', { from: 1, to: 999_999, whole: true });
  const count = numberField(fields, 'count', { from: 1, to: most, whole: true });
  const message = textField(fields, 'message');
  return {
    ...(outcome === undefined ? {} : { outcome }),
    ...keyOf(fields),
    ...(eventCode === undefined ? {} : { eventCode }),
    ...codeOf(fields, outcome),
    ...(message === undefined ? {} : { message }),
    rate: numberField(fields, 'rate', { from: 0, to: 1, whole: false }) ?? 1,
    skip: numberField(fields, 'skip', { from: 0, to: most, whole: true }) ?? 0,
    ...(count === undefined ? {} : { count }),
    ...(delayMs === undefined ? {} : { delayMs }),
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
  if (outcome !== 'reject') throw invalid('code', 'Belongs to a rejection.');
  if (!/^[A-Z]?\d{3,4}$/.test(code)) throw invalid('code', 'Must be a number such as 596 or E1833.');
  return { code };
}
