import { resolve } from 'node:path';
import type { Text } from '../../contract/text.js';
import { deadlinesOf } from '../../domain/deadline.js';
import { dayAt } from '../../domain/brasilia-day.js';
import type { DeadlineRule, EventClass } from '../../domain/deadline-rules.js';
import type { DocumentFact } from '../../domain/document-fact.js';
import type { EventType } from '../../domain/event-code-list.js';
import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../context.js';
import { planForm } from '../plan-form.js';
import { replaceFile } from '../write-file.js';
import { readDeadlineRules } from '../deadline-rules-file.js';
import { readDocuments } from './plan-documents.js';
import { isSaid, LiveEvents } from '../live-events.js';
import { matchingRule } from './plan-match.js';
import { readOwn } from './plan-own.js';
import { fingerprintOf, inOrder, planText, type PlanRow } from './plan-row.js';
import { readPlanRules, type PlannedEvent, type PlanRule } from './plan-rules.js';

export interface PlanRequest {
  readonly rules: string;
  /** Documents to judge, `-` for stdin; absent: those that the store knows. */
  readonly input: string | undefined;
  /** `.csv` or `.json`; absent: the rows are the data. */
  readonly out: string | undefined;
  readonly own: readonly string[];
  readonly deadlineRules: string | undefined;
}

/**
 * Proposes an event per document, by rules; nothing is sent. The same documents, rules, events and day give the same text.
 * Errors: those of the files, and `usage.invalid_value` for `--out` and `--own`.
 */
export async function planManifestations(context: Context, request: PlanRequest): Promise<Outcome> {
  const form = request.out === undefined ? undefined : planForm(request.out);
  const rules = await readPlanRules(context, request.rules);
  const deadlineRules = await readDeadlineRules(context, request.deadlineRules);
  const isOwn = await readOwn(context, request.own);
  const { facts, notices } = await readDocuments(context, request.input);
  const planner = new Planner(rules, deadlineRules, context.clock.now());
  const live = await LiveEvents.open(context);
  for (const fact of facts) {
    if (isOwn(fact)) planner.own += 1;
    else planner.see(fact, await live.of(fact));
  }
  const rows = planner.result();
  const said = [...notices, ...planner.notices(facts.length)];
  const { dryRun } = await context.settings();
  if (request.out === undefined || form === undefined || dryRun) return { data: rows, notices: said };
  const path = resolve(context.cwd, request.out);
  await replaceFile(path, planText(rows, form), `${path}.${context.random.uuid()}.tmp`);
  return {
    data: { type: 'plan', out: request.out, ...planner.counts(facts.length) },
    notices: [...said, ...(rows.length === 0 ? [] : [reviewed(request.out)])],
  };
}

type Live = Awaited<ReturnType<LiveEvents['of']>>;

/** Collects the proposals, and counts what is left out and why. */
class Planner {
  own = 0;
  #unmatched = 0;
  #manifested = 0;
  #overdue = 0;
  readonly #today: string;
  readonly #rows = new Map<string, PlanRow>();

  constructor(
    private readonly rules: readonly PlanRule[],
    private readonly deadlineRules: readonly DeadlineRule[],
    now: number,
  ) {
    this.#today = dayAt(now);
  }

  see(fact: DocumentFact, live: Live): void {
    const rule = matchingRule(fact, this.rules, this.#today);
    if (rule?.propose === undefined) {
      this.#unmatched += 1;
    } else if (isSaid(rule.propose.event, live)) {
      this.#manifested += 1;
    } else if (!this.#rows.has(fact.accessKey)) {
      const deadline = this.deadlineOf(fact, rule.propose.event);
      if (deadline !== undefined && deadline < this.#today) this.#overdue += 1;
      const proposal = { ...rule.propose, rule: rule.name, deadline };
      this.#rows.set(fact.accessKey, rowOf(fact, proposal, fingerprintOf(fact, live)));
    }
  }

  result(): readonly PlanRow[] {
    return inOrder([...this.#rows.values()]);
  }

  counts(documents: number) {
    return {
      documents,
      planned: this.#rows.size,
      overdue: this.#overdue,
      unmatched: this.#unmatched,
      manifested: this.#manifested,
      own: this.own,
    };
  }

  notices(documents: number): readonly Text[] {
    const { planned, unmatched, manifested, own, overdue } = this.counts(documents);
    const counted: Text = {
      en: `${planned} of ${documents} documents are in the plan; left out: ${unmatched} without a rule, ${manifested} manifested already, ${own} of one's own`,
      pt: `${planned} de ${documents} documentos estão no plano; de fora: ${unmatched} sem regra, ${manifested} já manifestados, ${own} próprios`,
    };
    return overdue === 0 ? [counted] : [counted, tooLate(overdue)];
  }

  private deadlineOf(fact: DocumentFact, { group }: EventType): string | undefined {
    const deadlines = deadlinesOf(fact, this.deadlineRules);
    const eventClass: EventClass = group === 'awareness' || group === 'taker' ? group : 'conclusive';
    return deadlines.find((deadline) => deadline.eventClass === eventClass)?.lastDay;
  }
}

type Proposal = PlannedEvent & { readonly rule: string; readonly deadline: string | undefined };

function rowOf(fact: DocumentFact, proposal: Proposal, fingerprint: string): PlanRow {
  const { event, justification, reason, rule, deadline } = proposal;
  const { accessKey, issuerTaxNumber, totalAmountText, issuedOn } = fact;
  return {
    accessKey,
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
    en: `the term of ${count} of them is over: the authority may refuse them (rule 596)`,
    pt: `o prazo de ${count} deles terminou: a autoridade pode recusá-los (regra 596)`,
  };
}

function reviewed(out: string): Text {
  return {
    en: `look through ${out}, then: fiscal manifestation apply ${out}`,
    pt: `revise ${out} e depois: fiscal manifestation apply ${out}`,
  };
}
