import type { Text } from '../contract/text.js';
import { FiscalError } from '../errors/fiscal-error.js';

/** What a run did so far: an error that comes late says it. */
export interface Effects {
  /** Requests that write. */
  readonly sends: number;
  readonly billed: number;
  readonly jobIds: readonly string[];
}

/**
 * The error of a run that may have had effects. A failed store or an invalid `--query` no longer means that nothing was
 * sent, nor that the same command fails again. An error of what a command reads before it writes says that nothing was
 * sent; the item of a job, also of an earlier run, says itself what became of it, and so does any other error.
 */
export function errorAfter(error: unknown, effects: Effects, isToWrite = false): unknown {
  if (!(error instanceof FiscalError)) return error;
  if (isToWrite && effects.sends === 0 && effects.jobIds.length === 0 && error.facts.jobId === undefined)
    return error.with({ sent: 'no' });
  if (error.code === 'output.query') return afterQuery(error, effects);
  return error.code.startsWith('store.') && effects.sends > 0 ? afterStore(error, effects) : error;
}

function afterQuery(error: FiscalError, effects: Effects): FiscalError {
  const { sends, billed, jobIds } = effects;
  if (sends === 0 && billed === 0 && jobIds.length === 0) return error;
  return error.with({ ...(sends > 0 && { sent: 'yes' }), hint: hintAfter(effects) });
}

function afterStore(error: FiscalError, effects: Effects): FiscalError {
  const values = { reason: error.text, sent: effects.sends, unknown: 0 };
  const { jobId = onlyJob(effects), resume, hint = jobsHint(effects) } = error.facts;
  const facts = {
    ...(jobId === undefined ? {} : { jobId }),
    ...(resume === undefined ? {} : { resume }),
    ...(resume !== undefined || hint === undefined ? {} : { hint }),
  };
  return new FiscalError('job.store_failed', values, { ...facts, sent: 'yes', retryable: true });
}

/** The job, where the run had one. */
export function onlyJob({ jobIds }: Effects): string | undefined {
  return jobIds.length === 1 ? jobIds[0] : undefined;
}

/** The next step, without an effect twice: what was sent or billed is looked at, not repeated. */
export function hintAfter(effects: Effects): Text {
  const { sends, billed } = effects;
  if (sends === 0 && billed === 0 && effects.jobIds.length === 0) {
    return {
      en: 'what the command did until then is kept; run it again when its output can be written',
      pt: 'o que o comando fez até ali está mantido; execute-o de novo quando a saída puder ser gravada',
    };
  }
  return (
    jobsHint(effects) ?? {
      en: 'the service has answered, and the calls are recorded: fiscal history',
      pt: 'o serviço já respondeu, e as chamadas estão registradas: fiscal history',
    }
  );
}

function jobsHint({ jobIds }: Effects): Text | undefined {
  const [jobId, ...others] = jobIds;
  if (jobId === undefined) return undefined;
  if (others.length > 0)
    return { en: 'the jobs are kept: fiscal job list', pt: 'os lotes foram mantidos: fiscal job list' };
  return { en: `the job is kept: fiscal job show ${jobId}`, pt: `o lote foi mantido: fiscal job show ${jobId}` };
}
