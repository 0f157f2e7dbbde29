import type { Given } from '../../cli/command.js';
import { CERTIFICATE_DAYS } from '../../domain/term-horizon.js';
import { isBucketAddress } from '../../archive/location.js';
import { sandboxProfile } from '../../config/sandbox-profile.js';
import type { InboundFamily } from '../../contract/inbound.js';
import { addDays, dayAt, formatUtc, startOfDay, DAY_MS } from '../../domain/dates.js';
import { fiscalLine, type CommandParts } from '../../domain/command-words.js';
import type { DeadlineRule } from '../../domain/deadline.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { archiveFolder, openArchive } from '../../services/archive.js';
import { monthState, wholeMonths } from '../../services/closing/closed-months.js';
import { Activity, families, type FamilyActivity, FRESH_MS, isStale } from '../../services/company/activity.js';
import { endsBy, keptCertificates } from '../../services/company/certificate.js';
import type { Context } from '../../services/context.js';
import { readDeadlineRules } from '../../services/documents/deadline-rules.js';
import { typesWithTerms } from '../../services/documents/open-subjects.js';
import { noTerms, readTerms, sumOfTerms } from '../../services/documents/terms.js';
import { waitingSummaries } from '../../services/documents/waiting-summaries.js';
import { localCompanies, requireAccount } from '../../services/scope/companies.js';
import { companiesHere } from '../../services/scope/here.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { FAILED_DAYS, troubledJobs } from '../../services/troubled-jobs.js';
import type { Store } from '../../store/store.js';
import type { status } from './commands.js';
import type * as Figures from './figures.js';

/**
 * What a person looks at in the morning, from the store of this machine alone: of every company that it knows, or of those of
 * `--company`; a company of the profile hides none. Errors: `usage.invalid`, `input.*` of the rules, `auth.no_profile` where nothing
 * is known and nothing says of whom, those of `localCompanies`.
 */
export async function showStatus(context: Context, given: Given<typeof status>): Promise<Outcome> {
  const settings = await context.settings();
  if (settings.output === 'id') throw noIds();
  const rules = await readDeadlineRules(context, given.deadlineRules);
  const names = given.allProfiles ? await (await context.config()).profiles() : [];
  const own =
    names.length === 0 ? [settings] : names.map((name) => ({ ...settings, profile: name, storeNamespace: name }));
  const profiles: Figures.ProfileStatus[] = [];
  for (const each of own) {
    const ofEach = { ...context, settings: () => Promise.resolve(each) };
    profiles.push(await statusOf(ofEach, { rules, rulesFile: given.deadlineRules }));
  }
  // The built-in profile is there for everybody, also for those who never used it.
  const used = profiles.filter(({ profile, companies }) => profile !== sandboxProfile.name || companies > 0);
  const isAll = given.allProfiles && used.length > 0;
  const isKnown = used.some(({ companies, jobs }) => companies > 0 || jobs.jobs.length > 0);
  if (!isKnown && (names.length === 0 || used.length === 0)) await requireAccount(context);
  const at = formatUtc(context.clock.now());
  const report: Figures.StatusReport = { type: 'status', at, profiles: isAll ? used : profiles };
  return { data: report };
}

function noIds(): FiscalError {
  const message = {
    en: '-o id: only with --check are there ids to print',
    pt: '-o id: só com --check há ids a mostrar',
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

/** What the figures of one profile are computed from. */
interface Subject {
  readonly context: Context;
  readonly store: Store;
  readonly space: string;
  readonly now: number;
  readonly companies: readonly AccountCompany[];
  readonly isNarrowed: boolean;
  readonly activity: Activity;
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
  const companies = named ?? (await companiesHere(context));
  const subject: Subject = {
    ...{ context, store, space, companies, ...ownRules },
    now: context.clock.now(),
    isNarrowed: named !== undefined,
    activity: await Activity.read(
      store,
      space,
      companies.map(({ id }) => id),
    ),
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
    months: await monthsFigure(subject),
    jobs: await jobsFigure(subject),
    certificates: await certificatesFigure(subject),
    capture: captureFigure(subject),
    usage: await usageFigure(subject),
  };
}

interface Judged {
  readonly asOf: string | null;
  readonly unknown: readonly Figures.UnknownCompany[];
  /** By company id; null: unknown. */
  readonly asOfCompany: ReadonlyMap<string, string | null>;
}

/** `since`: a reading before it says nothing. */
function judge({ companies, activity }: Subject, wanted: readonly InboundFamily[], since = 0): Judged {
  const times: number[] = [];
  const unknown: Figures.UnknownCompany[] = [];
  const asOfCompany = new Map<string, string | null>();
  for (const company of companies) {
    const basis = activity.basisOf(company.id, wanted);
    if ('at' in basis) asOfCompany.set(company.id, formatUtc(basis.at));
    if ('at' in basis && basis.at >= since) times.push(basis.at);
    else unknown.push(unknownOf(company, 'doubt' in basis ? basis.doubt : 'not_synced_since'));
  }
  return { asOf: oldest(times), unknown, asOfCompany };
}

function unknownOf({ id, ...company }: AccountCompany, reason: Figures.UnknownCompany['reason']) {
  return { companyId: id, ...labelOf(company), reason };
}

/** The oldest of the times, as a figure shows it. */
function oldest(times: readonly number[]): string | null {
  return times.length === 0 ? null : formatUtc(times.reduce((one, other) => Math.min(one, other)));
}

function headOf(company: AccountCompany, { asOfCompany }: Judged) {
  return { companyId: company.id, ...labelOf(company), asOf: asOfCompany.get(company.id) ?? null };
}

async function dueFigure(subject: Subject): Promise<Figures.DueFigure> {
  const { context, companies, rules, rulesFile, line } = subject;
  const terms = await readTerms(context, companies, { rules });
  const judged = judge(subject, typesWithTerms(rules));
  const byCompany = companies.flatMap((company) => {
    const counts = terms.of(company.id);
    return counts === noTerms ? [] : [{ ...headOf(company, judged), terms: counts }];
  });
  const flags = rulesFile === undefined ? [] : [['--deadline-rules', rulesFile] as const];
  return {
    terms: sumOfTerms(byCompany.map((row) => row.terms)),
    ...{ since: terms.horizon.first, until: terms.horizon.last },
    ...{ byCompany, asOf: judged.asOf, unknown: judged.unknown },
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
  const owed = new Map(
    counted(companies, await store.overview.outstanding(space)).map(({ company, count }) => [company.id, count]),
  );
  const waiting = await waitingSummaries(
    store,
    space,
    companies.map(({ id }) => id),
  );
  const byCompany = companies.flatMap((company) => {
    const [files, summaries] = [owed.get(company.id) ?? 0, waiting.get(company.id) ?? 0];
    return files + summaries === 0 ? [] : [{ ...headOf(company, judged), files, summaries }];
  });
  return {
    files: sumOf(byCompany, (row) => row.files),
    summaries: sumOf(byCompany, (row) => row.summaries),
    ...{ byCompany, asOf: judged.asOf, unknown: judged.unknown },
    next: line({ command: 'inbound outstanding' }, 'all'),
  };
}

async function monthsFigure(subject: Subject): Promise<Figures.MonthsFigure> {
  const { context, store, space, companies, now, line } = subject;
  const months = wholeMonths(dayAt(now));
  const judged = judge(subject, families);
  const archive = await archiveFolder(context, undefined);
  const byCompany: Figures.MonthsFigure['byCompany'][number][] = [];
  // A bucket is read over the network, which this command does not use.
  const storage = isBucketAddress(archive) ? undefined : await openArchive(context, archive);
  if (storage !== undefined) {
    const place = { storage, documents: store.documents, profile: space };
    for (const company of companies) {
      for (const month of months) {
        const state = await monthState({ ...place, companyId: company.id }, month);
        if (state !== undefined) byCompany.push({ ...headOf(company, judged), month: month.name, state });
      }
    }
  }
  const of = (state: string) => byCompany.filter((row) => row.state === state).length;
  const oldestLeft = byCompany
    .filter(({ state }) => state !== 'closed')
    .map(({ month }) => month)
    .toSorted()[0];
  const [latest] = months;
  return {
    ...{ closed: of('closed'), open: of('open'), broken: of('broken') },
    since: months.at(-1)?.name ?? '',
    byCompany,
    asOf: storage === undefined ? null : judged.asOf,
    unknown: storage === undefined ? companies.map((company) => unknownOf(company, 'not_read')) : judged.unknown,
    next: line({ command: 'inbound close', positionals: [oldestLeft ?? latest?.name ?? ''] }, 'all'),
  };
}

async function jobsFigure(subject: Subject): Promise<Figures.JobsFigure> {
  const { context, companies, now, isNarrowed, line } = subject;
  const found = await troubledJobs(context, isNarrowed ? companies.map(({ id }) => id) : undefined);
  const jobs = found.map(({ id, uncertain, failed, isLeft }) => ({ id, uncertain, failed, unfinished: isLeft }));
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
  const kept = await keptCertificates(store, space, { companies, now });
  const known = companies.filter(({ id }) => (kept.get(id)?.state ?? 'unknown') !== 'unknown');
  const times = known.flatMap(({ id }) => kept.get(id)?.seenAt ?? []);
  const unknown = companies
    .filter((company) => !known.includes(company))
    .map((company) => unknownOf(company, kept.has(company.id) ? 'no_date' : 'never_checked'));
  const byCompany = known.flatMap((company) => {
    const found = kept.get(company.id);
    if (found === undefined) return [];
    const { state, validUntil, daysLeft, seenAt } = found;
    const lasts = state === 'valid' && !endsBy(found, now + CERTIFICATE_DAYS * DAY_MS);
    const head = { companyId: company.id, ...labelOf(company), asOf: formatUtc(seenAt) };
    return lasts ? [] : [{ ...head, state, validUntil, daysLeft }];
  });
  const of = (state: string) => byCompany.filter((row) => row.state === state).length;
  return {
    ...{ ending: of('valid'), expired: of('expired'), missing: of('missing'), other: of('other') },
    withinDays: CERTIFICATE_DAYS,
    ...{ byCompany, asOf: oldest(times), unknown },
    next: line({ command: 'certificate check' }, 'named'),
  };
}

function captureFigure(subject: Subject): Figures.CaptureFigure {
  const { companies, activity, now, line } = subject;
  const judged = judge(subject, families);
  type Found = Figures.CaptureFigure['byCompany'][number];
  const stateOf = ({ state, at, capture, failure }: FamilyActivity): Found['state'] | undefined => {
    if (failure !== undefined) return 'failed';
    if (capture === 'inactive' || capture === 'unclear') return capture;
    return state !== 'never' && isStale({ at }, now) ? 'behind' : undefined;
  };
  const byCompany = companies.flatMap((company) =>
    families.flatMap((family): readonly Found[] => {
      const found = activity.of(company.id, family);
      const state = stateOf(found);
      if (state === undefined) return [];
      const asOf = found.at === undefined ? null : formatUtc(found.at);
      const { failure } = found;
      const why =
        failure === undefined ? {} : { failedAt: formatUtc(failure.at), errorCode: failure.code, error: failure.text };
      return [{ ...headOf(company, judged), asOf, family, state, ...why }];
    }),
  );
  const of = (state: string) =>
    new Set(byCompany.filter((row) => row.state === state).map(({ companyId }) => companyId)).size;
  return {
    ...{ failed: of('failed'), behind: of('behind'), inactive: of('inactive'), unclear: of('unclear') },
    behindAfterHours: FRESH_MS / 3_600_000,
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
