import type { Answer } from '../../client/client.js';
import type { Billing } from '../../contract/operation.js';
import type { Text } from '../../contract/text.js';
import type { Billed } from '../../domain/billing.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { BilledCounts } from '../../jobs/billed-calls.js';
import { endsRun, isWorkedThrough, type JobResult, type StopReason } from '../../jobs/engine.js';

/** The exit codes of runs that stopped early; the others have that of their error. */
const stopCodes = {
  timeout: ExitCode.pending,
  'failure-limit': ExitCode.limitReached,
  'billable-limit': ExitCode.limitReached,
  budget: ExitCode.limitReached,
  stopped: ExitCode.limitReached,
  'rate-limited': ExitCode.rateLimited,
  credentials: ExitCode.credentials,
  'went-back': ExitCode.usage,
  held: ExitCode.held,
} as const satisfies Partial<Record<StopReason, ExitCode>>;

/** The exit code of a batch. What stopped the run counts before what failed in it. */
export function batchExitCode({ counts, stopped, error }: JobResult): ExitCode {
  const isIncomplete = counts.failed + counts.rejected + counts.uncertain > 0;
  switch (stopped) {
    case 'complete':
    case 'sent':
      return isIncomplete ? ExitCode.partial : ExitCode.ok;
    case 'unavailable':
    case 'refused':
    case 'interrupted':
    case 'store-failed':
    case 'error':
      return error?.exitCode ?? ExitCode.temporary;
    default:
      return stopCodes[stopped];
  }
}

/** Why a batch stopped early, and the next command to type. `shared`: the one cause for which every item failed. */
export function batchNotices(result: JobResult, shared?: Text): readonly Text[] {
  const { job, counts, error, stopped, billed } = result;
  // The error is said at the end, with the command that goes on.
  if (endsRun(stopped)) return billedNotices(billed);
  const again = job.commandLine;
  const isOfItem = stopped === 'stopped' || stopped === 'refused';
  const isSpent = stopped === 'billable-limit' && billed.billed + billed.unknown === 0;
  return [
    ...(isOfItem || error === undefined ? [] : [error.text]),
    ...(isOfItem || error?.facts.hint === undefined ? [] : [error.facts.hint]),
    // The same command stops at the same item until the store is released: the hint of the error says so.
    ...(isWorkedThrough(stopped) || stopped === 'went-back'
      ? []
      : [isSpent ? raiseLimit(again) : stoppedAt(stopped, again)]),
    ...(shared === undefined ? [] : [shared]),
    ...(counts.failed > 0 && shared === undefined ? [retryHint(job.id)] : []),
    ...(counts.rejected > 0 ? [rejectedHint(job.id, counts.rejected)] : []),
    ...(counts.uncertain > 0 ? [resolveHint(job.id, counts.uncertain)] : []),
    ...billedNotices(billed),
  ];
}

/** The same command allows no billed call, so it would stop at the same item. */
function raiseLimit(again: string): Text {
  return {
    en: `stopped early (billable-limit): --max-billable allows no billed call; the state is saved, continue with a higher limit: ${again}`,
    pt: `parou antes do fim (billable-limit): --max-billable não permite nenhuma chamada cobrada; o estado foi salvo, continue com um limite maior: ${again}`,
  };
}

function stoppedAt(stopped: string, again: string): Text {
  return {
    en: `stopped early (${stopped}); the state is saved, continue with: ${again}`,
    pt: `parou antes do fim (${stopped}); o estado foi salvo, continue com: ${again}`,
  };
}

function retryHint(jobId: string): Text {
  return {
    en: `see what failed: fiscal job items ${jobId} --state failed; send it again: fiscal job resume ${jobId} --failed`,
    pt: `veja o que falhou: fiscal job items ${jobId} --state failed; envie de novo: fiscal job resume ${jobId} --failed`,
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
      en: `1 item may or may not have arrived; check at the service and record the result: fiscal job resolve ${jobId} (${found})`,
      pt: `1 item pode ter chegado ou não; verifique no serviço e registre o resultado: fiscal job resolve ${jobId} (${found})`,
    };
  }
  return {
    en: `${count} items may or may not have arrived; list them: fiscal job items ${jobId} --state uncertain; check at the service and record the result of each: fiscal job resolve <item> (${found})`,
    pt: `${count} itens podem ter chegado ou não; veja-os: fiscal job items ${jobId} --state uncertain; verifique no serviço e registre o resultado de cada um: fiscal job resolve <item> (${found})`,
  };
}

/** The billing notices of a batch, or of one call; `as` is how it is billed. */
export function billedNotices(
  { billed, unknown, repeats }: BilledCounts,
  as?: Exclude<Billing, 'history' | null>,
): readonly Text[] {
  return [
    ...(billed > 0 ? [as === undefined || billed > 1 ? billedText(billed) : oneText[as]] : []),
    ...(unknown > 0 ? [unknownText(unknown)] : []),
    ...(repeats > 0 ? [repeatText(repeats)] : []),
  ];
}

/** The cost of one call, with its attempts. */
export function costOf({ billed, billedUnknown = 0 }: Pick<Answer<unknown>, 'billed' | 'billedUnknown'>): BilledCounts {
  const count = (one: Billed) => (billed === one ? 1 : 0);
  return { billed: count('billed'), unknown: billedUnknown, repeats: count('repeat') };
}

const oneText = {
  engine: {
    en: 'the tax engine bills this call ("fiscal usage" shows it)',
    pt: 'o motor de cálculo cobra esta chamada (veja fiscal usage)',
  },
  'doc-by-key': {
    en: 'this call is billed as GetDocByKey ("fiscal usage" shows it)',
    pt: 'esta chamada é cobrada como GetDocByKey (veja fiscal usage)',
  },
} as const;

function billedText(count: number): Text {
  return count === 1
    ? { en: '1 billed call was made (fiscal usage)', pt: '1 chamada cobrada foi feita (fiscal usage)' }
    : {
        en: `${count} billed calls were made (fiscal usage)`,
        pt: `${count} chamadas cobradas foram feitas (fiscal usage)`,
      };
}

function unknownText(count: number): Text {
  return count === 1
    ? {
        en: '1 call was sent with unknown outcome: it may have been billed (fiscal usage)',
        pt: '1 chamada foi enviada e o resultado não é conhecido: ela pode ter sido cobrada (fiscal usage)',
      }
    : {
        en: `${count} calls were sent with unknown outcome: they may have been billed (fiscal usage)`,
        pt: `${count} chamadas foram enviadas e o resultado não é conhecido: elas podem ter sido cobradas (fiscal usage)`,
      };
}

function repeatText(count: number): Text {
  return count === 1
    ? {
        en: '1 call was a free repeat: this machine had captured the same key before',
        pt: '1 chamada foi repetição sem cobrança: esta máquina já havia capturado a mesma chave',
      }
    : {
        en: `${count} calls were free repeats: this machine had captured the same keys before`,
        pt: `${count} chamadas foram repetições sem cobrança: esta máquina já havia capturado as mesmas chaves`,
      };
}
