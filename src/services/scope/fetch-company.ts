import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import { isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../context.js';
import { hintWhenAbsent } from '../calls/hint-when-absent.js';

type Caller = Pick<Context, 'client' | 'interruption' | 'settings'>;

/**
 * Reads one company, without its envelope. Errors: `service.not_found`, with the command that lists the companies;
 * `service.unreadable` for an answer that holds none.
 */
export async function fetchCompany(
  context: Caller,
  companyId: string,
): Promise<Readonly<Record<string, unknown>>> {
  const client = await context.client();
  const input = { path: { companyId } };
  const { body, status } = await hintWhenAbsent(
    async () => await companiesHint(context),
    () => client.call('company.get', input, { signal: context.interruption }),
  );
  const answer: unknown = body;
  const company = isRecord(answer) ? answer['company'] : undefined;
  if (isRecord(company)) return company;
  const reason: Text = { en: 'it holds no company', pt: 'não contém uma empresa' };
  throw new FiscalError('service.unreadable', { operation: 'company.get', status, reason });
}

async function companiesHint(context: Caller): Promise<Text> {
  const { profile } = await context.settings();
  const line = fiscalLine({ command: 'company list', profile });
  return { en: `the companies of the account: ${line}`, pt: `as empresas da conta: ${line}` };
}
