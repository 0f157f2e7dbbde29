import type { Given } from '../../cli/command.js';
import type { apply } from './clients-commands.js';
import { Readable } from 'node:stream';
import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { clientStep, clientSteps, type ClientStep, type Secrets } from '../../jobs/kinds/client-step.js';
import { type BatchFamily, type BatchOptions, runBatch } from '../../services/batch/run-batch.js';
import { EarlyRecords } from '../../services/batch/early.js';
import { ReportFile, writeReport } from '../../services/batch/files.js';
import { isOfStore } from '../../services/batch/records.js';
import { consentToBatch, runOptions } from '../../services/batch/start-job.js';
import type { Context } from '../../services/context.js';
import type { ItemRow } from '../../store/store.js';
import { findCertificates } from './clients-certificates.js';
import { readClients } from './clients-file.js';
import { inOrder, keyOf, type OrderedStep, type PlannedStep, planClients } from './clients-plan.js';
import { endNotices, labelOf, planNotices, recordOf, stepRecords, warningsOf } from './clients-report.js';

/** No step is polled or billed. */
const notFollowed = {
  ...{ wait: false, timeout: 0, interval: 1_000, retryBillable: false },
  ...{ maxBillable: undefined, metricsFile: undefined },
};

/**
 * Brings the companies of the account, their registrations, certificates and captures, and the webhooks to a file. What the file does
 * not name stays as it is; nothing is deleted. Nothing is sent before the whole difference is known and confirmed. A client whose
 * certificate cannot be used is left out whole, and the others are sent. Errors: `input.*`, `usage.confirmation_required`, those of the reads, and those of `runBatch`.
 */
export async function applyClients(context: Context, given: Given<typeof apply>): Promise<Outcome> {
  const { check } = given;
  const options = { ...given, ...notFollowed };
  const file = await readClients(context, given);
  const found = await findCertificates(context, file.clients, given);
  const { dryRun } = await context.settings();
  const isLooking = check || dryRun;
  if (!isLooking) await finishEarlier(context, found.secrets, options);
  const steps = await planClients(context, { file, found });
  for (const notice of found.notices) await context.notice(notice);
  if (isLooking) return look(steps, { check });
  return await send(context, steps, { secrets: found.secrets, options });
}

/** The plan, and with `check` an exit code that says whether the service is as in the file. */
function look(steps: readonly PlannedStep[], { check }: { readonly check: boolean }): Outcome {
  const has = (...actions: readonly PlannedStep['action'][]): boolean =>
    steps.some(({ action }) => actions.includes(action));
  const isDrift = has('create', 'update', 'blocked');
  const partial = has('unread', 'blocked') ? ExitCode.partial : ExitCode.ok;
  const exitCode = check && isDrift ? ExitCode.endedBadly : partial;
  return {
    data: stepRecords(steps, { exitCode, isPlan: true }),
    exitCode,
    notices: [...warningsOf(steps), ...endNotices(steps), ...(check ? [] : [nothingSent])],
  };
}

interface Sending {
  readonly secrets: Secrets;
  readonly options: BatchOptions;
}

async function send(context: Context, steps: readonly PlannedStep[], sending: Sending): Promise<Outcome> {
  const ordered = inOrder(steps);
  const left = steps.some(({ action }) => action === 'blocked' || action === 'unread');
  const { report: path } = sending.options;
  const report = path === undefined ? undefined : await ReportFile.open(context, path);
  if (ordered.length === 0) {
    const exitCode = left ? ExitCode.partial : ExitCode.ok;
    const data = stepRecords(steps, { exitCode, isPlan: false, stopped: 'complete' });
    const error = await writeReport(report, () => Readable.from(data), stepReport);
    return { data, exitCode, notices: endNotices(steps), error };
  }
  for (const line of [...planNotices(steps), ...warningsOf(steps)]) await context.notice(line);
  const { storeNamespace: profile } = await context.settings();
  await consentToBatch(context, { what: question(ordered, profile) });
  const run = context.random.uuid();
  const early = new EarlyRecords(context, ({ label }) => label);
  const byOrdinal = new Map(ordered.map((step) => [step.ordinal, step]));
  const batch = await runBatch<ClientStep>(context, {
    family: clientFamily(context, sending.secrets),
    // The rows of the file are more than those of the job.
    options: { ...sending.options, report: undefined },
    besides: steps.filter((step) => !isSent(step)).map((step) => recordOf(step, undefined)),
    early: {
      records: early,
      recordOf: (item) => {
        const step = byOrdinal.get(item.ordinal);
        return Promise.resolve(step && recordOf(step, item));
      },
    },
    job: {
      // Every apply writes its own job: it ends an earlier one first.
      ...{ kind: clientStep, profile, inputDigest: `clients ${run}`, scope: {}, needsInput: true },
      items: ordered.map((step) => ({
        ...{ ordinal: step.ordinal, label: labelOf(step), input: step.input },
        dedupeKey: step.action === 'create' && isOnce(step) ? keyOf(step) : `${keyOf(step)} ${run}`,
      })),
    },
  });
  const { job, counts, stopped, error: cause } = batch.result;
  const items = await itemsOf(context, job.id).catch((error: unknown) => {
    if (stopped === 'store-failed' && isOfStore(error)) return undefined;
    throw error;
  });
  // A step of which nobody knows the end is no success.
  const isOpen = counts.prepared + counts.sending + counts.pending > 0;
  const ended = batch.exitCode ?? ExitCode.ok;
  const exitCode = ended === ExitCode.ok && (left || isOpen) ? ExitCode.partial : ended;
  // Steps that were sent have no row where nobody can read what became of them.
  const known = items === undefined ? steps.filter((step) => !isSent(step)) : steps;
  const end = { exitCode, isPlan: false, ordered, items, jobId: job.id, stopped, errorCode: cause?.code };
  const data = stepRecords(known, end);
  const failedReport = await writeReport(report, () => Readable.from(data), stepReport);
  return {
    ...{ data: early.rest(data), exitCode, error: batch.error ?? failedReport },
    notices: [...(batch.notices ?? []), ...endNotices(steps)],
  };
}

const stepReport = { idField: 'resourceId' } as const;

function isSent({ action }: PlannedStep): boolean {
  return action === 'create' || action === 'update';
}

/** What must not exist twice; anything else may be written again. */
function isOnce({ step }: OrderedStep): boolean {
  return step === 'company' || step === 'state-tax' || step === 'municipal-tax' || step === 'webhook';
}

async function itemsOf(context: Context, jobId: string): Promise<ReadonlyMap<number, ItemRow>> {
  const items = new Map<number, ItemRow>();
  for await (const item of (await context.jobs()).items(jobId)) items.set(item.ordinal, item);
  return items;
}

/** For `job resume`, which knows no passwords: certificates and webhooks are left to the next apply. */
export function clientFamily(context: Context, secrets?: Secrets): BatchFamily {
  return {
    label: { en: 'applying clients', pt: 'aplicando clientes' },
    ...stepReport,
    fields: ({ resourceId }) => (resourceId === undefined ? {} : { resourceId }),
    kind: clientSteps(secrets),
    async keep(items) {
      const created = items.flatMap(({ state, input, resourceId: id }) => {
        // Rows of this kind always hold this input.
        const { step, wanted } = input as ClientStep;
        if (step !== 'company' || state !== 'succeeded' || id === undefined) return [];
        return [{ id, name: String(wanted['name']), taxNumber: cnpjOf(wanted) }];
      });
      if (created.length > 0) await (await context.scope()).remember(created);
    },
  };
}

function cnpjOf({ federalTaxNumber }: ClientStep['wanted']): string {
  return String(federalTaxNumber).padStart(14, '0');
}

const PAGE = 500;

/**
 * An apply that died may have sent something of unknown outcome: it is looked up before anything is compared. What it never sent is
 * cancelled, since the plan of this run has it again. Error: `job.held` while one is at work.
 */
async function finishEarlier(context: Context, secrets: Secrets, options: BatchOptions): Promise<void> {
  const [store, engine, settings] = await Promise.all([context.store(), context.jobs(), context.settings()]);
  const { storeNamespace: profile, concurrency } = settings;
  const jobs = await store.jobs.list({ profile, kind: clientStep.name, states: ['loading', 'open'] });
  for (const job of jobs) {
    const [worker] = await engine.workers(job.id);
    if (worker !== undefined) {
      const until = new Date(worker.expiresAt).toISOString();
      throw new FiscalError('job.held', { id: job.id, pid: worker.pid, until }, { jobId: job.id, sent: 'no' });
    }
    if (job.state === 'loading') {
      await engine.cancel(job.id);
      continue;
    }
    const prepared = await store.items.list(job.id, { states: ['prepared'] });
    const unsent = prepared.filter(({ attempts }) => attempts === 0);
    for (let start = 0; start < unsent.length; start += PAGE) {
      const page = unsent.slice(start, start + PAGE);
      await Promise.all(page.map((item) => engine.cancelItem(item, { is: 'cancelled', because: 'planned-again' })));
    }
    const { prepared: waiting, sending } = await store.jobs.counts(job.id);
    if (waiting + sending === 0) continue;
    await context.notice(continues(job.id, waiting + sending));
    const { error, stopped } = await engine
      .run(job.id, {
        ...(await runOptions(context, options)),
        ...{ concurrency, onError: 'continue', lockWaitMs: options.lockWait, kind: clientSteps(secrets) },
      })
      .finally(() => context.progress.stop());
    if (error !== undefined && stopped !== 'stopped') throw error.with({ jobId: job.id, resume: job.commandLine });
  }
}

function continues(jobId: string, count: number): Text {
  const steps = counted(count, { en: ['step', 'steps'], pt: ['etapa', 'etapas'] });
  return {
    en: `the earlier apply ${jobId} ended before the outcome of ${steps.en} was known: looking it up first`,
    pt: `a aplicação anterior ${jobId} terminou antes de se conhecer o resultado de ${steps.pt}: ele é consultado primeiro`,
  };
}

function question(ordered: readonly OrderedStep[], profile: string): Text {
  const count = (action: PlannedStep['action']) => ordered.filter((step) => step.action === action).length;
  const clients = new Set(ordered.filter(({ cnpj }) => cnpj !== '').map(({ cnpj }) => cnpj)).size;
  const [who, creates, updates] = [
    counted(clients, { en: ['client', 'clients'], pt: ['cliente', 'clientes'] }),
    counted(count('create'), { en: ['create', 'creates'], pt: ['criação', 'criações'] }),
    counted(count('update'), { en: ['update', 'updates'], pt: ['alteração', 'alterações'] }),
  ];
  return {
    en: `${creates.en} and ${updates.en} for ${who.en} (profile ${profile})`,
    pt: `${creates.pt} e ${updates.pt} para ${who.pt} (perfil ${profile})`,
  };
}

const nothingSent: Text = {
  en: 'nothing was sent; the account was read, which is free',
  pt: 'nada foi enviado; a conta foi lida, o que é gratuito',
};
