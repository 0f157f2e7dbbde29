import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import { canonicalJson } from '../../domain/canonical-json.js';
import { counted } from '../../domain/counted.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Submission } from '../../jobs/kinds/manifestation.js';
import { runImport } from '../../services/batch/import.js';
import { type ImportInput, type ImportRecord, validateAll, type Validated } from '../../services/batch/import-input.js';
import type { Context } from '../../services/context.js';
import { CellReader } from '../../services/input/cell-reader.js';
import { plainTitle } from '../../services/input/column-title.js';
import type { Cells, InputRecord, Reading, RecordForm } from '../../services/input/record.js';
import { readRecords } from '../../services/input/records.js';
import type { Source } from '../../services/input/source.js';
import { companyOfRow, namedCompany, type RowCompany } from '../../services/scope/companies.js';
import { bulkJob, confirmBulk, countEvents, plannedItem } from './bulk.js';
import { companyOfNote } from './company.js';
import { type Finding, readEventKey } from './event-key.js';
import type { apply } from './plan-commands.js';
import { checkSubmission, parseDetail, previewSubmission, type SubmissionRules } from './submission.js';

/** What the first reading of a bulk file found. */
interface ValidatedEvents extends Validated<ValidSubmission> {
  /** How many of each event. */
  readonly events: ReadonlyMap<number, number>;
  /** The number of records with warnings, and the warnings of the first. */
  readonly noted: number;
  readonly notes: readonly Finding[];
}

/** Submits many events as one job. Errors: `input.*`, those of `confirmBulk`, and those of `runImport`. */
export async function importManifestations(
  context: Context,
  source: Source,
  given: Given<typeof apply>,
): Promise<Outcome> {
  const { dryRun } = await context.settings();
  const company = await namedCompany(context);
  const isAsked = company === undefined && !given.companyUnchecked && !dryRun;
  const reading: RecordOptions = {
    ...given,
    companyId: company,
    companyOfRow: async (cell) => await companyOfRow(context, cell),
    ...(isAsked ? { companyOf: async (accessKey) => await companyOfNote(context, accessKey) } : {}),
  };
  const input = submissionInput(source, reading);
  return await runImport<ValidSubmission, ValidatedEvents, Submission>(context, {
    ...{ input, skipInvalid: given.skipInvalid, options: given },
    validate: async () => {
      const events = new Map<number, number>();
      let noted = 0;
      let first: readonly Finding[] = [];
      const found = await validateAll(input, ({ submission: { eventCode }, notes }) => {
        if (notes.length > 0) noted += 1;
        if (first.length === 0) first = notes;
        events.set(eventCode, (events.get(eventCode) ?? 0) + 1);
      });
      return { ...found, events, noted, notes: first };
    },
    preview: async (first) =>
      first === undefined ? { type: 'dry-run' } : await previewSubmission(context, first.submission),
    counts: ({ events }) => ({ events: Object.fromEntries(events), billedCalls: 0 }),
    notices: ({ notes, noted }) =>
      notes.map(({ field, message }) => {
        const records = counted(noted, { en: ['record', 'records'], pt: ['registro', 'registros'] });
        return { en: `${field} ${message.en} (in ${records.en})`, pt: `${field} ${message.pt} (em ${records.pt})` };
      }),
    job: ({ digest }, { submission: { family } }) =>
      bulkJob(context, {
        inputDigest: `import ${company ?? ''} ${digest}`,
        companies: company === undefined ? [] : [company],
        family,
      }),
    item: async ({ line, submission }) => plannedItem(line, submission),
    variantOf: ({ companyId = '' }) => companyId,
    consent: async (sends) => {
      const counts = await countEvents(sends);
      if (counts.valid > 0) await confirmBulk(context, counts, given.confirm);
    },
  });
}

/** A submission of a bulk file. */
interface ValidSubmission {
  readonly line: number;
  readonly submission: Submission;
  readonly notes: readonly Finding[];
}

interface RecordOptions extends SubmissionRules, RecordForm {
  /** The company that a row names itself. */
  readonly companyOfRow: (cell: unknown) => Promise<RowCompany | undefined>;
  /** The company of a document, when no company is in use. */
  readonly companyOf?: (accessKey: string) => Promise<string | undefined>;
}

/** The submissions of a bulk file, for both readings. */
function submissionInput(source: Source, options: RecordOptions): ImportInput<ValidSubmission> {
  const cells = new CellReader(options);
  return {
    name: source.name,
    records: () => submissionRecords(source, options, cells),
    file: source.file,
    cells,
    contentOf: ({ submission }) => `${canonicalJson(submission)}\n`,
    close: () => source.close(),
  };
}

async function* submissionRecords(
  source: Source,
  options: RecordOptions,
  cells: CellReader,
): AsyncIterable<ImportRecord<ValidSubmission>> {
  const rules = { parse: parseDetail, rows: manifestationRows };
  for await (const record of readRecords(source, rules, options.format, cells)) {
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
  if (own !== undefined && 'problem' in own) return { problems: [{ field: 'company', message: own.problem }] };
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

/** The fields of a row, and their aliases as `plainTitle` gives them. */
const fields = {
  accessKey: ['accesskey', 'key', 'chave', 'chavedeacesso'],
  event: ['event', 'eventcode', 'evento'],
  sequence: ['sequence', 'nsequencia', 'sequencia'],
  justification: ['justification', 'justificativa'],
  reason: ['reason', 'reasoncode', 'motivo'],
  detail: ['detail', 'detalhe'],
  company: ['company', 'companyid', 'empresa', 'empresaid', 'cnpjempresa'],
} as const;

type RowField = keyof typeof fields;

const names: readonly RowField[] = ['accessKey', 'event', 'sequence', 'justification', 'reason', 'detail', 'company'];

/** The field that a column or a JSON name means. */
function rowField(title: string): RowField | undefined {
  const word = plainTitle(title);
  return names.find((name) => fields[name].some((other) => other === word));
}

/**
 * How a CSV header fills rows. Errors: `input.missing_column`, `input.unknown_column`, `input.syntax` for two columns of
 * one field.
 */
function manifestationRows(header: readonly string[], path: string): (cells: Cells) => Reading {
  const columns = header.map(rowField);
  const unknown = header.filter((_title, index) => columns[index] === undefined);
  if (unknown.length > 0) {
    const shown = unknown.map((title) => title || '""').join(', ');
    throw new FiscalError('input.unknown_column', { columns: shown, path }, { hint: columnsHint });
  }
  const missing = (['accessKey', 'event'] as const).filter((name) => !columns.includes(name));
  if (missing.length > 0) throw new FiscalError('input.missing_column', { columns: missing.join(', '), path });
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  if (twice !== undefined) {
    const reason = { en: `two columns fill ${twice}`, pt: `duas colunas preenchem ${twice}` };
    throw new FiscalError('input.syntax', { path, format: 'CSV', reason });
  }
  return (cells) => readRow(columns, cells);
}

function readRow(columns: readonly (RowField | undefined)[], cells: Cells): Reading {
  const row: Partial<Record<RowField, unknown>> = {};
  for (const [index, name] of columns.entries()) {
    const cell = cells[index] ?? '';
    if (name === undefined || cell.trim() === '') continue;
    // A justification is checked but never trimmed: it is sent as written.
    row[name] = name === 'justification' ? cell : cell.trim();
  }
  if (typeof row.detail !== 'string') return { value: row };
  try {
    return { value: { ...row, detail: parseDetail(row.detail) } };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { problem: notJson };
  }
}

const notJson: Text = { en: 'has a detail that is not valid JSON', pt: 'tem um detalhe que deveria ser JSON e não é' };

const columnsHint: Text = {
  en: 'correct or remove the column; columns are accessKey, event, sequence, justification, reason, detail, company',
  pt: 'corrija ou remova a coluna; as colunas são chave, evento, sequencia, justificativa, motivo, detalhe, empresa',
};
