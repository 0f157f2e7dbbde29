import { type KnownState, stateOf } from '../../domain/document-state.js';
import type { DocumentRow } from '../../store/documents.js';
import type { Context } from '../context.js';
import { DocumentEvents } from './events.js';
import { factOfRow } from './facts.js';
import { evidenceOf } from './record.js';

/**
 * The state of each of these documents: what its row, its XML and its events say, and what this machine has learned when it sent
 * events itself. Makes no request.
 */
export async function readStates(
  context: Context,
  page: readonly DocumentRow[],
): Promise<ReadonlyMap<DocumentRow, KnownState>> {
  const facts = page.flatMap((row) => {
    const read = row.family === 'cte' ? undefined : factOfRow(row);
    return read !== undefined && 'fact' in read ? [[row, read.fact] as const] : [];
  });
  const events = await DocumentEvents.about(
    context,
    facts.map(([, fact]) => fact),
  );
  const states = new Map(page.map((row) => [row, stateOf(evidenceOf(row))]));
  for (const [row, fact] of facts) states.set(row, (await events.of(fact)).state);
  return states;
}
