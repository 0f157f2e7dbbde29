import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';

/**
 * Does a call of the service; where the service knows no such thing (404), its error says what to do about it. Every other
 * error passes as it is.
 */
export async function hintWhenAbsent<Result>(
  hint: () => Promise<Text>,
  call: () => Promise<Result>,
): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof FiscalError) || error.code !== 'service.not_found') throw error;
    throw error.with({ hint: await hint() });
  }
}
