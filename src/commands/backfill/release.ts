import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { Prose } from '../../domain/prose.js';
import { companiesOf } from '../../services/scope/companies.js';
import { emptyBatch } from '../../services/batch/run-batch.js';
import type { Context } from '../../services/context.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { release, revoke } from './commands.js';
import { type CompanySummary, concerned, readSummaries } from './companies.js';
import { approvalsOf } from './approval.js';
import { sweepReport } from './family.js';
import { requireUnused } from './plan-used.js';
import { canonical } from './plan-cells.js';
import { newPlan, planId, type Proposal, readPlan, releasesOf } from './plan-file.js';
import { runSweep } from './sweep.js';

/** Releases the retained history of the chosen companies, or what a plan proposes. Errors: those of `runSweep` and `releasePlan`. */
export async function releaseHistory(context: Context, given: Given<typeof release>): Promise<Outcome> {
  const { plan } = given;
  return plan === undefined
    ? await sweepCompanies(context, true, given)
    : await releasePlan(context, { ...given, plan });
}

/** Revokes the release of the chosen companies. Errors: those of `runSweep`. */
export async function revokeRelease(context: Context, given: Given<typeof revoke>): Promise<Outcome> {
  return await sweepCompanies(context, false, given);
}

async function sweepCompanies(context: Context, released: boolean, given: Given<typeof revoke>): Promise<Outcome> {
  const { allCompanies, confirm } = given;
  const companies = await companiesOf(context, { all: allCompanies });
  const { read, notices } = concerned(await readSummaries(context, companies), allCompanies);
  const options = given;
  if (read.length === 0)
    return await emptyBatch(context, { options, family: sweepReport, besides: [], summary: {}, notices });
  const isSole = !allCompanies && read.length === 1;
  const follow = allCompanies ? ({ flags: [['--all-companies', true]] } as const) : {};
  const outcome = await runSweep(context, { released, read, isSole, confirm, options, follow });
  return { ...outcome, notices: [...notices, ...(outcome.notices ?? [])] };
}

/**
 * Releases what a reviewed plan (a file of `backfill plan`, or `-`) proposes, except companies whose cut-off changed since then
 * (exit 3). Errors: those of `readPlan` and `runSweep`; `usage.invalid` when the plan proposes no release.
 */
async function releasePlan(
  context: Context,
  { plan, ...given }: Given<typeof release> & { readonly plan: string },
): Promise<Outcome> {
  if (given.allCompanies || context.flags.company !== undefined) throw twoChoices();
  const rows = await readPlan(context, plan);
  const releases = releasesOf(rows, plan);
  const id = planId(releases);
  const approvals = await approvalsOf(context, plan, id);
  const ids = releases.map(({ companyId }) => companyId);
  const companies = await companiesOf(context, { all: false, words: ids });
  const read = await readSummaries(context, companies);
  await requireUnused(context, { plan, read, releases });
  const changed = read.filter((one) => isChanged(one, releases));
  const unchanged = read.filter((one) => !changed.includes(one));
  const others = rows.length - ids.length;
  const notices = others === 0 ? [] : [notReleases(others)];
  const besides = changed.map(changedRecord);
  const ends = changed.length === 0 ? [] : [makeAnew(changed)];
  if (unchanged.length === 0)
    return await emptyBatch(context, {
      ...{ options: given, family: sweepReport, besides, summary: { changed: changed.length } },
      notices: [...notices, ...ends],
    });
  const outcome = await runSweep(context, {
    ...{ released: true, read: unchanged, isSole: false, confirm: given.confirm, options: given, besides },
    plan: { id, rows: releases, approvals },
    follow: plan === '-' ? { company: ids.join(',') } : { flags: [['--plan', plan]] },
  });
  return { ...outcome, notices: [...notices, ...(outcome.notices ?? []), ...ends] };
}

function isChanged({ company, summary }: CompanySummary, rows: readonly Proposal[]): boolean {
  if (summary === undefined) return false;
  const row = rows.find((one) => one.companyId === company.id);
  return row?.startFromDate !== canonical('startFromDate', summary.startFromDate ?? '');
}

function changedRecord({ company }: CompanySummary): DataRecord {
  const error = new FiscalError('backfill.changed', { company: company.id });
  const own = { companyId: company.id, ...labelOf(company) };
  const failure = { errorCode: error.code, error: new Prose(error.text) };
  return { type: 'item', label: company.id, state: 'changed', ...own, ...failure };
}

function twoChoices(): FiscalError {
  const message: Text = {
    en: 'the plan names the companies: omit --company and --all-companies',
    pt: 'o plano indica as empresas: retire --company e --all-companies',
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

function notReleases(count: number): Text {
  return counted(count, {
    en: [
      '# row of the plan proposes no release and is left out',
      '# rows of the plan propose no release and are left out',
    ],
    pt: [
      '# linha do plano não propõe liberação e fica de fora',
      '# linhas do plano não propõem liberação e ficam de fora',
    ],
  });
}

function makeAnew(changed: readonly CompanySummary[]): Text {
  const { en, pt } = counted(changed.length, {
    en: [
      '# company changed since the plan was made and was not sent',
      '# companies changed since the plan was made and were not sent',
    ],
    pt: [
      '# empresa mudou desde que o plano foi feito e não foi enviada',
      '# empresas mudaram desde que o plano foi feito e não foram enviadas',
    ],
  });
  const anew = newPlan(changed.map(({ company }) => company.id));
  return { en: `${en}; ${anew.en}`, pt: `${pt}; ${anew.pt}` };
}
