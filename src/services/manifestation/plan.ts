import { resolve } from 'node:path';
import type { Text } from '../../contract/text.js';
import { deadlinesOf } from '../../domain/deadline.js';
import { dayAt } from '../../domain/brasilia-day.js';
import type { DeadlineRule } from '../../domain/deadline-rules.js';
import type { DocumentFact } from '../../domain/document-fact.js';
import type { EventType } from '../../domain/event-code-list.js';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { Context } from '../context.js';
import { planForm } from '../plan-form.js';
import { replaceFile } from '../write-file.js';
import { readDeadlineRules } from '../deadline-rules-file.js';
import { readDocuments } from './plan-documents.js';
import { askEvents } from '../ask-events.js';
import { DocumentEvents, isSaid, type EventsOfDocument } from '../document-events.js';
import { matchingRule } from './plan-match.js';
import { readOwn } from './plan-own.js';
import { fingerprintOf, inOrder, planText, type PlanRow } from './plan-row.js';
import { readPlanRules, type PlannedEvent, type PlanRule } from './plan-rules.js';

export interface PlanRequest {
  readonly allCompanies: boolean;
  readonly rules: string;
  /** Documents to judge, `-` for stdin; absent: those that the store knows. */
  readonly input: string | undefined;
  /** `.csv` or `.json`; absent: the rows are the data. */
  readonly out: string | undefined;
  readonly own: readonly string[];
  readonly deadlineRules: string | undefined;
  /** Asks the service for events that no sync has brought. */
  readonly checkService: boolean;
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
  const { facts, notices, isKnown } = await readDocuments(context, request);
  const planner = new Planner(rules, deadlineRules, context.clock.now());
  const known = await DocumentEvents.open(context);
  const received = facts.filter((fact) => !isOwn(fact));
  planner.own = facts.length - received.length;
  const proposed = planner.proposed(received);
  const asked = request.checkService
    ? await askEvents(
        context,
        known,
        proposed.map(({ fact }) => fact),
      )
    : [];
  for (const proposal of proposed) planner.see(proposal, await known.of(proposal.fact));
  const rows = planner.result();
  const said = [...notices, ...asked, ...planner.notices(facts.length)];
  const exitCode = isKnown ? ExitCode.ok : ExitCode.partial;
  const { dryRun } = await context.settings();
  if (request.out === undefined || form === undefined || dryRun)
    return { data: rows, exitCode, notices: said };
  const path = resolve(context.cwd, request.out);
  await replaceFile(path, planText(rows, form), `${path}.${context.random.uuid()}.tmp`);
  return {
    data: { type: 'plan', out: request.out, ...planner.counts(facts.length) },
    exitCode,
    notices: [...said, ...(rows.length === 0 ? [] : [reviewed(request.out)])],
  };
}

/** Collects the proposals, and counts what is left out and why. */
class Planner {
  own = 0;
  #unmatched = 0;
  #manifested = 0;
  #cancelled = 0;
  #overdue = 0;
  /** Planned without evidence of what others have sent. */
  #unproven = 0;
  readonly #today: string;
  readonly #rows = new Map<string, PlanRow>();

  constructor(
    private readonly rules: readonly PlanRule[],
    private readonly deadlineRules: readonly DeadlineRule[],
    now: number,
  ) {
    this.#today = dayAt(now);
  }

  /** The documents for which the rules have an event; the others are counted. */
  proposed(facts: readonly DocumentFact[]): readonly Proposed[] {
    return facts.flatMap((fact) => {
      const rule = matchingRule(fact, this.rules, this.#today);
      if (rule?.propose !== undefined) return [{ fact, event: { ...rule.propose, rule: rule.name } }];
      this.#unmatched += 1;
      return [];
    });
  }

  see({ fact, event: planned }: Proposed, { events, cancelled, basis }: EventsOfDocument): void {
    if (cancelled) {
      this.#cancelled += 1;
    } else if (isSaid(planned.event, events)) {
      this.#manifested += 1;
    } else if (!this.#rows.has(fact.accessKey)) {
      const deadline = this.deadlineOf(fact, planned.event);
      if (deadline !== undefined && deadline < this.#today) this.#overdue += 1;
      if (basis === 'local') this.#unproven += 1;
      const proposal = { ...planned, deadline };
      this.#rows.set(fact.accessKey, rowOf(fact, proposal, fingerprintOf(fact, events)));
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
      cancelled: this.#cancelled,
      unproven: this.#unproven,
      own: this.own,
    };
  }

  notices(documents: number): readonly Text[] {
    const { planned, unmatched, manifested, cancelled, own, overdue, unproven } = this.counts(documents);
    const counted: Text = {
      en: `${planned} of ${documents} documents are in the plan; left out: ${unmatched} without a rule, ${manifested} manifested already, ${cancelled} cancelled by their issuer, ${own} of one's own`,
      pt: `${planned} de ${documents} documentos estão no plano; de fora: ${unmatched} sem regra, ${manifested} já manifestados, ${cancelled} cancelados pelo emitente, ${own} próprios`,
    };
    return [
      counted,
      ...(overdue === 0 ? [] : [tooLate(overdue)]),
      ...(unproven === 0 ? [] : [mayBeManifested(unproven)]),
    ];
  }

  private deadlineOf(fact: DocumentFact, { name }: EventType): string | undefined {
    return deadlinesOf(fact, this.deadlineRules).find(({ events }) => events.includes(name))?.lastDay;
  }
}

/** A document, and the event that a rule has for it. */
interface Proposed {
  readonly fact: DocumentFact;
  readonly event: PlannedEvent & { readonly rule: string };
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

function mayBeManifested(count: number): Text {
  return {
    en: `nothing shows what others have sent for ${count} of them: fiscal inbound sync, or --check-service`,
    pt: `nada mostra o que outros enviaram para ${count} deles: fiscal inbound sync, ou --check-service`,
  };
}

function reviewed(out: string): Text {
  return {
    en: `look through ${out}, then: fiscal manifestation apply ${out}`,
    pt: `revise ${out} e depois: fiscal manifestation apply ${out}`,
  };
}
