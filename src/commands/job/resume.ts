import { isDeepStrictEqual } from 'node:util';
import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { RunnableKind } from '../../jobs/kind.js';
import { leaseInWords } from '../../jobs/lease.js';
import { kindOfJob, retryStates } from '../../jobs/manage.js';
import { continueBatch, heldBatch } from '../../services/batch/run-batch.js';
import type { Context } from '../../services/context.js';
import { blockedHosts } from '../../services/calls/blocked-hosts.js';
import type { ItemRow, JobRow, Store } from '../../store/store.js';
import { familyOf } from '../families.js';
import type { resume } from './commands.js';
import { jobLine, ownJob, previewJob, totalOf, whoseJob } from './read.js';

/**
 * Continues a job where it stopped. Finished items do not change, uncertain ones still wait for a person. While another process works
 * on it, nothing is sent: that process is followed, and then what it leaves.
 */
export async function resumeJob(context: Context, given: Given<typeof resume>): Promise<Outcome> {
  const job = await ownJob(context, idOf(given));
  if ((await context.settings()).dryRun) return await previewJob(context, job, ['prepared']);
  const family = familyOf(context, job);
  const others = await followOthers(context, job, given.lockWait);
  if (others instanceof FiscalError) return await heldBatch(context, job, { family, options: given, error: others });
  return await continueBatch(context, job.id, { family, options: { ...given, wait: others || given.wait } });
}

function idOf({ id, failed }: Given<typeof resume>): string {
  if (id !== undefined) return id;
  const pick = failed ? 'failedJob' : 'job';
  throw new FiscalError('usage.missing', { names: '<id>' }, { sent: 'no', pick });
}

const LOOK_MS = 500;

/** True after another process has worked on it; `outcome.still_pending` when that takes longer, or the interruption. */
async function followOthers(context: Context, job: JobRow, atMostMs: number): Promise<boolean | FiscalError> {
  const [store, engine] = await Promise.all([context.store(), context.jobs()]);
  const { clock } = store;
  const since = clock.now();
  const label: Text = { en: `job ${job.id}`, pt: `lote ${job.id}` };
  let isFollowed = false;
  try {
    for (;;) {
      const [worker] = await engine.workers(job.id);
      if (worker === undefined) break;
      const counts = await store.jobs.counts(job.id);
      const open = counts.prepared + counts.sending + counts.pending;
      const isWhole = (await store.jobs.get(job.id))?.state !== 'loading';
      if (isWhole && open === 0) break;
      if (!isFollowed)
        await context.notice({
          en: `another process works on job ${job.id}: it is followed, and nothing is sent meanwhile`,
          pt: `outro processo trabalha no lote ${job.id}: ele é acompanhado, e nada é enviado enquanto isso`,
        });
      isFollowed = true;
      context.progress.report({ label, done: totalOf(counts) - open, total: totalOf(counts) });
      if (clock.now() - since >= atMostMs) return stillGoing(job, label, atMostMs);
      await clock.sleep(LOOK_MS, context.interruption, leaseInWords(worker));
    }
  } catch (error) {
    if (error instanceof FiscalError && error.code === 'job.interrupted')
      return error.with({ jobId: job.id, resume: jobLine(job, 'resume') });
    throw error;
  } finally {
    context.progress.stop();
  }
  return isFollowed;
}

function stillGoing(job: JobRow, what: Text, ms: number): FiscalError {
  const status: Text = { en: 'in progress', pt: 'em andamento' };
  const facts = { jobId: job.id, resume: jobLine(job, 'resume'), sent: 'no' } as const;
  return new FiscalError('outcome.still_pending', { what, status, seconds: ms / 1000 }, facts);
}

/** Ends the waits of the profile's hosts and shows them; with `--dry-run` only shows them. Error: those of the store. */
export async function endWaits(context: Context): Promise<Outcome> {
  const { storeNamespace: profile, dryRun } = await context.settings();
  const store = await context.store();
  const ended = await blockedHosts(store, profile);
  if (!dryRun) {
    if (store.readOnly !== undefined) throw store.readOnly;
    await store.pace.reset(profile);
  }
  return { data: { type: 'waits', profile, ...(dryRun ? { dryRun } : {}), ended } };
}

/**
 * Sends failed, cancelled and rejected items again, as new items linked to the old ones. A rejected resource
 * that stays in the service (a product in Error) is never sent twice: it is read again, which is free, and succeeds once an
 * update has corrected it. Items that an earlier run left open continue, also those of an interrupted run of this.
 */
export async function retryJob(context: Context, given: Given<typeof resume>): Promise<Outcome> {
  const { items: only } = given;
  const store = await context.store();
  const job = await ownJob(context, idOf(given));
  const family = familyOf(context, job);
  const kind = await kindOfJob({ store }, job.id);
  const allEnded = await store.items.list(job.id, { states: retryStates(kind) });
  const allRejected = kind.rejectedStays && kind.polls ? await store.items.list(job.id, { states: ['rejected'] }) : [];
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
  if (ended.length > 0) await context.consent({ what: sendingAgain(job.id, ended, await whoseJob(context, job)) });
  await readAgain(context, kind, rejected);
  if (ended.length > 0)
    await (await context.jobs()).retry(job.id, only.length === 0 ? undefined : ended.map((item) => item.id));
  return await continueBatch(context, job.id, { family, options: given });
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
    const isNews = seen.state !== 'rejected' || !isDeepStrictEqual(seen.reason, item.reason);
    if (isNews) await jobs.learn(item, { ...seen, step: { is: 'read', by: 'resume' } });
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
