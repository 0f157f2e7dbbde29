import type { Context } from '../../services/context.js';
import { askSandbox, type Fields } from './ask.js';
import { findRunning } from './find-running.js';
import { withSandbox } from './target.js';

/** What stands in the sandbox; `running` says whether a process of its own serves it. */
export async function readStatus(context: Context): Promise<Fields> {
  const isNamed = (context.env['FISCAL_SANDBOX_URL'] ?? '') !== '';
  const running = isNamed ? undefined : await findRunning(context.directories);
  if (running !== undefined) {
    return { running: true, url: running.url, pid: running.pid, ...running.status };
  }
  return await withSandbox(context, async (url) => ({
    running: isNamed,
    ...(isNamed ? { url } : {}),
    ...(await askSandbox({ url, method: 'GET', path: 'status' })),
  }));
}
