import type { Text } from '../contract/text.js';
import { isFields } from '../domain/invoice-rules.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Context } from './context.js';

/** Reads one company, without its envelope. Error: `service.unreadable` for an answer that holds none. */
export async function fetchCompany(
  context: Pick<Context, 'client' | 'interruption'>,
  companyId: string,
): Promise<Readonly<Record<string, unknown>>> {
  const client = await context.client();
  const input = { path: { companyId } };
  const { body, status } = await client.call('company.get', input, { signal: context.interruption });
  const answer: unknown = body;
  const company = isFields(answer) ? answer['company'] : undefined;
  if (isFields(company)) return company;
  const reason: Text = { en: 'it holds no company', pt: 'não contém uma empresa' };
  throw new FiscalError('service.unreadable', { operation: 'company.get', status, reason });
}
