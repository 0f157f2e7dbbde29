import { resolve } from 'node:path';
import { counted } from '../domain/counted.js';
import { isRecord } from '../domain/record.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Host, Io, OutputStream } from '../io/io.js';
import { workbookBytes } from '../io/workbook.js';
import { columnsOf, rowOf } from '../presenters/sheet.js';
import type { OutputPlan } from './format.js';
import { requireFolder, writeWhole } from '../io/output-file.js';

/** Columns and their kinds are those of so many records; the others are not read ahead. */
const SAMPLE = 1_000;

/** Refuses a workbook on a terminal, and one for a folder that cannot be written, before anything is done. */
export async function requirePlace(
  { out }: Pick<OutputPlan, 'out'>,
  host: Pick<Host, 'cwd' | 'stdout'>,
): Promise<void> {
  if (out === undefined) {
    if (host.stdout.isTerminal) throw new FiscalError('usage.missing', { names: '--out <file>' }, { sent: 'no' });
    return;
  }
  await requireFolder(resolve(host.cwd, out));
}

/**
 * Writes records as a workbook to a file, complete or not at all, or to stdout. The summary of a batch is not a row.
 * Errors: `store.unwritable`, `store.full`.
 */
export async function writeWorkbook(
  records: AsyncIterable<unknown>,
  plan: OutputPlan,
  { io, host }: { readonly io: Io; readonly host: Pick<Host, 'cwd' | 'random'> },
): Promise<void> {
  const count = { rows: 0 };
  const bytes = sheetBytes(records, { plan, io, count });
  const { out } = plan;
  if (out === undefined) return await toStream(bytes, io.stdout);
  const path = resolve(host.cwd, out);
  await writeWhole(path, bytes, host.random);
  const rows = counted(count.rows, { en: ['row', 'rows'], pt: ['linha', 'linhas'] });
  await io.notice(`${out}: ${rows[io.language]}`);
}

async function toStream(bytes: AsyncIterable<Uint8Array>, stdout: OutputStream): Promise<void> {
  for await (const chunk of bytes) {
    await stdout.writeBytes(chunk);
    if (stdout.closed) return;
  }
}

interface Sheet {
  readonly plan: OutputPlan;
  readonly io: Io;
  readonly count: { rows: number };
}

async function* sheetBytes(
  records: AsyncIterable<unknown>,
  { plan, io: { language }, count }: Sheet,
): AsyncIterable<Uint8Array> {
  const iterator = records[Symbol.asyncIterator]();
  const sample: unknown[] = [];
  let isDone = false;
  const next = async (): Promise<unknown> => {
    for (;;) {
      const { done, value } = await iterator.next();
      isDone = done === true;
      if (isDone || !isSummary(value)) return value;
    }
  };
  while (sample.length < SAMPLE) {
    const record = await next();
    if (isDone) break;
    sample.push(record);
  }
  const described = await plan.described();
  const columns = columnsOf(sample, { fields: plan.fields, described, language });
  const look = { language, isUtc: plan.isUtc === true };
  async function* rows() {
    for (const record of sample.splice(0)) {
      count.rows += 1;
      yield rowOf(record, columns, look);
    }
    while (!isDone) {
      const record = await next();
      if (isDone) return;
      count.rows += 1;
      yield rowOf(record, columns, look);
    }
  }
  try {
    yield* workbookBytes(rows(), { name: plan.recordType ?? 'fiscal', columns });
  } finally {
    await iterator.return?.();
  }
}

function isSummary(record: unknown): boolean {
  return isRecord(record) && record['type'] === 'summary';
}
