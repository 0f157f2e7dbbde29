import { lawDeadlines, type DeadlineRule } from '../domain/deadline-rules.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Context } from './context.js';
import { RuleFindings } from './rule-findings.js';
import { readYamlFile } from './yaml-file.js';

const fieldNames = ['name', 'class', 'days', 'from', 'state', 'supplier', 'source'];
const classes = ['awareness', 'conclusive', 'taker'] as const;

/**
 * The terms of the law, and those that the user adds for a sector or a state. A user's term can only bring a day forward:
 * it is a duty towards somebody else, and the authority goes on by its own.
 * Errors: `input.invalid` with the path of every problem, and those of the file.
 */
export async function readDeadlineRules(
  context: Context,
  path: string | undefined,
): Promise<readonly DeadlineRule[]> {
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
  const { from, state, supplier, source } = fields;
  const optional = {
    ...(from === undefined ? {} : { from: findings.day(`${path}.from`, from) ?? '' }),
    ...(state === undefined ? {} : { states: findings.stateCodes(`${path}.state`, state) }),
    ...(supplier === undefined ? {} : { suppliers: findings.taxNumbers(`${path}.supplier`, supplier) }),
  };
  const told = source === undefined ? name : findings.text(`${path}.source`, source);
  if (name === undefined || eventClass === undefined || days === undefined) return undefined;
  return { name, eventClass, days, origin: 'user', source: told ?? name, ...optional };
}
