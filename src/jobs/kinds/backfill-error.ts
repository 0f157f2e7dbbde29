import { operations } from '../../contract/operations.js';
import type { Operation } from '../../contract/operation.js';
import { FiscalError } from '../../errors/fiscal-error.js';

/**
 * The two refusals that a person can do something about, in words that name it: the role that the key lacks (403) and
 * the capture that was never begun (404). Any other error as it is.
 */
export function backfillError(error: unknown, companyId: string): unknown {
  if (!(error instanceof FiscalError)) return error;
  if (error.code === 'service.forbidden') {
    return new FiscalError('backfill.forbidden', { company: companyId, role: roleOf(error) }, error.facts);
  }
  if (error.code !== 'service.not_found') return error;
  return new FiscalError('backfill.no_capture', { company: companyId }, error.facts);
}

function roleOf({ facts }: FiscalError): string {
  const rows: Readonly<Record<string, Operation>> = operations;
  return rows[facts.operation ?? '']?.role ?? 'Management';
}
