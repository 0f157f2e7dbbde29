import { operations } from '../../contract/operations.js';
import type { Operation } from '../../contract/operation.js';
import { FiscalError } from '../../errors/fiscal-error.js';

/**
 * Explains the two refusals that a person can fix: the key lacks the role (403), or capture was never enabled (404).
 * Returns any other error unchanged.
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
