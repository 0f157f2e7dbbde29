import { LineCounter, parseDocument } from 'yaml';
import type { Text } from '../contract/text.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Context } from './context.js';
import { openSource } from './input/source.js';
import { textBytes } from './input/text-bytes.js';

const MAX_KIB = 512;
const MAX_BRACKETS = 32;
const MAX_INDENT = 64;
const MAX_INDICATORS = 32;

/**
 * A small YAML file that a person writes. Every scalar stays the text that was written, so that a CNPJ keeps its zeros
 * and a value its decimals. No aliases, one document, bounded size and depth.
 * Errors: `input.syntax`, `input.empty`, and those of the source.
 */
export async function readYamlFile(context: Context, path: string): Promise<unknown> {
  const source = await openSource(context, path, { again: false });
  try {
    const text = await readText(textBytes(source.bytes(), source.name), source.name);
    if (text.trim() === '') throw new FiscalError('input.empty', { path: source.name });
    return parseYaml(text, source.name);
  } finally {
    await source.close();
  }
}

async function readText(bytes: AsyncIterable<Uint8Array>, name: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > MAX_KIB * 1024) throw broken(name, tooLarge);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

function parseYaml(text: string, name: string): unknown {
  if (isTooDeep(text)) throw broken(name, tooDeep);
  const lines = new LineCounter();
  const document = parseDocument(text, { schema: 'failsafe', lineCounter: lines });
  const fault = document.errors[0];
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.pos[0]);
    throw broken(name, at(line, col, fault.code));
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: 0 });
    return value;
  } catch (error) {
    // The only thing that fails here is an alias: they are switched off.
    if (error instanceof ReferenceError) throw broken(name, noAliases);
    throw error;
  }
}

/**
 * The parser calls itself for every level and can end the whole process on a hostile file, so depth is bounded before
 * it sees the text. Levels come from brackets, from indentation, or from several `-` or `?` in one line.
 */
function isTooDeep(text: string): boolean {
  let open = 0;
  for (const character of text) {
    if (character === '[' || character === '{') open += 1;
    if (character === ']' || character === '}') open = Math.max(0, open - 1);
    if (open > MAX_BRACKETS) return true;
  }
  return text.split(/[\r\n]/).some((line) => {
    const indent = line.length - line.trimStart().length;
    return indent > MAX_INDENT || indicators(line) > MAX_INDICATORS;
  });
}

function indicators(line: string): number {
  return line.split(/\s+/).filter((word) => word === '-' || word === '?' || word === ':').length;
}

function broken(name: string, reason: Text): FiscalError {
  return new FiscalError('input.syntax', { path: name, format: 'YAML', reason });
}

function at(line: number, column: number, code: string): Text {
  const known: Readonly<Record<string, Text>> = {
    DUPLICATE_KEY: { en: 'a name stands twice', pt: 'um nome aparece duas vezes' },
    MULTIPLE_DOCS: { en: 'it holds more than one document', pt: 'contém mais de um documento' },
    TAB_AS_INDENT: { en: 'a tab is used to indent', pt: 'há tabulação na indentação' },
  };
  const word = known[code] ?? { en: 'broken syntax', pt: 'sintaxe quebrada' };
  return {
    en: `line ${line}, column ${column}: ${word.en}`,
    pt: `linha ${line}, coluna ${column}: ${word.pt}`,
  };
}

const tooLarge: Text = {
  en: `it is larger than the ${MAX_KIB} KiB that a file of rules may have`,
  pt: `é maior que os ${MAX_KIB} KiB permitidos para um arquivo de regras`,
};
const tooDeep: Text = { en: 'it is nested too deep', pt: 'tem níveis demais' };
const noAliases: Text = { en: 'aliases (*name) are not taken', pt: 'aliases (*nome) não são aceitos' };
