import { parseForeignJson } from '../../domain/json-numbers.js';
import { createHash } from 'node:crypto';
import type { Text } from '../../contract/text.js';
import { canonicalJson } from '../../domain/canonical-json.js';
import type { DocumentFact } from '../../domain/document-fact.js';
import { isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { reasons } from '../../errors/reasons.js';
import type { Submission } from '../../jobs/kinds/manifestation.js';
import type { Context } from '../../services/context.js';
import { DocumentEvents } from '../../services/documents/events.js';
import { CellReader } from '../../services/input/cell-reader.js';
import { LineProblems } from '../../services/input/line-problems.js';
import type { Cells, InputRecord, Reading, RecordForm } from '../../services/input/record.js';
import { readRecords } from '../../services/input/records.js';
import type { Source } from '../../services/input/source.js';
import { companyOfRow } from '../../services/scope/companies.js';
import { planColumns, fingerprintOf } from './plan-row.js';
import { tripleOf } from './remember.js';
import type { Finding } from './event-key.js';
import { checkSubmission } from './submission.js';

/** One row of a plan, checked as every submission is. */
export interface PlanEntry {
  readonly line: number;
  readonly submission: Submission;
  readonly fingerprint: string;
}

export interface PlanFile {
  readonly entries: readonly PlanEntry[];
  /** Of all rows: the same plan finds the same job. */
  readonly digest: string;
}

/** The company of the events. */
interface PlanCompanies {
  /** The ids of `--company`; a row of another company is refused. Absent: rows of every company. */
  readonly named: readonly string[] | undefined;
  /** `--all-companies`. */
  readonly isForAll: boolean;
  /** The companies that hold the document, for rows without a company. */
  holdersOf(accessKey: string): readonly string[];
  /** The user takes responsibility for the companies. */
  readonly companyUnchecked: boolean;
}

/**
 * Reads a whole plan. It is executed exactly as written, so one row that cannot be sent means that nothing is sent.
 * Errors: `input.*` with the line of every problem.
 */
export async function readPlan(
  context: Context,
  { source, ...form }: RecordForm & { readonly source: Source },
  companies: PlanCompanies,
): Promise<PlanFile> {
  const cells = new CellReader(form);
  const problems = new LineProblems();
  const hash = createHash('sha256');
  const entries: PlanEntry[] = [];
  for await (const record of readRecords(source, { parse: parseForeignJson, rows: planRows }, form.format, cells)) {
    const read = await readEntry(context, record, companies);
    if ('problems' in read) {
      problems.add(record.line, read.problems);
      continue;
    }
    entries.push(read);
    hash.update(`${canonicalJson({ ...read, line: undefined })}\n`);
  }
  if (problems.lines > 0) throw problems.error(source.name);
  for (const text of cells.conversions.texts(source.name)) await context.notice(text);
  return { entries, digest: hash.digest('hex') };
}

async function readEntry(
  context: Context,
  record: InputRecord,
  companies: PlanCompanies,
): Promise<PlanEntry | { readonly problems: readonly Finding[] }> {
  if ('problem' in record) return { problems: [{ field: '', message: record.problem }] };
  const { value, line } = record;
  if (!isRecord(value)) return { problems: [{ field: '', message: mustBeObject }] };
  // A line of NDJSON names its type; a plan that comes straight from the other command has it too.
  const known: readonly string[] = [...planColumns, 'type'];
  const strangers = Object.keys(value).filter((name) => !known.includes(name));
  const { accessKey, event, sequence, justification, reason, fingerprint } = value;
  const whose = await companyOfEntry(context, value, companies);
  const written = { accessKey, event, sequence, justification, reason };
  const { companyUnchecked } = companies;
  const checked = checkSubmission(written, { companyId: whose.companyId, detailUnchecked: false, companyUnchecked });
  const isPrint = typeof fingerprint === 'string' && /^[0-9a-f]{32}$/.test(fingerprint);
  const problems = [
    ...strangers.map((name) => ({ field: name.slice(0, 60), message: notAColumn })),
    ...(whose.problem === undefined ? [] : [{ field: 'companyId', message: whose.problem }]),
    ...('problems' in checked && whose.problem === undefined ? checked.problems : []),
    ...(isPrint ? [] : [{ field: 'fingerprint', message: noFingerprint }]),
  ];
  if (problems.length > 0 || 'problems' in checked || !isPrint) return { problems };
  return { line, submission: checked.submission, fingerprint };
}

interface EntryCompany {
  readonly companyId?: string | undefined;
  readonly problem?: Text;
}

/** The company of the row, else the one in use, else the one that holds the document. */
async function companyOfEntry(
  context: Context,
  { companyId, accessKey }: Readonly<Record<string, unknown>>,
  { named, isForAll, holdersOf }: PlanCompanies,
): Promise<EntryCompany> {
  const own = await companyOfRow(context, companyId);
  if (own !== undefined && 'problem' in own) return own;
  if (own !== undefined) {
    const isTaken = named === undefined || named.includes(own.companyId);
    return isTaken ? own : { problem: ofAnotherCompany(own.companyId) };
  }
  if (named?.length === 1) return { companyId: named[0] };
  const holders = typeof accessKey === 'string' ? holdersOf(accessKey) : [];
  if (holders.length > 1) return { problem: heldBySeveral(holders) };
  const isNeeded = holders.length === 0 && (isForAll || named !== undefined);
  return isNeeded ? { problem: companyRequired } : { companyId: holders[0] };
}

/** The columns may stand in any order; those that nobody sends may be left out. */
function planRows(header: readonly string[], name: string): (cells: Cells) => Reading {
  const unknown = header.filter((title) => !planColumns.some((column) => column === title));
  if (unknown.length > 0) {
    const shown = unknown.map((title) => title.slice(0, 60) || '""').join(', ');
    throw new FiscalError('input.unknown_column', { columns: shown, path: name });
  }
  const missing = ['accessKey', 'event', 'fingerprint'].filter((column) => !header.includes(column));
  if (missing.length > 0) {
    throw new FiscalError('input.missing_column', { columns: missing.join(', '), path: name });
  }
  return (cells) => ({ value: Object.fromEntries(header.map((title, index) => [title, cells[index]])) });
}

const companyRequired: Text = {
  en: 'is required: this machine does not know the company of the document',
  pt: 'é obrigatório: esta máquina não conhece a empresa do documento',
};

function heldBySeveral(holders: readonly string[]): Text {
  const list = holders.slice(0, 5).join(', ');
  return {
    en: `is required: several companies hold the document: ${list}`,
    pt: `é obrigatório: várias empresas têm o documento: ${list}`,
  };
}

function ofAnotherCompany(companyId: string): Text {
  return {
    en: `is ${companyId}, which is not part of this run; --all-companies applies the rows of every company`,
    pt: `é ${companyId}, que não faz parte desta execução; --all-companies aplica as linhas de todas as empresas`,
  };
}

const mustBeObject: Text = { en: 'must be an object', pt: 'deve ser um objeto' };
const notAColumn: Text = { en: 'is not a column of a plan', pt: 'não é uma coluna de um plano' };
const noFingerprint: Text = {
  en: 'must be the fingerprint that "fiscal manifestation plan" wrote',
  pt: 'deve ser a impressão digital (fingerprint) gravada por "fiscal manifestation plan"',
};

/** A row that is not sent, and why. */
export interface ChangedEntry {
  readonly entry: PlanEntry;
  readonly reason: Text;
}

export interface Judged {
  readonly unchanged: readonly PlanEntry[];
  readonly changed: readonly ChangedEntry[];
}

/**
 * Compares every row with what is known now. Events that the plan itself requests are not changes: an earlier run of
 * the same plan may have sent them.
 */
export async function judgeEntries(
  context: Context,
  entries: readonly PlanEntry[],
  facts: ReadonlyMap<string, readonly DocumentFact[]>,
): Promise<Judged> {
  const documentEvents = await DocumentEvents.about(context, [...facts.values()].flat());
  const asked = new Set(entries.map(({ submission }) => wordOf(tripleOf(submission))));
  const unchanged: PlanEntry[] = [];
  const changed: ChangedEntry[] = [];
  for (const entry of entries) {
    const { accessKey, companyId } = entry.submission;
    // The documents of another company do not matter here.
    const known = (facts.get(accessKey) ?? []).filter(
      (fact) => companyId === undefined || fact.companyId === undefined || fact.companyId === companyId,
    );
    let isUnchanged = false;
    for (const fact of known) {
      const { events } = documentEvents.of(fact);
      const others = events.filter(
        ({ eventCode, sequence }) => !asked.has(wordOf({ accessKey, eventCode, nSequencia: sequence })),
      );
      isUnchanged ||= fingerprintOf(fact, others) === entry.fingerprint;
    }
    if (isUnchanged) unchanged.push(entry);
    else changed.push({ entry, reason: known.length === 0 ? reasons.documentNotKnown : reasons.documentChanged });
  }
  return { unchanged, changed };
}

function wordOf(triple: {
  readonly accessKey: string;
  readonly eventCode: number;
  readonly nSequencia: number;
}): string {
  return `${triple.accessKey} ${triple.eventCode} ${triple.nSequencia}`;
}
