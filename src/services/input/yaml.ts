import { isNode, isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';

const MAX_BRACKETS = 32;
const MAX_INDENT = 64;
const MAX_INDICATORS = 32;

export interface YamlOptions {
  readonly name: string;
  /**
   * What a plain word stands for; a quoted one is always text. Absent: every scalar stays the text that was written, so that
   * a CNPJ keeps its zeros. `field`: the name that it stands under.
   */
  readonly plain?: (word: string, field: string) => unknown;
}

/** One YAML document, without aliases, of bounded depth. Error: `input.syntax`. */
export function parseYaml(text: string, options: YamlOptions): unknown {
  return parseYamlWithLines(text, options).value;
}

export interface YamlWithLines {
  readonly value: unknown;
  /** The line of the value at a path; of what encloses it where nothing stands there. */
  lineOf(path: readonly (string | number)[]): number;
}

/** The same, with the lines of its values. */
export function parseYamlWithLines(text: string, { name, plain }: YamlOptions): YamlWithLines {
  if (isTooDeep(text)) throw brokenYaml(name, tooDeep);
  const lines = new LineCounter();
  const document = parseDocument(text, { schema: 'failsafe', lineCounter: lines });
  const fault = document.errors[0];
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.pos[0]);
    throw brokenYaml(name, at(line, col, fault.code));
  }
  if (plain !== undefined) readPlainWords(document, plain);
  const lineOf: YamlWithLines['lineOf'] = (path) => {
    const node = path.length === 0 ? document.contents : document.getIn(path, true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    return path.length === 0 ? 1 : lineOf(path.slice(0, -1));
  };
  try {
    const value: unknown = document.toJS({ maxAliasCount: 0 });
    return { value, lineOf };
  } catch (error) {
    // The only thing that fails here is an alias: they are switched off.
    if (error instanceof ReferenceError) throw brokenYaml(name, noAliases);
    throw error;
  }
}

export function brokenYaml(name: string, reason: Text): FiscalError {
  return new FiscalError('input.syntax', { path: name, format: 'YAML', reason });
}

function readPlainWords(document: Document.Parsed, plain: (word: string, field: string) => unknown): void {
  let field = '';
  visit(document, {
    Pair(_key, pair) {
      field = isScalar(pair.key) ? String(pair.key.value) : '';
    },
    Scalar(key, node) {
      if (key === 'key' || node.type !== 'PLAIN' || typeof node.value !== 'string') return;
      node.value = plain(node.value, field);
    },
  });
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

function at(line: number, column: number, code: string): Text {
  const known: Readonly<Record<string, Text>> = {
    DUPLICATE_KEY: { en: 'a duplicate name', pt: 'um nome aparece duas vezes' },
    MULTIPLE_DOCS: { en: 'it holds more than one document', pt: 'contém mais de um documento' },
    TAB_AS_INDENT: { en: 'a tab is used to indent', pt: 'há tabulação na indentação' },
  };
  const word = known[code] ?? { en: 'broken syntax', pt: 'sintaxe quebrada' };
  return { en: `line ${line}, column ${column}: ${word.en}`, pt: `linha ${line}, coluna ${column}: ${word.pt}` };
}

const tooDeep: Text = { en: 'it is nested too deep', pt: 'tem níveis demais' };
const noAliases: Text = { en: 'aliases (*name) are not taken', pt: 'aliases (*nome) não são aceitos' };
