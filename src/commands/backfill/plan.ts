import { fiscalLine } from '../../domain/command-words.js';
import { resolve } from 'node:path';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { planForm } from '../../services/plan-form.js';
import { replaceFile } from '../../services/write-file.js';
import { chosenCompanies } from './companies.js';
import { readCutOff } from './cut-off.js';
import { mapConcurrent } from '../../jobs/concurrency.js';
import { planId, planText, type PlanRow } from './plan-row.js';
import { proposalOf } from './plan-propose.js';
import { readSummaries } from './read-all.js';

export interface PlanRequest {
  readonly allCompanies: boolean;
  /** A new cut-off, as the user wrote it; absent: releases. */
  readonly from: string | undefined;
  /** `.csv` or `.json`; absent: the rows are the data. */
  readonly out: string | undefined;
}

/**
 * Proposes a release, or a new cut-off, per company; nothing is sent but reads. A company that cannot be read stands in the
 * plan with its reason. Errors: `usage.invalid_value`, those of a call that concern everybody, `store.*`.
 */
export async function planBackfill(context: Context, request: PlanRequest): Promise<Outcome> {
  const { allCompanies, out } = request;
  const form = out === undefined ? undefined : planForm(out);
  const from =
    request.from === undefined ? undefined : readCutOff(request.from, '--from', context.clock.now());
  const read = await readSummaries(context, await chosenCompanies(context, { all: allCompanies }));
  const { concurrency, dryRun } = await context.settings();
  const rows = await mapConcurrent(read, concurrency, (one) => proposalOf(context, one, from));
  const releases = rows.filter(({ action }) => action === 'release');
  const id = planId(releases.map(({ companyId }) => companyId));
  if (out === undefined || form === undefined || dryRun) return { data: rows, notices: [countsText(rows)] };
  const path = resolve(context.cwd, out);
  await replaceFile(path, planText(rows, form), `${path}.${context.random.uuid()}.tmp`);
  return {
    data: { type: 'plan', out, id, ...countsOf(rows) },
    notices: [countsText(rows), ...(releases.length === 0 ? [] : [nextStep(out, id)])],
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
  const flags = [
    ['--plan', out],
    ['--confirm', id],
    ['--yes', true],
    ['--wait', true],
  ] as const;
  const line = fiscalLine({ command: 'backfill release', flags });
  return {
    en: `look through ${out}, then: ${line}`,
    pt: `revise ${out} e depois: ${line}`,
  };
}
