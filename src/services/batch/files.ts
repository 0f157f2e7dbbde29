import { stringify } from 'csv-stringify/sync';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Text } from '../../contract/text.js';
import { Prose } from '../../domain/prose.js';
import type { DataRecord } from '../../domain/outcome.js';
import { withoutFormula } from '../../domain/spreadsheet-cell.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { JobProgress, JobResult } from '../../jobs/engine.js';
import type { ItemCounts } from '../../store/store.js';
import type { Context } from '../context.js';
import {
  createFile,
  publishFile,
  putInPlace,
  requireReplaceable,
  temporaryBeside,
  unwritable,
} from '../../io/output-file.js';

const INTERVAL_MS = 5000;

/**
 * Prometheus text (the textfile form of node_exporter), replaced atomically every few seconds. It is written once before
 * anything is sent, so that a path that cannot be written stops the command; `finish` reports later faults.
 */
export class MetricsFile {
  readonly #context: Context;
  readonly #path: string;
  #writtenAt: number;
  #writing: Promise<void> = Promise.resolve();
  #isWriting = false;
  #fault: FiscalError | undefined;

  private constructor(context: Context, path: string) {
    this.#context = context;
    this.#path = path;
    this.#writtenAt = context.clock.now();
  }

  static async open(context: Context, path: string): Promise<MetricsFile> {
    const file = new MetricsFile(context, resolve(context.cwd, path));
    await file.#replace('# no items yet\n');
    return file;
  }

  see(jobId: string, progress: JobProgress): void {
    const now = this.#context.clock.now();
    if (this.#isWriting || now - this.#writtenAt < INTERVAL_MS) return;
    this.#writtenAt = now;
    this.#isWriting = true;
    this.#writing = this.#replace(metricsText(jobId, progress.counts, now)).then(
      () => {
        this.#isWriting = false;
      },
      (error: unknown) => {
        this.#isWriting = false;
        if (!(error instanceof FiscalError)) throw error;
        this.#fault ??= error;
      },
    );
  }

  /** Writes the last state; gives a sentence when some write failed. */
  async finish(result: JobResult): Promise<Text | undefined> {
    await this.#writing;
    const { job, counts, billed, elapsedMs } = result;
    const text = [
      metricsText(job.id, counts, this.#context.clock.now()),
      metric('billed_calls', 'Billed calls made by the last run', [[label(job.id), billed.billed]]),
      metric('perhaps_billed_calls', 'Calls of the last run that may have been billed', [
        [label(job.id), billed.unknown],
      ]),
      metric('run_seconds', 'Duration of the last run', [[label(job.id), elapsedMs / 1000]]),
    ].join('');
    try {
      await this.#replace(text);
    } catch (error) {
      if (!(error instanceof FiscalError)) throw error;
      this.#fault ??= error;
    }
    return this.#fault?.text;
  }

  async #replace(text: string): Promise<void> {
    await publishFile(this.#path, text, this.#context.random);
  }
}

function metricsText(jobId: string, counts: ItemCounts, now: number): string {
  const states = Object.entries(counts).map(([state, count]): [string, number] => [
    `${label(jobId)},state="${state}"`,
    count,
  ]);
  return [
    metric('items', 'Items of the job by state', states),
    metric('updated_seconds', 'When this file was written, seconds since the epoch', [[label(jobId), now / 1000]]),
  ].join('');
}

function metric(name: string, help: string, samples: readonly (readonly [string, number])[]): string {
  const lines = samples.map(([labels, value]) => `fiscal_job_${name}{${labels}} ${value}\n`);
  return `# HELP fiscal_job_${name} ${help}\n# TYPE fiscal_job_${name} gauge\n${lines.join('')}`;
}

function label(jobId: string): string {
  return `job="${jobId}"`;
}

const columns = ['line', 'label', 'state', 'id', 'status', 'errorCode', 'error'] as const;

/**
 * A CSV with one row per item, for spreadsheets: cells that a spreadsheet would run as a formula are
 * escaped, because the reasons come from the service. Written to a temporary file and renamed when complete.
 */
export class ReportFile {
  readonly #path: string;
  readonly #temporary: string;

  private constructor(context: Context, path: string) {
    this.#path = resolve(context.cwd, path);
    this.#temporary = temporaryBeside(this.#path, context.random);
  }

  /** Tries the path before anything is sent. Errors: `store.unwritable`, `store.full`. */
  static async open(context: Context, path: string): Promise<ReportFile> {
    const file = new ReportFile(context, path);
    await requireReplaceable(file.#path);
    const probe = await createFile(file.#temporary);
    await probe.close();
    await rm(file.#temporary, { force: true });
    return file;
  }

  async write(records: AsyncIterable<DataRecord>, { idField, reportFields = [] }: ReportColumns): Promise<void> {
    const names = [...columns, ...reportFields];
    const file = await createFile(this.#temporary);
    try {
      await file.write(row(names));
      for await (const record of records) {
        if (record.type !== 'item') continue;
        const cells = names.map((name) => cellOf(record[name === 'id' ? idField : name] ?? ''));
        await file.write(row(cells));
      }
      await file.close();
      await putInPlace(this.#temporary, this.#path);
    } catch (error) {
      await file.close().catch(() => undefined);
      await rm(this.#temporary, { force: true });
      throw unwritable(this.#path, error);
    }
  }
}

interface ReportColumns {
  /** The field of a record that holds the id at the service. */
  readonly idField: string;
  /** Further columns. */
  readonly reportFields?: readonly string[];
}

/** What was done stands, whether the file can be written or not: its error is for the end, after the records. */
export async function writeReport(
  report: ReportFile | undefined,
  records: () => AsyncIterable<DataRecord>,
  columns: ReportColumns,
): Promise<FiscalError | undefined> {
  try {
    await report?.write(records(), columns);
    return undefined;
  } catch (error) {
    if (error instanceof FiscalError) return error;
    throw error;
  }
}

function cellOf(cell: unknown): unknown {
  const value = cell instanceof Prose ? cell.en : cell;
  return typeof value === 'string' ? withoutFormula(value) : value;
}

function row(cells: readonly unknown[]): string {
  return stringify([[...cells]]);
}
