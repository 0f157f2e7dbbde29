import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import { isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { LookupName } from '../../jobs/kinds/lookup.js';
import { readLines } from '../../services/input/lines.js';
import { openSource, type InputContext } from '../../services/input/source.js';
import { textBytes } from '../../services/input/text-bytes.js';
import { readSubject, type Subject, type Written } from './subject.js';

/** Words that a column, or a field of NDJSON, may have for the number. */
const numberNames =
  /^(?:cnpj|cpf|cep|chave|chave.?de.?acesso|access.?key|postal.?code|federal.?tax.?number|numero|número|number)$/i;
const dateNames = /^(?:birth.?date|birth.?on|data.?de.?nascimento|nascimento)$/i;
const SHOWN_PROBLEMS = 20;

export interface ListedSubject {
  readonly line: number;
  readonly subject: Subject;
}

/**
 * The subjects of a list: plain lines, CSV (with a header or the number first, then the date of birth) or NDJSON. All of it is
 * checked before the first query; a number that stands twice is asked about once.
 * Errors: `input.invalid` with the lines, `input.empty`, those of reading.
 */
export async function readList(
  context: InputContext,
  {
    name,
    path,
    companyId,
  }: { readonly name: LookupName; readonly path: string; readonly companyId?: string },
): Promise<readonly ListedSubject[]> {
  const source = await openSource(context, path, { again: false });
  const found = new Map<string, ListedSubject>();
  const details: { field: string; message: Text }[] = [];
  const reader = new LineReader();
  for await (const { line, text } of readLines(textBytes(source.bytes(), source.name), {
    name: source.name,
    limitMib: 1,
  })) {
    const written = reader.read(text);
    if (written === undefined) continue;
    const read = readSubject(name, { ...written, companyId });
    if ('problem' in read) details.push({ field: `line ${line}`, message: read.problem });
    else if (!found.has(read.subject.digest)) found.set(read.subject.digest, { line, subject: read.subject });
  }
  if (details.length > 0) throw invalid(source.name, details);
  if (found.size === 0) throw new FiscalError('input.empty', { path: source.name });
  return [...found.values()];
}

/** Remembers the header, if the first line is one. */
class LineReader {
  #isFirst = true;
  #numberAt = 0;
  #dateAt = 1;

  /** Nothing for an empty line and for the header. */
  read(text: string): Written | undefined {
    if (text.trim() === '') return undefined;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (text.trimStart().startsWith('{')) return fromJson(text);
    const cells = cellsOf(text);
    if (isFirst && this.#takeHeader(cells)) return undefined;
    return { number: cells[this.#numberAt] ?? '', birthDate: cells[this.#dateAt] };
  }

  #takeHeader(cells: readonly string[]): boolean {
    const at = cells.findIndex((cell) => numberNames.test(cell));
    if (at < 0) return false;
    this.#numberAt = at;
    this.#dateAt = cells.findIndex((cell) => dateNames.test(cell));
    return true;
  }
}

function fromJson(text: string): Written {
  let record: unknown;
  try {
    record = JSON.parse(text);
  } catch {
    return { number: '' };
  }
  const fields = isRecord(record) ? Object.entries(record) : [];
  const valueOf = (names: RegExp) => fields.find(([field]) => names.test(field))?.[1];
  const birthDate = valueOf(dateNames);
  return {
    number: String(valueOf(numberNames) ?? ''),
    ...(typeof birthDate === 'string' ? { birthDate } : {}),
  };
}

/** Cells of one line; a separator inside quotes is none. */
function cellsOf(text: string): readonly string[] {
  const cells = text.match(/(?:"[^"]*"|[^,;\t])+|(?<=[,;\t]|^)(?=[,;\t]|$)/g) ?? [];
  return cells.map((cell) => cell.trim().replaceAll(/^"|"$/g, '').trim());
}

function invalid(name: string, details: readonly { field: string; message: Text }[]): FiscalError {
  const { en, pt } = counted(details.length, nouns.line);
  const what: Text = { en: `${name} (${en})`, pt: `${name} (${pt})` };
  return new FiscalError(
    'input.invalid',
    { what },
    { sent: 'no', details: details.slice(0, SHOWN_PROBLEMS) },
  );
}
