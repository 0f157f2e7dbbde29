import type { Text } from '../contract/text.js';
import { FiscalError } from './fiscal-error.js';

/** Makes a call of the service; the error for 404 says what to do. Every other error passes unchanged. */
export async function hintWhenAbsent<Result>(hint: Text, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof FiscalError) || error.code !== 'service.not_found') throw error;
    throw error.with({ hint });
  }
}
