import { requiredFile } from '../../services/batch/template.js';
import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { Prose } from '../../domain/prose.js';
import { EarlyRecords } from '../../services/batch/early.js';
import { ReportFile, writeReport } from '../../services/batch/files.js';
import { consentToBatch } from '../../services/batch/start-job.js';
import type { Context } from '../../services/context.js';
import { failedLinesSheet, withErrorSheet } from '../../services/batch/failed-rows.js';
import { invalidRecordNotices, showConversions } from '../../services/batch/import.js';
import { readAgain } from '../../services/batch/import-input.js';
import { openSource } from '../../services/input/source.js';
import { forEachConcurrent } from '../../jobs/concurrency.js';
import { tenantOf } from '../../services/scope/companies.js';
import { Planner, type PlannedRow } from './apply-plan.js';
import { type AppliedFile, applyRecords, countsOf, dryRunRecords, planNotices } from './apply-report.js';
import { namedProducts, send, type ApplyGiven, type Work } from './apply-send.js';
import { knownProducts, rememberInterrupted } from './known-products.js';
import { validateProducts } from './import-file.js';

/**
 * Makes the products of a tenant match a file: reads and compares each, creates missing ones, updates different ones,
 * and leaves the rest alone. Products that the file does not name are never touched. Nothing is sent before the whole difference
 * is known and confirmed; without a difference, nothing is asked and nothing is sent.
 * Errors: `input.*`, `usage.confirmation_required`, those of the reads, and those of `runBatch`.
 */
export async function applyProducts(context: Context, given: ApplyGiven): Promise<Outcome> {
  const { storeNamespace, dryRun } = await context.settings();
  const tenantId = await tenantOf(context);
  const input = namedProducts(await openSource(context, requiredFile(given.file), { again: true }), given);
  try {
    const found = await validateProducts(input, tenantId);
    if (found.problems.lines > 0 && !given.skipInvalid)
      throw await withErrorSheet(context, { input, found, isWritten: !dryRun });
    if (found.valid === 0) throw new FiscalError('input.empty', { path: input.name });
    await showConversions(context, input);
    const early = new EarlyRecords(context);
    const work: Work = { given, input, found, storeNamespace, tenantId, early };
    const rows = await planRows(context, work);
    const invalid = invalidRecordNotices(found.problems);
    const newSkus = await newSkuNotices(context, work, rows);
    if (dryRun) {
      const preview = { tenantId, rows, found, records: input.records() };
      return { ...(await dryRunRecords(context, preview)), notices: [...invalid, ...newSkus, nothingChanged] };
    }
    const file = given.report === undefined ? undefined : await ReportFile.open(context, given.report);
    await learn(context, rows);
    await confirm(context, { work, rows, newSkus });
    const sent = await send(context, work, rows);
    const applied = { ...sent, repeats: found.repeats, invalid: found.problems.lines };
    const failedReport = await writeReport(file, () => applyRecords(context, applied), { idField: 'productId' });
    return {
      data: early.rest(applyRecords(context, applied)),
      exitCode: sent.exitCode,
      notices: [...invalid, ...sent.notices, ...(sent.error ? [] : await failedSheet(context, work, applied))],
      error: sent.error ?? failedReport,
    };
  } finally {
    await input.close();
  }
}

/** A row that an unknown outcome blocks is not sent again. */
async function failedSheet(context: Context, { input, found }: Work, applied: AppliedFile) {
  const reasons = new Map<number, string>();
  let uncertain: string | undefined;
  for await (const record of applyRecords(context, applied)) {
    const { line, action, state, error } = record;
    if (state === 'uncertain') uncertain = applied.jobs.create ?? applied.jobs.update;
    const isFailed = state === 'rejected' || (state === 'failed' && action !== 'blocked');
    if (typeof line === 'number' && isFailed)
      reasons.set(line, error instanceof Prose ? error[context.language] : state);
  }
  return failedLinesSheet(context, { input, found, reasons, uncertain });
}

async function planRows(context: Context, work: Work): Promise<readonly PlannedRow[]> {
  const { input, found, storeNamespace } = work;
  const store = await context.store();
  await rememberInterrupted(store, storeNamespace);
  const { concurrency } = await context.settings();
  const planner = new Planner(context, store, work);
  const rows: PlannedRow[] = [];
  async function* distinct() {
    for await (const record of readAgain(input, found)) {
      if (!found.repeats.has(record.line)) yield record;
    }
  }
  try {
    await forEachConcurrent(distinct(), concurrency, async ({ line, product }) => {
      rows.push(await planner.plan(line, product));
      const total = found.valid - found.repeats.size;
      context.progress.report({ label: comparing, done: rows.length, total });
    });
  } finally {
    context.progress.stop();
  }
  return rows.sort((left, right) => left.line - right.line);
}

/** Warns before creates: the service has no list in which a SKU can be looked up. */
async function newSkuNotices(context: Context, work: Work, rows: readonly PlannedRow[]): Promise<readonly Text[]> {
  const creates = rows.filter(({ action }) => action === 'create').length;
  if (creates === 0) return [];
  const { storeNamespace, tenantId } = work;
  const filter = { storeNamespace, tenantId, status: undefined, limit: 1 };
  const knowsNone = (await knownProducts(await context.store(), filter)).length === 0;
  return [knowsNone ? nothingKnown(tenantId) : notKnown(creates)];
}

async function learn(context: Context, rows: readonly PlannedRow[]): Promise<void> {
  const jobs = await context.jobs();
  for (const { learned } of rows) {
    for (const { item, seen } of learned) await jobs.learn(item, seen);
  }
}

interface Confirmation {
  readonly work: Work;
  readonly rows: readonly PlannedRow[];
  readonly newSkus: readonly Text[];
}

async function confirm(context: Context, { work, rows, newSkus }: Confirmation): Promise<void> {
  const { create, update, billedCalls } = countsOf(rows);
  if (create + update === 0) return;
  for (const line of [...newSkus, ...planNotices(rows)]) await context.notice(line);
  const { storeNamespace, tenantId } = work;
  const creates = counted(create, { en: ['create', 'creates'], pt: ['criação', 'criações'] });
  const updates = counted(update, { en: ['update', 'updates'], pt: ['alteração', 'alterações'] });
  const calls = counted(billedCalls, nouns.billedCall);
  const what = {
    en: `${creates.en}, ${updates.en}, ${calls.en} (profile ${storeNamespace}, tenant ${tenantId})`,
    pt: `${creates.pt}, ${updates.pt}, ${calls.pt} (perfil ${storeNamespace}, tenant ${tenantId})`,
  };
  await consentToBatch(context, { what });
}

const comparing: Text = { en: 'comparing products', pt: 'comparando produtos' };

const nothingChanged: Text = {
  en: 'nothing was created or updated; the products were read, which is free',
  pt: 'nada foi criado nem alterado; os produtos foram lidos, o que é gratuito',
};

function nothingKnown(tenantId: string): Text {
  return {
    en: `this machine knows no product of tenant ${tenantId}, so every SKU of the file counts as new: the service has no list to look them up in. If a product exists already, read it first: fiscal product get <id>`,
    pt: `esta máquina não conhece nenhum produto do tenant ${tenantId}, então todo SKU do arquivo conta como novo: o serviço não tem lista para consultar. Se um produto já existe, leia-o antes: fiscal product get <id>`,
  };
}

function notKnown(count: number): Text {
  return {
    en: `${count} SKUs are new to this machine and are created: the service has no list to look them up in. If a product exists already, read it first: fiscal product get <id>`,
    pt: `${count} SKUs são novos para esta máquina e são criados: o serviço não tem lista para consultar. Se um produto já existe, leia-o antes: fiscal product get <id>`,
  };
}
