import { type ClockRange, rowDay } from '../../domain/document-date.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import type { DocumentGroup } from '../../store/documents.js';

/**
 * The documents of a range that a list asked by date of issue lacks, because their rows have no readable one: what is archived of
 * them dates them. Each is asked for by its key, as the service has it now; there are few. Errors: those of a call, but 404.
 */
export async function* undatedRows(
  context: Context,
  group: DocumentGroup,
  range: ClockRange,
): AsyncGenerator<{ readonly id: string; readonly row: Readonly<Record<string, unknown>> }> {
  const { documents } = await context.store();
  for (const { id, issuedOn } of await documents.dated(group, range)) {
    if (rowDay(issuedOn, undefined) !== undefined) continue;
    const row = await readOne(context, group, id);
    if (row !== undefined) yield { id, row };
  }
}

async function readOne(
  context: Context,
  { family, companyId }: DocumentGroup,
  id: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const client = await context.client();
  const how = { signal: context.interruption };
  try {
    const { body } =
      family === 'nfse'
        ? await client.call('nfse.inbound.get', { path: { companyId, idOrAccessKey: id } }, how)
        : await client.call(`${family}.inbound.get`, { path: { companyId, accessKey: id } }, how);
    return { ...body };
  } catch (error) {
    if (error instanceof FiscalError && error.code === 'service.not_found') return undefined;
    throw error;
  }
}
