import type { DeadlineRule } from '../../domain/deadline-rules.js';
import type { Health } from '../../jobs/progress.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import type { Context } from '../../services/context.js';
import { nextCommand } from './next-command.js';
import { findingsOf, stateOf, type Found, type Thresholds } from './problems.js';
import { readCertificate } from './read-certificate.js';
import { readFamily } from './read-family.js';
import { CompanyReading } from './reading.js';
import type { BackfillState, FleetRow, TermsState } from './row.js';

/** What all companies are checked with. */
export interface FleetParts {
  readonly thresholds: Thresholds;
  readonly withinMs: number;
  readonly rules: readonly DeadlineRule[];
  readonly terms: ReadonlyMap<string, TermsState>;
  readonly health: Health;
}

/** Reads everything of one company and judges it. What could not be read is a problem of its row. */
export async function checkCompany(
  context: Context,
  company: AccountCompany,
  parts: FleetParts,
): Promise<FleetRow> {
  const { id: companyId } = company;
  const reading = new CompanyReading(context, parts.health);
  const certificate = await readCertificate(context, reading, companyId);
  const subject = { companyId, certificate };
  const nfe = await readFamily(context, reading, { ...subject, family: 'nfe' });
  const cte = await readFamily(context, reading, { ...subject, family: 'cte' });
  const nfse = await readFamily(context, reading, { ...subject, family: 'nfse' });
  const backfill = nfse.capture === 'on' ? await readBackfill(context, reading, companyId) : nothingKnown;
  const head = { type: 'company', companyId, ...labelOf(company) } as const;
  const facts = {
    ...{ nfe, cte, nfse, backfill, certificate },
    manifestations: parts.terms.get(companyId) ?? noTerms,
  };
  const found: Found = { ...head, ...facts };
  const findings = findingsOf(found, reading.unread, parts.thresholds);
  const settings = await context.settings();
  const problems = findings.map((finding) => ({
    ...finding,
    next: nextCommand(found, finding, { settings, withinMs: parts.withinMs }),
  }));
  return { ...head, state: stateOf(findings), ...facts, problems };
}

const noTerms: TermsState = {
  near: null,
  overdue: null,
  presumed: null,
  unknown: null,
  nextDeadline: null,
};

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
  const count = Number(textField(answer.body, 'hiddenDocumentsCount'));
  const released: unknown = answer.body?.released;
  return {
    released: typeof released === 'boolean' ? released : null,
    hiddenDocumentsCount: Number.isSafeInteger(count) && count >= 0 ? count : null,
  };
}
