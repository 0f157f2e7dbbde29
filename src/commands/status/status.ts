import { sandboxProfile } from '../../config/sandbox-profile.js';
import { addDays, dayAt, formatUtc, parseUtc, startOfDay } from '../../domain/dates.js';
import { fiscalLine, type CommandParts } from '../../domain/command-words.js';
import type { DeadlineRule } from '../../domain/deadline.js';
import { keptCertificates } from '../../services/company/certificate.js';
import type { Context } from '../../services/context.js';
import { readDeadlineRules } from '../../services/documents/deadline-rules.js';
import { typesWithTerms } from '../../services/documents/open-subjects.js';
import { readTerms } from '../../services/documents/terms.js';
import { knownCompanies } from '../../services/scope/account.js';
import { localCompanies } from '../../services/scope/companies.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { FAILED_DAYS, troubledJobs } from '../../services/troubled-jobs.js';
import type { Store } from '../../store/store.js';
import { Evidence, families, oldest, type Reading } from './evidence.js';
import type * as Figures from './figures.js';

export interface StatusRequest {
  readonly allProfiles: boolean;
  readonly deadlineRules: string | undefined;
}

const DAY_MS = 86_400_000;
const DUE_DAYS = 7;
const CERTIFICATE_DAYS = 30;
const BEHIND_MS = DAY_MS;

/**
 * What a person looks at in the morning, from the store of this machine alone: of every company that it knows, or of those of
 * `--company`; a company of the profile hides none. Errors: `input.*` of the rules, those of `localCompanies`.
 */
export async function readStatus(context: Context, request: StatusRequest): Promise<Figures.StatusReport> {
  const settings = await context.settings();
  const rules = await readDeadlineRules(context, request.deadlineRules);
  const names = request.allProfiles ? await (await context.config()).profiles() : [];
  const own = names.length === 0 ? [settings] : names.map((name) => ofProfile(settings, name));
  const profiles: Figures.ProfileStatus[] = [];
  for (const each of own) {
    const ofEach = { ...context, settings: () => Promise.resolve(each) };
    profiles.push(await statusOf(ofEach, { rules, rulesFile: request.deadlineRules }));
  }
  // The built-in profile is there for everybody, also for those who never used it.
  const used = profiles.filter(({ profile, companies }) => profile !== sandboxProfile.name || companies > 0);
  const isAll = request.allProfiles && used.length > 0;
  return { type: 'status', at: formatUtc(context.clock.now()), profiles: isAll ? used : profiles };
}

function ofProfile<Settings extends object>(settings: Settings, name: string) {
  return { ...settings, profile: name, storeNamespace: name };
}

/** What the figures of one profile are computed from. */
interface Subject {
  readonly context: Context;
  readonly store: Store;
  readonly space: string;
  readonly now: number;
  readonly companies: readonly AccountCompany[];
  readonly isNarrowed: boolean;
  readonly evidence: Evidence;
  readonly rules: readonly DeadlineRule[];
  /** The file that was named for `rules`. */
  readonly rulesFile: string | undefined;
  /** The command for the companies that are named; with `all` and none named, for `--all-companies`. */
  line(parts: CommandParts, scope: 'all' | 'named'): string;
}

async function statusOf(
  context: Context,
  ownRules: Pick<Subject, 'rules' | 'rulesFile'>,
): Promise<Figures.ProfileStatus> {
  const { profile, storeNamespace: space } = await context.settings();
  const store = await context.store();
  const { company } = context.flags;
  const named = typeof company === 'string' ? await localCompanies(context) : undefined;
  const companies = named ?? (await everyCompany(context, store, space));
  const subject: Subject = {
    ...{ context, store, space, companies, ...ownRules },
    now: context.clock.now(),
    isNarrowed: named !== undefined,
    evidence: await Evidence.read(store, space, companies),
    line: (parts, scope) =>
      fiscalLine({
        ...parts,
        flags: [
          ...(parts.flags ?? []),
          ...(scope === 'all' && named === undefined ? [['--all-companies', true] as const] : []),
        ],
        ...(typeof company === 'string' ? { company } : {}),
        profile,
      }),
  };
  return {
    profile: space,
    companies: companies.length,
    due: await dueFigure(subject),
    newDocuments: await newFigure(subject),
    outstanding: await outstandingFigure(subject),
    jobs: await jobsFigure(subject),
    certificates: await certificatesFigure(subject),
    capture: captureFigure(subject),
    usage: await usageFigure(subject),
  };
}

/** The account as it was last listed, and every company of which documents or lists are kept. */
async function everyCompany(
  context: Context,
  store: Store,
  space: string,
): Promise<readonly AccountCompany[]> {
  const [known, held, cursors] = await Promise.all([
    knownCompanies(context, space),
    store.documents.companies(space),
    store.overview.cursors(space),
  ]);
  const all = new Map(known.map((company) => [company.id, company]));
  for (const id of [...held, ...cursors.map(({ companyId }) => companyId)])
    if (!all.has(id)) all.set(id, { id, name: undefined, taxNumber: undefined });
  return [...all.values()].toSorted((one, other) =>
    (one.name ?? one.id).localeCompare(other.name ?? other.id),
  );
}

interface Judged {
  readonly asOf: string | null;
  readonly unknown: readonly Figures.UnknownCompany[];
  /** By company id; null: unknown. */
  readonly asOfCompany: ReadonlyMap<string, string | null>;
}

/** `since`: a reading before it says nothing. */
function judge({ companies, evidence }: Subject, wanted: Parameters<Evidence['of']>[1], since = 0): Judged {
  const times: number[] = [];
  const unknown: Figures.UnknownCompany[] = [];
  const asOfCompany = new Map<string, string | null>();
  for (const company of companies) {
    const found = evidence.of(company, wanted);
    const isOld = 'at' in found && found.at < since;
    if ('at' in found) asOfCompany.set(company.id, formatUtc(found.at));
    if ('at' in found && !isOld) times.push(found.at);
    else if (isOld) unknown.push({ companyId: company.id, ...labelOf(company), reason: 'not_synced_since' });
    else if (!('at' in found)) unknown.push(found);
  }
  return { asOf: oldest(times), unknown, asOfCompany };
}

function headOf(company: AccountCompany, { asOfCompany }: Judged) {
  return { companyId: company.id, ...labelOf(company), asOf: asOfCompany.get(company.id) ?? null };
}

async function dueFigure(subject: Subject): Promise<Figures.DueFigure> {
  const { context, companies, rules, rulesFile, line } = subject;
  const left = { unreadable: 0 };
  const terms = await readTerms(context, companies, {
    ...{ rules, left, withinMs: DUE_DAYS * DAY_MS, overdueUpToMs: 0 },
  });
  const { asOf, unknown, ...judged } = judge(subject, typesWithTerms(rules));
  const byCompany = companies.flatMap((company) => {
    const { near, nextDeadline = null } = terms.get(company.id) ?? { near: 0 };
    const head = headOf(company, { asOf, unknown, ...judged });
    return (near ?? 0) === 0 ? [] : [{ ...head, terms: near ?? 0, nextDeadline }];
  });
  const flags = [
    ['--within', `${DUE_DAYS}d`],
    ['--state', 'open'],
    ...(rulesFile === undefined ? [] : [['--deadline-rules', rulesFile] as const]),
  ] as const;
  const days = byCompany.flatMap(({ nextDeadline }) => (nextDeadline === null ? [] : [nextDeadline]));
  return {
    terms: sumOf(byCompany, (row) => row.terms),
    withinDays: DUE_DAYS,
    nextDeadline: days.toSorted()[0] ?? null,
    unreadable: left.unreadable,
    ...{ byCompany, asOf, unknown },
    next: line({ command: 'manifestation due', flags }, 'all'),
  };
}

async function newFigure(subject: Subject): Promise<Figures.NewFigure> {
  const { store, space, now, companies, line } = subject;
  const yesterday = addDays(dayAt(now), -1);
  const since = startOfDay(yesterday);
  const found = await store.overview.seenSince(space, since);
  const judged = judge(subject, families, since);
  const byCompany = counted(companies, found).map(({ company, count }) => ({
    ...headOf(company, judged),
    documents: count,
  }));
  const flags = [
    ['--local', true],
    ['--by', 'seen'],
    ['--since', yesterday],
    ['--all', true],
  ] as const;
  return {
    documents: sumOf(byCompany, (row) => row.documents),
    since: formatUtc(since),
    ...{ byCompany, asOf: judged.asOf, unknown: judged.unknown },
    next: line({ command: 'inbound list', flags }, 'all'),
  };
}

async function outstandingFigure(subject: Subject): Promise<Figures.OutstandingFigure> {
  const { store, space, companies, line } = subject;
  const judged = judge(subject, families);
  const byCompany = counted(companies, await store.overview.outstanding(space)).map(({ company, count }) => ({
    ...headOf(company, judged),
    files: count,
  }));
  return {
    files: sumOf(byCompany, (row) => row.files),
    ...{ byCompany, asOf: judged.asOf, unknown: judged.unknown },
    next: line({ command: 'inbound outstanding' }, 'all'),
  };
}

async function jobsFigure(subject: Subject): Promise<Figures.JobsFigure> {
  const { context, companies, now, isNarrowed, line } = subject;
  const found = await troubledJobs(context, isNarrowed ? companies.map(({ id }) => id) : undefined);
  const jobs = found.map(({ id, uncertain, failed, isLeft }) => ({
    id,
    uncertain,
    failed,
    unfinished: isLeft,
  }));
  return {
    uncertain: sumOf(jobs, (job) => job.uncertain),
    failed: sumOf(jobs, (job) => job.failed),
    unfinished: jobs.filter(({ unfinished }) => unfinished).length,
    ...{ since: formatUtc(now - FAILED_DAYS * DAY_MS), asOf: formatUtc(now), jobs },
    next: line({ command: 'job list', flags: [['--attention', true]] }, 'named'),
  };
}

async function certificatesFigure(subject: Subject): Promise<Figures.CertificatesFigure> {
  const { store, space, now, companies, line } = subject;
  const kept = await keptCertificates(store, space, now);
  const times = companies.flatMap(({ id }) => kept.get(id)?.seenAt ?? []);
  const unknown = companies
    .filter(({ id }) => !kept.has(id))
    .map((company) => ({ companyId: company.id, ...labelOf(company), reason: 'never_checked' as const }));
  const byCompany = companies.flatMap((company) => {
    const found = kept.get(company.id);
    if (found === undefined) return [];
    const { state, validUntil, daysLeft, seenAt } = found;
    const until = validUntil === null ? undefined : parseUtc(validUntil);
    const lasts = state === 'valid' && (until === undefined || until > now + CERTIFICATE_DAYS * DAY_MS);
    const head = { companyId: company.id, ...labelOf(company), asOf: formatUtc(seenAt) };
    return lasts ? [] : [{ ...head, state, validUntil, daysLeft }];
  });
  const of = (state: string) => byCompany.filter((row) => row.state === state).length;
  return {
    ...{ ending: of('valid'), expired: of('expired'), missing: of('missing') },
    withinDays: CERTIFICATE_DAYS,
    ...{ byCompany, asOf: oldest(times), unknown },
    next: line({ command: 'certificate check' }, 'named'),
  };
}

function captureFigure(subject: Subject): Figures.CaptureFigure {
  const { companies, evidence, now, line } = subject;
  const judged = judge(subject, families);
  type Found = Figures.CaptureFigure['byCompany'][number];
  const stateOf = ({ state, at, capture }: Reading): Found['state'] | undefined => {
    if (capture === 'inactive') return 'inactive';
    return state === 'begun' || (at !== undefined && now - at > BEHIND_MS) ? 'behind' : undefined;
  };
  const byCompany = companies.flatMap((company) =>
    families.flatMap((family): readonly Found[] => {
      const reading = evidence.reading(company.id, family);
      const state = stateOf(reading);
      const asOf = reading.at === undefined ? null : formatUtc(reading.at);
      return state === undefined ? [] : [{ ...headOf(company, judged), asOf, family, state }];
    }),
  );
  const of = (state: string) =>
    new Set(byCompany.filter((row) => row.state === state).map(({ companyId }) => companyId)).size;
  return {
    ...{ behind: of('behind'), inactive: of('inactive') },
    behindAfterHours: BEHIND_MS / 3_600_000,
    ...{ byCompany, asOf: judged.asOf, unknown: judged.unknown },
    next: line({ command: 'inbound sync' }, 'all'),
  };
}

async function usageFigure(subject: Subject): Promise<Figures.UsageFigure> {
  const { store, space, now, companies, isNarrowed, context, line } = subject;
  const { profile } = await context.settings();
  const month = dayAt(now).slice(0, 7);
  const since = startOfDay(`${month}-01`);
  const ids = new Set(companies.map(({ id }) => id));
  // Without a profile, as in `fiscal usage`, of every profile of this machine.
  const rows = (await store.overview.billed(profile === undefined ? undefined : space, since)).filter(
    ({ companyId }) => !isNarrowed || ids.has(companyId ?? ''),
  );
  const of = (outcome: string) =>
    sumOf(
      rows.filter((row) => row.outcome === outcome),
      ({ count }) => count,
    );
  return {
    ...{ billed: of('billed'), unknown: of('unknown') },
    ...{ since: formatUtc(since), asOf: formatUtc(now) },
    next: line({ command: 'usage', flags: [['--since', month]] }, 'named'),
  };
}

/** The counts of all families together, of the companies with any. */
function counted(
  companies: readonly AccountCompany[],
  found: readonly { readonly companyId: string; readonly count: number }[],
) {
  const sums = new Map<string, number>();
  for (const { companyId, count } of found) sums.set(companyId, (sums.get(companyId) ?? 0) + count);
  return companies.flatMap((company) => {
    const count = sums.get(company.id) ?? 0;
    return count === 0 ? [] : [{ company, count }];
  });
}

function sumOf<Row>(rows: readonly Row[], valueOf: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + valueOf(row), 0);
}
