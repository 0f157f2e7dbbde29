import type { Text } from '../../contract/text.js';
import { jsonBreaksAt } from '../../domain/json-numbers.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { CellReader } from './cell-reader.js';
import { csvRows, separatorOf } from './csv.js';
import { peek, readLines, withoutMark } from './lines.js';
import type { InputFormat, InputRecord, RecordRules } from './record.js';
import type { Source } from './source.js';
import { tableRecords } from './table-rows.js';
import { tableText } from './table-text.js';
import { textBytes } from './text-bytes.js';
import { wordValue } from './field-path.js';
import { parseYaml } from './yaml.js';

const LINE_LIMIT_MIB = 1;
/** Enough for the titles above a table, its header and some rows. */
const HEAD_LINES = 20;

/**
 * The records of a source, one after another, in flat memory (a JSON document alone is read whole, up to 64 MiB).
 * The format is the one given, else by the extension, else by how the text begins. `cells`: how a table is read.
 * Errors: `input.not_text`, `input.line_too_long`, `input.too_large`, `input.syntax`, and those of the rules.
 */
export async function* readRecords(
  source: Source,
  rules: RecordRules,
  given: InputFormat | undefined,
  cells = new CellReader({}),
): AsyncIterable<InputRecord> {
  const { name, extension, interruption } = source;
  const { head, beginning, bytes } = await peek(source.bytes());
  const format = isWorkbook(beginning) ? 'xlsx' : (given ?? formatOf(extension) ?? formatByBeginning(head));
  const { conversions } = cells;
  if (format === 'xlsx' || format === 'csv') {
    conversions.restart();
    cells.table = undefined;
  }
  if (format === 'xlsx') {
    const { workbookRows } = await import('./xlsx/rows.js');
    cells.table = { form: 'xlsx', separator: ';' };
    const rows = workbookRows(bytes, { name, sheet: cells.sheet, conversions, interruption });
    yield* tableRecords(rows, { name, rules, reader: cells, isSheet: true });
  }
  if (format === 'csv') {
    if (cells.sheet !== undefined) throw noSheets(name);
    const table = await peek(tableText(bytes, { name, encoding: cells.encoding, conversions }), HEAD_LINES);
    cells.table = { form: 'csv', separator: separatorOf(table.head) };
    const rows = csvRows(table.bytes, { name, head: table.head, limitMib: LINE_LIMIT_MIB });
    yield* tableRecords(rows, { name, rules, reader: cells, isSheet: false });
  }
  if (format === 'ndjson') yield* readNdjson(textBytes(bytes, name), name, rules);
  if (format === 'json') yield* recordsOf(await readJson(textBytes(bytes, name), name, rules.parse));
}

function formatOf(extension: string): InputFormat | undefined {
  if (extension === '.csv') return 'csv';
  if (/^\.xl[st][xm]?$/.test(extension)) return 'xlsx';
  if (extension === '.ndjson' || extension === '.jsonl') return 'ndjson';
  return extension === '.json' ? 'json' : undefined;
}

/** A zip archive, or the container of old workbooks: no text begins like that. */
export function isWorkbook(beginning: Uint8Array): boolean {
  return /^(?:504b0304|d0cf11e0)/.test(Buffer.from(beginning.subarray(0, 4)).toString('hex'));
}

function noSheets(path: string): FiscalError {
  const message = {
    en: `--sheet names a sheet of a workbook, and ${path} is none`,
    pt: `--sheet indica uma planilha de uma pasta de trabalho, e ${path} não é uma`,
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

/** `[` begins a JSON array; `{` begins NDJSON when its first line is whole, else one JSON object. */
function formatByBeginning(head: string): InputFormat {
  const text = head.trimStart();
  if (text.startsWith('[')) return 'json';
  if (!text.startsWith('{')) return 'csv';
  const end = text.indexOf('\n');
  return /\}\s*$/.test(end === -1 ? text : text.slice(0, end)) ? 'ndjson' : 'json';
}

async function* readNdjson(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  rules: RecordRules,
): AsyncIterable<InputRecord> {
  for await (const { line, text } of readLines(bytes, { name, limitMib: LINE_LIMIT_MIB })) {
    if (text.trim() !== '') yield readLine(line, text, rules);
  }
}

function readLine(line: number, text: string, rules: RecordRules): InputRecord {
  try {
    return { line, value: rules.parse(text) };
  } catch (error) {
    const reason = syntaxReason(error, text);
    return { line, problem: { en: `is not valid JSON: ${reason.en}`, pt: `não é JSON válido: ${reason.pt}` } };
  }
}

function* recordsOf(document: unknown): Iterable<InputRecord> {
  if (!Array.isArray(document)) {
    yield { line: 1, value: document };
    return;
  }
  for (const [index, value] of document.entries()) yield { line: index + 1, value };
}

/** One JSON document of a single command: a file or standard input. */
export async function readDocument(source: Source, parse: (text: string) => unknown): Promise<unknown> {
  const { head, bytes } = await peek(textBytes(source.bytes(), source.name));
  if (head.trim() === '') throw new FiscalError('input.empty', { path: source.name });
  return readJson(bytes, source.name, parse);
}

/**
 * The same, where YAML is taken as well: by the extension, else by a beginning that is no JSON. Words of YAML are read by
 * `wordValue`, numbers of both keep their digits (`NumberLiteral`).
 */
export async function readJsonOrYaml(source: Source, parse: (text: string) => unknown): Promise<unknown> {
  const { head, bytes } = await peek(textBytes(source.bytes(), source.name));
  if (head.trim() === '') throw new FiscalError('input.empty', { path: source.name });
  const isYaml = /^\.ya?ml$/.test(source.extension) || (source.extension === '' && !/^[[{"]/.test(head.trimStart()));
  if (!isYaml) return readJson(bytes, source.name, parse);
  return readJson(bytes, source.name, (text) => parseYaml(text, { name: source.name, plain: wordValue }));
}

const MIB = 1024 * 1024;
const DOCUMENT_LIMIT_MIB = 64;

/** Reads one JSON document whole. Errors: `input.too_large`, `input.syntax`. */
async function readJson(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  parse: (text: string) => unknown,
): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > DOCUMENT_LIMIT_MIB * MIB) {
      throw new FiscalError('input.too_large', { path: name, limit: DOCUMENT_LIMIT_MIB });
    }
    chunks.push(chunk);
  }
  const text = withoutMark(Buffer.concat(chunks).toString('utf8'));
  try {
    return parse(text);
  } catch (error) {
    throw new FiscalError('input.syntax', { path: name, format: 'JSON', reason: syntaxReason(error, text) });
  }
}

/** Where JSON is broken, without repeating the content: it may be long, or nobody's business. */
function syntaxReason(error: unknown, text: string): Text {
  if (!(error instanceof SyntaxError)) throw error;
  const levels = /^more than (\d+) levels$/.exec(error.message)?.[1];
  if (levels !== undefined) return { en: error.message, pt: `mais de ${levels} níveis` };
  const position = jsonBreaksAt(text);
  if (position === undefined) return { en: 'broken syntax', pt: 'sintaxe quebrada' };
  if (position >= text.length) return endsTooEarly;
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  const column = position - before.lastIndexOf('\n');
  return line === 1 && !text.includes('\n')
    ? { en: `column ${column}`, pt: `coluna ${column}` }
    : { en: `line ${line}, column ${column}`, pt: `linha ${line}, coluna ${column}` };
}

const endsTooEarly: Text = { en: 'it ends too early', pt: 'termina antes do fim' };
