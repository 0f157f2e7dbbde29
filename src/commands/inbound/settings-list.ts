import { numberedRows } from '../../client/list-rows.js';
import { isRecord } from '../../domain/record.js';
import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import { previewOne } from '../../services/preview.js';

const PAGE = 100;

/** The companies that have NFS-e capture, with how it is set, as a stream (public). Error: `service.list_cut`. */
export async function listCapturing(context: Context): Promise<Outcome> {
  if ((await context.settings()).dryRun) {
    const query = { pageIndex: 1, pageCount: PAGE };
    return { data: await previewOne(context, 'nfse.inbound.companies', { path: {}, query }) };
  }
  return { data: companies(context) };
}

async function* companies(context: Context): AsyncGenerator<unknown> {
  const client = await context.client();
  const input = { path: {}, query: { pageCount: PAGE }, idField: 'companyId' };
  const label = await (await context.scope()).labels();
  const rows = numberedRows(client, 'nfse.inbound.companies', input, { signal: context.interruption });
  for await (const row of rows) yield isRecord(row) ? { ...label(textField(row, 'companyId')), ...row } : row;
}
