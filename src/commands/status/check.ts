import { resolve } from 'node:path';
import type { Given } from '../../cli/command.js';
import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import type { DeadlineRule } from '../../domain/deadline.js';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Io } from '../../io/io.js';
import { forEachConcurrent } from '../../jobs/concurrency.js';
import { readSummary } from '../../jobs/kinds/backfill-sweep.js';
import { Health } from '../../jobs/health.js';
import { companiesOf } from '../../services/scope/companies.js';
import type { Context } from '../../services/context.js';
import { readDeadlineRules } from '../../services/documents/deadline-rules.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { notWritten, publishFile, requireFolder } from '../../io/output-file.js';
import type { status } from './commands.js';
import { metricsText } from './metrics.js';
import { findingsOf, type Found, isRegistered, nextCommand, stateOf, type Thresholds } from './problems.js';
import { CompanyReading, readCertificate, readFamily } from './read-company.js';
import { Activity, families, isStale } from '../../services/company/activity.js';
import { typesWithTerms } from '../../services/documents/open-subjects.js';
import { type CompanyTerms, noTerms, readTerms } from '../../services/documents/terms.js';
import type { BackfillState, CompanyCheck, TermsOfCompany } from './row.js';
import { DAY_MS } from '../../domain/dates.js';

/**
 * Checks every company of the account: capture, age of the last document, certificate, hidden history, terms that run
 * out. Nothing is changed. Exit 13 when a company has a problem, unless `warnOnly`. Errors: `usage.invalid_value`,
 * `input.*` of the rules, those of a call that affect every company (401, 429 beyond the retry limit), `store.*`.
 */
export async function checkCompanies(context: Context, given: Given<typeof status>, io: Io): Promise<Outcome> {
  if (!given.nagios) return await checked(context, given, io);
  const { nagiosUnknown } = await import('./nagios.js');
  try {
    return await checked(context, given, io);
  } catch (error) {
    if (!(error instanceof FiscalError) || error.code === 'job.interrupted') throw error;
    const { line, exitCode } = nagiosUnknown(error.text[io.language]);
    await io.stdout.write(line);
    return { data: undefined, written: true, exitCode };
  }
}

async function checked(context: Context, given: Given<typeof status>, io: Io): Promise<Outcome> {
  const expect = families.filter((family) => given.expect.includes(family));
  const rules = await readDeadlineRules(context, given.deadlineRules);
  const path = given.metricsFile === undefined ? undefined : resolve(context.cwd, given.metricsFile);
  if (path !== undefined) await requireFolder(path);
  const companies = await companiesOf(context, { all: typeof context.flags.company !== 'string' });
  const { storeNamespace, maxRetryWaitMs, dryRun } = await context.settings();
  const ids = companies.map(({ id }) => id);
  const activity = await Activity.read(await context.store(), storeNamespace, ids);
  const { within: withinMs, overdueUpTo: overdueUpToMs } = given;
  const terms = await readTerms(context, companies, { withinMs, overdueUpToMs, rules });
  const rows = await checkAll(context, companies, {
    thresholds: { idleDays: given.idle / DAY_MS, warnUntil: context.clock.now() + given.warn, expect },
    ...{ withinMs, rules, terms, activity },
    health: new Health(context.clock.now(), maxRetryWaitMs),
  });
  const metrics = metricsText(rows, context.clock.now(), activity);
  if (path !== undefined && !dryRun) await publishFile(path, metrics, context.random);
  const ill = rows.filter(({ state }) => state !== 'ok');
  const isFine = ill.length === 0 || given.warnOnly;
  const ended = {
    exitCode: isFine ? ExitCode.ok : ExitCode.endedBadly,
    notices: [summaryOf(rows.length, ill), ...(path !== undefined && dryRun ? [notWritten] : [])],
  };
  if (given.nagios) {
    const { nagiosEnd } = await import('./nagios.js');
    const { line, exitCode } = nagiosEnd(rows, { now: context.clock.now(), activity, language: io.language });
    await io.stdout.write(line);
    return { data: undefined, written: true, exitCode };
  }
  if (!given.prometheus) return { data: rows, ...ended };
  await io.stdout.write(metrics);
  return { data: undefined, written: true, ...ended };
}

async function checkAll(
  context: Context,
  companies: readonly AccountCompany[],
  checking: CheckContext,
): Promise<readonly CompanyCheck[]> {
  const { concurrency } = await context.settings();
  const rows = new Map<string, CompanyCheck>();
  const label: Text = { en: 'checking companies', pt: 'verificando empresas' };
  await forEachConcurrent(companies, concurrency, async (company) => {
    rows.set(company.id, await checkCompany(context, company, checking));
    context.progress.report({ label, done: rows.size, total: companies.length });
  });
  context.progress.stop();
  return companies.flatMap(({ id }) => rows.get(id) ?? []);
}

function summaryOf(all: number, ill: readonly CompanyCheck[]): Text {
  if (ill.length === 0) {
    return { en: `no problems; companies checked: ${all}`, pt: `nenhum problema; empresas verificadas: ${all}` };
  }
  const critical = ill.filter(({ state }) => state === 'critical').length;
  return {
    en: `companies with problems: ${ill.length} of ${all} (${critical} critical)`,
    pt: `empresas com problemas: ${ill.length} de ${all} (${critical} em estado crítico)`,
  };
}

/** What every check of a company uses. */
interface CheckContext {
  readonly thresholds: Thresholds;
  readonly withinMs: number;
  readonly rules: readonly DeadlineRule[];
  readonly terms: CompanyTerms;
  readonly activity: Activity;
  readonly health: Health;
}

/** Reads and evaluates one company. What could not be read is a problem of its row. */
async function checkCompany(context: Context, company: AccountCompany, checking: CheckContext): Promise<CompanyCheck> {
  const { id: companyId } = company;
  const reading = new CompanyReading(context, checking.health);
  const certificate = await readCertificate(context, reading, company);
  const subject = { companyId, certificate };
  const nfe = await readFamily(context, reading, { ...subject, family: 'nfe' });
  const cte = await readFamily(context, reading, { ...subject, family: 'cte' });
  const nfse = await readFamily(context, reading, { ...subject, family: 'nfse' });
  const backfill = isRegistered(nfse) ? await readBackfill(context, reading, companyId) : nothingKnown;
  const head = { type: 'company', companyId, ...labelOf(company) } as const;
  const facts = { ...{ nfe, cte, nfse, backfill, certificate }, manifestations: termsOf(companyId, checking) };
  const found: Found = { ...head, ...facts };
  const findings = findingsOf(found, reading.unread, {
    ...checking.thresholds,
    horizon: checking.terms.horizon,
    unsynced: unsyncedFamilies(found, checking, context.clock.now()),
  });
  const settings = await context.settings();
  const problems = findings.map((finding) => ({
    ...finding,
    next: nextCommand(found, finding, { settings, withinMs: checking.withinMs }),
  }));
  return { ...head, state: stateOf(findings), ...facts, problems };
}

/** Without a reading of the lists a count would be a claim. */
function termsOf(companyId: string, { terms, rules, activity }: CheckContext): TermsOfCompany {
  const counts = terms.of(companyId);
  if (counts !== noTerms) return counts;
  const isRead = typesWithTerms(rules).some((family) => activity.of(companyId, family).state !== 'never');
  return isRead ? counts : unknownTerms;
}

const unknownTerms: TermsOfCompany = {
  ...{ open: null, sent: null, lost: null, presumed: null, unknown: null, earlier: null, unreadable: null },
  nextDeadline: null,
};

/** Captured families with terms whose lists no sync has read to their end lately. */
function unsyncedFamilies(found: Found, { rules, activity }: CheckContext, now: number): readonly InboundFamily[] {
  return typesWithTerms(rules).filter((family) => {
    const known = activity.of(found.companyId, family);
    return isRegistered(found[family]) && (known.failure !== undefined || isStale(known, now));
  });
}

const nothingKnown: BackfillState = { released: null, hiddenDocumentsCount: null };

async function readBackfill(context: Context, reading: CompanyReading, companyId: string): Promise<BackfillState> {
  const client = await context.client();
  const how = { signal: context.interruption };
  const answer = await reading.read(() => client.call('nfse.backfill.summary', { path: { companyId } }, how));
  if (answer === undefined) return nothingKnown;
  const { released, hidden } = readSummary(answer.body);
  return { released: released ?? null, hiddenDocumentsCount: hidden ?? null };
}
