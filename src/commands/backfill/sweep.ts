import type { Text } from '../../contract/text.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { parseUtc } from '../../domain/utc.js';
import { backfillReleaseFacts, sweepKey } from '../../jobs/kinds/backfill-release.js';
import type { SweepRequest } from '../../jobs/kinds/backfill-sweep.js';
import { runBatch, type BatchOptions, type BatchOutcome } from '../../services/batch.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/preview.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { companiesText } from '../../services/scope/text.js';
import { countListed } from './count-listed.js';
import { confirmCompanies } from './confirm.js';
import { followEarlier, isUnderWay, withdrawOpposite } from './earlier.js';
import { sweepFamily } from './family.js';
import { mapConcurrent } from '../../jobs/concurrency.js';
import { requireSole, type CompanySummary } from './read-all.js';
import { shownSummary } from './show.js';
import { soleOutcome } from './sole.js';

export interface Sweep {
  readonly released: boolean;
  readonly read: readonly CompanySummary[];
  /** One company that was named: its end is that of the command. */
  readonly isSole: boolean;
  readonly confirm: string | undefined;
  readonly planId?: string | undefined;
  readonly options: BatchOptions;
}

/**
 * Releases or revokes, as one job with an item per company; the same companies again go on with it. What is so already is
 * not asked for. Gives one object for one company, records and a summary for several. Errors: those of `soleOutcome`,
 * `runBatch`, and of the confirmation.
 */
export async function runSweep(context: Context, sweep: Sweep): Promise<Outcome> {
  const { read, released, isSole } = sweep;
  if (isSole) requireSole(read);
  const settings = await context.settings();
  const requests = await mapConcurrent(read, settings.concurrency, (one) =>
    requestOf(context, one, released),
  );
  if (settings.dryRun) return await dryRun(context, sweep, requests);
  const ids = requests.map(({ companyId }) => companyId);
  const isHeld = read.every((one) => isSettled(one, released));
  const companies = read.map(({ company }) => company);
  const what = question(requests, { companies, released, space: settings.space });
  if (!isHeld) await confirmCompanies(context, { what, ids, given: sweep.confirm, planId: sweep.planId });
  await withdrawOpposite(context, requests);
  if (isHeld && !(await isUnderWay(context, requests))) return nothingToAsk(sweep);
  const inputDigest = `backfill ${released ? 'release' : 'revoke'} ${ids.toSorted().join(',')}`;
  // What holds already has its job settled by one more look.
  const options = { ...sweep.options, wait: sweep.options.wait || isHeld };
  const earlier = options.wait ? await followEarlier(context, { requests, inputDigest, options }) : undefined;
  if (earlier !== undefined) return earlier;
  const outcome = await runBatch<SweepRequest>(context, {
    family: sweepFamily,
    options: isSole ? { ...options, onError: 'stop' } : options,
    job: {
      kind: backfillReleaseFacts,
      profile: settings.space,
      inputDigest,
      scope: isSole ? { companyId: ids[0] ?? '' } : {},
      companies: sweep.planId === undefined ? ids : [],
      items: requests.map((input, index) => ({
        ordinal: index + 1,
        label: input.companyId,
        dedupeKey: sweepKey(input),
        input,
      })),
    },
  });
  const sole = { outcome, family: sweepFamily, wait: options.wait };
  return (isSole ? await soleOutcome(context, sole) : undefined) ?? told(outcome);
}

/** What was accepted goes on without this machine: the words that follow it. */
function told(outcome: BatchOutcome): Outcome {
  const { counts, stopped } = outcome.result;
  if (stopped !== 'sent' || counts.pending === 0) return outcome;
  return { ...outcome, notices: [...(outcome.notices ?? []), followAll] };
}

async function requestOf(context: Context, one: CompanySummary, released: boolean): Promise<SweepRequest> {
  const { company, summary } = one;
  const companyId = company.id;
  const { hidden, startFromDate } = summary ?? {};
  const base = { companyId, released, ...(hidden === undefined ? {} : { hidden }) };
  const before = startFromDate === undefined ? undefined : parseUtc(startFromDate);
  if (released || before === undefined || summary?.released === false) return base;
  const listed = await countListed(context, { companyId, before });
  return listed === undefined ? base : { ...base, expected: listed + (hidden ?? 0) };
}

function isSettled({ summary }: CompanySummary, released: boolean): boolean {
  return summary?.released === released && (!released || summary.hidden === 0);
}

function nothingToAsk({ read, isSole }: Sweep): Outcome {
  const items = read.map((one): DataRecord => ({ ...shownSummary(one), state: 'skipped' }));
  return { data: isSole ? items[0] : items, notices: [holdsAlready] };
}

async function dryRun(
  context: Context,
  { read, released }: Sweep,
  requests: readonly SweepRequest[],
): Promise<Outcome> {
  const open = read.filter((one) => one.error === undefined && !isSettled(one, released));
  const companyId = open[0]?.company.id;
  const input = { path: { companyId: companyId ?? '' }, body: { released } };
  const preview =
    companyId === undefined ? { type: 'dry-run' } : await previewOne(context, 'nfse.backfill.release', input);
  const { hidden, expected } = sumOf(requests);
  return {
    data: {
      ...preview,
      companies: read.length,
      sends: open.length,
      hiddenDocumentsCount: hidden,
      ...(released ? {} : { wouldBeHidden: expected }),
      billedCalls: 0,
    },
    notices: [open.length === 0 ? nothingToSend : dryRunOnly],
  };
}

function sumOf(requests: readonly SweepRequest[]) {
  const sum = (values: readonly (number | undefined)[]) =>
    values.reduce<number>((all, value) => all + (value ?? 0), 0);
  return {
    hidden: sum(requests.map(({ hidden }) => hidden)),
    expected: sum(requests.map(({ expected }) => expected)),
  };
}

interface Question {
  readonly companies: readonly AccountCompany[];
  readonly released: boolean;
  readonly space: string;
}

function question(requests: readonly SweepRequest[], { companies, released, space }: Question): Text {
  const of = companiesText(companies);
  const { hidden, expected } = sumOf(requests);
  if (released) {
    return {
      en: `releasing the retained history of ${of.en} (profile ${space}): ${hidden} hidden NFS-e become listed; they were billed as history when they were captured, the release is not billed`,
      pt: `liberar o histórico retido ${of.pt} (perfil ${space}): ${hidden} NFS-e ocultas passam a ser listadas; elas foram cobradas como histórico na captura, a liberação não é cobrada`,
    };
  }
  const isKnown = requests.every(({ expected: count }) => count !== undefined);
  const count = isKnown ? String(expected) : '?';
  return {
    en: `revoking the release of ${of.en} (profile ${space}): the NFS-e issued before the cut-off are hidden again (${count}${isKnown ? '' : ', the count is not known'})`,
    pt: `revogar a liberação ${of.pt} (perfil ${space}): as NFS-e emitidas antes da data de corte voltam a ficar ocultas (${count}${isKnown ? '' : ', contagem desconhecida'})`,
  };
}

const followAll: Text = {
  en: 'accepted; follow it to its end with: fiscal backfill wait --all',
  pt: 'aceito; acompanhe até o fim com: fiscal backfill wait --all',
};

const holdsAlready: Text = {
  en: 'it is so already; nothing was sent',
  pt: 'já está assim; nada foi enviado',
};

const dryRunOnly: Text = {
  en: 'nothing was sent; the request shown is the first one',
  pt: 'nada foi enviado; a requisição mostrada é a primeira',
};

const nothingToSend: Text = { en: 'nothing would be sent', pt: 'nada seria enviado' };
