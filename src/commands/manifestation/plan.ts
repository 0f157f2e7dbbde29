import type { Given } from '../../cli/command.js';
import type { InboundFamily } from '../../contract/inbound.js';
import { resolve } from 'node:path';
import type { Text } from '../../contract/text.js';
import { dayAt, daysBetween } from '../../domain/dates.js';
import { fiscalLine } from '../../domain/command-words.js';
import { type DeadlineRule, deadlinesOf, countedFrom } from '../../domain/deadline.js';
import { compareDecimalText } from '../../domain/decimal-text.js';
import { type DocumentFact, issuerState } from '../../domain/document-fact.js';
import { beforeInWords, horizonAt, type TermHorizon } from '../../domain/term-horizon.js';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { localCompanies } from '../../services/scope/companies.js';
import type { Context } from '../../services/context.js';
import { readDeadlineRules } from '../../services/documents/deadline-rules.js';
import { DocumentEvents, isSaid, type EventsOfDocument } from '../../services/documents/events.js';
import { openTerms, owesTerms } from '../../services/documents/open-terms.js';
import { formOf, replaceFile } from '../../io/output-file.js';
import type { CompanyLabel } from '../../services/scope/scope.js';
import { askEvents } from '../ask-events.js';
import { readDocuments, readOwn } from './documents.js';
import type { plan } from './plan-commands.js';
import { fingerprintOf, inOrder, planText, type PlanRow } from './plan-row.js';
import { readPlanRules, ruleForEvent, type PlannedEvent, type PlanRule, type RuleConditions } from './plan-rules.js';

type PlanGiven = Given<typeof plan>;

/** The families of the events that the rules propose: those of the others need no sync. */
function familiesOf(rules: readonly PlanRule[]): readonly InboundFamily[] {
  return [...new Set(rules.flatMap(({ propose }) => (propose === undefined ? [] : [propose.event.family])))];
}

/**
 * Proposes an event per document, by rules; nothing is sent. The same documents, rules, events and day give the same text.
 * Errors: those of the files, and `usage.invalid_value` for `--out` and `--own`.
 */
export async function planManifestations(context: Context, given: PlanGiven): Promise<Outcome> {
  const form = given.out === undefined ? undefined : formOf(given.out, ['csv', 'json']);
  const rules = await rulesOf(context, given);
  const deadlineRules = await readDeadlineRules(context, given.deadlineRules);
  const isOwn = await readOwn(context, given.own);
  const { facts, notices, isKnown } = await readDocuments(context, { ...given, families: familiesOf(rules) });
  const onlyNew = given.event !== undefined;
  const today = dayAt(context.clock.now());
  const planner = new Planner({ rules, deadlineRules, onlyNew, today, horizon: horizonAt(today) });
  const received = facts.filter((fact) => !isOwn(fact));
  planner.own = facts.length - received.length;
  const proposed = planner.proposed(received);
  const planned = proposed.map(({ fact }) => fact);
  const known = await DocumentEvents.about(context, planned);
  const asked = given.checkService
    ? await askEvents(context, known, planned, await localCompanies(context, given.allCompanies))
    : [];
  for (const proposal of proposed) planner.see(proposal, known.of(proposal.fact));
  const label = await (await context.scope()).labels();
  const rows = planner.result(label);
  const allNotices = [...notices, ...asked, ...planner.notices(facts.length)];
  const exitCode = isKnown ? ExitCode.ok : ExitCode.partial;
  const { dryRun } = await context.settings();
  if (given.out === undefined || form === undefined || dryRun) return { data: rows, exitCode, notices: allNotices };
  const path = resolve(context.cwd, given.out);
  await replaceFile(path, planText(rows, form), context.random);
  return {
    data: { type: 'plan', out: given.out, ...planner.counts(facts.length) },
    exitCode,
    notices: [...allNotices, ...(rows.length === 0 ? [] : [await reviewed(context, given.out, given)])],
  };
}

/** Errors: `usage.invalid`, `usage.missing`, `usage.invalid_value`, and those of the file. */
async function rulesOf(context: Context, { rules, event, new: isNew }: PlanGiven): Promise<readonly PlanRule[]> {
  if (isNew && event === undefined)
    throw new FiscalError('usage.missing', { names: '--event' }, { sent: 'no', pick: 'plannedEvent' });
  if (event !== undefined && !isNew) throw new FiscalError('usage.missing', { names: '--new' }, { sent: 'no' });
  if (rules !== undefined && event !== undefined)
    throw new FiscalError('usage.invalid', { message: eitherRules }, { sent: 'no' });
  if (event !== undefined) return ruleForEvent(event);
  if (rules !== undefined) return await readPlanRules(context, rules);
  throw new FiscalError('usage.missing', { names: '--rules' }, { sent: 'no', hint: orNew });
}

const eitherRules: Text = {
  en: 'either --rules or --new with --event is expected, not both',
  pt: 'espera-se --rules ou --new com --event, não os dois',
};

const orNew: Text = {
  en: 'without a file of rules: fiscal manifestation plan --new --event awareness',
  pt: 'sem um arquivo de regras: fiscal manifestation plan --new --event awareness',
};

interface Planning {
  readonly rules: readonly PlanRule[];
  readonly deadlineRules: readonly DeadlineRule[];
  /** Leaves out documents with any event, and those with an expired term. */
  readonly onlyNew: boolean;
  readonly today: string;
  readonly horizon: TermHorizon;
}

/** Collects the proposals, and counts what is left out and why. */
class Planner {
  own = 0;
  #unmatched = 0;
  #manifested = 0;
  /** Left out: the document does not stand. */
  #notOwed = 0;
  #overdue = 0;
  /** Left out: the term has expired, so the authority would refuse the event. */
  #late = 0;
  /** The same before the horizon: they are in no other count. */
  #earlier = 0;
  /** Planned without knowing the events of others. */
  #unproven = 0;
  readonly #rows = new Map<string, PlanRow>();

  constructor(private readonly planning: Planning) {}

  /** The documents for which the rules have an event; the others are counted. */
  proposed(facts: readonly DocumentFact[]): readonly Proposed[] {
    return facts.flatMap((fact) => {
      const rule = matchingRule(fact, this.planning.rules, this.planning.today);
      if (rule?.propose !== undefined) return [{ fact, event: { ...rule.propose, rule: rule.name } }];
      this.#unmatched += 1;
      return [];
    });
  }

  see({ fact, event: planned }: Proposed, known: EventsOfDocument): void {
    const { onlyNew, today, horizon, deadlineRules } = this.planning;
    const { events, basis } = known;
    const deadlines = deadlinesOf(fact, deadlineRules);
    const { lastDay: deadline } = deadlines.find(({ events: of }) => of.includes(planned.event.name)) ?? {};
    const term = openTerms({ fact, deadlines, known, today }).find(({ events: of }) => of.includes(planned.event.name));
    const isOver = term !== undefined && term.daysLeft < 0;
    if (!owesTerms(known)) {
      this.#notOwed += 1;
    } else if (isSaid(planned.event, events) || (onlyNew && events.length > 0)) {
      this.#manifested += 1;
    } else if (onlyNew && isOver) {
      if (term.deadline < horizon.first) this.#earlier += 1;
      else this.#late += 1;
    } else if (!this.#rows.has(rowKey(fact))) {
      if (isOver) this.#overdue += 1;
      if (basis === 'local') this.#unproven += 1;
      const proposal = { ...planned, deadline };
      this.#rows.set(rowKey(fact), rowOf(fact, proposal, fingerprintOf(fact, events)));
    }
  }

  result(label: (companyId: string | undefined) => CompanyLabel): readonly PlanRow[] {
    return inOrder([...this.#rows.values()].map((row) => ({ ...row, ...label(row.companyId) })));
  }

  counts(documents: number) {
    return {
      documents,
      planned: this.#rows.size,
      overdue: this.#overdue,
      unmatched: this.#unmatched,
      manifested: this.#manifested,
      notOwed: this.#notOwed,
      late: this.#late,
      earlier: this.#earlier,
      unproven: this.#unproven,
      own: this.own,
    };
  }

  notices(documents: number): readonly Text[] {
    const { planned, unmatched, manifested, notOwed, late, earlier, own, overdue, unproven } = this.counts(documents);
    const without = this.planning.onlyNew
      ? { en: 'of another type', pt: 'de outro tipo' }
      : { en: 'without a rule', pt: 'sem regra' };
    const counted: Text = {
      en: `${planned} of ${documents} documents are in the plan; left out: ${unmatched} ${without.en}, ${manifested} already with an event, ${notOwed} that do not stand, such as cancelled ones, ${own} your own`,
      pt: `${planned} de ${documents} documentos estão no plano; de fora: ${unmatched} ${without.pt}, ${manifested} já manifestados, ${notOwed} que não estão em vigor, como os cancelados, ${own} próprios`,
    };
    return [
      counted,
      ...(overdue === 0 ? [] : [tooLate(overdue)]),
      ...(late === 0 ? [] : [leftOutLate(late)]),
      ...(earlier === 0 ? [] : [leftOutEarlier(earlier, this.planning.horizon)]),
      ...(unproven === 0 ? [] : [mayBeManifested(unproven)]),
    ];
  }
}

/** A document, and the event that a rule has for it. */
interface Proposed {
  readonly fact: DocumentFact;
  readonly event: PlannedEvent & { readonly rule: string };
}

/** Several companies may have captured one document. */
function rowKey({ accessKey, companyId = '' }: DocumentFact): string {
  return `${accessKey} ${companyId}`;
}

type Proposal = PlannedEvent & { readonly rule: string; readonly deadline: string | undefined };

function rowOf(fact: DocumentFact, proposal: Proposal, fingerprint: string): PlanRow {
  const { event, justification, reason, rule, deadline } = proposal;
  const { accessKey, companyId, issuerTaxNumber, totalAmountText, issuedOn } = fact;
  return {
    accessKey,
    ...(companyId === undefined ? {} : { companyId }),
    event: event.name,
    sequence: 1,
    ...(justification === undefined ? {} : { justification }),
    ...(reason === undefined ? {} : { reason }),
    supplier: issuerTaxNumber,
    ...(totalAmountText === undefined ? {} : { amount: totalAmountText }),
    issuedOn,
    ...(deadline === undefined ? {} : { deadline }),
    rule,
    fingerprint,
  };
}

function tooLate(count: number): Text {
  return {
    en: `the term of ${count} of them has passed: the authority may refuse them (rule 596)`,
    pt: `o prazo de ${count} deles está vencido: a autoridade pode recusá-los (regra 596)`,
  };
}

function leftOutLate(count: number): Text {
  return {
    en: `${count} more are left out, because the term of this event has passed (rule 596); for what is still possible: fiscal manifestation due`,
    pt: `outros ${count} ficam de fora, pois o prazo deste evento está vencido (regra 596); para ver o que ainda é possível: fiscal manifestation due`,
  };
}

function leftOutEarlier(count: number, horizon: TermHorizon): Text {
  const { en, pt } = beforeInWords(horizon);
  return {
    en: `${count} more are left out, because the term of this event had passed ${en}`,
    pt: `outros ${count} ficam de fora, pois o prazo deste evento venceu ${pt}`,
  };
}

function mayBeManifested(count: number): Text {
  return {
    en: `for ${count} of them, the events of others are unknown: --check-service queries the service`,
    pt: `para ${count} deles, os eventos de outros não são conhecidos: --check-service consulta o serviço`,
  };
}

async function reviewed(context: Context, out: string, { input, sheet, allCompanies }: PlanGiven): Promise<Text> {
  const { profile } = await context.settings();
  const companies = await localCompanies(context, allCompanies);
  const apply = fiscalLine({
    command: 'manifestation apply',
    positionals: [out],
    flags: [
      ...(input === undefined ? [] : [['--input', input] as const]),
      ...(sheet === undefined ? [] : [['--input-sheet', sheet] as const]),
      ...(allCompanies ? [['--all-companies', true] as const] : []),
    ],
    company: companies?.map(({ id }) => id).join(','),
    profile,
  });
  return { en: `review ${out}, then: ${apply}`, pt: `revise ${out} e depois: ${apply}` };
}

/** The first rule that matches. A rule with an event only looks at documents of that event's type. */
function matchingRule(document: DocumentFact, rules: readonly PlanRule[], today: string): PlanRule | undefined {
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

function fitsAge(start: string | undefined, { ageDaysFrom, ageDaysTo }: RuleConditions, today: string): boolean {
  if (ageDaysFrom === undefined && ageDaysTo === undefined) return true;
  if (start === undefined) return false;
  const age = daysBetween(start, today);
  return age >= (ageDaysFrom ?? Number.NEGATIVE_INFINITY) && age <= (ageDaysTo ?? Number.POSITIVE_INFINITY);
}
