import type { Text } from '../../contract/text.js';
import type { DocumentType } from '../../domain/document-fact.js';
import { findEvent, refusalOf, type EventType } from '../../domain/event-codes.js';
import { detailProblems } from '../../domain/event-detail.js';
import { compareDecimalText } from '../../domain/decimal-text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import { inside, RuleFindings, readYamlFile } from '../../services/input/rules-file.js';
import type { Finding } from './event-key.js';
import { readRejection } from './submission.js';

/** The conditions of a rule. A condition on a field that the document lacks is false. */
export interface RuleConditions {
  readonly suppliers?: readonly string[];
  readonly valueFrom?: string;
  readonly valueTo?: string;
  readonly type?: DocumentType;
  /** Days since the authorisation, else since the issue; both ends count. */
  readonly ageDaysFrom?: number;
  readonly ageDaysTo?: number;
  readonly states?: readonly string[];
}

/** What a rule proposes. */
export interface PlannedEvent {
  readonly event: EventType;
  readonly justification?: string;
  readonly reason?: number;
}

export interface PlanRule {
  /** Its name, or else its position: `#1`. */
  readonly name: string;
  readonly when: RuleConditions;
  /** Absent: documents that match get no event. */
  readonly propose: PlannedEvent | undefined;
}

const conditionNames = ['supplier', 'valueFrom', 'valueTo', 'type', 'ageDaysFrom', 'ageDaysTo', 'state'];

/**
 * The rules of a plan, in their order; the default is the last one and matches everything.
 * Errors: `input.invalid` with the path of every problem, and those of the file.
 */
export async function readPlanRules(context: Context, path: string): Promise<readonly PlanRule[]> {
  const document = await readYamlFile(context, path);
  const findings = new RuleFindings();
  const rules = parseRules(document, findings);
  if (findings.list.length === 0) return rules;
  throw new FiscalError('input.invalid', { what: path }, { details: findings.list, sent: 'no' });
}

/**
 * One rule for all documents of the event's type, for `--event`. Error: `usage.invalid_value` for a word that is not an event,
 * or an event that needs more than its name.
 */
export function ruleForEvent(word: string): readonly PlanRule[] {
  const event = findEvent(word);
  if (event === undefined) throw invalidValue('--event', word, refusalOf(word) ?? unknownEvent);
  if (!isPlannedAlone(event))
    throw invalidValue('--event', word, {
      en: `${event.name} needs its own text or reason: put it into a file for --rules`,
      pt: `${event.name} precisa de um texto ou motivo próprio: coloque-o em um arquivo para --rules`,
    });
  return [{ name: 'new', when: {}, propose: { event } }];
}

/** True for an event that needs no text of its own. */
export function isPlannedAlone(event: EventType): boolean {
  return isPlannable(event) && contentProblems(event, nothingWritten).length === 0;
}

const nothingWritten = { justification: undefined, reason: undefined };

const unknownEvent: Text = {
  en: 'is not an event; see fiscal manifestation codes',
  pt: 'não é um evento; veja fiscal manifestation codes',
};

function parseRules(document: unknown, findings: RuleFindings): readonly PlanRule[] {
  const fields = findings.mapping('', document, ['rules', 'default']);
  const { rules } = fields;
  if (!Array.isArray(rules) || rules.length === 0) {
    findings.add('rules', { en: 'must be a list of rules', pt: 'deve ser uma lista de regras' });
    return [];
  }
  const written = rules.map((rule: unknown, index) => parseRule(rule, index, findings));
  const fallback = fields['default'];
  if (fallback === undefined) return written;
  const propose = parseEvent('default', { event: fallback }, findings);
  return [...written, { name: 'default', when: {}, propose }];
}

function parseRule(value: unknown, index: number, findings: RuleFindings): PlanRule {
  const path = `rules[${index}]`;
  const fields = findings.mapping(path, value, ['name', 'when', 'event', 'justification', 'reason']);
  const propose = parseEvent(path, fields, findings);
  const when = fields['when'] === undefined ? {} : parseWhen(`${path}.when`, fields['when'], findings);
  if (when.type !== undefined && propose !== undefined && propose.event.family !== when.type) {
    findings.add(`${path}.event`, {
      en: `${propose.event.name} is an event of another type than ${when.type}`,
      pt: `${propose.event.name} é um evento de outro tipo que não ${when.type}`,
    });
  }
  const name = fields['name'];
  return { name: name === undefined ? `#${index + 1}` : parseName(path, name, findings), when, propose };
}

function parseName(path: string, value: unknown, findings: RuleFindings): string {
  if (typeof value === 'string' && /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}$/u.test(value)) return value;
  findings.add(`${path}.name`, {
    en: 'must be 1 to 60 letters, digits, spaces, dots or dashes',
    pt: 'deve ter de 1 a 60 letras, algarismos, espaços, pontos ou hífens',
  });
  return '';
}

function parseWhen(path: string, value: unknown, findings: RuleFindings): RuleConditions {
  const fields = findings.mapping(path, value, conditionNames);
  const read = <Value>(name: string, parse: (at: string, value: unknown) => Value | undefined) => {
    const found = fields[name];
    return found === undefined ? undefined : parse(`${path}.${name}`, found);
  };
  const [valueFrom, valueTo] = ['valueFrom', 'valueTo'].map((name) => read(name, (at, it) => findings.amount(at, it)));
  const [ageDaysFrom, ageDaysTo] = ['ageDaysFrom', 'ageDaysTo'].map((name) =>
    read(name, (at, it) => findings.count(at, it)),
  );
  const suppliers = read('supplier', (at, it) => findings.taxNumbers(at, it));
  const states = read('state', (at, it) => findings.stateCodes(at, it));
  const type = read('type', (at, it) => findings.choice(at, it, ['nfe', 'nfse'] as const));
  if (valueFrom !== undefined && valueTo !== undefined && compareDecimalText(valueFrom, valueTo) > 0) {
    findings.add(`${path}.valueTo`, isBelow('valueFrom'));
  }
  if (ageDaysFrom !== undefined && ageDaysTo !== undefined && ageDaysFrom > ageDaysTo) {
    findings.add(`${path}.ageDaysTo`, isBelow('ageDaysFrom'));
  }
  return {
    ...(suppliers === undefined ? {} : { suppliers }),
    ...(valueFrom === undefined ? {} : { valueFrom }),
    ...(valueTo === undefined ? {} : { valueTo }),
    ...(type === undefined ? {} : { type }),
    ...(ageDaysFrom === undefined ? {} : { ageDaysFrom }),
    ...(ageDaysTo === undefined ? {} : { ageDaysTo }),
    ...(states === undefined ? {} : { states }),
  };
}

function parseEvent(
  path: string,
  fields: Readonly<Record<string, unknown>>,
  findings: RuleFindings,
): PlannedEvent | undefined {
  const at = path === 'default' ? path : inside(path, 'event');
  const word = findings.text(at, fields['event']);
  if (word === undefined || word === 'none') return undefined;
  const event = findEvent(word);
  const refusal = refusalOf(word);
  if (refusal !== undefined) return findings.add(at, refusal);
  if (event === undefined) return findings.add(at, noEvent);
  if (!isPlannable(event)) return findings.add(at, needsDetail);
  const written = { justification: fields['justification'], reason: fields['reason'] };
  const problems = contentProblems(event, written);
  for (const { field, message } of problems) findings.add(inside(path, field), message);
  if (problems.length > 0) return undefined;
  return {
    event,
    ...(typeof written.justification === 'string' ? { justification: written.justification } : {}),
    ...(written.reason === undefined ? {} : { reason: Number(written.reason) }),
  };
}

/** Events with only a justification or reason; the others need their own detail per document. */
function isPlannable({ group }: EventType): boolean {
  return group === 'awareness' || group === 'conclusive' || group === 'taker';
}

/** The checks of a submission, without a key: the same for every document that the rule will match. */
function contentProblems(
  event: EventType,
  written: { readonly justification: unknown; readonly reason: unknown },
): readonly Finding[] {
  const { justification, reason } = written;
  if (event.family === 'nfse') {
    const read = readRejection({ ...placeless, ...written }, event, {
      companyId: 'any',
      detailUnchecked: false,
      companyUnchecked: false,
    });
    return 'problems' in read ? read.problems : [];
  }
  const foreign = reason === undefined ? [] : [{ field: 'reason', message: notTaken(event) }];
  const detail = justification === undefined ? {} : { justification };
  const problems = detailProblems(event.code, detail).map(({ field, message }) => ({
    field: field.replace(/^detail\./, ''),
    message,
  }));
  return [...foreign, ...problems];
}

const placeless = { accessKey: undefined, event: undefined };

function notTaken({ name }: EventType) {
  return { en: `does not belong to ${name}`, pt: `não pertence a ${name}` };
}

function isBelow(name: string) {
  return { en: `is below ${name}`, pt: `é menor que ${name}` };
}

const noEvent = {
  en: 'is not an event; see fiscal manifestation codes, or write none',
  pt: 'não é um evento; veja fiscal manifestation codes, ou escreva none',
};
const needsDetail = {
  en: 'needs its own detail for each document and cannot be planned: fiscal manifestation apply <file>',
  pt: 'precisa de um detalhe próprio por documento e não pode ser planejado: fiscal manifestation apply <arquivo>',
};
