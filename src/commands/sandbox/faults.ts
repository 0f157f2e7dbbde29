import type { Context } from '../../services/context.js';
import { askSandbox, type Fields } from './ask.js';
import { withSandbox } from './target.js';

/** A fault as the sandbox takes it; what is left out has the sandbox's own default. */
export interface FaultInput {
  readonly kind: string;
  readonly operation: string | undefined;
  readonly rate: number | undefined;
  readonly count: number | undefined;
  readonly skip: number | undefined;
  readonly retryAfter: string | undefined;
  readonly delayMs: number | undefined;
  readonly to: string | undefined;
}

export async function addFault(context: Context, fault: FaultInput): Promise<Fields> {
  const { retryAfter, ...rest } = fault;
  const body = { ...rest, retryAfter: retryAfter === undefined ? undefined : secondsOrDate(retryAfter) };
  return await ask(context, 'POST', body);
}

export async function listFaults(context: Context): Promise<readonly unknown[]> {
  const { faults } = await ask(context, 'GET');
  return Array.isArray(faults) ? faults : [];
}

export async function clearFaults(context: Context): Promise<Fields> {
  return await ask(context, 'DELETE');
}

function secondsOrDate(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

async function ask(context: Context, method: 'GET' | 'POST' | 'DELETE', body?: object): Promise<Fields> {
  return await withSandbox(context, (url) =>
    askSandbox({ url, method, path: 'faults', ...(body === undefined ? {} : { body }) }),
  );
}
