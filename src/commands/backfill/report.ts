import { resolve } from 'node:path';
import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import { dayAt, parseUtc } from '../../domain/dates.js';
import { addExactly, type JsonNumber, multiplyExactly } from '../../domain/exact-decimal.js';
import { NumberLiteral } from '../../domain/json-numbers.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { Prose } from '../../domain/prose.js';
import { present } from '../../domain/record.js';
import { reasonWords } from '../../errors/reasons.js';
import { formOf, notWritten, requireFolder, writeWhole } from '../../io/output-file.js';
import { mapConcurrent } from '../../jobs/concurrency.js';
import { itemsOf } from '../../jobs/item-pages.js';
import { requestOf, summaryOf, sweepKinds } from '../../jobs/kinds/backfill-release.js';
import { type Approval, type Summary, sweepStatus } from '../../jobs/kinds/backfill-sweep.js';
import { budgetOf } from '../../services/costs/budget.js';
import { type Prices, readPrices } from '../../services/costs/prices.js';
import type { Context } from '../../services/context.js';
import { findJob } from '../../services/named-job.js';
import type { CompanyLabel } from '../../services/scope/scope.js';
import type { ItemRow, ItemState, JobRow } from '../../store/store.js';
import { approvalFields, approvalsOf } from './approval.js';
import type { released } from './commands.js';
import { factsOf, type JobFacts, notSaid, revealedBetween, senderOf, wasAccepted } from './facts.js';
import { joined, type Proposal, planId, readPlan, releasesOf } from './plan-file.js';
import { reportBytes, reportForms } from './report-file.js';

/**
 * What the releases and revokes of the store did, each beside what the service says of its company now. Exit 3: they disagree, the
 * service cannot be read, an outcome is not known, or the store knows none. Errors: those of `readPlan`, `findJob`, `approvalsOf`
 * and of the prices; `store.*`.
 */
export async function reportBackfill(context: Context, given: Given<typeof released>): Promise<Outcome> {
  const { out } = given;
  const form = out === undefined ? undefined : formOf(out, reportForms);
  const path = out === undefined ? undefined : resolve(context.cwd, out);
  if (path !== undefined) await requireFolder(path);
  const prices =
    given.prices === undefined ? (await budgetOf(context))?.prices : await readPrices(context, given.prices);
  const subjects = await subjectsOf(context, given);
  const seen = await readService(context, [...new Set(subjects.map(({ companyId }) => companyId))]);
  const label = await (await context.scope()).labels();
  const rows: Row[] = [];
  for (const subject of subjects) {
    const { companyId } = subject;
    const known = { ...subject.label, ...label(companyId) };
    const row = await rowOf(context, subject, seen.get(companyId) ?? {});
    rows.push({ ...row, companyId, ...known, ...billedIn(row, subject, prices) });
  }
  const summary = summaryOfRows(rows);
  const unread = [...seen.values()].find(({ error }) => error !== undefined)?.error;
  const notices = [
    ...(rows.length === 0 ? [noneKnown] : []),
    ...(unread === undefined ? [] : [notRead(unread.text)]),
    ...(prices === undefined && summary['billedDocuments'] !== undefined ? [noPrices] : []),
  ];
  const exitCode = rows.length === 0 || rows.some(({ isUncertain }) => isUncertain) ? ExitCode.partial : ExitCode.ok;
  const records = rows.map(({ isUncertain: _isUncertain, ...row }): DataRecord => row);
  if (path === undefined || form === undefined)
    return { data: [...records, { ...summary, exitCode }], exitCode, notices };
  const { dryRun } = await context.settings();
  const bytes = reportBytes(context, records, { form, summary, notices, ...(await context.settings()) });
  if (!dryRun) await writeWhole(path, bytes, context.random);
  return { data: [{ ...summary, exitCode, out }], exitCode, notices: [...notices, ...(dryRun ? [notWritten] : [])] };
}

/** A company in one request: an item of a job, or the row of a plan that no job of this store has asked for. */
type Subject = { readonly companyId: string; readonly label: CompanyLabel } & (Asked | { readonly planned: Planned });

interface Asked {
  readonly item: ItemRow;
  /** The store knows of no later request for the company: what the service says now is of this one. */
  readonly isNewest: boolean;
}

interface Planned {
  readonly row: Proposal;
  readonly id: string;
  readonly approvals: readonly Approval[];
}

async function subjectsOf(context: Context, { plan, job }: Given<typeof released>): Promise<readonly Subject[]> {
  const items: ItemRow[] = [];
  const newest = new Map<string, number>();
  const store = await context.store();
  const only = job === undefined ? undefined : await sweepJob(context, job);
  for (const { id } of await jobsOf(context)) {
    for await (const item of itemsOf(store, id, {})) {
      const { companyId } = requestOf(item);
      items.push(item);
      if (!idle.includes(item.state)) newest.set(companyId, Math.max(timeOf(item), newest.get(companyId) ?? 0));
    }
  }
  const found = items.map((item) => {
    const { companyId } = requestOf(item);
    return { companyId, item, isNewest: timeOf(item) >= (newest.get(companyId) ?? 0), label: {} };
  });
  if (only !== undefined) return found.filter(({ item }) => item.jobId === only.id);
  // A repeat that found everything done says nothing more than the request before it.
  const told = found.filter(({ companyId, item }) => item.state !== 'skipped' || !newest.has(companyId));
  if (plan === undefined) return told;
  const rows = releasesOf(await readPlan(context, plan), plan);
  const id = planId(rows);
  const approvals = await approvalsOf(context, plan, id);
  return rows.flatMap((row): readonly Subject[] => {
    const { companyId, companyName, companyTaxNumber } = row;
    const label = {
      ...(companyName === '' ? {} : { companyName }),
      ...(companyTaxNumber === '' ? {} : { companyTaxNumber }),
    };
    const asked = told.filter(({ item }) => requestOf(item).plan?.row === row.fingerprint);
    const release = asked.length > 0 ? asked : told.filter((subject) => isReleaseSince(subject, row));
    if (release.length > 0) return release.map((subject) => ({ ...subject, label }));
    return [{ companyId, planned: { row, id, approvals }, label }];
  });
}

/** The release of this company that is in force by another plan, or by none, after this plan was made. */
function isReleaseSince({ companyId, item, isNewest }: Asked & { readonly companyId: string }, row: Proposal): boolean {
  const { released } = requestOf(item);
  const isSince = timeOf(item) >= (parseUtc(row.plannedAt) ?? Infinity);
  return companyId === row.companyId && released && isNewest && isSince && !idle.includes(item.state);
}

/** States of items that have changed nothing at the service. */
const idle: readonly ItemState[] = ['prepared', 'skipped', 'cancelled', 'failed'];

function timeOf({ sentAt, updatedAt }: ItemRow): number {
  return sentAt ?? updatedAt;
}

/** The oldest first. */
async function jobsOf(context: Context): Promise<readonly JobRow[]> {
  const store = await context.store();
  const { storeNamespace: profile } = await context.settings();
  const lists = await Promise.all(sweepKinds.map(({ name }) => store.jobs.list({ profile, kind: name })));
  return lists.flat().toSorted((one, other) => one.createdAt - other.createdAt);
}

/** Errors: those of `findJob`; `usage.invalid_value` for a job of another kind, or of another profile. */
async function sweepJob(context: Context, id: string): Promise<JobRow> {
  const job = await findJob(await context.store(), id);
  const { storeNamespace } = await context.settings();
  if (job.profile === storeNamespace && sweepKinds.some(({ name }) => name === job.kind)) return job;
  throw new FiscalError('usage.invalid_value', { name: '--job', value: id, expected: aSweep }, { sent: 'no' });
}

/** What the service says of a company, or why it could not be read. */
interface Seen {
  readonly summary?: Summary;
  readonly error?: FiscalError;
}

/** After a failure that is not of one company the others are not asked: the service is out, or the key is not taken. */
async function readService(context: Context, ids: readonly string[]): Promise<ReadonlyMap<string, Seen>> {
  const { concurrency } = await context.settings();
  let out: FiscalError | undefined;
  const read = async (companyId: string): Promise<Seen> => {
    if (out !== undefined) return { error: out };
    try {
      const client = await context.client();
      return { summary: await summaryOf(client, { companyId }, { signal: context.interruption }) };
    } catch (error) {
      if (!(error instanceof FiscalError) || context.interruption.aborted) throw error;
      if (error.facts.httpStatus === undefined || ![400, 403, 404].includes(error.facts.httpStatus)) out = error;
      return { error };
    }
  };
  const seen = await mapConcurrent(ids, concurrency, async (id) => [id, await read(id)] as const);
  return new Map(seen);
}

type Evidence = 'both' | 'job' | 'service' | 'disagree' | 'none';

/** What a row says of its request; a fact without evidence is absent. */
interface Judged extends Partial<JobFacts> {
  readonly type: 'report';
  readonly asked: 'release' | 'revoke';
  readonly state: ItemState | 'settled' | 'hidden' | 'unknown';
  readonly evidence: Evidence;
  readonly hiddenAfter?: number;
  readonly jobId?: string;
  readonly errorCode?: string;
  readonly error?: Prose;
  readonly note?: Prose;
  readonly isUncertain: boolean;
}

interface Row extends Judged, Billed {
  readonly companyId: string;
}

interface Billed {
  readonly billedAs?: 'history';
  readonly billedDocuments?: number;
  readonly price?: string;
  readonly cost?: string;
}

async function rowOf(context: Context, subject: Subject, seen: Seen): Promise<Judged> {
  return 'item' in subject ? await rowOfItem(context, subject, seen) : rowOfPlan(subject.planned, seen);
}

const open: readonly string[] = ['sending', 'uncertain'];

async function rowOfItem(context: Context, { item, isNewest }: Asked, seen: Seen): Promise<Judged> {
  const { released } = requestOf(item);
  const asked: Judged['asked'] = released ? 'release' : 'revoke';
  const last = sweepStatus(item.remoteStatus);
  const facts = factsOf(item);
  const verdict = isNewest ? judged(item, seen) : { evidence: 'job' as const, notes: [notes.later] };
  const hiddenAfter = verdict.evidence === 'job' ? last?.hidden : seen.summary?.hidden;
  const isProven = verdict.evidence === 'both' || verdict.evidence === 'job';
  const isOthers = (item.state === 'succeeded' || item.state === 'pending') && !wasAccepted(item);
  const said = [...verdict.notes, ...(isOthers ? [notes.others] : [])];
  const { revealed: ofJob, ...known } = facts;
  const revealed = ofJob === undefined || !isProven ? {} : revealedBetween(facts.hiddenBefore, hiddenAfter);
  return present({
    type: 'report',
    ...{ asked, state: item.state, evidence: verdict.evidence },
    ...known,
    hiddenAfter,
    ...revealed,
    ...(await senderOf(context, item)),
    ...{ jobId: item.jobId, errorCode: item.errorCode },
    error: item.reason && new Prose(reasonWords(item.reason)),
    note: noteOf(said),
    isUncertain: !isProven || open.includes(item.state) || (isNewest && verdict.evidence === 'job'),
  } as const);
}

interface Verdict {
  readonly evidence: Evidence;
  readonly notes: readonly Text[];
}

/** What the newest request of a company says, beside what the service says of it now. */
function judged(item: ItemRow, seen: Seen): Verdict {
  const now = readIn(seen);
  if ('unread' in now) return { evidence: 'job', notes: [now.unread] };
  const { released } = requestOf(item);
  const isAsSaid = now.released === released;
  const disagree = { evidence: 'disagree', notes: [nowText(now)] } as const;
  switch (item.state) {
    case 'succeeded':
      return isAsSaid && (!released || now.hidden === 0) ? agree : disagree;
    case 'skipped':
      return isAsSaid ? agree : disagree;
    case 'pending':
      if (!isAsSaid) return disagree;
      return released && now.hidden === 0 ? { ...agree, notes: [notes.done] } : agree;
    case 'sending':
    case 'uncertain':
      return { evidence: 'both', notes: [nowText(now)] };
    default:
      return isAsSaid ? { ...agree, notes: [notes.byOthers] } : agree;
  }
}

const agree: Verdict = { evidence: 'both', notes: [] };

interface Now {
  readonly released: boolean;
  readonly hidden: number;
}

/** The whole summary, or why there is none. */
function readIn({ summary, error }: Seen): Now | { readonly unread: Text } {
  if (error !== undefined) return { unread: notRead(error.text) };
  const { released, hidden } = summary ?? {};
  return released === undefined || hidden === undefined ? { unread: notSaid } : { released, hidden };
}

/** A row of a plan that this store has not asked for: another machine may have. */
function rowOfPlan({ row, id, approvals }: Planned, seen: Seen): Judged {
  const plan = { planId: id, ...approvalFields(approvals) };
  const hiddenBefore = /^\d{1,15}$/.test(row.hidden) ? Number(row.hidden) : undefined;
  const base = { type: 'report', asked: 'release', hiddenBefore, ...plan } as const;
  const now = readIn(seen);
  if ('unread' in now) {
    const note = noteOf([notes.notOurs, now.unread]);
    return present({ ...base, state: 'unknown', evidence: 'none', note, isUncertain: true } as const);
  }
  return present({
    ...base,
    state: stateNow(now),
    evidence: 'service',
    hiddenAfter: now.hidden,
    ...(now.released ? revealedBetween(hiddenBefore, now.hidden) : {}),
    ...{ note: noteOf([notes.notOurs]), isUncertain: false },
  } as const);
}

function stateNow({ released, hidden }: Now): Judged['state'] {
  if (!released) return 'hidden';
  return hidden === 0 ? 'settled' : 'pending';
}

function noteOf(said: readonly Text[]): Prose | undefined {
  return said.length === 0 ? undefined : new Prose(joined(said));
}

/** The documents that were hidden are billed as history; without prices nobody knows for how much. */
function billedIn({ asked, hiddenBefore }: Judged, subject: Subject, prices: Prices | undefined): Billed {
  if (asked !== 'release' || hiddenBefore === undefined) return {};
  const billed = { billedAs: 'history', billedDocuments: hiddenBefore } as const;
  const at = 'item' in subject ? timeOf(subject.item) : parseUtc(subject.planned.row.plannedAt);
  if (prices === undefined || at === undefined) return billed;
  const price = prices.of({ operation: 'history', billed: 'history', day: dayAt(at) });
  return { ...billed, price, cost: String(multiplyExactly(new NumberLiteral(price), hiddenBefore)) };
}

/** States in which a release has revealed documents, or may have. */
const revealing: readonly Judged['state'][] = ['succeeded', 'settled', 'pending', 'sending', 'uncertain', 'unknown'];

/** What is not known of a row is counted apart, and never as 0. */
function summaryOfRows(rows: readonly Row[]): DataRecord {
  const count = (...states: readonly Judged['state'][]): number =>
    rows.filter(({ state }) => states.includes(state)).length;
  const sumOf = (values: readonly (number | undefined)[]): number =>
    values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  const releases = rows.filter(({ asked }) => asked === 'release');
  // Documents that were revealed, hidden by a revoke and revealed again are the same ones.
  const revealed = newestOf(releases.filter(({ state }) => revealing.includes(state))).map((row) => row.revealed);
  const revealedUnknown = revealed.filter((value) => value === undefined).length;
  // History is billed once, however often it was released.
  const billed = newestOf(releases);
  const isKnown = billed.length > 0 && billed.every(({ billedDocuments }) => billedDocuments !== undefined);
  const isPriced = isKnown && billed.every((row) => row.cost !== undefined);
  const cost = billed.reduce<JsonNumber>((sum, row) => addExactly(sum, new NumberLiteral(row.cost ?? '0')), 0);
  return {
    ...{ type: 'summary', companies: new Set(rows.map(({ companyId }) => companyId)).size, rows: rows.length },
    ...{ succeeded: count('succeeded', 'settled'), pending: count('pending'), failed: count('failed', 'rejected') },
    uncertain: rows.filter(({ isUncertain }) => isUncertain).length,
    ...(revealedUnknown > 0 ? { revealedUnknown } : {}),
    ...(rows.length > 0 && (revealedUnknown < revealed.length || revealedUnknown === 0)
      ? { revealed: sumOf(revealed) }
      : {}),
    ...(isKnown ? { billedDocuments: sumOf(billed.map(({ billedDocuments }) => billedDocuments)) } : {}),
    ...(isPriced ? { cost: String(cost) } : {}),
  };
}

/** The last row of each company. */
function newestOf(rows: readonly Row[]): readonly Row[] {
  return [...new Map(rows.map((row) => [row.companyId, row])).values()];
}

function nowText({ released, hidden }: Now): Text {
  return {
    en: `the service says now: ${released ? 'released' : 'not released'}, ${hidden} hidden`,
    pt: `o serviço informa agora: ${released ? 'liberada' : 'não liberada'}, ${hidden} ocultas`,
  };
}

function notRead({ en, pt }: Text): Text {
  return { en: `the service could not be read: ${en}`, pt: `não foi possível ler o serviço: ${pt}` };
}

const notes = {
  later: {
    en: 'a later request for this company is known: the service speaks of that one',
    pt: 'há um pedido posterior para esta empresa: o serviço fala dele',
  },
  others: {
    en: 'it was released or revoked already when it was asked for: by an earlier send, or by somebody else',
    pt: 'já estava assim quando foi pedido: por um envio anterior ou por outra pessoa',
  },
  byOthers: {
    en: 'the service has this state, by a request that is not of this job',
    pt: 'o serviço está nesta situação, por um pedido que não é deste lote',
  },
  done: { en: 'the service has finished; the job has not read it yet', pt: 'o serviço concluiu; o lote ainda não leu' },
  notOurs: {
    en: 'no job of this store asked for it: who did, and when, is not known here',
    pt: 'nenhum lote deste arquivo de estado pediu: quem pediu, e quando, não se sabe aqui',
  },
} as const satisfies Readonly<Record<string, Text>>;

const aSweep: Text = {
  en: 'a job of backfill release or revoke of this profile',
  pt: 'um lote de backfill release ou revoke deste perfil',
};

const noneKnown: Text = {
  en: 'this store knows no release and no revoke; name a plan (--plan), or use the store of the machine that sent it',
  pt: 'este arquivo de estado não conhece nenhuma liberação ou revogação; informe um plano (--plan) ou use o estado da máquina que enviou',
};

const noPrices: Text = {
  en: 'what the history costs is not known: give --prices',
  pt: 'não se sabe quanto custa o histórico: informe --prices',
};
