import type { Context } from '../../services/context.js';
import { askSandbox, type Fields } from './ask.js';
import { withSandbox } from './target.js';

/** How an invoice of the sandbox is to end; what is left out has the sandbox's own default. */
export interface OutcomeInput {
  readonly outcome: string | undefined;
  readonly family: string | undefined;
  readonly externalId: string | undefined;
  readonly id: string | undefined;
  readonly code: string | undefined;
  readonly message: string | undefined;
  readonly rate: number | undefined;
  readonly count: number | undefined;
  readonly skip: number | undefined;
  readonly delayMs: number | undefined;
}

export async function addOutcome(context: Context, rule: OutcomeInput): Promise<Fields> {
  return await ask(context, 'POST', rule);
}

/** The rules, and how many invoices stand in each status. */
export async function showOutcomes(context: Context): Promise<Fields> {
  return await ask(context, 'GET');
}

export async function clearOutcomes(context: Context): Promise<Fields> {
  return await ask(context, 'DELETE');
}

async function ask(context: Context, method: 'GET' | 'POST' | 'DELETE', body?: object): Promise<Fields> {
  return await withSandbox(context, (url) =>
    askSandbox({ url, method, path: 'outcomes', ...(body === undefined ? {} : { body }) }),
  );
}
