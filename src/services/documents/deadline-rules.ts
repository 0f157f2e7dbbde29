import { eventsOfClass, lawDeadlines, type DeadlineRule, type EventClass } from '../../domain/deadline.js';
import { findEvent } from '../../domain/event-codes.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../context.js';
import { RuleFindings, readYamlFile } from '../input/rules-file.js';

const fieldNames = ['name', 'class', 'event', 'days', 'from', 'until', 'state', 'supplier', 'source'];
const classes = ['awareness', 'conclusive', 'taker'] as const;

/**
 * The terms of the law, and those that the user adds for a sector, a state or an event. For a document
 * the first matching user term replaces that of the law. The file has the form of `deadline-rules.json`.
 * Errors: `input.invalid` with the path of every problem, and those of the file.
 */
export async function readDeadlineRules(context: Context, path: string | undefined): Promise<readonly DeadlineRule[]> {
  if (path === undefined) return lawDeadlines;
  const document = await readYamlFile(context, path);
  const findings = new RuleFindings();
  const own = parseFile(document, findings);
  if (findings.list.length === 0) return [...lawDeadlines, ...own];
  throw new FiscalError('input.invalid', { what: path }, { details: findings.list, sent: 'no' });
}

function parseFile(document: unknown, findings: RuleFindings): readonly DeadlineRule[] {
  const { deadlines } = findings.mapping('', document, ['deadlines']);
  if (!Array.isArray(deadlines) || deadlines.length === 0) {
    findings.add('deadlines', { en: 'must be a list of terms', pt: 'deve ser uma lista de prazos' });
    return [];
  }
  return deadlines.flatMap((value: unknown, index) => {
    const rule = parseDeadline(`deadlines[${index}]`, value, findings);
    return rule === undefined ? [] : [rule];
  });
}

function parseDeadline(path: string, value: unknown, findings: RuleFindings): DeadlineRule | undefined {
  const fields = findings.mapping(path, value, fieldNames);
  const name = findings.text(`${path}.name`, fields['name']);
  const eventClass = findings.choice(`${path}.class`, fields['class'], classes);
  const days = findings.count(`${path}.days`, fields['days']);
  const { from, until, event, state, supplier, source } = fields;
  const read = { from: dayIn(findings, `${path}.from`, from), until: dayIn(findings, `${path}.until`, until) };
  if (read.from !== undefined && read.until !== undefined && read.until < read.from)
    findings.add(`${path}.until`, { en: 'is before from', pt: 'é anterior a from' });
  const optional = {
    ...(read.from === undefined ? {} : { from: read.from }),
    ...(read.until === undefined ? {} : { until: read.until }),
    ...(event === undefined ? {} : { events: eventsIn(findings, `${path}.event`, { words: event, eventClass }) }),
    ...(state === undefined ? {} : { states: findings.stateCodes(`${path}.state`, state) }),
    ...(supplier === undefined ? {} : { suppliers: findings.suppliers(`${path}.supplier`, supplier) }),
  };
  const given = source === undefined ? name : findings.text(`${path}.source`, source);
  if (name === undefined || eventClass === undefined || days === undefined) return undefined;
  return { name, eventClass, days, origin: 'user', source: given ?? name, ...optional };
}

function dayIn(findings: RuleFindings, path: string, text: unknown): string | undefined {
  return text === undefined ? undefined : findings.day(path, text);
}

/** The codes of one word or a list of words. */
function eventsIn(
  findings: RuleFindings,
  path: string,
  { words, eventClass }: { readonly words: unknown; readonly eventClass: EventClass | undefined },
): readonly number[] {
  const possible = eventClass === undefined ? [] : eventsOfClass(eventClass);
  return findings.entries(path, words).flatMap(([place, word]) => {
    const found = findEvent(word);
    if (found !== undefined && found.group === eventClass) return [found.code];
    const list = possible.map(({ name }) => name).join(', ');
    findings.add(place, { en: `must be one of ${list}`, pt: `deve ser um de ${list}` });
    return [];
  });
}
