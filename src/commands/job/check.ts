import type { Outcome, DataRecord } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { RunnableKind } from '../../jobs/kind.js';
import { kindOfJob } from '../../jobs/manage.js';
import type { ItemRow } from '../../store/store.js';
import type { Context } from '../../services/context.js';
import { ownJob } from './read.js';

/**
 * Reads the resource of every item of a job from the service, and compares it with the store.
 * Reads only. Exit 3 when something differs or is gone.
 */
export async function checkJob(context: Context, { id }: { readonly id: string }): Promise<Outcome> {
  const job = await ownJob(context, id);
  const kind = await kindOfJob({ store: await context.store() }, job.id);
  const engine = await context.jobs();
  const records: DataRecord[] = [];
  const sum = { same: 0, different: 0, gone: 0, unchecked: 0 };
  for await (const item of engine.items(job.id)) {
    const result = await compare(context, kind, item);
    sum[result.verdict] += 1;
    if (result.verdict !== 'same') records.push({ type: 'item', ...shownResult(item, result) });
    context.progress.report({ label: checking, done: sum.same + records.length });
  }
  context.progress.stop();
  const exitCode = sum.different + sum.gone > 0 ? ExitCode.partial : ExitCode.ok;
  return { data: [...records, { type: 'summary', jobId: job.id, ...sum, exitCode }], exitCode };
}

const checking = { en: 'checking', pt: 'conferindo' };

interface Comparison {
  readonly verdict: 'same' | 'different' | 'gone' | 'unchecked';
  readonly remoteStatus?: string;
}

async function compare(context: Context, kind: RunnableKind, item: ItemRow): Promise<Comparison> {
  const wasThere = item.state === 'succeeded' || item.state === 'rejected' || item.state === 'pending';
  if (!wasThere || item.resourceId === undefined || !kind.polls) return { verdict: 'unchecked' };
  try {
    const seen = await kind.read(await context.client(), item, { signal: context.interruption });
    const isSame = item.state === 'pending' || seen.state === item.state;
    const status = seen.remoteStatus === undefined ? {} : { remoteStatus: seen.remoteStatus };
    return { verdict: isSame ? 'same' : 'different', ...status };
  } catch (error) {
    if (error instanceof FiscalError && error.code === 'service.not_found') return { verdict: 'gone' };
    throw error;
  }
}

function shownResult(item: ItemRow, result: Comparison) {
  const { id, ordinal, label, state, resourceId } = item;
  return { id, line: ordinal, label, state, resourceId, verdict: result.verdict, seen: result.remoteStatus };
}
