import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { RunnableKind } from '../../jobs/kind.js';
import { kindOfJob, retryStates } from '../../jobs/manage.js';
import { type BatchOptions, continueBatch } from '../../services/batch/run-batch.js';
import type { Context } from '../../services/context.js';
import type { ItemRow, Store } from '../../store/store.js';
import { familyOf } from '../families.js';
import { ownJob, previewJob } from './read.js';
import { whoseJob } from './whose.js';

/** Continues a job where it stopped. Finished items do not change, uncertain ones still wait for a person. */
export async function resumeJob(context: Context, id: string, options: BatchOptions): Promise<Outcome> {
  const job = await ownJob(context, id);
  if ((await context.settings()).dryRun) return await previewJob(context, job, ['prepared']);
  return await continueBatch(context, job.id, { family: familyOf(context, job), options });
}

/**
 * Sends failed, cancelled and rejected items again, as new items linked to the old ones. A rejected resource
 * that stays in the service (a product in Error) is never sent twice: it is read again, which is free, and succeeds once an
 * update has corrected it. Items that an earlier run left open continue, also those of an interrupted `job retry`.
 */
export async function retryJob(
  context: Context,
  { id, only }: RetryRequest,
  options: BatchOptions,
): Promise<Outcome> {
  const store = await context.store();
  const job = await ownJob(context, id);
  const family = familyOf(context, job);
  const kind = await kindOfJob({ store }, job.id);
  const allEnded = await store.items.list(job.id, { states: retryStates(kind) });
  const allRejected =
    kind.rejectedStays && kind.polls ? await store.items.list(job.id, { states: ['rejected'] }) : [];
  const isChosen = chosenAmong([...allEnded, ...allRejected], only);
  const [ended, rejected] = [allEnded.filter(isChosen), allRejected.filter(isChosen)];
  const { prepared, sending, pending } = await store.jobs.counts(job.id);
  const left = prepared + sending + pending;
  if (ended.length + rejected.length + left === 0) throw await nothingToRetry(store, job.id);
  if ((await context.settings()).dryRun)
    return await previewJob(
      context,
      job,
      ['prepared', ...retryStates(kind)],
      (item) => item.state !== 'prepared' && !isChosen(item),
    );
  if (left > 0 && job.state !== 'loading') await context.notice(goesOn(job.id, left));
  if (ended.length > 0)
    await context.consent({ what: sendingAgain(job.id, ended, await whoseJob(context, job)) });
  await readAgain(context, kind, rejected);
  if (ended.length > 0)
    await (await context.jobs()).retry(job.id, only.length === 0 ? undefined : ended.map((item) => item.id));
  return await continueBatch(context, job.id, { family, options });
}

interface RetryRequest {
  readonly id: string;
  /** Ids of items; empty: all. */
  readonly only: readonly string[];
}

/** Error: `usage.invalid_value` for an id that is not one of these. */
function chosenAmong(items: readonly ItemRow[], only: readonly string[]): (item: ItemRow) => boolean {
  const stranger = only.find((id) => !items.some((item) => item.id === id));
  const expected: Text = {
    en: 'the id of a rejected, failed or cancelled item of this job is expected',
    pt: 'espera-se o id de um item rejeitado, com falha ou cancelado deste lote',
  };
  if (stranger !== undefined) throw invalidValue('--items', stranger, expected);
  return ({ id }) => only.length === 0 || only.includes(id);
}

async function readAgain(context: Context, kind: RunnableKind, rejected: readonly ItemRow[]): Promise<void> {
  const [client, jobs] = await Promise.all([context.client(), context.jobs()]);
  for (const item of rejected) {
    if (item.resourceId === undefined) continue;
    const call = { signal: context.interruption, jobId: item.jobId, itemId: item.id };
    const seen = await kind.read(client, item, call);
    const isNews = seen.state !== 'rejected' || seen.errorMessage !== item.errorMessage;
    if (isNews) await jobs.learn(item, { ...seen, note: 'read again' });
  }
}

function goesOn(id: string, count: number): Text {
  return counted(count, {
    en: [
      `# item of job ${id} was left open by an earlier run and is continued`,
      `# items of job ${id} were left open by an earlier run and are continued`,
    ],
    pt: [
      `# item do lote ${id} ficou aberto em uma execução anterior e continua`,
      `# itens do lote ${id} ficaram abertos em uma execução anterior e continuam`,
    ],
  });
}

async function nothingToRetry(store: Store, id: string): Promise<FiscalError> {
  const { uncertain } = await store.jobs.counts(id);
  const hint = counted(uncertain, {
    en: [
      `# item may or may not have arrived; check it in the service: fiscal job items ${id} --state uncertain, then: fiscal job resolve <item>`,
      `# items may or may not have arrived; check them in the service: fiscal job items ${id} --state uncertain, then: fiscal job resolve <item>`,
    ],
    pt: [
      `# item pode ter chegado ou não; verifique no serviço: fiscal job items ${id} --state uncertain, depois: fiscal job resolve <item>`,
      `# itens podem ter chegado ou não; verifique no serviço: fiscal job items ${id} --state uncertain, depois: fiscal job resolve <item>`,
    ],
  });
  const facts = uncertain === 0 ? {} : { hint };
  return new FiscalError('job.nothing_to_retry', { id }, { jobId: id, ...facts });
}

function sendingAgain(id: string, items: readonly ItemRow[], whose: Text): Text {
  const billed = counted(items.filter((item) => item.billed).length, nouns.billedCall);
  const many = counted(items.length, nouns.item);
  return {
    en: `send ${many.en} of job ${id} again with ${billed.en} (${whose.en})`,
    pt: `enviar de novo ${many.pt} do lote ${id} com ${billed.pt} (${whose.pt})`,
  };
}
