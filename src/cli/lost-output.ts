import type { Text } from '../contract/text.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Host } from '../io/io.js';
import { hintAfter, onlyJob, type Effects } from './effects.js';

/**
 * Throws `output.lost` where a write to stdout or stderr failed, other than to a closed pipe. `effects` is absent for what
 * only prints, such as help.
 */
export async function requireOutput(
  { stdout, stderr }: Pick<Host, 'stdout' | 'stderr'>,
  effects?: Effects,
): Promise<void> {
  const failure = stdout.failure ?? stderr.failure;
  if (failure === undefined) return;
  const stream = stdout.failure === undefined ? 'stderr' : 'stdout';
  const jobId = effects && onlyJob(effects);
  const isRepeatable = effects === undefined || (effects.sends === 0 && effects.billed === 0);
  throw new FiscalError(
    'output.lost',
    { stream, reason: reasonOf(failure) },
    {
      ...(isRepeatable ? { retryable: true } : { sent: 'yes' }),
      ...(jobId === undefined ? {} : { jobId }),
      ...(effects && { hint: hintAfter(effects) }),
      cause: failure,
    },
  );
}

function reasonOf(failure: Error): Text | string {
  const code = 'code' in failure ? String(failure.code) : failure.message;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return code;
  return { en: `no space left (${code})`, pt: `não há espaço (${code})` };
}
