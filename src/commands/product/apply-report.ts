import { stillValidated } from './family.js';
import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import type { BilledCounts } from '../../jobs/billed-calls.js';
import type { FieldChange } from '../../domain/product-difference.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { Prose } from '../../domain/prose.js';
import type { JobEngine, JobResult, StopReason } from '../../jobs/engine.js';
import type { ItemRow } from '../../store/store.js';
import type { Context } from '../../services/context.js';
import { billedFields, itemRecord, withSummary, withWholeCommands } from '../../services/batch/records.js';
import { billedNotices } from '../../services/batch/notices.js';
import { productCreate, productUpdate } from '../../jobs/kinds/product.js';
import { previewOne } from '../../services/calls/one-call.js';
import type { PlannedRow } from './apply-plan.js';
import type { ProductRecord, ValidatedProducts } from './import-file.js';

/** The rows of a file after an apply. */
export interface Sent {
  readonly rows: readonly PlannedRow[];
  readonly jobs: { readonly create: string | undefined; readonly update: string | undefined };
  readonly billed: BilledCounts;
  readonly exitCode: ExitCode;
  readonly stopped: StopReason;
  /** What ended the run before its work was done. */
  readonly error: FiscalError | undefined;
}

/** Counts the rows by action, and their billed calls. */
export function countsOf(rows: readonly PlannedRow[]) {
  const count = (action: PlannedRow['action']) => rows.filter((row) => row.action === action).length;
  return {
    create: count('create'),
    update: count('update'),
    unchanged: count('unchanged'),
    blocked: count('blocked'),
    billedCalls: rows.filter(({ billed }) => billed).length,
  };
}

const SHOWN = 50;

const CREATES_SHOWN = 10;

/** The difference between file and registry, for the confirmation: the creates as one line, the others one line each. */
export function planNotices(rows: readonly PlannedRow[]): readonly Text[] {
  const creates = rows.filter(({ action }) => action === 'create');
  const changed = rows.filter(({ action }) => action === 'update' || action === 'blocked');
  const hidden = changed.length - SHOWN;
  return [
    ...(creates.length > 0 ? [createsLine(creates)] : []),
    ...changed.slice(0, SHOWN).map(lineOf),
    ...(hidden > 0 ? [more(hidden)] : []),
  ];
}

function createsLine(creates: readonly PlannedRow[]): Text {
  const shown = creates.slice(0, CREATES_SHOWN).map(({ label }) => label);
  const labels = [...shown, ...(creates.length > shown.length ? ['…'] : [])].join(', ');
  const { en, pt } = counted(creates.length, {
    en: ['+ create # product', '+ create # products'],
    pt: ['+ criar # produto', '+ criar # produtos'],
  });
  return { en: `${en}: ${labels}`, pt: `${pt}: ${labels}` };
}

function lineOf({ action, label, productId, changes, problem }: PlannedRow): Text {
  if (action === 'blocked') {
    return { en: `! ${label}: ${problem?.text.en ?? ''}`, pt: `! ${label}: ${problem?.text.pt ?? ''}` };
  }
  const what = `${label} (${productId}): ${changedFields(changes ?? [])}`;
  return { en: `~ update ${what}`, pt: `~ alterar ${what}` };
}

const FIELDS_SHOWN = 4;

/** `description: Tea → Green tea, tax.ncm: – → 09012100`. */
export function changedFields(changes: readonly FieldChange[]): string {
  const shown = changes.slice(0, FIELDS_SHOWN).map(({ field, from, to }) => `${field}: ${word(from)} → ${word(to)}`);
  const hidden = changes.length - shown.length;
  return [...shown, ...(hidden > 0 ? [`+${hidden}`] : [])].join(', ');
}

function word(value: unknown): string {
  if (value === undefined) return '–';
  return typeof value === 'string' ? value.slice(0, 60) : JSON.stringify(value).slice(0, 60);
}

interface Preview {
  readonly tenantId: string;
  readonly rows: readonly PlannedRow[];
  readonly found: ValidatedProducts;
  readonly records: AsyncIterable<ProductRecord>;
}

/** The plan with the exact request of every row, and the exit code of the rows as they are. */
export async function dryRunRecords(
  context: Context,
  { tenantId, rows, found, records }: Preview,
): Promise<Outcome<readonly DataRecord[]>> {
  const byLine = new Map(rows.map((row) => [row.line, row]));
  const shown: DataRecord[] = [];
  for await (const record of records) {
    const row = byLine.get(record.line);
    if (row === undefined || 'problems' in record) continue;
    const { product: body } = record;
    const { productId = '', action } = row;
    const update = { path: { tenantId, productId }, body };
    const request =
      action === 'update'
        ? await previewOne(context, productUpdate.submit, update)
        : await previewOne(context, productCreate.submit, { path: { tenantId }, body });
    const isSent = action === 'create' || action === 'update';
    const shownRow = await withWholeCommands(context, rowRecord(row));
    shown.push({ ...shownRow, ...(isSent ? { request: request.request } : {}) });
  }
  const exitCode = rows.some(({ action }) => action === 'blocked') ? ExitCode.partial : ExitCode.ok;
  const counts = { total: rows.length, ...countsOf(rows), repeated: found.repeats.size };
  const summary = { type: 'summary', dryRun: true, ...counts, invalid: found.problems.lines, exitCode };
  return { data: [...shown, ...repeatRecords(found.repeats), summary], exitCode };
}

export interface AppliedFile extends Sent {
  readonly repeats: ReadonlyMap<number, number>;
  readonly invalid: number;
}

/** One record per row in the order of the file, then the rows that repeat others, then the summary. */
export function applyRecords(context: Context, applied: AppliedFile): AsyncIterable<DataRecord> {
  const { rows, jobs, billed, repeats, invalid, stopped } = applied;
  const states = new Map<string, number>();
  return withSummary(appliedRows(context, applied, states), stopped, (failure) => {
    const { billedCalls: _planned, ...counts } = countsOf(rows);
    const { error = failure, exitCode } = applied;
    const isUnread = failure !== undefined && applied.error === undefined;
    return {
      type: 'summary',
      ...{ total: rows.length, ...counts, repeated: repeats.size, invalid },
      // Those of some rows would look like those of all.
      ...(failure === undefined ? Object.fromEntries(states) : {}),
      ...billedFields(billed),
      ...{ jobIds: [jobs.create, jobs.update].filter((id) => id !== undefined) },
      stopped: isUnread ? 'store-failed' : stopped,
      ...(error === undefined ? {} : { errorCode: error.code }),
      exitCode: isUnread ? failure.exitCode : exitCode,
    };
  });
}

async function* appliedRows(
  context: Context,
  { rows, jobs, repeats }: AppliedFile,
  states: Map<string, number>,
): AsyncIterable<DataRecord> {
  const engine = await context.jobs();
  // The items of both jobs are in the order of the file, as the rows are.
  const items = { create: itemsIn(engine, jobs.create), update: itemsIn(engine, jobs.update) };
  for (const row of rows) {
    const { action } = row;
    const item = action === 'create' || action === 'update' ? (await items[action].next()).value : undefined;
    const duplicate = item?.duplicateOf === undefined ? undefined : await engine.item(item.duplicateOf);
    const record = item === undefined ? rowRecord(row) : sentRecord(row, item, duplicate);
    const state = String(record['state']);
    states.set(state, (states.get(state) ?? 0) + 1);
    yield await withWholeCommands(context, record);
  }
  yield* repeatRecords(repeats);
}

async function* itemsIn(engine: JobEngine, jobId: string | undefined): AsyncGenerator<ItemRow, undefined> {
  if (jobId !== undefined) yield* engine.items(jobId);
  return undefined;
}

export function rowRecord(row: PlannedRow): DataRecord {
  const { line, label, action, state, status, productId, changes, problem } = row;
  return {
    type: 'item',
    ...{ line, label, action },
    state: action === 'create' || action === 'update' ? 'prepared' : (state ?? 'succeeded'),
    ...(status === undefined ? {} : { status }),
    ...(problem === undefined ? {} : { errorCode: problem.code, error: new Prose(problem.text) }),
    ...(problem?.facts.resume === undefined ? {} : { next: problem.facts.resume }),
    ...(productId === undefined ? {} : { productId }),
    ...(changes === undefined ? {} : { changes }),
  };
}

/** The record of a row that was sent. `duplicate`: the item of another run that sent it in the meantime. */
export function sentRecord(row: PlannedRow, item: ItemRow, duplicate: ItemRow | undefined): DataRecord {
  const productId = item.resourceId ?? row.productId;
  const { action, changes, label: name } = row;
  const record = itemRecord(item, {
    ...(productId === undefined ? {} : { productId }),
    ...(changes === undefined ? {} : { changes }),
    ...(item.state === 'uncertain' ? { next: `fiscal job resolve ${item.id}` } : {}),
  });
  if (item.state !== 'skipped') return { ...record, action };
  const { code, text } = new FiscalError('product.in_work', { name, job: duplicate?.jobId ?? '' });
  return { ...record, action: 'blocked', errorCode: code, error: new Prose(text) };
}

export function repeatRecords(repeats: ReadonlyMap<number, number>): readonly DataRecord[] {
  return [...repeats].map(([line, first]) => ({
    type: 'item',
    ...{ line, action: 'repeated', state: 'skipped', duplicateOfLine: first },
  }));
}

interface FinishedApply {
  readonly rows: readonly PlannedRow[];
  readonly results: readonly JobResult[];
  readonly billed: BilledCounts;
}

/** The next command for every row that differs from the file. */
export function endNotices({ rows, results, billed }: FinishedApply): readonly Text[] {
  const pending =
    results.reduce((sum, { counts }) => sum + counts.pending, 0) +
    rows.filter(({ action, state }) => action === 'unchanged' && state === 'pending').length;
  const inError =
    results.reduce((sum, { counts }) => sum + counts.rejected, 0) +
    rows.filter(({ state }) => state === 'rejected').length;
  const uncertainCount = rows.filter(({ state }) => state === 'uncertain').length;
  const quiet = results.length === 0 && rows.every(({ action }) => action === 'unchanged');
  return [
    ...(quiet && pending === 0 ? [asInFile(rows.length)] : []),
    ...(pending > 0 ? [stillValidated(pending, sameWithWait)] : []),
    ...(inError > 0 ? [correct(inError)] : []),
    ...(uncertainCount > 0 ? [resolve(uncertainCount)] : []),
    ...billedNotices(billed),
  ];
}

function more(count: number): Text {
  return { en: `… and ${count} more: --dry-run shows all of them`, pt: `… e mais ${count}: --dry-run mostra todos` };
}

function asInFile(count: number): Text {
  return counted(count, {
    en: ['# product matches the file; nothing was sent', 'all # products match the file; nothing was sent'],
    pt: [
      '# produto está como no arquivo; nada foi enviado',
      'todos os # produtos estão como no arquivo; nada foi enviado',
    ],
  });
}

const sameWithWait: Text = {
  en: 'the same command with --wait follows it',
  pt: 'o mesmo comando com --wait a acompanha',
};

function correct(count: number): Text {
  return counted(count, {
    en: [
      '# product is in Error; correct its row and run the same command again',
      '# products are in Error; correct their rows and run the same command again',
    ],
    pt: [
      '# produto está em Error; corrija a linha e execute o mesmo comando de novo',
      '# produtos estão em Error; corrija as linhas e execute o mesmo comando de novo',
    ],
  });
}

function resolve(count: number): Text {
  return counted(count, {
    en: [
      '# row has a request that may have arrived, and is not sent again; check at the service and record the result: fiscal job resolve (the field next of the row has the command)',
      '# rows have a request that may have arrived, and are not sent again; check at the service and record the result: fiscal job resolve (the field next of each row has the command)',
    ],
    pt: [
      '# linha tem uma requisição que pode ter chegado, e não é enviada de novo; verifique no serviço e registre o resultado: fiscal job resolve (o campo next da linha tem o comando)',
      '# linhas têm uma requisição que pode ter chegado, e não são enviadas de novo; verifique no serviço e registre o resultado: fiscal job resolve (o campo next de cada linha tem o comando)',
    ],
  });
}
