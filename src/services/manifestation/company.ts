import type { Context } from '../context.js';

/** Where what this machine knows of events is kept: the store's space, and the company (empty when none is set). */
export interface Place {
  readonly space: string;
  readonly company: string;
}

export async function placeOf(context: Context): Promise<Place> {
  const { space, company } = await context.settings();
  return { space, company: company ?? '' };
}
