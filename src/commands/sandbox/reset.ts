import type { Context } from '../../services/context.js';
import { askSandbox, type Fields } from './ask.js';
import { withSandbox } from './target.js';

/** Empties the sandbox, and forgets what this machine knows of it: that service no longer exists. */
export async function resetSandbox(context: Context): Promise<Fields> {
  const answer = await withSandbox(context, (url) => askSandbox({ url, method: 'POST', path: 'reset' }));
  await (await context.store()).forget('sandbox');
  return answer;
}
