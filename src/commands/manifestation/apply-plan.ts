import { Readable } from 'node:stream';
import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import type { DocumentFact } from '../../domain/document-fact.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { Prose } from '../../domain/prose.js';
import { manifestationFacts, type Submission } from '../../jobs/kinds/manifestation.js';
import { sendsOf } from '../../services/batch/import.js';
import { emptyBatch, runBatch } from '../../services/batch/run-batch.js';
import { narrowingCompanies } from '../../services/scope/companies.js';
import type { Context } from '../../services/context.js';
import type { Source } from '../../services/input/source.js';
import type { CompanyLabel } from '../../services/scope/scope.js';
import type { ItemRow, JobRow } from '../../store/store.js';
import { judgeEntries, type ChangedEntry, type Judged, readPlan, type PlanEntry, type PlanFile } from './apply-rows.js';
import { bulkJob, confirmBulk, countEvents, eventReport, plannedItem } from './bulk.js';
import { readDocuments } from './documents.js';
import type { apply } from './plan-commands.js';
import { tripleOf } from './remember.js';
import { labelOf } from './shown.js';
import { previewSubmission } from './submission.js';

/**
 * Sends the rows of a plan as one job, except those that changed since (exit 3). The same plan continues
 * the same job. Errors: `input.*`, `usage.*`, and those of `runBatch`.
 */
export async function applyPlan(context: Context, source: Source, given: Given<typeof apply>): Promise<Outcome> {
  const { dryRun, storeNamespace } = await context.settings();
  const { allCompanies, companyUnchecked, input } = given;
  const named = (await narrowingCompanies(context, allCompanies))?.map(({ id }) => id);
  const documents = await readDocuments(context, {
    ...{ input, sheet: given.inputSheet, allCompanies },
    families: ['nfe', 'nfse'],
  });
  const facts = byKey(documents.facts);
  const plan = await readPlan(
    context,
    { ...given, source },
    {
      ...{ named, isForAll: allCompanies, companyUnchecked },
      holdersOf: (accessKey) => [...new Set((facts.get(accessKey) ?? []).flatMap(({ companyId }) => companyId ?? []))],
    },
  );
  if (plan.entries.length === 0) return await nothingToSend(context, given, { changed: [], notices: [noRows] });
  const judged = await judgeEntries(context, plan.entries, facts);
  if (dryRun) return await dryRunOf(context, judged);
  const key = jobKey(plan, named?.length === 1 ? named[0] : undefined);
  const job = await (await context.store()).jobs.find({ ...key, profile: storeNamespace });
  const label = await (await context.scope()).labels();
  if (job === undefined && judged.unchanged.length === 0) {
    const besides = judged.changed.map((each) => changedRecord(each, label));
    return await nothingToSend(context, given, { changed: besides, notices: changedNotices(judged.changed) });
  }
  const { family, job: planned } = await bulkJob(context, {
    inputDigest: key.inputDigest,
    companies: named ?? [],
    family: familyOf(plan),
  });
  const items = judged.unchanged.map(({ line, submission }) => plannedItem(line, submission));
  const intended = { ...planned, items: () => Readable.from(items), retryBillable: false, variantOf: companyOfEvent };
  const sends = await countEvents(sendsOf(context, intended));
  // Nothing to agree to where the plan is done.
  if (sends.valid > 0) await confirmBulk(context, sends, given.confirm);
  const { changed, hidden } = await reconcile(context, job, judged);
  const outcome = await runBatch(context, {
    family,
    options: given,
    summary: () => ({ changed: changed.length }),
    besides: changed.map((each) => changedRecord(each, label)),
    isBesides: ({ ordinal }) => hidden.has(ordinal),
    blocked: () => changed.length,
    job: { ...planned, items },
  });
  return { ...outcome, notices: [...changedNotices(changed), ...(outcome.notices ?? [])] };
}

function companyOfEvent({ companyId = '' }: Submission): string {
  return companyId;
}

/** A document may be known of several companies. */
function byKey(facts: readonly DocumentFact[]): ReadonlyMap<string, readonly DocumentFact[]> {
  const groups = new Map<string, DocumentFact[]>();
  for (const fact of facts) groups.set(fact.accessKey, [...(groups.get(fact.accessKey) ?? []), fact]);
  return groups;
}

function changedRecord({ entry, reason }: ChangedEntry, label: Label): DataRecord {
  const { line, submission } = entry;
  const { companyId } = submission;
  const { accessKey, eventCode, nSequencia } = tripleOf(submission);
  const error = new FiscalError('manifestation.changed', { what: labelOf(submission), reason });
  return {
    type: 'item',
    ...{ line, label: labelOf(submission), state: 'changed', errorCode: error.code, error: new Prose(reason) },
    ...{ accessKey, eventCode, nSequencia },
    ...(companyId === undefined ? {} : { companyId, ...label(companyId) }),
  };
}

/** Name and CNPJ of a company. */
type Label = (companyId: string) => CompanyLabel;

interface Unsent {
  /** The records of the rows that changed. */
  readonly changed: readonly DataRecord[];
  readonly notices: readonly Text[];
}

async function nothingToSend(
  context: Context,
  options: Given<typeof apply>,
  { changed, notices }: Unsent,
): Promise<Outcome> {
  return await emptyBatch(context, {
    ...{ options, family: eventReport, besides: changed, notices },
    summary: { changed: changed.length },
  });
}

async function dryRunOf(context: Context, { unchanged, changed }: Judged): Promise<Outcome> {
  const first = unchanged[0];
  const preview = first === undefined ? { type: 'dry-run' } : await previewSubmission(context, first.submission);
  const { valid, events } = await countsOf(unchanged);
  const counts = { records: valid + changed.length, valid, changed: changed.length };
  return {
    data: { ...preview, ...counts, events: Object.fromEntries(events), billedCalls: 0 },
    notices: [...changedNotices(changed), dryRunOnly],
  };
}

function countsOf(entries: readonly PlanEntry[]) {
  return countEvents(entries.map(({ submission }) => ({ input: submission })));
}

function jobKey(plan: PlanFile, company: string | undefined) {
  return { operation: manifestationFacts(familyOf(plan)).submit, inputDigest: `apply ${company ?? ''} ${plan.digest}` };
}

/** The job is named after the first row of the file, whether it is sent or not, so that a later run finds it. */
function familyOf({ entries }: PlanFile): PlanEntry['submission']['family'] {
  return entries[0]?.submission.family ?? 'nfe';
}

function changedNotices(changed: readonly ChangedEntry[]): readonly Text[] {
  if (changed.length === 0) return [];
  return [
    counted(changed.length, {
      en: [
        '# row changed since the plan was made and is not sent; review it and make a new plan: fiscal manifestation plan',
        '# rows changed since the plan was made and are not sent; review them and make a new plan: fiscal manifestation plan',
      ],
      pt: [
        '# linha mudou desde que o plano foi feito e não é enviada; confira e faça um novo plano: fiscal manifestation plan',
        '# linhas mudaram desde que o plano foi feito e não são enviadas; confira e faça um novo plano: fiscal manifestation plan',
      ],
    }),
  ];
}

const noRows: Text = { en: 'the file has no rows: nothing to send', pt: 'o arquivo não tem linhas: nada a enviar' };

const dryRunOnly: Text = {
  en: 'nothing was sent; the request shown is the first one',
  pt: 'nada foi enviado; a requisição mostrada é a primeira',
};

/** What is reported as changed, and the lines whose items in the job are therefore not shown. */
interface Reconciled {
  readonly changed: readonly ChangedEntry[];
  readonly hidden: ReadonlySet<number>;
}

/**
 * Aligns the job of an earlier run of the same plan with what is known now: a changed row that was not sent yet is
 * cancelled, one that was sent is followed, and one that the earlier run skipped stays skipped.
 */
async function reconcile(
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
  return await store.items.decide(item.id, 'prepared', patch, {
    at,
    step: { is: 'cancelled', because: 'plan-changed' },
  });
}

const wasLeftOut: Text = {
  en: 'an earlier run of this plan skipped it as changed: make a new plan',
  pt: 'uma execução anterior deste plano ignorou a linha como alterada: faça um novo plano',
};
