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
          en: 'to begin with empty state: fiscal sandbox start --fresh; --port chooses another port',
          pt: 'para começar com o estado vazio: fiscal sandbox start --fresh; --port escolhe outra porta',
        },
      },
    );
  }
}
