import type { DataRecord } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { isRecord } from '../../domain/record.js';
import { askSandbox, type Fields } from './ask.js';
import { withSandbox } from './target.js';

export interface SeedInput {
  /**
   * `month`: an accounting office in one month; `history`: companies with nothing but hidden NFS-e of before that
   * month. The other fields then count the companies and documents of the scenario.
   */
  readonly scenario: 'month' | 'history' | undefined;
  /** `2026-10`; `undefined`: the last complete one. */
  readonly month: string | undefined;
  readonly companies: number;
  readonly products: number;
  /** Captured documents of the company of the account. */
  readonly documents: number;
  readonly family: 'nfe' | 'cte' | 'nfse';
  /** Of the NF-e; `undefined`: `full`. */
  readonly stage: 'summary' | 'full' | undefined;
  /** From the newest document to the oldest; `undefined` leaves it to the sandbox. */
  readonly spreadMs: number | undefined;
  readonly seed: number | undefined;
}

const baseTimeoutMs = 60_000;
/** A busy machine needs some 0.2 ms. */
const timeoutPerDocumentMs = 3;

/**
 * Adds invented companies, products and captured documents. The same seed on an empty sandbox makes the same ones.
 * Gives the documents when some were asked for, else what was added.
 */
export async function seedSandbox(
  context: Context,
  { spreadMs, ...input }: SeedInput,
): Promise<Fields | readonly DataRecord[]> {
  const body = { ...input, ...(spreadMs === undefined ? {} : { spread: `${spreadMs}ms` }) };
  const timeoutMs = baseTimeoutMs + input.documents * timeoutPerDocumentMs;
  const added = await withSandbox(context, (url) =>
    askSandbox({ url, method: 'POST', path: 'seed', body, timeoutMs }),
  );
  const { captured } = added;
  return Array.isArray(captured) ? captured.filter(isRecord).map(toRecord) : added;
}

function toRecord({ family, ...document }: Fields): DataRecord {
  return { type: String(family), ...document };
}
