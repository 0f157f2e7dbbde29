import type { OutputFormat } from '../config/settings.js';
import type { Outcome } from '../domain/outcome.js';
import { ExitCode } from '../errors/exit-code.js';
import type { Io, OutputStream } from '../io/io.js';
import { countFields, type FieldCount } from './field-count.js';
import { createFormatter, type Formatter } from './format.js';
import type { Settling } from './settling.js';

/** Writes the data to stdout and the notices to stderr; gives the exit code. */
export async function settle(outcome: Outcome, settling: Settling, io: Io): Promise<ExitCode> {
  if (outcome.written !== true) await writeData(outcome.data, settling, io);
  // Read after the data: a stream knows only at its end how it ended.
  for (const notice of outcome.notices ?? []) await io.notice(notice[io.language]);
  return outcome.exitCode ?? ExitCode.ok;
}

async function writeData(data: unknown, settling: Settling, io: Io): Promise<void> {
  if (data === undefined && settling.format === undefined) return;
  const queried = settling.query === undefined ? data : settling.query(await whole(data));
  const format = settling.format ?? defaultFormat(queried, io.stdout);
  const found = countFields(settling.fields ?? []);
  const formatter = await createFormatter({ format, settling, io, isWhole: settling.query === undefined });
  if (isStream(queried)) await writeStream(select(queried, found), formatter, io.stdout);
  else await writeWhole(found.select(queried), formatter, io.stdout);
  await sayUnknownFields(found, io);
}

/** A table for people, one document for one thing, a line a record for many. */
function defaultFormat(data: unknown, stdout: OutputStream): OutputFormat | 'text' {
  if (typeof data === 'string') return 'text';
  if (stdout.isTerminal) return 'table';
  return isStream(data) || Array.isArray(data) ? 'ndjson' : 'json';
}

async function writeWhole(data: unknown, formatter: Formatter, stdout: OutputStream): Promise<void> {
  if (!Array.isArray(data) || formatter.record === undefined)
    return await stdout.write(formatter.whole(data));
  await writeStream(fromList(data), formatter, stdout);
}

const chunkLength = 32_768;

/** Record by record, gathered into chunks as long as more is there at once; memory holds one chunk. */
async function writeStream(
  records: AsyncIterable<unknown>,
  formatter: Formatter,
  stdout: OutputStream,
): Promise<void> {
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
    // A record that is followed by a pause is shown at once: `job watch | jq` lives on it.
    clearImmediate(timer);
    timer = setImmediate(() => void flush());
    // Nobody reads any more: leaving the loop also ends the source.
    if (stdout.closed) break;
  }
  clearImmediate(timer);
  waiting += formatter.end?.() ?? '';
  await flush();
}

async function* select(records: AsyncIterable<unknown>, found: FieldCount): AsyncIterable<unknown> {
  for await (const record of records) yield found.select(record);
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

function isStream(data: unknown): data is AsyncIterable<unknown> {
  return typeof data === 'object' && data !== null && Symbol.asyncIterator in data;
}

async function sayUnknownFields(found: FieldCount, io: Io): Promise<void> {
  for (const field of found.unseen()) {
    const sentence = {
      en: `no record has the field "${field}"`,
      pt: `nenhum registro tem o campo "${field}"`,
    };
    await io.notice(sentence[io.language]);
  }
}
