import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import { attachSandbox } from './attach.js';
import { isLoopbackUrl } from './running-file.js';

/**
 * Gives the address of the sandbox that a control command means: `FISCAL_SANDBOX_URL` inside `sandbox exec`,
 * else the one of the built-in profile.
 */
export async function withSandbox<Result>(
  context: Pick<Context, 'env' | 'directories'>,
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const named = context.env['FISCAL_SANDBOX_URL'];
  if (named !== undefined && named !== '') return await use(checked(named));
  const sandbox = await attachSandbox(context);
  try {
    return await use(sandbox.url);
  } finally {
    await sandbox.close();
  }
}

function checked(url: string): string {
  if (isLoopbackUrl(url)) return url.replace(/\/$/, '');
  throw invalidValue('FISCAL_SANDBOX_URL', url, {
    en: 'an http address of this machine (loopback)',
    pt: 'um endereço http desta máquina (loopback)',
  });
}
