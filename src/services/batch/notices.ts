import type { Text } from '../../contract/text.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { JobResult } from '../../jobs/engine.js';
import { billedNotices } from './billed-notices.js';

/** How a batch ends, by the table of exit codes. What stopped the run counts before what failed in it. */
export function batchExitCode(result: JobResult): ExitCode {
  const { counts, stopped, error } = result;
  const isIncomplete = counts.failed + counts.rejected + counts.uncertain > 0;
  switch (stopped) {
    case 'complete':
    case 'sent':
      return isIncomplete ? ExitCode.partial : ExitCode.ok;
    case 'timeout':
      return ExitCode.pending;
    case 'failure-limit':
    case 'billable-limit':
    case 'stopped':
      return ExitCode.limitReached;
    case 'rate-limited':
      return ExitCode.rateLimited;
    case 'unavailable':
      return error?.exitCode ?? ExitCode.temporary;
    case 'credentials':
      return ExitCode.credentials;
    case 'held':
      return ExitCode.held;
  }
}

/** Sentences about the end: why it stopped early, and the next command to type. */
export function batchNotices(result: JobResult): readonly Text[] {
  const { job, counts, error, stopped, billed } = result;
  const again = job.commandLine;
  const isSpent = stopped === 'billable-limit' && billed.billed + billed.unknown === 0;
  return [
    ...(error === undefined || stopped === 'stopped' ? [] : [error.text]),
    ...(error?.facts.hint === undefined || stopped === 'stopped' ? [] : [error.facts.hint]),
    ...(stopped === 'complete' || stopped === 'sent'
      ? []
      : [isSpent ? raiseLimit(again) : stoppedAt(stopped, again)]),
    ...(counts.failed > 0 ? [retryHint(job.id)] : []),
    ...(counts.rejected > 0 ? [rejectedHint(job.id, counts.rejected)] : []),
    ...(counts.uncertain > 0 ? [resolveHint(job.id, counts.uncertain)] : []),
    ...billedNotices(billed),
  ];
}

/** The same command, which allows no billed call, would stop at the same place for ever. */
function raiseLimit(again: string): Text {
  return {
    en: `stopped early (billable-limit): --max-billable allows no billed call; the state is saved, go on with a higher limit: ${again}`,
    pt: `parou antes do fim (billable-limit): --max-billable não permite nenhuma chamada cobrada; o estado está salvo, continue com um limite maior: ${again}`,
  };
}

function stoppedAt(stopped: string, again: string): Text {
  return {
    en: `stopped early (${stopped}); the state is saved, go on with: ${again}`,
    pt: `parou antes do fim (${stopped}); o estado está salvo, continue com: ${again}`,
  };
}

function retryHint(jobId: string): Text {
  return {
    en: `see what failed: fiscal job items ${jobId} --state failed; send it again: fiscal job retry ${jobId}`,
    pt: `veja o que falhou: fiscal job items ${jobId} --state failed; envie de novo: fiscal job retry ${jobId}`,
  };
}

function rejectedHint(jobId: string, count: number): Text {
  return {
    en: `${count} were rejected by the service; see why: fiscal job items ${jobId} --state rejected`,
    pt: `${count} foram rejeitados pelo serviço; veja por quê: fiscal job items ${jobId} --state rejected`,
  };
}

function resolveHint(jobId: string, count: number): Text {
  const found = '--as succeeded|failed|not-sent';
  if (count === 1) {
    return {
      en: `1 item may have arrived or not; look at the service and say what you found: fiscal job resolve ${jobId} (${found})`,
      pt: `1 item pode ter chegado ou não; verifique no serviço e informe o que encontrou: fiscal job resolve ${jobId} (${found})`,
    };
  }
  return {
    en: `${count} items may have arrived or not; see them: fiscal job items ${jobId} --state uncertain; look at the service and say of each what you found: fiscal job resolve <item> (${found})`,
    pt: `${count} itens podem ter chegado ou não; veja-os: fiscal job items ${jobId} --state uncertain; verifique no serviço e informe de cada um o que encontrou: fiscal job resolve <item> (${found})`,
  };
}
