import type { Text } from '../../contract/text.js';
import type { ItemRow, JobRow } from '../../store/store.js';
import type { Context } from '../../services/context.js';
import type { ChangedEntry, Judged } from './apply-judge.js';

/** What is reported as changed, and the lines whose items in the job are therefore not shown. */
export interface Reconciled {
  readonly changed: readonly ChangedEntry[];
  readonly hidden: ReadonlySet<number>;
}

/**
 * Brings the job of an earlier run of the same plan in line with what is known now: a changed row that was not sent yet is
 * taken back, one that was sent is followed to its end, and one that the earlier run left out stays out.
 */
export async function reconcile(
  context: Context,
  job: JobRow | undefined,
  { unchanged, changed }: Judged,
): Promise<Reconciled> {
  if (job === undefined || job.state === 'loading') return { changed, hidden: new Set() };
  const engine = await context.jobs();
  const changedLines = new Set(changed.map(({ entry }) => entry.line));
  const present = new Set<number>();
  const hidden = new Set<number>();
  for await (const item of engine.items(job.id)) {
    present.add(item.ordinal);
    if (changedLines.has(item.ordinal) && (await isTakenBack(context, item))) hidden.add(item.ordinal);
  }
  const stillChanged = changed.filter(({ entry: { line } }) => !present.has(line) || hidden.has(line));
  const leftOut = unchanged.filter(({ line }) => !present.has(line));
  return { changed: [...stillChanged, ...leftOut.map((entry) => ({ entry, reason: wasLeftOut }))], hidden };
}

async function isTakenBack(context: Context, item: ItemRow): Promise<boolean> {
  if (item.state === 'cancelled') return true;
  if (item.state !== 'prepared') return false;
  const store = await context.store();
  const at = context.clock.now();
  const patch = { state: 'cancelled', settledAt: at, holdsKey: false, keep: false } as const;
  return await store.items.decide(item.id, 'prepared', patch, { at, note: 'changed since the plan' });
}

const wasLeftOut: Text = {
  en: 'an earlier run of this plan left it out as changed: make a new plan',
  pt: 'uma execução anterior deste plano o deixou de fora como alterado: faça um novo plano',
};
