import type { Context } from '../../services/context.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { labelOf } from '../../services/scope/resolver.js';
import { effectOf, isHeld } from './effect.js';
import type { CompanySummary } from './read-all.js';
import { fingerprintOf, type PlanRow } from './plan-row.js';

/** What one company's history is worth: the proposal, and what is to be known before it. `from`: a new cut-off. */
export async function proposalOf(
  context: Context,
  one: CompanySummary,
  from: string | undefined,
): Promise<PlanRow> {
  const { company, summary, error } = one;
  const action = actionOf(one, from);
  const { startFromDate, released, hidden } = summary ?? {};
  const notes = error === undefined ? await notesOf(context, one, from) : [refusal(error)];
  const written = {
    startFromDate: startFromDate ?? '',
    released: released === undefined ? '' : String(released),
  };
  return {
    companyId: company.id,
    ...labelOf(company),
    ...(startFromDate === undefined ? {} : { startFromDate }),
    ...(released === undefined ? {} : { released }),
    ...(hidden === undefined ? {} : { hidden }),
    action,
    note: notes.join('; '),
    fingerprint: fingerprintOf({ companyId: company.id, ...written, action }),
  };
}

function actionOf(one: CompanySummary, from: string | undefined): string {
  const { summary } = one;
  if (summary === undefined) return 'none';
  if (from !== undefined) return isHeld(one, from) ? 'none' : `start-from ${from}`;
  return summary.released === false && (summary.hidden ?? 0) > 0 ? 'release' : 'none';
}

async function notesOf(
  context: Context,
  one: CompanySummary,
  from: string | undefined,
): Promise<readonly string[]> {
  const { company, summary } = one;
  const hidden = summary?.hidden ?? 0;
  const billed = `${hidden} hidden NFS-e, billed as history when captured`;
  const effect = from === undefined ? [] : [(await effectOf(context, one, from)).text.en];
  return [...(hidden === 0 ? [] : [billed]), ...effect, ...(await roleNote(context, company.id))];
}

function refusal(error: FiscalError): string {
  return error.code === 'backfill.no_capture' ? 'no NFS-e capture (404)' : error.text.en;
}

/** A plan writes nothing, so only a read that needs the role can tell whether the key lacks it. */
async function roleNote(context: Context, companyId: string): Promise<readonly string[]> {
  const client = await context.client();
  try {
    await client.call('nfse.statistics', { path: { companyId } }, { signal: context.interruption });
    return [];
  } catch (error) {
    if (!(error instanceof FiscalError) || error.facts.httpStatus === undefined) throw error;
    if (error.facts.httpStatus === 401) throw error;
    if (error.facts.httpStatus === 403) return ['the key lacks the role Management (403)'];
    return ['whether the key has the role Management is not known'];
  }
}
