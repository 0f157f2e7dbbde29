import type { OutputFormat } from '../config/settings.js';
import type { Text } from '../contract/text.js';
import { shellLine } from '../domain/command-words.js';
import type { DataRecord, Outcome } from '../domain/outcome.js';
import { isRecord, isStream } from '../domain/record.js';
import { ExitCode } from '../errors/exit-code.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Host, Io, OutputStream } from '../io/io.js';
import { selectFields } from '../presenters/scalar.js';
import type { Catalogue, Definition } from './command.js';
import { createFormatter, type FieldCount, type Formatter, type OutputPlan, type Query } from './format.js';
import type { Presentation } from './presentation.js';

/** The words of the command, and what it prints. */
export interface NamedOutput {
  readonly name: string;
  readonly outputOf?: Catalogue['outputOf'];
}

export async function planOutput(
  definition: Definition,
  presentation: Presentation,
  command?: NamedOutput,
): Promise<OutputPlan> {
  const { output, csvStyle, fields, query } = presentation;
  const noun = command?.name.split(' ', 1)[0];
  // Some commands have an option of this name for the bytes of a document.
  const out = 'out' in definition.options ? undefined : presentation.out;
  if (out !== undefined && output !== 'xlsx') throw onlyForWorkbooks();
  if (output === 'id' && definition.id === undefined) {
    throw new FiscalError('usage.invalid', {
      message: { en: '-o id: this command has no id to print', pt: '-o id: este comando não tem id a mostrar' },
    });
  }
  return {
    format: output,
    csvStyle,
    out,
    fields: fields === undefined || fields.length === 0 ? undefined : fields,
    query: query === undefined ? undefined : await compileQuery(query),
    isUtc: presentation.utc,
    isVerbose: presentation.verbose,
    id: definition.id,
    recordType: noun,
    view: definition.view,
    async described() {
      const output = await command?.outputOf?.(command.name);
      return output && noun !== undefined ? { records: output.records, noun } : undefined;
    },
  };
}

function onlyForWorkbooks(): FiscalError {
  const message = {
    en: '--out has no effect without -o xlsx; redirect the other formats with >',
    pt: '--out não tem efeito sem -o xlsx; redirecione os outros formatos com >',
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

/** Loads JMESPath for `--query`. The expression is checked before the command runs. */
async function compileQuery(expression: string): Promise<Query> {
  const { compileExactly, withNumbers } = await import('./exact-query.js');
  const search = orThrow(
    () => compileExactly(expression),
    (reason, cause) =>
      new FiscalError('usage.invalid_value', { name: '--query', value: expression, expected: reason }, { cause }),
  );
  return (data) =>
    orThrow(
      () => search(data),
      (reason, cause) =>
        new FiscalError('output.query', { reason }, { cause, hint: queryHint(withNumbers(expression, data)) }),
    );
}

/** The form that works, or what the expression was applied to. */
function queryHint(works: string | undefined): Text {
  if (works !== undefined) {
    // In one piece, so that it can be copied from a narrow terminal.
    const given = shellLine([/['"`]/.test(works) ? works : works.replaceAll(' ', '')]);
    return {
      en: `amounts are text, to_number() reads them: --query ${given}`,
      pt: `valores são texto, to_number() os lê: --query ${given}`,
    };
  }
  return {
    en: 'see what it is applied to, without --query: -o json; a field that is absent is null, amounts are text (to_number)',
    pt: 'veja a que ela se aplica, sem --query: -o json; um campo ausente é null, valores são texto (to_number)',
  };
}

function orThrow<Result>(work: () => Result, errorOf: (reason: string, cause: unknown) => FiscalError): Result {
  try {
    return work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw errorOf(message.split('\n', 1).join(''), error);
  }
}

/** Writes the data to stdout and the notices to stderr; returns the exit code. */
export async function writeOutput(
  outcome: Outcome,
  plan: OutputPlan,
  io: Io,
  host: Pick<Host, 'cwd' | 'random'>,
): Promise<ExitCode> {
  if (outcome.written !== true) await writeData(outcome, { plan, io, host });
  // Read after the data: a stream knows its result only at its end.
  for (const notice of outcome.notices ?? []) await io.notice(notice[io.language]);
  return outcome.exitCode ?? ExitCode.ok;
}

/** Records that are written while the command works. */
export interface EarlyOutput {
  write(record: DataRecord): Promise<void>;
  /** For what is written at the end. */
  readonly found: FieldCount;
}

/** `undefined`: the output is more than one line per record, so it is written whole, at the end. */
export async function earlyOutput(plan: OutputPlan, io: Io): Promise<EarlyOutput | undefined> {
  const format = plan.format ?? defaultFormat([], io.stdout);
  if (format !== 'ndjson' || plan.query !== undefined) return undefined;
  const found = countFields(plan.fields ?? []);
  const ends = { isWhole: true, isDryRun: false, sentence: () => undefined };
  const formatter = await createFormatter({ format, plan, io, ...ends });
  return { found, write: async (record) => await writeWhole([found.select(record)], formatter, io.stdout) };
}

interface Writing {
  readonly plan: OutputPlan;
  readonly io: Io;
  readonly host: Pick<Host, 'cwd' | 'random'>;
}

async function writeData(outcome: Outcome, { plan, io, host }: Writing): Promise<void> {
  const { data } = outcome;
  if (data === undefined && plan.format === undefined) return;
  const queried = plan.query === undefined ? data : plan.query(await whole(data));
  const format = plan.format ?? defaultFormat(queried, io.stdout);
  const found = plan.found ?? countFields(plan.fields ?? []);
  if (format === 'xlsx') {
    const { writeWorkbook } = await import('./workbook-output.js');
    await writeWorkbook(select(asStream(queried), found), plan, { io, host });
    return await sayUnknownFields(found, io);
  }
  const formatter = await createFormatter({
    ...{ format, plan, io, sentence: () => outcome.sentence },
    isWhole: plan.query === undefined,
    isDryRun: isPreview(queried),
  });
  const isPaged = format === 'table' && plan.pager !== undefined;
  const stdout = isPaged ? plan.pager(io.stdout, () => formatter.closing?.() ?? '') : io.stdout;
  if (isStream(queried)) await writeStream(select(queried, found), formatter, stdout);
  else await writeWhole(found.select(queried), formatter, stdout);
  await sayUnknownFields(found, io);
}

/** The preview of one request, or of the first one of many. */
function isPreview(data: unknown): boolean {
  return isRecord(data) && data['type'] === 'dry-run' && isRecord(data['request']);
}

/** The whole output of a command as a table, for a screen that is drawn again. */
export async function tableText(outcome: Outcome, plan: OutputPlan, io: Io): Promise<string> {
  const read = await whole(outcome.data);
  const queried = plan.query === undefined ? read : plan.query(read);
  const formatter = await createFormatter({
    ...{ format: 'table', plan, io, sentence: () => outcome.sentence },
    isWhole: plan.query === undefined,
    isDryRun: isPreview(queried),
  });
  return formatter.whole(countFields(plan.fields ?? []).select(queried));
}

/** A table for people, one document for a single thing, one line per record for many. */
function defaultFormat(data: unknown, stdout: OutputStream): OutputFormat | 'text' {
  if (typeof data === 'string') return 'text';
  if (stdout.isTerminal) return 'table';
  return isStream(data) || Array.isArray(data) ? 'ndjson' : 'json';
}

async function writeWhole(data: unknown, formatter: Formatter, stdout: OutputStream): Promise<void> {
  if (!Array.isArray(data) || formatter.record === undefined) return await stdout.write(formatter.whole(data));
  await writeStream(fromList(data), formatter, stdout);
}

const chunkLength = 32_768;

/** Writes records in chunks while more are available at once; memory holds one chunk. */
async function writeStream(records: AsyncIterable<unknown>, formatter: Formatter, stdout: OutputStream): Promise<void> {
  if (formatter.record === undefined) return await stdout.write(formatter.whole(await whole(records)));
  let waiting = '';
  let timer: NodeJS.Immediate | undefined;
  const flush = async (): Promise<void> => {
    const chunk = waiting;
    waiting = '';
    await stdout.write(chunk);
  };
  for await (const record of records) {
    waiting += formatter.record(record);
    if (waiting.length >= chunkLength) await flush();
    // A record followed by a pause is written at once, as `job resume | jq` needs.
    clearImmediate(timer);
    timer = setImmediate(() => void flush());
    // The reader has gone; leaving the loop also closes the source.
    if (stdout.closed) break;
  }
  clearImmediate(timer);
  waiting += formatter.end?.() ?? '';
  await flush();
}

async function* select(records: AsyncIterable<unknown>, found: FieldCount): AsyncIterable<unknown> {
  for await (const record of records) yield found.select(record);
}

function asStream(data: unknown): AsyncIterable<unknown> {
  if (isStream(data)) return data;
  if (data === undefined || data === null) return fromList([]);
  return fromList(Array.isArray(data) ? data : [data]);
}

async function* fromList(records: readonly unknown[]): AsyncIterable<unknown> {
  yield* records;
}

async function whole(data: unknown): Promise<unknown> {
  if (!isStream(data)) return data;
  const records: unknown[] = [];
  for await (const record of data) records.push(record);
  return records;
}

async function sayUnknownFields(found: FieldCount, io: Io): Promise<void> {
  for (const field of found.unseen()) {
    const sentence = { en: `no record has the field "${field}"`, pt: `nenhum registro tem o campo "${field}"` };
    await io.notice(sentence[io.language]);
  }
}

function countFields(fields: readonly string[]): FieldCount {
  const unseen = new Set(fields);
  let records = 0;
  const select = (data: unknown): unknown => {
    if (Array.isArray(data)) return data.map(select);
    if (fields.length === 0 || !isRecord(data)) return data;
    records += 1;
    for (const field of unseen) if (hasPath(data, field.split('.'))) unseen.delete(field);
    return selectFields(data, fields);
  };
  return { select, unseen: () => (records === 0 ? [] : [...unseen]) };
}

function hasPath(value: unknown, path: readonly string[]): boolean {
  const [name, ...deeper] = path;
  if (name === undefined) return true;
  if (Array.isArray(value)) return value.some((entry) => hasPath(entry, path));
  return isRecord(value) && Object.hasOwn(value, name) && hasPath(value[name], deeper);
}
