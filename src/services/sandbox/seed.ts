import type { Context } from '../context.js';
import { askSandbox, type Fields } from './ask.js';
import { withSandbox } from './target.js';

export interface SeedInput {
  readonly companies: number;
  readonly products: number;
  readonly seed: number | undefined;
}

/** Adds invented companies and products. The same seed on an empty sandbox makes the same ones. */
export async function seedSandbox(context: Context, input: SeedInput): Promise<Fields> {
  return await withSandbox(context, (url) => askSandbox({ url, method: 'POST', path: 'seed', body: input }));
}
