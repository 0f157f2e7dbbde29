import { countedFrom } from '../../domain/deadline.js';
import { daysBetween } from '../../domain/brasilia-day.js';
import { compareDecimalText } from '../../domain/decimal-text.js';
import { issuerState, type DocumentFact } from '../../domain/document-fact.js';
import type { PlanRule, RuleConditions } from './plan-rules.js';

/** The first rule that matches. A rule with an event only looks at documents of that event's type. */
export function matchingRule(
  document: DocumentFact,
  rules: readonly PlanRule[],
  today: string,
): PlanRule | undefined {
  return rules.find(({ when, propose }) => {
    const fitsEvent = propose === undefined || propose.event.family === document.type;
    return fitsEvent && fits(document, when, today);
  });
}

function fits(document: DocumentFact, when: RuleConditions, today: string): boolean {
  const { suppliers, states, type } = when;
  return (
    (type === undefined || type === document.type) &&
    (suppliers === undefined || suppliers.includes(document.issuerTaxNumber)) &&
    (states === undefined || states.includes(issuerState(document) ?? '')) &&
    fitsValue(document.totalAmountText, when) &&
    fitsAge(countedFrom(document), when, today)
  );
}

function fitsValue(amount: string | undefined, { valueFrom, valueTo }: RuleConditions): boolean {
  if (valueFrom === undefined && valueTo === undefined) return true;
  if (amount === undefined) return false;
  const isAbove = valueFrom === undefined || compareDecimalText(amount, valueFrom) >= 0;
  return isAbove && (valueTo === undefined || compareDecimalText(amount, valueTo) <= 0);
}

function fitsAge(
  start: string | undefined,
  { ageDaysFrom, ageDaysTo }: RuleConditions,
  today: string,
): boolean {
  if (ageDaysFrom === undefined && ageDaysTo === undefined) return true;
  if (start === undefined) return false;
  const age = daysBetween(start, today);
  return age >= (ageDaysFrom ?? Number.NEGATIVE_INFINITY) && age <= (ageDaysTo ?? Number.POSITIVE_INFINITY);
}
