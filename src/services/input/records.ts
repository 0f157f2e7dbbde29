import { FiscalError } from '../../errors/fiscal-error.js';
import { readCsv } from './csv.js';
import { readJson } from './json.js';
import { readLines } from './lines.js';
import { peek } from './peek.js';
import type { InputFormat, InputRecord, RecordRules } from './record.js';
import type { Source } from './source.js';
import { wordValue } from './words.js';
import { parseYaml } from './yaml.js';
import { syntaxReason } from './syntax-reason.js';
import { textBytes } from './text-bytes.js';

const LINE_LIMIT_MIB = 1;

/**
 * The records of a source, one after another, in flat memory (a JSON document alone is read whole, up to 64 MiB).
 * The format is told by the user, else by the extension, else by how the text begins.
 * Errors: `input.not_text`, `input.line_too_long`, `input.too_large`, `input.syntax`, and those of the rules.
 */
export async function* readRecords(
  source: Source,
  rules: RecordRules,
  told: InputFormat | undefined,
): AsyncIterable<InputRecord> {
  const { head, bytes } = await peek(textBytes(source.bytes(), source.name));
  const format = told ?? formatOf(source.extension) ?? formatByBeginning(head);
  if (format === 'csv') yield* readCsv(bytes, { name: source.name, head, rules, limitMib: LINE_LIMIT_MIB });
  if (format === 'ndjson') yield* readNdjson(bytes, source.name, rules);
  if (format === 'json') yield* recordsOf(await readJson(bytes, source.name, rules.parse));
}

function formatOf(extension: string): InputFormat | undefined {
  if (extension === '.csv') return 'csv';
  if (extension === '.ndjson' || extension === '.jsonl') return 'ndjson';
  return extension === '.json' ? 'json' : undefined;
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
    return {
      line,
      problem: { en: `is not valid JSON: ${reason.en}`, pt: `não é JSON válido: ${reason.pt}` },
    };
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
 * The same, where YAML is taken as well: told by the extension, else by a beginning that is no JSON. Words of YAML are read by
 * `wordValue`, numbers of both keep their digits (`NumberLiteral`).
 */
export async function readJsonOrYaml(source: Source, parse: (text: string) => unknown): Promise<unknown> {
  const { head, bytes } = await peek(textBytes(source.bytes(), source.name));
  if (head.trim() === '') throw new FiscalError('input.empty', { path: source.name });
  const isYaml =
    /^\.ya?ml$/.test(source.extension) || (source.extension === '' && !/^[[{"]/.test(head.trimStart()));
  if (!isYaml) return readJson(bytes, source.name, parse);
  return readJson(bytes, source.name, (text) => parseYaml(text, { name: source.name, plain: wordValue }));
}
