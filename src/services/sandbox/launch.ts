import { FiscalError } from '../../errors/fiscal-error.js';
import type { RunningSandbox, SandboxOptions } from '../../contract/sandbox.js';

/** Starts the sandbox in this process. The only place that loads it. Throws `sandbox.cannot_start`. */
export async function launchSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const { startSandbox } = await import('../../sandbox/start.js');
  try {
    return await startSandbox(options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FiscalError(
      'sandbox.cannot_start',
      { reason },
      {
        sent: 'no',
        cause: error,
        hint: {
          en: 'fiscal sandbox start --fresh begins with empty state; --port chooses another port',
          pt: 'fiscal sandbox start --fresh começa com o estado vazio; --port escolhe outra porta',
        },
      },
    );
  }
}
