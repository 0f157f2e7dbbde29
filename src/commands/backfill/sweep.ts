import type { Text } from '../../contract/text.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { type CommandParts, fiscalLine } from '../../domain/command-words.js';
import { parseUtc } from '../../domain/dates.js';
import { ExitCode } from '../../errors/exit-code.js';
import { mapConcurrent } from '../../jobs/concurrency.js';
import type { Learned, PlannedItem } from '../../jobs/engine.js';
import { requestOf, sweepFacts, sweepKey } from '../../jobs/kinds/backfill-release.js';
import { type Approval, observeSweep, type SweepRequest } from '../../jobs/kinds/backfill-sweep.js';
import {
  type BatchOptions,
  type BatchOutcome,
  type BatchWork,
  continueBatch,
  runBatch,
} from '../../services/batch/run-batch.js';
import { writtenWhole } from '../../services/batch/early.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { companiesText } from '../../services/scope/text.js';
import type { ItemRow } from '../../store/store.js';
import { type CompanySummary, confirmCompanies, requireSole } from './companies.js';
import { countListed } from './cut-off.js';
import { sweepFamily } from './family.js';
import { approvalFields, approvalText } from './approval.js';
import type { Proposal } from './plan-file.js';
import { soleOutcome } from './single-outcome.js';

interface Sweep {
  readonly released: boolean;
  readonly read: readonly CompanySummary[];
  /** A single named company: its outcome is that of the command. */
  readonly isSole: boolean;
  readonly confirm: string | undefined;
  readonly plan?: SweepPlan;
  readonly options: BatchOptions;
  /** Records of companies that are not sent. */
  readonly besides?: readonly DataRecord[];
  /** Names the same companies for the command that waits; nothing: those of the command. */
  readonly follow: Pick<CommandParts, 'flags' | 'company'>;
}

/** The reviewed plan that a release carries out. */
export interface SweepPlan {
  readonly id: string;
  readonly rows: readonly Proposal[];
  readonly approvals: readonly Approval[];
}

/**
 * Releases or revokes as one job with an item per company; a repeat with the same companies continues it. Skips companies that
 * are already done. Returns one object for one company, records and a summary for several. Errors: those of `soleOutcome`,
 * `runBatch`, and of the confirmation.
 */
export async function runSweep(context: Context, sweep: Sweep): Promise<Outcome> {
  const { read, released, isSole, plan } = sweep;
  if (isSole) requireSole(read);
  const settings = await context.settings();
  const requests = await mapConcurrent(read, settings.concurrency, async (one) => ({
    ...(await requestFor(context, one, released)),
    ...markOf(sweep, one),
  }));
  if (settings.dryRun) return await dryRun(context, sweep, requests);
  const ids = requests.map(({ companyId }) => companyId);
  const isHeld = read.every((one) => isDone(one, released));
  const what = question(requests, sweep, settings.storeNamespace);
  if (!isHeld) await confirmCompanies(context, { what, ids, given: sweep.confirm, planId: plan?.id });
  await withdrawOpposite(context, requests);
  // A run that waits reads them itself, and says so.
  if (!sweep.options.wait) await endOvertaken(context, read, released);
  const isSo = isHeld && !(await isUnderWay(context, requests));
  const inputDigest = digestOf(sweep, ids);
  // When nothing remains to request, one more read finishes the open job.
  const options = { ...sweep.options, wait: sweep.options.wait || isHeld };
  const earlier = options.wait && !isSo ? await followEarlier(context, { requests, inputDigest, options }) : undefined;
  if (earlier !== undefined) return earlier;
  const outcome = await runBatch<SweepRequest>(isSole ? writtenWhole(context) : context, {
    family: { ...sweepFamily(context), accepted: () => accepted(sweep.follow) },
    options: isSole ? { ...options, onError: 'stop' } : options,
    ...withBesides(sweep),
    // Nobody was asked, so nothing may be sent, even when the state changes at this moment.
    ...(isSo && { learned: (item: ItemRow) => soAlready(requestOf(item), read) }),
    job: {
      kind: sweepFacts(released),
      profile: settings.storeNamespace,
      inputDigest,
      scope: isSole ? { companyId: ids.join(',') } : {},
      companies: plan === undefined ? ids : [],
      items: requests.map(itemOf),
    },
  });
  if (isSole) return await ofSole(context, outcome, options.wait);
  return isSo ? { ...outcome, notices: [...(outcome.notices ?? []), holdsAlready] } : outcome;
}

async function ofSole(context: Context, outcome: BatchOutcome, wait: boolean): Promise<Outcome> {
  return (await soleOutcome(context, { outcome, family: sweepFamily(context), wait })) ?? outcome;
}

/** Finds the job of the same companies, or of the same plan. */
function digestOf({ released, plan }: Sweep, ids: readonly string[]): string {
  return `backfill ${released ? 'release' : 'revoke'} ${plan?.id ?? ids.toSorted().join(',')}`;
}

function itemOf(input: SweepRequest, index: number): PlannedItem<SweepRequest> {
  return { ordinal: index + 1, label: input.companyId, dedupeKey: sweepKey(input), input };
}

function withBesides({ besides = [], plan }: Sweep): Pick<BatchWork, 'besides' | 'summary' | 'blocked'> {
  const { length: changed } = besides;
  const summary = () => ({ ...(changed === 0 ? {} : { changed }), ...(plan && planFields(plan)) });
  return changed === 0 ? { summary } : { besides, summary, blocked: () => changed };
}

/** Accepted requests continue in the service: names the command that waits for them, on any machine. */
function accepted({ flags = [], company }: Sweep['follow']): Text {
  const line = fiscalLine({ command: 'backfill show', flags: [['--wait', true], ...flags], company });
  return { en: `accepted; to wait for it: ${line}`, pt: `aceito; para aguardar a conclusão: ${line}` };
}

function planFields({ id, approvals }: SweepPlan): Readonly<Record<string, string>> {
  return { planId: id, ...approvalFields(approvals) };
}

/** The row of the plan in which a company was reviewed. */
function markOf({ plan }: Sweep, { company }: CompanySummary): Pick<SweepRequest, 'plan'> {
  const row = plan?.rows.find(({ companyId }) => companyId === company.id);
  return plan === undefined || row === undefined
    ? {}
    : { plan: { id: plan.id, row: row.fingerprint, approvals: plan.approvals } };
}

async function requestFor(context: Context, one: CompanySummary, released: boolean): Promise<SweepRequest> {
  const { company, summary } = one;
  const companyId = company.id;
  const { hidden, startFromDate } = summary ?? {};
  const base = {
    ...{ companyId, released },
    ...(hidden === undefined ? {} : { hidden }),
    ...(summary?.released === undefined ? {} : { wasReleased: summary.released }),
  };
  const before = startFromDate === undefined ? undefined : parseUtc(startFromDate);
  if (released || before === undefined || summary?.released === false) return base;
  const listed = await countListed(context, { companyId, before });
  return listed === undefined ? base : { ...base, expected: listed + (hidden ?? 0) };
}

function isDone({ summary }: CompanySummary, released: boolean): boolean {
  return summary?.released === released && (!released || summary.hidden === 0);
}

/** The service is as asked: the item needs no request. */
function soAlready(request: SweepRequest, read: readonly CompanySummary[]): Learned {
  const { summary = {} } = read.find(({ company }) => company.id === request.companyId) ?? {};
  const { remoteStatus } = observeSweep(summary, request, undefined);
  return {
    ...{ state: 'skipped', resourceId: request.companyId, step: { is: 'found', beforeAnySend: true } },
    ...(remoteStatus === undefined ? {} : { remoteStatus }),
  };
}

async function dryRun(
  context: Context,
  { read, released, plan }: Sweep,
  requests: readonly SweepRequest[],
): Promise<Outcome> {
  const open = read.filter((one) => one.error === undefined && !isDone(one, released));
  const companyId = open[0]?.company.id;
  const input = { path: { companyId: companyId ?? '' }, body: { released } };
  const preview =
    companyId === undefined ? { type: 'dry-run' } : await previewOne(context, 'nfse.backfill.release', input);
  const { hidden, expected } = sumOf(requests);
  return {
    data: {
      ...preview,
      companies: read.length,
      sends: open.length,
      hiddenDocumentsCount: hidden,
      ...(released ? {} : { wouldBeHidden: expected }),
      ...(plan && planFields(plan)),
      billedCalls: 0,
    },
    notices: [open.length === 0 ? nothingToSend : dryRunOnly],
  };
}

function sumOf(requests: readonly SweepRequest[]) {
  const sum = (values: readonly (number | undefined)[]) => values.reduce<number>((all, value) => all + (value ?? 0), 0);
  return { hidden: sum(requests.map(({ hidden }) => hidden)), expected: sum(requests.map(({ expected }) => expected)) };
}

function question(requests: readonly SweepRequest[], sweep: Sweep, storeNamespace: string): Text {
  const { read, released, plan } = sweep;
  const of = companiesText(read.map(({ company }) => company));
  const { hidden, expected } = sumOf(requests);
  if (released) {
    const approved = approvalText(plan?.approvals ?? []);
    return {
      en: `releasing the retained history of ${of.en} (profile ${storeNamespace}): ${hidden} hidden NFS-e become listed; they were billed as history when they were captured, the release is not billed${approved.en}`,
      pt: `liberar o histórico retido ${of.pt} (perfil ${storeNamespace}): ${hidden} NFS-e ocultas passam a ser listadas; elas foram cobradas como histórico na captura, a liberação não é cobrada${approved.pt}`,
    };
  }
  const isKnown = requests.every(({ expected: count }) => count !== undefined);
  const count = isKnown ? String(expected) : '?';
  return {
    en: `revoking the release of ${of.en} (profile ${storeNamespace}): the NFS-e issued before the cut-off are hidden again (${count}${isKnown ? '' : ', the count is not known'})`,
    pt: `revogar a liberação ${of.pt} (perfil ${storeNamespace}): as NFS-e emitidas antes da data de corte voltam a ficar ocultas (${count}${isKnown ? '' : ', contagem desconhecida'})`,
  };
}

const holdsAlready: Text = { en: 'already done; nothing was sent', pt: 'já está assim; nada foi enviado' };

const dryRunOnly: Text = {
  en: 'nothing was sent; the request shown is the first one',
  pt: 'nada foi enviado; a requisição mostrada é a primeira',
};

const nothingToSend: Text = { en: 'nothing would be sent', pt: 'nada seria enviado' };

/**
 * An earlier opposite request of this machine that was not sent, or whose send was interrupted, must not go out after
 * the new one: it is cancelled. One that was sent stays with its job, which detects that it was superseded.
 */
async function withdrawOpposite(context: Context, requests: readonly SweepRequest[]): Promise<void> {
  const store = await context.store();
  const now = store.clock.now();
  for (const { companyId, released } of requests) {
    const item = await holderOf(context, { companyId, released: !released });
    if (item === undefined || item.state === 'pending') continue;
    const patch = { state: 'cancelled', settledAt: now, holdsKey: false, keep: false } as const;
    await store.items.decide(item.id, item.state, patch, { at: now, step: { is: 'cancelled', because: 'opposite' } });
  }
}

/** What this machine asked for and somebody else has reversed since is over: it must not stand for a new request. */
async function endOvertaken(context: Context, read: readonly CompanySummary[], released: boolean): Promise<void> {
  const engine = await context.jobs();
  for (const { company, summary = {} } of read) {
    const request = { companyId: company.id, released };
    const item = await holderOf(context, request);
    if (item?.state !== 'pending') continue;
    const seen = observeSweep(summary, request, item.remoteStatus);
    if (seen.state === 'rejected') await engine.learn(item, { ...seen, step: { is: 'read' } });
  }
}

/** True when an open job of this machine requests one of them. */
async function isUnderWay(context: Context, requests: readonly SweepRequest[]): Promise<boolean> {
  for (const request of requests) if ((await holderOf(context, request)) !== undefined) return true;
  return false;
}

interface Earlier {
  readonly requests: readonly SweepRequest[];
  /** Of the job that is about to run. */
  readonly inputDigest: string;
  readonly options: BatchOptions;
}

/**
 * Waits first for another job that already requested a company. `undefined` when those jobs are
 * done; their outcome when they did not finish.
 */
async function followEarlier(context: Context, earlier: Earlier): Promise<Outcome | undefined> {
  const { requests, inputDigest, options } = earlier;
  const { storeNamespace: profile } = await context.settings();
  const operation = sweepFacts(true).submit;
  const own = await (await context.store()).jobs.find({ operation, profile, inputDigest });
  const jobs = new Set<string>();
  for (const request of requests) {
    const item = await holderOf(context, request);
    if (item !== undefined && item.jobId !== own?.id) jobs.add(item.jobId);
  }
  for (const jobId of jobs) {
    const outcome = await continueBatch(writtenWhole(context), jobId, { family: sweepFamily(context), options });
    const { exitCode } = outcome;
    if (exitCode !== ExitCode.ok && exitCode !== ExitCode.partial) return outcome;
  }
  return undefined;
}

async function holderOf(context: Context, request: SweepRequest): Promise<ItemRow | undefined> {
  const { storeNamespace: profile } = await context.settings();
  const store = await context.store();
  return await store.items.holder({ profile, kind: sweepFacts(request.released).name, dedupeKey: sweepKey(request) });
}
