import type { Submission } from '../../jobs/kinds/manifestation.js';
import type { InputFormat, InputRecord } from '../input/record.js';
import { readRecords } from '../input/records.js';
import type { Source } from '../input/source.js';
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
}

/** The records of a bulk file, one after another. */
export async function* submissionRecords(
  source: Source,
  options: RecordOptions,
): AsyncIterable<SubmissionRecord> {
  const rules = { parse: parseDetail, rows: manifestationRows };
  for await (const record of readRecords(source, rules, options.format)) {
    yield { line: record.line, ...checked(record, options) };
  }
}

function checked(record: InputRecord, rules: SubmissionRules) {
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
  const written = Object.fromEntries(entries.map(({ known, field }) => [known, field]));
  return checkSubmission({ accessKey: written['accessKey'], event: written['event'], ...written }, rules);
}
