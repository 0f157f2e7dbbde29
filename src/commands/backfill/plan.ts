import { resolve } from 'node:path';
import type { Given } from '../../cli/command.js';
import type { Language, Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { reasons } from '../../errors/reasons.js';
import { filled } from '../../errors/text-template.js';
import { formatUtc } from '../../domain/dates.js';
import { Prose } from '../../domain/prose.js';
import { mapConcurrent } from '../../jobs/concurrency.js';
import type { Context } from '../../services/context.js';
import { formOf, writeWhole } from '../../io/output-file.js';
import { companiesOf } from '../../services/scope/companies.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { plan } from './commands.js';
import { type CompanySummary, readSummaries } from './companies.js';
import { effectOf, isHeld, readCutOff } from './cut-off.js';
import { notSaid } from './facts.js';
import { joined, languageOf, planBytes, planForms, planId, type PlanRow, releaseLine, signed } from './plan-file.js';

/**
 * Proposes a release, or a new cut-off, per company; sends only reads. A company that cannot be read is in the
 * plan with its reason. Errors: `usage.invalid_value`, those of a call that affect every company, `store.*`.
 */
export async function planBackfill(context: Context, given: Given<typeof plan>): Promise<Outcome> {
  const { allCompanies, out } = given;
  const form = out === undefined ? undefined : formOf(out, planForms);
  const from = given.from === undefined ? undefined : readCutOff(given.from, '--from', context.clock.now());
  const read = await readSummaries(context, await companiesOf(context, { all: allCompanies }));
  const { concurrency, dryRun } = await context.settings();
  const plannedAt = formatUtc(context.clock.now());
  const language = languageOf(form, context.language);
  const made = { from, plannedAt, language };
  const proposals = await mapConcurrent(read, concurrency, (one) => proposalOf(context, one, made));
  const rows = proposals.map(({ row }) => row);
  const role = proposals.some(({ lacksRole }) => lacksRole) ? [wouldBeRefused] : [];
  const releases = rows.filter(({ action }) => action === 'release');
  const id = planId(releases);
  const counts = countsText(rows);
  if (out === undefined || form === undefined || dryRun) return { data: rows, notices: [counts, ...role] };
  const path = resolve(context.cwd, out);
  const title = { en: `Plan ${id}: ${counts.en}`, pt: `Plano ${id}: ${counts.pt}` };
  await writeWhole(path, planBytes(rows, { form, language, title }), context.random);
  return {
    data: { type: 'plan', out, id, ...countsOf(rows) },
    notices: [counts, ...role, ...(releases.length === 0 ? [] : [nextStep(out, id)])],
  };
}

function countsOf(rows: readonly PlanRow[]) {
  const release = rows.filter(({ action }) => action === 'release');
  const none = rows.filter(({ action }) => action === 'none').length;
  const hidden = release.reduce((sum, row) => sum + (row.hidden ?? 0), 0);
  return {
    companies: rows.length,
    release: release.length,
    startFrom: rows.length - release.length - none,
    none,
    hiddenDocumentsCount: hidden,
  };
}

function countsText(rows: readonly PlanRow[]): Text {
  const { companies, release, startFrom, none, hiddenDocumentsCount } = countsOf(rows);
  return {
    en: `companies: ${companies}; ${release} to release (${hiddenDocumentsCount} hidden NFS-e), ${startFrom} with a new cut-off, ${none} without a proposal`,
    pt: `empresas: ${companies}; ${release} a liberar (${hiddenDocumentsCount} NFS-e ocultas), ${startFrom} com nova data de corte, ${none} sem proposta`,
  };
}

function nextStep(out: string, id: string): Text {
  const line = releaseLine(out, id);
  return { en: `review ${out}, then: ${line}`, pt: `revise ${out} e depois: ${line}` };
}

interface Proposed {
  readonly row: PlanRow;
  readonly lacksRole: boolean;
}

const wouldBeRefused: Text = {
  en: 'the key lacks the role Management: the service would refuse this plan; use a key that has it',
  pt: 'falta à chave o papel Management: o serviço recusaria este plano; use uma chave que o tenha',
};

interface Made extends Pick<PlanRow, 'plannedAt'> {
  readonly from: string | undefined;
  /** Of the notes. */
  readonly language: Language;
}

/** The proposal for one company, with what the reader should know first. `from`: a new cut-off. */
async function proposalOf(
  context: Context,
  one: CompanySummary,
  { from, plannedAt, language }: Made,
): Promise<Proposed> {
  const { company, summary, error } = one;
  const action = actionOf(one, from);
  const { startFromDate, released, hidden } = summary ?? {};
  const isOff = error?.code === 'backfill.no_capture';
  const refused = error && [isOff ? reasons.noCapture : error.text];
  const role = refused === undefined ? await roleNote(context, company.id) : undefined;
  const notes = refused ?? [...(await notesOf(context, one, from)), ...(role === undefined ? [] : [role])];
  const planned = {
    companyId: company.id,
    ...labelOf(company),
    ...(startFromDate === undefined ? {} : { startFromDate }),
    ...(released === undefined ? {} : { released }),
    ...(hidden === undefined ? {} : { hidden }),
    action,
    note: new Prose(joined(notes)),
    plannedAt,
  };
  const row = signed(planned, language);
  return { row, lacksRole: role === reasons.noManagementRole };
}

function actionOf(one: CompanySummary, from: string | undefined): string {
  const { summary } = one;
  if (summary === undefined) return 'none';
  if (from !== undefined) return isHeld(one, from) ? 'none' : `start-from ${from}`;
  return summary.released === false && (summary.hidden ?? 0) > 0 ? 'release' : 'none';
}

async function notesOf(context: Context, one: CompanySummary, from: string | undefined): Promise<readonly Text[]> {
  const { released, hidden = 0 } = one.summary ?? {};
  const unknown = released === undefined || one.summary?.hidden === undefined ? [notSaid] : [];
  const billed = filled(reasons.billedHistory, { count: hidden });
  const effect = from === undefined ? [] : [(await effectOf(context, one, from)).text];
  return [...unknown, ...(hidden === 0 ? [] : [billed]), ...effect];
}

/** A plan writes nothing, so only a read that needs the role shows whether the key lacks it. */
async function roleNote(context: Context, companyId: string): Promise<Text | undefined> {
  const client = await context.client();
  try {
    await client.call('nfse.statistics', { path: { companyId } }, { signal: context.interruption });
    return undefined;
  } catch (error) {
    if (!(error instanceof FiscalError) || error.facts.httpStatus === undefined) throw error;
    if (error.facts.httpStatus === 401) throw error;
    if (error.facts.httpStatus === 403) return reasons.noManagementRole;
    return reasons.roleUnknown;
  }
}
