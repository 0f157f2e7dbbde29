import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { listField, textField } from '../../jobs/kinds/answer-fields.js';
import type { Context } from '../context.js';
import { previewOne } from '../preview.js';

const PAGE = 100;
const MAX_PAGES = 10_000;

/** The companies that have NFS-e capture, with how it is set, as a stream (public). Error: `service.unreadable`. */
export async function listCapturing(context: Context): Promise<Outcome> {
  if ((await context.settings()).dryRun) {
    const query = { pageIndex: 1, pageCount: PAGE };
    return { data: await previewOne(context, 'nfse.inbound.companies', { path: {}, query }) };
  }
  return { data: companies(context) };
}

async function* companies(context: Context): AsyncGenerator<unknown> {
  const client = await context.client();
  const seen = new Set<string>();
  for (let pageIndex = 1; pageIndex <= MAX_PAGES; pageIndex += 1) {
    const input = { path: {}, query: { pageIndex, pageCount: PAGE } };
    const how = { signal: context.interruption };
    const { body, status } = await client.call('nfse.inbound.companies', input, how);
    const rows = listField(body, 'companies');
    if (rows === undefined) {
      const reason = { en: 'it is not a list of companies', pt: 'não é uma lista de empresas' };
      throw new FiscalError('service.unreadable', { operation: 'nfse.inbound.companies', status, reason });
    }
    const fresh = rows.filter((row) => !seen.has(textField(row, 'companyId') ?? ''));
    for (const row of fresh) seen.add(textField(row, 'companyId') ?? '');
    yield* fresh;
    if (fresh.length === 0 || pageIndex >= Number(textField(body, 'totalPages') ?? 1)) return;
  }
}
