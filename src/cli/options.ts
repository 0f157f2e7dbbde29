import type { BatchOptions } from '../services/batch/run-batch.js';
import { CERTIFICATE_DAYS, DUE_DAYS } from '../domain/term-horizon.js';
import { FiscalError } from '../errors/fiscal-error.js';
import {
  inModes,
  type ArgumentSpec,
  type OptionSpec,
  type OptionSpecs,
  type OptionValues,
} from './command.js';

/** For commands that act for several companies. */
export const companiesOption = {
  allCompanies: {
    kind: 'toggle',
    summary: {
      en: 'All companies of the account (instead of --company a,b)',
      pt: 'Todas as empresas da conta (em vez de --company a,b)',
    },
  },
} as const satisfies OptionSpecs;

/** Of commands that read or prove what a company receives, what it issues, or both. */
export const directionOption = {
  direction: {
    kind: 'choice',
    choices: ['received', 'issued', 'both'],
    default: 'received',
    summary: {
      en: 'Documents that the company receives, issues, or both',
      pt: 'Documentos que a empresa recebe, emite, ou ambos',
    },
  },
} as const satisfies OptionSpecs;

/** The types of both directions. */
export const typesOption = {
  type: {
    kind: 'list',
    value: 'types',
    choices: ['nfe', 'cte', 'nfse', 'nfce'],
    summary: {
      en: 'Only these: nfe, cte, nfse; issued: nfe, nfce, nfse',
      pt: 'Só estes: nfe, cte, nfse; emitidos: nfe, nfce, nfse',
    },
  },
} as const satisfies OptionSpecs;

/** For commands that work on data stored on this machine. */
export const knownCompaniesOption = {
  allCompanies: {
    kind: 'toggle',
    summary: {
      en: 'All companies whose documents this machine knows',
      pt: 'Todas as empresas das quais esta máquina conhece documentos',
    },
  },
} as const satisfies OptionSpecs;

/** How long before its end a certificate is a problem. */
export const certificateOption = {
  warn: {
    kind: 'duration',
    value: 'time',
    default: `${CERTIFICATE_DAYS}d`,
    summary: {
      en: 'Warn this long before a certificate expires',
      pt: 'Avisa com essa antecedência do vencimento do certificado',
    },
  },
} as const satisfies OptionSpecs;

/** Which terms of manifestations are told one by one; absent as in `horizonAt`. */
export const horizonOptions = {
  within: {
    kind: 'duration',
    value: 'time',
    default: `${DUE_DAYS}d`,
    summary: {
      en: 'Manifestation deadlines within this time',
      pt: 'Prazos de manifestação que vencem neste período',
    },
  },
  overdueUpTo: {
    kind: 'duration',
    value: 'time',
    summary: {
      en: 'Overdue ones up to this long ago (since last month)',
      pt: 'Prazos vencidos há até este tempo (desde o mês passado)',
    },
    rare: true,
  },
} as const satisfies OptionSpecs;

/** For commands that write documents to the archive. */
export const objectLockOptions = {
  objectLock: {
    kind: 'choice',
    rare: true,
    choices: ['GOVERNANCE', 'COMPLIANCE'],
    summary: {
      en: 'In a bucket with Object Lock: keep what this run writes from change and deletion; needs --retain',
      pt: 'Em um bucket com Object Lock: protege o que esta execução grava contra mudança e exclusão; exige --retain',
    },
  },
  retain: {
    kind: 'text',
    rare: true,
    value: 'time',
    summary: { en: 'For how long, such as 11y or 90d', pt: 'Por quanto tempo, como 11y ou 90d' },
  },
} as const satisfies OptionSpecs;

/** For commands that read or write the archive. */
export const followLinksOption = {
  followLinks: {
    kind: 'toggle',
    rare: true,
    summary: {
      en: 'Also use folders of the archive that are symbolic links (default: they are refused)',
      pt: 'Usa também as pastas que são links simbólicos na pasta de documentos (padrão: são recusadas)',
    },
  },
} as const satisfies OptionSpecs;

const every = (least: string) =>
  ({
    kind: 'duration',
    value: 'time',
    default: '60s',
    min: least,
    onlyWith: ['watch'],
    rare: true,
    summary: {
      en: `Time between two readings with --watch (60s; at least ${least})`,
      pt: `Tempo entre duas leituras com --watch (60s; no mínimo ${least})`,
    },
  }) as const satisfies OptionSpec;

/** For lists of this machine that are shown again and again; `perform` does it. */
export const watchOptions = {
  watch: {
    kind: 'toggle',
    summary: {
      en: 'Show it again and again on a terminal, until Ctrl-C',
      pt: 'Mostra de novo e de novo no terminal, até Ctrl-C',
    },
  },
  every: every('1s'),
} as const satisfies OptionSpecs;

/** The same for lists that ask the service each time. */
export const serviceWatchOptions = {
  watch: {
    kind: 'toggle',
    summary: {
      en: 'Ask again and again and show it on a terminal, until Ctrl-C; each time calls the service',
      pt: 'Consulta de novo e de novo e mostra no terminal, até Ctrl-C; cada vez chama o serviço',
    },
  },
  every: every('30s'),
} as const satisfies OptionSpecs;

/** The folder of the archive, for the commands that read it. */
export const readArchiveOption = {
  archive: {
    kind: 'text',
    value: 'folder',
    summary: {
      en: 'Folder of the archive, or s3://bucket/prefix (default: where sync wrote)',
      pt: 'Pasta de documentos, ou s3://bucket/prefixo (padrão: onde o sync gravou)',
    },
  },
} as const satisfies OptionSpecs;

/** The input file of an import; without one, `--template` writes a sheet to fill in. */
export const fileArgument: ArgumentSpec = {
  name: 'file',
  required: false,
  summary: { en: 'The file; - for stdin', pt: 'O arquivo; - para o stdin' },
};

/** For imports of tables. */
export const templateOption = {
  template: {
    kind: 'text',
    value: 'file',
    notWith: ['<file>', '<path>'],
    summary: {
      en: 'Write a sheet to fill in (.csv or .xlsx) instead',
      pt: 'Em vez disso, grava uma planilha para preencher (.csv ou .xlsx)',
    },
  },
} as const satisfies OptionSpecs;

/** The file of an import. Error: `usage.missing`. */
export function requiredFile(file: string | undefined, name = '<file>'): string {
  if (file === undefined || file === '')
    throw new FiscalError('usage.missing', { names: `${name} / --template <file>` }, { sent: 'no' });
  return file;
}

/** For tables whose text a spreadsheet has saved. */
export const encodingOption = {
  encoding: {
    kind: 'choice',
    choices: ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'],
    summary: {
      en: 'Encoding of a CSV (default: detected)',
      pt: 'Codificação do CSV (padrão: detectada)',
    },
    rare: true,
  },
  sheet: {
    kind: 'text',
    value: 'name',
    summary: {
      en: 'Sheet of an .xlsx (default: the first)',
      pt: 'Planilha de um .xlsx (padrão: a primeira)',
    },
    rare: true,
  },
} as const satisfies OptionSpecs;

/** The same, for tables with numbers. */
export const tableOptions = {
  ...encodingOption,
  decimal: {
    kind: 'choice',
    choices: ['comma', 'point'],
    summary: {
      en: 'Decimal separator of a CSV (default: by each number; 1.234 is asked about)',
      pt: 'Separador decimal do CSV (padrão: conforme cada número; 1.234 é perguntado)',
    },
  },
} as const satisfies OptionSpecs;

/** The input format, and what to do with invalid records. */
export const importOptions = {
  format: {
    kind: 'choice',
    choices: ['csv', 'xlsx', 'ndjson', 'json'],
    summary: {
      en: 'Format of the file (default: by its extension, otherwise by its content)',
      pt: 'Formato do arquivo (padrão: pela extensão, senão pelo conteúdo)',
    },
  },
  skipInvalid: {
    kind: 'toggle',
    summary: { en: 'Leave invalid records out', pt: 'Deixa de fora os registros inválidos' },
  },
} as const satisfies OptionSpecs;

/** For imports whose records are checked locally before sending. */
export const uncheckedOption = {
  unchecked: {
    rare: true,
    kind: 'toggle',
    summary: { en: 'Send as written, without local checks', pt: 'Envia como está, sem conferência local' },
  },
} as const satisfies OptionSpecs;

/** For commands that always wait. */
export const waitTimes = {
  timeout: {
    kind: 'duration',
    value: 'time',
    default: '10m',
    summary: { en: 'Longest time to wait', pt: 'Tempo máximo de espera' },
  },
  interval: {
    rare: true,
    kind: 'duration',
    value: 'time',
    default: '5s',
    summary: {
      en: 'Longest pause between two reads',
      pt: 'Maior pausa entre duas consultas',
    },
  },
} as const satisfies OptionSpecs;

/** Waiting for a result: the same options everywhere. */
export const waitOptions = {
  wait: {
    kind: 'toggle',
    summary: {
      en: 'Wait until it is validated; the exit code shows the result',
      pt: 'Espera até a validação; o código de saída mostra o resultado',
    },
  },
  ...inModes(waitTimes, { onlyWith: ['wait'] }),
} as const satisfies OptionSpecs;

export const retryBillableOption = {
  retryBillable: {
    rare: true,
    kind: 'toggle',
    summary: {
      en: 'Send a billed call again when its outcome is unknown: it may be billed twice',
      pt: 'Repete uma chamada cobrada de resultado desconhecido: ela pode ser cobrada duas vezes',
    },
  },
} as const satisfies OptionSpecs;

/** The options of every batch. */
export const batchOptions = {
  ...waitOptions,
  ...retryBillableOption,
  onError: {
    rare: true,
    kind: 'choice',
    choices: ['continue', 'stop'],
    default: 'continue',
    summary: { en: 'After a failed item', pt: 'Depois de um item que falhou' },
  },
  maxFailures: {
    rare: true,
    kind: 'count',
    value: 'n',
    min: 1,
    summary: {
      en: 'Stop after this many failures (exit 14)',
      pt: 'Para depois desta quantidade de falhas (saída 14)',
    },
  },
  maxBillable: {
    rare: true,
    kind: 'count',
    value: 'n',
    summary: {
      en: 'Make at most this many billed calls (exit 14)',
      pt: 'Faz no máximo esta quantidade de chamadas cobradas (saída 14)',
    },
  },
  lockWait: {
    rare: true,
    kind: 'duration',
    value: 'time',
    // Longer than a lease: what a dead process of another machine held is free by then.
    default: '90s',
    summary: {
      en: 'How long to wait for items that another process holds',
      pt: 'Quanto esperar por itens que outro processo detém',
    },
  },
  stats: {
    rare: true,
    kind: 'duration',
    value: 'time',
    summary: {
      en: 'One line of counts on stderr per interval, instead of the progress display',
      pt: 'Uma linha de contagens no stderr por intervalo, no lugar do progresso',
    },
  },
  metricsFile: {
    rare: true,
    kind: 'text',
    value: 'file',
    summary: {
      en: 'Write the counts to this file as Prometheus text',
      pt: 'Grava as contagens neste arquivo, como texto do Prometheus',
    },
  },
  report: {
    kind: 'text',
    value: 'file',
    summary: { en: 'Write a CSV with one row per item', pt: 'Grava um CSV com uma linha por item' },
  },
} as const satisfies OptionSpecs;

/** The options as the services expect them. */
export function batchOptionsOf(options: OptionValues<typeof batchOptions>): BatchOptions {
  const { wait, timeout, interval, onError, retryBillable, lockWait } = options;
  const { stats, maxFailures, maxBillable, metricsFile, report } = options;
  return {
    ...{ wait, onError, retryBillable, maxFailures, maxBillable, metricsFile, report },
    timeoutMs: timeout,
    intervalMs: interval,
    lockWaitMs: lockWait,
    statsMs: stats,
  };
}

/** The same for a single item. */
export function followOptionsOf(options: OptionValues<typeof waitOptions>) {
  const { wait, timeout, interval } = options;
  return { wait, timeoutMs: timeout, intervalMs: interval };
}
