import { textField } from '../../jobs/kinds/answer-fields.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { formatUtc } from '../../domain/utc.js';
import type { Context } from '../../services/context.js';

export interface IssuePeriod {
  readonly companyId: string;
  /** Before this time, in milliseconds. */
  readonly before: number;
}

/**
 * How many listed NFS-e were issued before a time: the count of the list (public), without its documents. `undefined` where
 * the service does not tell it to this key.
 */
export async function countListed(
  context: Context,
  { companyId, before }: IssuePeriod,
): Promise<number | undefined> {
  const client = await context.client();
  const issuedEnd = formatUtc(before - 1);
  const query = { pageIndex: 1, pageCount: 1, hasTotals: true, issuedEnd };
  try {
    const input = { path: { companyId }, query };
    const { body } = await client.call('nfse.inbound.list', input, { signal: context.interruption });
    const total = textField(body, 'totalResults');
    return total !== undefined && /^\d{1,15}$/.test(total) ? Number(total) : undefined;
  } catch (error) {
    if (error instanceof FiscalError && isOfCompany(error)) return undefined;
    throw error;
  }
}

function isOfCompany({ facts }: FiscalError): boolean {
  return facts.httpStatus === 403 || facts.httpStatus === 404 || facts.httpStatus === 400;
}
