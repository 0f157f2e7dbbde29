import type { Text } from '../../contract/text.js';
import type { Submission } from '../../jobs/kinds/manifestation.js';
import type { InputFormat, InputRecord } from '../../services/input/record.js';
import { readRecords } from '../../services/input/records.js';
import type { Source } from '../../services/input/source.js';
import type { RowCompany } from '../../services/scope/row.js';
import { readEventKey } from './event-key.js';
import { manifestationRows, rowField } from './import-columns.js';
import { checkSubmission } from './submission.js';
import { parseDetail } from './written-detail.js';
import type { Finding, SubmissionRules } from './written-submission.js';

/** One record of a bulk file, read and checked. */
export type SubmissionRecord = { readonly line: number } & (
  | { readonly submission: Submission; readonly notes: readonly Finding[] }
  | { readonly problems: readonly Finding[] }
);

export interface RecordOptions extends SubmissionRules {
  readonly format: InputFormat | undefined;
  /** The company that a row names itself. */
  readonly companyOfRow: (cell: unknown) => Promise<RowCompany | undefined>;
  /** Whose event of a note it is, where no company is set. */
  readonly companyOf?: (accessKey: string) => Promise<string | undefined>;
}

/** The records of a bulk file, one after another. */
export async function* submissionRecords(
  source: Source,
  options: RecordOptions,
): AsyncIterable<SubmissionRecord> {
  const rules = { parse: parseDetail, rows: manifestationRows };
  for await (const record of readRecords(source, rules, options.format)) {
    yield { line: record.line, ...(await checked(record, options)) };
  }
}

async function checked(record: InputRecord, options: RecordOptions) {
  if ('problem' in record) return { problems: [{ field: '', message: record.problem }] };
  const { value } = record;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problems: [{ field: '', message: { en: 'must be an object', pt: 'deve ser um objeto' } }] };
  }
  const entries = Object.entries(value).map(([name, field]) => ({ name, field, known: rowField(name) }));
  const unknown = entries.filter(({ known }) => known === undefined);
  if (unknown.length > 0) {
    const message = { en: 'is not a known field', pt: 'não é um campo conhecido' };
    return { problems: unknown.map(({ name }) => ({ field: name.slice(0, 60), message })) };
  }
  const { company, ...written } = Object.fromEntries(entries.map(({ known, field }) => [known, field]));
  const own = await options.companyOfRow(company);
  if (own !== undefined && 'problem' in own)
    return { problems: [{ field: 'company', message: own.problem }] };
  const submission = { accessKey: written['accessKey'], event: written['event'], ...written };
  if (own !== undefined) return checkSubmission(submission, { ...options, companyId: own.companyId });
  const key = readEventKey(submission.accessKey);
  if (options.companyOf === undefined || 'problem' in key || key.family === 'nfse') {
    return checkSubmission(submission, options);
  }
  const companyId = await options.companyOf(key.value);
  const read = checkSubmission(submission, { ...options, companyId });
  if (companyId !== undefined || 'problems' in read) return read;
  return { problems: [{ field: 'company', message: companyRequired }] };
}

const companyRequired: Text = {
  en: 'is required: give --company; no sync shows which company of the account captured the note',
  pt: 'é obrigatória: informe --company; nenhuma sincronização mostra qual empresa da conta capturou a nota',
};
