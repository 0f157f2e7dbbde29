import type { DataRecord } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { isRecord } from '../../domain/record.js';
import { askSandbox } from './ask.js';
import { withSandbox } from './target.js';

export interface LedgerInput {
  readonly effects: boolean;
  readonly operation: string | undefined;
}

const pageLength = 1_000;

/** Every request that the sandbox has seen and every capture that it billed, oldest first, page by page. */
export async function* readLedger(context: Context, input: LedgerInput): AsyncIterable<DataRecord> {
  let after = 0;
  while (true) {
    const entries = await readPage(context, input, after);
    for (const entry of entries) yield { type: typeOf(entry), ...entry };
    if (entries.length < pageLength) return;
    after = Number(entries.at(-1)?.['sequence'] ?? after);
  }
}

function typeOf({ method }: Readonly<Record<string, unknown>>): string {
  return method === 'CAPTURE' ? 'capture' : 'request';
}

async function readPage(
  context: Context,
  { effects, operation }: LedgerInput,
  after: number,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const query = new URLSearchParams({ after: String(after), limit: String(pageLength) });
  if (effects) query.set('effects', 'true');
  if (operation !== undefined) query.set('operation', operation);
  const { entries } = await withSandbox(context, (url) =>
    askSandbox({ url, method: 'GET', path: `ledger?${query}` }),
  );
  return Array.isArray(entries) ? entries.filter(isRecord) : [];
}
