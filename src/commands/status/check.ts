import { resolve } from 'node:path';
import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import type { DeadlineRule } from '../../domain/deadline.js';
import { ExitCode } from '../../errors/exit-code.js';
import { forEachConcurrent } from '../../jobs/concurrency.js';
import { readSummary } from '../../jobs/kinds/backfill-sweep.js';
import { Health } from '../../jobs/health.js';
import { companiesOf } from '../../services/scope/companies.js';
import type { Context } from '../../services/context.js';
import { readDeadlineRules } from '../../services/documents/deadline-rules.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { notWritten, publishFile, requireFolder } from '../../services/output-file.js';
import { metricsText } from './metrics.js';
import { findingsOf, type Found, isRegistered, nextCommand, stateOf, type Thresholds } from './problems.js';
import { CompanyReading, readCertificate, readFamily } from './read-company.js';
import { Activity, families, isStale } from '../../services/company/activity.js';
import { typesWithTerms } from '../../services/documents/open-subjects.js';
import { type CompanyTerms, noTerms, readTerms } from '../../services/documents/terms.js';
import type { BackfillState, CompanyCheck, TermsOfCompany } from './row.js';

/** The words of the user. */
interface CheckRequest {
  /** As typed, with commas; absent: every company of the account. */
  readonly company: string | undefined;
  readonly idleMs: number;
  readonly warnMs: number;
  readonly withinMs: number;
  readonly overdueUpToMs: number | undefined;
  readonly deadlineRules: string | undefined;
  readonly expect: readonly InboundFamily[];
  readonly warnOnly: boolean;
  readonly metricsFile: string | undefined;
}

interface CheckReport {
  readonly rows: readonly CompanyCheck[];
  /** Prometheus text. */
  readonly metrics: string;
  readonly exitCode: ExitCode;
  readonly notices: readonly Text[];
}

const DAY_MS = 86_400_000;

/**
 * Checks every company of the account: capture, age of the last document, certificate, hidden history, terms that run
 * out. Nothing is changed. Exit 13 when a company has a problem, unless `warnOnly`. Errors: `usage.invalid_value`,
 * `input.*` of the rules, those of a call that affect every company (401, 429 beyond the retry limit), `store.*`.
 */
export async function checkCompanies(context: Context, request: CheckRequest): Promise<CheckReport> {
  const expect = readExpected(request.expect);
  const rules = await readDeadlineRules(context, request.deadlineRules);
  const path = request.metricsFile === undefined ? undefined : resolve(context.cwd, request.metricsFile);
  if (path !== undefined) await requireFolder(path);
  const companies = await chosen(context, request.company);
  const { storeNamespace } = await context.settings();
  const ids = companies.map(({ id }) => id);
  const activity = await Activity.read(await context.store(), storeNamespace, ids);
  const terms = await readTerms(context, companies, { ...request, rules });
  const { maxRetryWaitMs, dryRun } = await context.settings();
  const warnUntil = context.clock.now() + request.warnMs;
  const rows = await checkAll(context, companies, {
    thresholds: { idleDays: request.idleMs / DAY_MS, warnUntil, expect },
    withinMs: request.withinMs,
    ...{ rules, terms, activity },
    health: new Health(context.clock.now(), maxRetryWaitMs),
  });
  const metrics = metricsText(rows, context.clock.now());
  if (path !== undefined && !dryRun) await publishFile(path, metrics, `${path}.${context.random.uuid()}.tmp`);
  const ill = rows.filter(({ state }) => state !== 'ok');
  const isFine = ill.length === 0 || request.warnOnly;
  return {
    ...{ rows, metrics },
    exitCode: isFine ? ExitCode.ok : ExitCode.endedBadly,
    notices: [summaryOf(rows.length, ill), ...(path !== undefined && dryRun ? [notWritten] : [])],
  };
}

async function chosen(context: Context, words: string | undefined): Promise<readonly AccountCompany[]> {
  if (words === undefined) return await companiesOf(context, { all: true });
  return await companiesOf(context, { all: false });
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

function readExpected(names: readonly InboundFamily[]): readonly InboundFamily[] {
  return families.filter((family) => names.includes(family));
}

function summaryOf(all: number, ill: readonly CompanyCheck[]): Text {
  if (ill.length === 0) {
    return {
      en: `no problems; companies checked: ${all}`,
      pt: `nenhum problema; empresas verificadas: ${all}`,
    };
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
async function checkCompany(
  context: Context,
  company: AccountCompany,
  checking: CheckContext,
): Promise<CompanyCheck> {
  const { id: companyId } = company;
  const reading = new CompanyReading(context, checking.health);
  const certificate = await readCertificate(context, reading, company);
  const subject = { companyId, certificate };
  const nfe = await readFamily(context, reading, { ...subject, family: 'nfe' });
  const cte = await readFamily(context, reading, { ...subject, family: 'cte' });
  const nfse = await readFamily(context, reading, { ...subject, family: 'nfse' });
  const backfill = isRegistered(nfse) ? await readBackfill(context, reading, companyId) : nothingKnown;
  const head = { type: 'company', companyId, ...labelOf(company) } as const;
  const facts = {
    ...{ nfe, cte, nfse, backfill, certificate },
    manifestations: termsOf(companyId, checking),
  };
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
function unsyncedFamilies(
  found: Found,
  { rules, activity }: CheckContext,
  now: number,
): readonly InboundFamily[] {
  return typesWithTerms(rules).filter((family) => {
    const known = activity.of(found.companyId, family);
    return isRegistered(found[family]) && (known.failure !== undefined || isStale(known, now));
  });
}

const nothingKnown: BackfillState = { released: null, hiddenDocumentsCount: null };

async function readBackfill(
  context: Context,
  reading: CompanyReading,
  companyId: string,
): Promise<BackfillState> {
  const client = await context.client();
  const how = { signal: context.interruption };
  const answer = await reading.read(() => client.call('nfse.backfill.summary', { path: { companyId } }, how));
  if (answer === undefined) return nothingKnown;
  const { released, hidden } = readSummary(answer.body);
  return { released: released ?? null, hiddenDocumentsCount: hidden ?? null };
}
