import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import type { Learned } from '../../jobs/engine.js';
import { startFromFacts, type CutOffRequest } from '../../jobs/kinds/backfill-start-from.js';
import { writtenWhole } from '../../services/batch/early.js';
import { emptyBatch, runBatch } from '../../services/batch/run-batch.js';
import type { ItemRow } from '../../store/store.js';
import { companiesOf } from '../../services/scope/companies.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { companiesText } from '../../services/scope/text.js';
import { type CompanySummary, concerned, confirmCompanies, readSummaries, requireSole } from './companies.js';
import type { startFrom } from './commands.js';
import { type Effect, effectOf, isHeld, readCutOff, sumOfEffects } from './cut-off.js';
import { startFromFamily, sweepReport } from './family.js';
import { mapConcurrent } from '../../jobs/concurrency.js';
import { soleOutcome } from './single-outcome.js';

/**
 * §4: moves the capture cut-off of the selected companies, the only way after registration; role Management. Shows what it
 * hides or reveals first, as far as the service reports it. Errors: `usage.invalid_value`, `backfill.*`, those of `runBatch`.
 */
export async function moveCutOff(context: Context, given: Given<typeof startFrom>): Promise<Outcome> {
  const { allCompanies } = given;
  const startFromDate = readCutOff(given.date, 'DATE', context.clock.now());
  const settings = await context.settings();
  const companies = await companiesOf(context, { all: allCompanies });
  const { read, notices } = concerned(await readSummaries(context, companies), allCompanies);
  if (read.length === 0)
    return await emptyBatch(context, { options: given, family: sweepReport, besides: [], summary: {}, notices });
  const isSole = !allCompanies && read.length === 1;
  if (isSole) requireSole(read);
  const effects = await mapConcurrent(read, settings.concurrency, (one) => effectOf(context, one, startFromDate));
  if (settings.dryRun) return await dryRun(context, { read, effects, startFromDate });
  const isSo = read.every((one) => isHeld(one, startFromDate));
  const ids = read.map(({ company }) => company.id);
  const what = question({ read, effects, startFromDate }, settings.storeNamespace);
  if (!isSo) await confirmCompanies(context, { what, ids, given: given.confirm });
  const onError = isSole ? 'stop' : given.onError;
  const outcome = await runBatch<CutOffRequest>(isSole ? writtenWhole(context) : context, {
    family: startFromFamily,
    options: { ...given, onError, ...atOnce },
    // Nobody was asked, so nothing may be sent, even when the date changes at this moment.
    ...(isSo && { learned: soAlready }),
    job: {
      kind: startFromFacts,
      profile: settings.storeNamespace,
      inputDigest: `backfill start-from ${startFromDate} ${ids.toSorted().join(',')}`,
      scope: isSole ? { companyId: ids[0] ?? '' } : {},
      companies: ids,
      items: ids.map((companyId, index) => ({
        ordinal: index + 1,
        label: companyId,
        dedupeKey: companyId,
        input: { companyId, startFromDate },
      })),
    },
  });
  const sole = { outcome, family: startFromFamily, wait: false };
  const ended = (isSole ? await soleOutcome(context, sole) : undefined) ?? outcome;
  const ends = isSo ? [holdsAlready] : (ended.notices ?? []);
  return { ...ended, notices: [...notices, ...ends] };
}

/** A cut-off has no later state to wait for. */
const atOnce = {
  ...{ wait: false, timeout: 0, interval: 1_000 },
  ...{ maxBillable: undefined, stats: undefined, metricsFile: undefined },
};

function soAlready({ label }: ItemRow): Learned {
  return { state: 'skipped', resourceId: label, step: { is: 'found', beforeAnySend: true } };
}

interface Intent {
  readonly read: readonly CompanySummary[];
  readonly effects: readonly Effect[];
  readonly startFromDate: string;
}

async function dryRun(context: Context, { read, effects, startFromDate }: Intent): Promise<Outcome> {
  const open = read.filter((one) => one.error === undefined && !isHeld(one, startFromDate));
  const companyId = open[0]?.company.id;
  const input = { path: { companyId: companyId ?? '' }, body: { startFromDate } };
  const preview =
    companyId === undefined ? { type: 'dry-run' } : await previewOne(context, 'nfse.startFromDate.set', input);
  const { hides, mayShow } = sumOfEffects(effects);
  return {
    data: { ...preview, companies: read.length, sends: open.length, hides, mayShow, billedCalls: 0 },
    notices: [...effects.map(({ text }) => text), open.length === 0 ? nothingToSend : dryRunOnly],
  };
}

function question({ read, effects, startFromDate }: Intent, storeNamespace: string): Text {
  const of = companiesText(read.map(({ company }) => company));
  const [first] = effects;
  const said = read.length === 1 && first !== undefined ? first.text : sumOfEffects(effects).text;
  return {
    en: `moving the capture cut-off to ${startFromDate} for ${of.en} (profile ${storeNamespace}): ${said.en}; what is captured from before it is billed as history`,
    pt: `alterar a data de corte da captura ${of.pt} para ${startFromDate} (perfil ${storeNamespace}): ${said.pt}; o que for capturado de antes dela é cobrado como histórico`,
  };
}

const holdsAlready: Text = {
  en: 'the cut-off is already that date; nothing was sent',
  pt: 'a data de corte já é essa; nada foi enviado',
};

const dryRunOnly: Text = {
  en: 'nothing was sent; the request shown is the first one',
  pt: 'nada foi enviado; a requisição mostrada é a primeira',
};

const nothingToSend: Text = { en: 'nothing would be sent', pt: 'nada seria enviado' };
