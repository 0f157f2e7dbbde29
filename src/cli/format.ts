import type { ScalarTag } from 'yaml';
import type { CsvStyle, OutputFormat } from '../config/settings.js';
import { NumberLiteral } from '../domain/json-numbers.js';
import type { Sentence } from '../domain/outcome.js';
import { terminalData, terminalText } from '../domain/terminal-text.js';
import type { Io, OutputStream } from '../io/io.js';
import { csvStyles } from '../presenters/csv.js';
import { jsonLine, jsonText } from '../presenters/json.js';
import { isRecord } from '../domain/record.js';
import type { Described } from '../presenters/record.js';
import type { View } from '../presenters/render.js';
import { flatten, scalarText, valueAt } from '../presenters/scalar.js';

export type Query = (data: unknown) => unknown;

/** How the data of one run is formatted; checked before anything is sent. */
export interface OutputPlan {
  readonly format: OutputFormat | undefined;
  readonly csvStyle: CsvStyle;
  /** The file of a workbook. */
  readonly out?: string | undefined;
  readonly fields: readonly string[] | undefined;
  readonly query: Query | undefined;
  /** People see times in UTC instead of those of Brasília. */
  readonly isUtc?: boolean;
  /** People see requests too. */
  readonly isVerbose?: boolean;
  readonly id: string | readonly string[] | undefined;
  /** The `type` of an NDJSON record without one: the noun of the command. */
  readonly recordType?: string | undefined;
  readonly view: (() => Promise<View>) | undefined;
  /** The records of the command, for people: loaded when they are shown. */
  described(): Promise<Described | undefined>;
  /** What `--fields` has found in records that are written already. */
  readonly found?: FieldCount | undefined;
  /** The same output with long texts in a pager; absent: none is wanted. */
  readonly pager?: ((stdout: OutputStream, closing?: () => string) => OutputStream) | undefined;
}

/** Applies `--fields` and tracks fields that never appeared, so that a misspelt field is not taken for an empty one. */
export interface FieldCount {
  /** A record, or a list of records, with only the selected fields. */
  select(data: unknown): unknown;
  /** Selected fields that no record had; empty when there were no records. */
  unseen(): readonly string[];
}

/** Formats data as text. `record` exists where a list can be written record by record, without holding it. */
export interface Formatter {
  whole(data: unknown): string;
  record?(record: unknown): string;
  end?(): string;
  /** The totals of what was written whole, for whoever leaves the pager before its end. */
  closing?(): string;
}

export interface FormatRequest {
  readonly format: Exclude<OutputFormat, 'xlsx'> | 'text';
  readonly plan: OutputPlan;
  readonly io: Io;
  /** False when `--query` has changed the shape of the data, so that the command's view does not apply. */
  readonly isWhole: boolean;
  /** The data is the preview of a request. */
  readonly isDryRun: boolean;
  /** On a terminal, before the fields of one result and after a list; known once the data has been read. */
  readonly sentence: () => Sentence | undefined;
}

export async function createFormatter(request: FormatRequest): Promise<Formatter> {
  const { format, io } = request;
  // Terminal output is sanitised; output for programs stays unchanged.
  const safe = io.stdout.isTerminal ? terminalText : (text: string): string => text;
  switch (format) {
    case 'json':
      return jsonFormatter();
    case 'ndjson':
      return ndjsonFormatter(request);
    case 'yaml':
      return await yamlFormatter(safe);
    case 'csv':
      return csvFormatter(safe, request.plan);
    case 'id':
      return idFormatter([request.plan.id ?? 'id'].flat(), safe);
    case 'text':
      return { whole: (data) => endLine(safe(scalarText(data))) };
    case 'table':
      return await tableFormatter(request);
  }
}

/** Adds the record type, unless `--fields` or a query has changed the record. */
function ndjsonFormatter({ plan, isWhole }: FormatRequest): Formatter {
  const type = isWhole && plan.fields === undefined ? plan.recordType : undefined;
  const line = (value: unknown): string => {
    const isNamed = type === undefined || !isRecord(value) || Object.hasOwn(value, 'type');
    return `${jsonLine(isNamed ? value : { type, ...value })}\n`;
  };
  return { whole: line, record: line };
}

/** A list is one document, written while it is read. */
function jsonFormatter(): Formatter {
  let count = 0;
  return {
    whole: (data) => `${jsonText(data)}\n`,
    record(record) {
      count += 1;
      return `${count === 1 ? '[' : ','}\n${indent(jsonText(record))}`;
    },
    end: () => (count === 0 ? '[]\n' : '\n]\n'),
  };
}

/** Writes the digits of a number as they came. */
const digits: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof NumberLiteral,
  resolve: (text) => text,
  stringify: ({ value }) => String(value),
};

async function yamlFormatter(safe: (text: string) => string): Promise<Formatter> {
  // In the bundle, only `default` of a CommonJS module is reliable.
  const { default: yaml } = await import('yaml');
  let count = 0;
  const write = (data: unknown): string =>
    safe(yaml.stringify(data ?? null, { aliasDuplicateObjects: false, customTags: [digits] }));
  return {
    whole: write,
    record(record) {
      count += 1;
      return write([record]);
    },
    end: () => (count === 0 ? '[]\n' : ''),
  };
}

/**
 * The columns are those of `--fields`, else the fields of the first record, since a stream cannot be read ahead. A
 * field that appears only in later records has no column then.
 */
function csvFormatter(safe: (text: string) => string, { fields, csvStyle }: OutputPlan): Formatter {
  const csv = csvStyles[csvStyle];
  let columns = fields;
  let count = 0;
  const record = (value: unknown): string => {
    const cells = isRecord(value) ? flatten(value) : new Map([['value', value]]);
    columns ??= [...cells.keys()];
    count += 1;
    const line = csv.line(columns.map((column) => cells.get(column) ?? valueAt(value, column)));
    return count === 1 ? csv.beginning + safeLines(csv.line(columns) + line, safe) : safeLines(line, safe);
  };
  return {
    whole: (data) => (data === undefined || data === null ? '' : record(data)),
    record,
    end: () => (count === 0 && columns !== undefined ? csv.beginning + csv.line(columns) : ''),
  };
}

/** Keeps CRLF as the end of a record while sanitising the rest. */
function safeLines(text: string, safe: (text: string) => string): string {
  return text.split('\r\n').map(safe).join('\r\n');
}

function idFormatter(fields: readonly string[], safe: (text: string) => string): Formatter {
  const line = (value: unknown): string => {
    const ids = isRecord(value) ? fields.map((field) => value[field]) : [value];
    const id = ids.find((each) => each !== undefined && each !== null);
    return id === undefined ? '' : `${safe(scalarText(id))}\n`;
  };
  return { whole: line, record: line };
}

async function tableFormatter({ plan, io, isWhole, isDryRun, sentence }: FormatRequest): Promise<Formatter> {
  const [{ defaultView, genericView, sentenceLines }, { createPaint }] = await Promise.all([
    import('../presenters/generic.js'),
    import('../presenters/render.js'),
  ]);
  const isOwn = isWhole && plan.fields === undefined;
  const isPreview = isOwn && isDryRun;
  const { dryRunView } = isPreview ? await import('../presenters/dry-run.js') : {};
  const view = dryRunView ?? (isOwn ? ((await plan.view?.()) ?? defaultView) : genericView);
  const look = {
    language: io.language,
    columns: io.stdout.columns,
    paint: await createPaint(io.stdoutColor),
    isUtc: plan.isUtc === true,
    isVerbose: plan.isVerbose === true,
    described: isOwn ? await plan.described() : undefined,
    isAscii: io.isAscii,
  };
  const isSaid = isOwn && io.stdout.isTerminal;
  let closing: readonly string[] = [];
  return {
    closing: () => closing.map((line) => `${line}\n`).join(''),
    whole(data) {
      const said = isSaid ? sentence() : undefined;
      const spoken = said === undefined ? [] : sentenceLines(said, look);
      const fields = view(terminalData(data), look);
      const lines = Array.isArray(data) ? [...fields, ...spoken] : [...spoken, ...fields];
      const totals = spoken.length > 0 ? spoken : lastPart(fields);
      closing = Array.isArray(data) ? totals : [];
      return lines.map((line) => `${line}\n`).join('');
    },
  };
}

/** At most so many lines of totals. */
const MOST_CLOSING = 10;

/** The totals below a table: what follows the last empty line. */
function lastPart(lines: readonly string[]): readonly string[] {
  const last = lines.slice(lines.lastIndexOf('') + 1);
  return last.length < lines.length && last.length <= MOST_CLOSING ? last : [];
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
