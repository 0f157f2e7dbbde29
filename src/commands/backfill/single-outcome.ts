import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { endsRun } from '../../jobs/engine.js';
import { requestOf } from '../../jobs/kinds/backfill-release.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import type { BatchFamily, BatchOutcome } from '../../services/batch/run-batch.js';
import type { Context } from '../../services/context.js';
import type { LabelOf } from '../../services/scope/scope.js';
import { unknownOutcome } from '../../services/batch/single-job.js';
import type { ItemRow } from '../../store/store.js';
import { companyOfLabel, companyText } from '../../services/scope/text.js';
import { sentenceOf } from '../../domain/sentence.js';
import { reasonWords } from '../../errors/reasons.js';

interface SoleEnding {
  readonly outcome: BatchOutcome;
  readonly family: BatchFamily;
  /** The user waits for the outcome. */
  readonly wait: boolean;
}

/**
 * The outcome of a job about one company, as one object, or as an error: `backfill.overtaken`
 * (13), `outcome.still_pending` (8), `outcome.unknown` (3), that of the call. `undefined` when the job has several items.
 */
export async function soleOutcome(context: Context, ending: SoleEnding): Promise<Outcome | undefined> {
  const { outcome, family, wait } = ending;
  const { result, error } = outcome;
  if (result.error !== undefined && endsRun(result.stopped)) throw result.error;
  const item = await onlyItem(context, result.job.id);
  if (item === undefined) return undefined;
  const label = await (await context.scope()).labels();
  const goOn = { jobId: item.jobId, resume: result.job.commandLine };
  switch (item.state) {
    case 'succeeded':
      return { data: record(item, family, label), sentence: sentenceOf('good', endText(item, label, 'done')), error };
    case 'skipped':
      return {
        ...{ data: record(item, family, label), error },
        sentence: sentenceOf('none', endText(item, label, 'skipped')),
        notices: [item.duplicateOf === undefined ? holdsAlready : askedAlready],
      };
    case 'pending':
      if (result.error !== undefined) throw result.error.with(goOn);
      if (wait) throw stillPending(item, result.elapsedMs);
      return {
        ...{ data: record(item, family, label), error },
        sentence: sentenceOf('open', endText(item, label, 'pending')),
        notices: [accepted(item.label)],
      };
    case 'uncertain':
      throw unknownOutcome(item);
    case 'rejected':
      throw overtaken(item);
    default:
      throw result.error?.with(goOn) ?? notDone(item);
  }
}

async function onlyItem(context: Context, jobId: string): Promise<ItemRow | undefined> {
  const items = await (await context.store()).items.list(jobId, { limit: 2 });
  return items.length === 1 ? items[0] : undefined;
}

function record(item: ItemRow, family: BatchFamily, label: LabelOf): DataRecord {
  const fields = family.fields(item, undefined);
  const company = label(textField(fields, 'companyId'));
  return { type: 'backfill', ...fields, ...company, state: item.state, jobId: item.jobId };
}

function overtaken(item: ItemRow): FiscalError {
  const { companyId, released } = requestOf(item);
  const asked: Text = released ? { en: 'release', pt: 'liberação' } : { en: 'revocation', pt: 'revogação' };
  return new FiscalError(
    'backfill.overtaken',
    { asked, company: companyId },
    { sent: 'yes', jobId: item.jobId, resume: fiscalLine({ command: 'backfill show', company: companyId }) },
  );
}

function stillPending(item: ItemRow, elapsedMs: number): FiscalError {
  const status = item.remoteStatus ?? 'accepted';
  return new FiscalError(
    'outcome.still_pending',
    { what: item.label, status, seconds: Math.round(elapsedMs / 1000) },
    {
      sent: 'yes',
      jobId: item.jobId,
      resume: fiscalLine({ command: 'backfill show', flags: [['--wait', true]], company: item.label }),
    },
  );
}

function notDone(item: ItemRow): FiscalError {
  const reason = item.reason
    ? reasonWords(item.reason)
    : { en: 'no reason was kept', pt: 'nenhum motivo foi registrado' };
  const values = { what: item.label, status: item.state, reason };
  return new FiscalError('outcome.ended_badly', values, { jobId: item.jobId });
}

function accepted(company: string): Text {
  const line = fiscalLine({ command: 'backfill show', flags: [['--wait', true]], company });
  return { en: `accepted; to wait for it: ${line}`, pt: `aceito; para aguardar a conclusão: ${line}` };
}

const holdsAlready: Text = { en: 'already done; nothing was sent', pt: 'já está assim; nada foi enviado' };

const askedAlready: Text = {
  en: 'an earlier command already requested this and is still in progress; nothing was sent again; to wait for it: fiscal backfill show --wait',
  pt: 'um comando anterior já pediu isto e ainda não terminou; nada foi enviado de novo; para aguardar: fiscal backfill show --wait',
};

const ends = {
  done: { en: 'done', pt: 'concluído' },
  pending: { en: 'accepted, not done yet', pt: 'aceito, ainda não concluído' },
  skipped: { en: 'nothing was sent', pt: 'nada foi enviado' },
} as const;

function endText({ label: id }: ItemRow, label: LabelOf, end: keyof typeof ends): Text {
  const whose = companyText(companyOfLabel(id, label(id)));
  return { en: `company ${whose}: ${ends[end].en}`, pt: `empresa ${whose}: ${ends[end].pt}` };
}
