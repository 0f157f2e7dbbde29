import { FiscalError } from '../errors/fiscal-error.js';

/** A failure of the file system as an error that names the path; anything else as it is. */
export function archiveFailure(path: string, error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  if (!('code' in error) || error instanceof FiscalError) return error;
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return new FiscalError('store.full', { path });
  return new FiscalError('store.unwritable', { path, reason: String(error.code) }, { cause: error });
}
