import { parseForeignJson } from '../../domain/json-numbers.js';
import { createHash } from 'node:crypto';
import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import type { Outcome } from '../../domain/outcome.js';
import { isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { PlannedItem } from '../../jobs/engine.js';
import {
  lookupFacts,
  type LookupItem,
  type LookupName,
  lookupKind,
  type LookupNumber,
} from '../../jobs/kinds/lookup.js';
import { runBatch, type BatchFamily } from '../../services/batch/run-batch.js';
import type { Context } from '../../services/context.js';
import { readLines } from '../../services/input/lines.js';
import { namedSeparator } from '../../services/input/csv.js';
import { plainCell } from '../../services/input/plain-cell.js';
import { listText } from '../../services/input/list-text.js';
import { type InputContext, openSource } from '../../services/input/source.js';
import { companyOf } from '../../services/scope/companies.js';
import {
  type Asked,
  previewLookup,
  readSubject,
  type Subject,
  usualAgeMs,
  type Written,
  AnswerCache,
} from './lookup.js';

/**
 * Queries a list as one job. The same list again continues it, and kept answers are not queried again. No row holds a CPF, so its
 * job continues only with its list.
 */
export async function lookUpMany(context: Context, given: Asked): Promise<Outcome> {
  const { name, number, file } = given;
  if (number !== undefined && file !== undefined) throw new FiscalError('usage.invalid', { message: oneOfBoth });
  const path = file ?? '-';
  const settings = await context.settings();
  const companyId = name === 'cte' ? { companyId: await companyOf(context) } : {};
  const listed = await readList(context, { name, path, ...companyId });
  const [first] = listed;
  if (settings.dryRun && first !== undefined) {
    return { data: { ...(await previewLookup(context, name, first.subject)), records: listed.length } };
  }
  const maxAgeMs = given.refresh ? 0 : (given.maxAge ?? usualAgeMs[name]);
  const digest = listDigest(listed);
  const numbers = new Map(listed.map(({ subject }) => [subject.digest, subject]));
  return await runBatch<LookupItem>(context, {
    family: lookupFamily(context, { name, maxAgeMs, numbers }),
    // A query has no later state to wait for, and the service names no price for it.
    options: { ...given, wait: false, timeout: 0, interval: 1_000, maxBillable: undefined, retryBillable: false },
    job: {
      kind: lookupFacts(name),
      profile: settings.storeNamespace,
      inputDigest: `lookup ${digest}`,
      needsInput: name === 'cpf',
      scope: { ...companyId, maxAgeMs: String(maxAgeMs) },
      items: listed.map((each) => planned(name, each, digest)),
    },
  });
}

const oneOfBoth: Text = {
  en: 'give one number or a list (--file), not both',
  pt: 'informe um número ou uma lista (--file), não os dois',
};

/** The key includes the list: two lists that share a number both query it, or find it kept. */
function planned(name: LookupName, { line, subject }: ListedSubject, list: string): PlannedItem<LookupItem> {
  const { digest, label, number, companyId } = subject;
  const held = name === 'cpf' ? {} : { number, ...(companyId === undefined ? {} : { companyId }) };
  return { ordinal: line, label, dedupeKey: `${list.slice(0, 16)} ${digest}`, input: { digest, ...held } };
}

function listDigest(listed: readonly ListedSubject[]): string {
  const hash = createHash('sha256');
  for (const { subject } of listed) hash.update(subject.digest);
  return hash.digest('hex');
}

/** Names of the column, or NDJSON field, with the number. */
const numberNames =
  /^(?:cnpj|cpf|cep|chave|chave.?de.?acesso|access.?key|postal.?code|federal.?tax.?number|numero|número|number)$/i;
const dateNames = /^(?:birth.?date|birth.?on|data.?de.?nascimento|nascimento)$/i;
const SHOWN_PROBLEMS = 20;

export interface ListedSubject {
  readonly line: number;
  readonly subject: Subject;
}

/**
 * The subjects of a list: plain lines, CSV or the first sheet of a workbook (with a header or the number first, then the date of birth) or NDJSON. Every line is
 * checked before the first query; a number that occurs twice is queried once.
 * Errors: `input.invalid` with the lines, `input.empty`, those of reading.
 */
export async function readList(
  context: InputContext,
  { name, path, companyId }: { readonly name: LookupName; readonly path: string; readonly companyId?: string },
): Promise<readonly ListedSubject[]> {
  const source = await openSource(context, path, { again: false });
  const found = new Map<string, ListedSubject>();
  const details: { field: string; message: Text }[] = [];
  const reader = new LineReader();
  for await (const { line, text } of readLines(listText(source), { name: source.name, limitMib: 1 })) {
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

/** Remembers the header, if the first line is a header. */
class LineReader {
  #isFirst = true;
  #numberAt = 0;
  #dateAt = 1;

  /** Nothing for an empty line, the header, and a line that names the separator. */
  read(text: string): Written | undefined {
    if (text.trim() === '') return undefined;
    const isFirst = this.#isFirst;
    if (isFirst && namedSeparator(text) !== undefined) return undefined;
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
    record = parseForeignJson(text);
  } catch {
    return { number: '' };
  }
  const fields = isRecord(record) ? Object.entries(record) : [];
  const valueOf = (names: RegExp) => fields.find(([field]) => names.test(field))?.[1];
  const birthDate = valueOf(dateNames);
  return { number: String(valueOf(numberNames) ?? ''), ...(typeof birthDate === 'string' ? { birthDate } : {}) };
}

/** Cells of one line; a separator inside quotes belongs to the cell. */
function cellsOf(text: string): readonly string[] {
  const cells = text.match(/(?:"[^"]*"|[^,;\t])+|(?<=[,;\t]|^)(?=[,;\t]|$)/g) ?? [];
  return cells.map((cell) => plainCell(plainCell(cell).replaceAll(/^"|"$/g, '')));
}

function invalid(name: string, details: readonly { field: string; message: Text }[]): FiscalError {
  const { en, pt } = counted(details.length, nouns.line);
  const what: Text = { en: `${name} (${en})`, pt: `${name} (${pt})` };
  return new FiscalError('input.invalid', { what }, { sent: 'no', details: details.slice(0, SHOWN_PROBLEMS) });
}

export interface LookupContext {
  readonly name: LookupName;
  readonly maxAgeMs: number;
  /** The numbers that no row holds; empty if a job continues without its list. */
  readonly numbers: ReadonlyMap<string, LookupNumber>;
}

/** The batch family of queries: their answers, from the cache that the run fills. */
export function lookupFamily(context: Context, { name, maxAgeMs, numbers }: LookupContext): BatchFamily {
  const cache = new AnswerCache(context, name, maxAgeMs);
  return {
    label: { en: 'querying', pt: 'consultando' },
    idField: 'label',
    kind: lookupKind(name, {
      numberOf: (digest) => numbers.get(digest),
      isKept: async (digest) => (await cache.fresh(digest)) !== undefined,
      keep: (asked, answer) => cache.keep(asked, answer),
    }),
    fields: () => ({}),
    read: async (item) => {
      // The row was written by a kind of lookup, whose input has this type.
      const { digest } = item.input as LookupItem;
      const kept = item.state === 'succeeded' ? await cache.any(digest) : undefined;
      if (kept === undefined) return {};
      const source = item.httpStatus === undefined ? 'cache' : 'service';
      return { source, fetchedAt: new Date(kept.fetchedAt).toISOString(), answer: kept.answer };
    },
  };
}
