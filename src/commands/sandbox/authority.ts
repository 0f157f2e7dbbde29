import type { Context } from '../../services/context.js';
import { askSandbox, type Fields } from './ask.js';
import { withSandbox } from './target.js';

/** What the tax authority of the sandbox is to answer; what is left out has the sandbox's own default. */
export interface AuthorityInput {
  readonly outcome: string | undefined;
  readonly accessKey: string | undefined;
  readonly eventCode: number | undefined;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly rate: number | undefined;
  readonly count: number | undefined;
  readonly skip: number | undefined;
  readonly delayMs: number | undefined;
}

export async function addAuthorityRule(context: Context, rule: AuthorityInput): Promise<Fields> {
  return await ask(context, 'POST', rule);
}

/** The rules, how many events have come to the authority, and how many it has registered. */
export async function showAuthority(context: Context): Promise<Fields> {
  return await ask(context, 'GET');
}

export async function clearAuthority(context: Context): Promise<Fields> {
  return await ask(context, 'DELETE');
}

async function ask(context: Context, method: 'GET' | 'POST' | 'DELETE', body?: object): Promise<Fields> {
  return await withSandbox(context, (url) =>
    askSandbox({ url, method, path: 'authority', ...(body === undefined ? {} : { body }) }),
  );
}
