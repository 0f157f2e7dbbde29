import { parseForeignJson } from '../../domain/json-numbers.js';
import type { Text } from '../../contract/text.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { isRecord } from '../../domain/record.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { reasons } from '../../errors/reasons.js';
import { filled } from '../../errors/text-template.js';
import { Prose } from '../../domain/prose.js';
import type { Context } from '../../services/context.js';
import { type Cells, type InputRecord, type Reading } from '../../services/input/record.js';
import { readRecords } from '../../services/input/records.js';
import { openSource } from '../../services/input/source.js';
import { noteSender } from '../../jobs/senders.js';
import { forEachConcurrent } from '../../jobs/concurrency.js';
import { tenantOf } from '../../services/scope/companies.js';
import { fetchProduct } from './get.js';

/** One product of the list: its id, and its SKU if the list has one. */
interface Listed {
  readonly line: number;
  readonly id: string;
  readonly sku: string | undefined;
}

/**
 * Imports products that another store created: reads each id of the list from the service and stores its SKU.
 * Creates and changes nothing. Exit 3 when a product does not exist or has another SKU than in the list.
 * Errors: `input.*`, `usage.missing`, those of a call.
 */
export async function adoptProducts(context: Context, { file }: { readonly file: string }): Promise<Outcome> {
  const tenantId = await tenantOf(context);
  const listed = await readList(context, file);
  const { dryRun, concurrency } = await context.settings();
  if (dryRun) return { data: listed.map(({ line, id }) => ({ type: 'product', line, id })), notices: [readsOnly] };
  const records = new Map<number, DataRecord>();
  await forEachConcurrent(listed, concurrency, async (product) => {
    records.set(product.line, await adopt(context, tenantId, product));
    context.progress.report({ label: adopting, done: records.size, total: listed.length });
  });
  context.progress.stop();
  const ordered = listed.flatMap(({ line }) => records.get(line) ?? []);
  const failed = ordered.filter(({ state }) => state !== 'adopted').length;
  const exitCode = failed > 0 ? ExitCode.partial : ExitCode.ok;
  const store = await context.store();
  const { storeNamespace: profile } = await context.settings();
  // From now on this profile knows the products of the list.
  if (failed === 0 && listed.length > 0)
    await noteSender(store, { profile, scope: { tenantId }, at: store.clock.now() });
  const summary = { type: 'summary', total: listed.length, adopted: ordered.length - failed, failed, exitCode };
  return { data: [...ordered, summary], exitCode };
}

async function adopt(context: Context, tenantId: string, { line, id, sku }: Listed): Promise<DataRecord> {
  const record = { type: 'product', line, id };
  try {
    const product = await fetchProduct(context, tenantId, id);
    const found = typeof product.sku === 'string' ? product.sku : undefined;
    const shown = { ...record, ...(found === undefined ? {} : { sku: found }), status: product.status };
    if (sku === undefined || sku === found) return { ...shown, state: 'adopted' };
    return { ...shown, state: 'other-sku', error: new Prose(filled(reasons.otherSkuInList, { sku })) };
  } catch (error) {
    if (!(error instanceof FiscalError) || error.code !== 'service.not_found') throw error;
    return { ...record, ...(sku === undefined ? {} : { sku }), state: 'not-found', error: new Prose(error.text) };
  }
}

async function readList(context: Context, file: string): Promise<readonly Listed[]> {
  const source = await openSource(context, file, { again: false });
  try {
    const listed: Listed[] = [];
    const rules = { parse: parseForeignJson, rows };
    for await (const record of readRecords(source, rules, undefined)) {
      // Accepts the output of `product list`: skips its summary.
      if ('value' in record && isRecord(record.value) && record.value['type'] === 'summary') continue;
      listed.push(requireListed(record, file));
    }
    return listed;
  } finally {
    await source.close();
  }
}

function requireListed(record: InputRecord, file: string): Listed {
  const { line } = record;
  if ('problem' in record) throw invalid(file, line, record.problem);
  const value = isRecord(record.value) ? record.value : {};
  const id = value['id'] ?? value['productId'];
  const { sku } = value;
  if (typeof id !== 'string' || id === '') throw invalid(file, line, noId);
  return { line, id, sku: typeof sku === 'string' && sku !== '' ? sku : undefined };
}

/** Any columns, of which `id` (or `productId`) and `sku` are read. Error: `input.missing_column`. */
function rows(header: readonly string[], name: string): (cells: Cells) => Reading {
  if (!header.includes('id') && !header.includes('productId')) {
    throw new FiscalError('input.missing_column', { path: name, columns: 'id' }, { sent: 'no' });
  }
  return (cells) => ({ value: Object.fromEntries(header.map((title, index) => [title, cells[index]])) });
}

function invalid(file: string, line: number, problem: Text): FiscalError {
  return new FiscalError(
    'input.invalid',
    { what: file },
    { sent: 'no', details: [{ field: `line ${line}`, message: problem }] },
  );
}

const noId: Text = { en: 'has no id', pt: 'não tem id' };
const adopting: Text = { en: 'reading products', pt: 'lendo produtos' };
const readsOnly: Text = {
  en: 'each product would be read at the service; nothing is created or changed',
  pt: 'cada produto seria lido no serviço; nada é criado nem alterado',
};
