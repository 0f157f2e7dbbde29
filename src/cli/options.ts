import { choice, count, duration, listOf, optionalArgument, text, toggle } from './define.js';
import { CERTIFICATE_DAYS, DUE_DAYS } from '../domain/term-horizon.js';
import { inModes } from './command.js';

/** For commands that act for several companies. */
export const companiesOption = {
  allCompanies: toggle(
    'All companies of the account (instead of --company a,b)',
    'Todas as empresas da conta (em vez de --company a,b)',
  ),
};

/** Of commands that read or prove what a company receives, what it issues, or both. */
export const directionOption = {
  direction: choice(
    ['received', 'issued', 'both'],
    'Documents that the company receives, issues, or both',
    'Documentos que a empresa recebe, emite, ou ambos',
    { default: 'received' },
  ),
};

/** The types of both directions. */
export const typesOption = {
  type: listOf(
    'types',
    'Only these: nfe, cte, nfse; issued: nfe, nfce, nfse',
    'Só estes: nfe, cte, nfse; emitidos: nfe, nfce, nfse',
    { choices: ['nfe', 'cte', 'nfse', 'nfce'] },
  ),
};

/** For commands that work on data stored on this machine. */
export const knownCompaniesOption = {
  allCompanies: toggle(
    'All companies whose documents this machine knows',
    'Todas as empresas das quais esta máquina conhece documentos',
  ),
};

/** How long before its end a certificate is a problem. */
export const certificateOption = {
  warn: duration(
    'time',
    'Warn this long before a certificate expires',
    'Avisa com essa antecedência do vencimento do certificado',
    { default: `${CERTIFICATE_DAYS}d` },
  ),
};

/** Which terms of manifestations are told one by one; absent as in `horizonAt`. */
export const horizonOptions = {
  within: duration(
    'time',
    'Manifestation deadlines within this time',
    'Prazos de manifestação que vencem neste período',
    { default: `${DUE_DAYS}d` },
  ),
  overdueUpTo: duration(
    'time',
    'Overdue ones up to this long ago (since last month)',
    'Prazos vencidos há até este tempo (desde o mês passado)',
    { rare: true },
  ),
};

/** For commands that write documents to the archive. */
export const objectLockOptions = {
  objectLock: choice(
    ['GOVERNANCE', 'COMPLIANCE'],
    'In a bucket with Object Lock: keep what this run writes from change and deletion; needs --retain',
    'Em um bucket com Object Lock: protege o que esta execução grava contra mudança e exclusão; exige --retain',
    { rare: true },
  ),
  retain: text('time', 'For how long, such as 11y or 90d', 'Por quanto tempo, como 11y ou 90d', { rare: true }),
};

/** For commands that read or write the archive. */
export const followLinksOption = {
  followLinks: toggle(
    'Also use folders of the archive that are symbolic links (default: they are refused)',
    'Usa também as pastas que são links simbólicos na pasta de documentos (padrão: são recusadas)',
    { rare: true },
  ),
};

const every = (least: string) =>
  duration(
    'time',
    `Time between two readings with --watch (60s; at least ${least})`,
    `Tempo entre duas leituras com --watch (60s; no mínimo ${least})`,
    { default: '60s', min: least, onlyWith: ['watch'], rare: true },
  );

/** For lists of this machine that are shown again and again; `perform` does it. */
export const watchOptions = {
  watch: toggle(
    'Show it again and again on a terminal, until Ctrl-C',
    'Mostra de novo e de novo no terminal, até Ctrl-C',
  ),
  every: every('1s'),
};

/** The same for lists that ask the service each time. */
export const serviceWatchOptions = {
  watch: toggle(
    'Ask again and again and show it on a terminal, until Ctrl-C; each time calls the service',
    'Consulta de novo e de novo e mostra no terminal, até Ctrl-C; cada vez chama o serviço',
  ),
  every: every('30s'),
};

/** The folder of the archive, for the commands that read it. */
export const readArchiveOption = {
  archive: text(
    'folder',
    'Folder of the archive, or s3://bucket/prefix (default: where sync wrote)',
    'Pasta de documentos, ou s3://bucket/prefixo (padrão: onde o sync gravou)',
  ),
};

/** The input file of an import; without one, `--template` writes a sheet to fill in. */
export const fileArgument = optionalArgument('The file; - for stdin', 'O arquivo; - para o stdin');

/** For imports of tables. */
export const templateOption = {
  template: text(
    'file',
    'Write a sheet to fill in (.csv or .xlsx) instead',
    'Em vez disso, grava uma planilha para preencher (.csv ou .xlsx)',
    { notWith: ['<file>', '<path>'] },
  ),
};

/** For tables whose text a spreadsheet has saved. */
export const encodingOption = {
  encoding: choice(
    ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'],
    'Encoding of a CSV (default: detected)',
    'Codificação do CSV (padrão: detectada)',
    { rare: true },
  ),
  sheet: text('name', 'Sheet of an .xlsx (default: the first)', 'Planilha de um .xlsx (padrão: a primeira)', {
    rare: true,
  }),
};

/** The same, for tables with numbers. */
export const tableOptions = {
  ...encodingOption,
  decimal: choice(
    ['comma', 'point'],
    'Decimal separator of a CSV (default: by each number; 1.234 is asked about)',
    'Separador decimal do CSV (padrão: conforme cada número; 1.234 é perguntado)',
  ),
};

/** The input format, and what to do with invalid records. */
export const importOptions = {
  format: choice(
    ['csv', 'xlsx', 'ndjson', 'json'],
    'Format of the file (default: by its extension, otherwise by its content)',
    'Formato do arquivo (padrão: pela extensão, senão pelo conteúdo)',
  ),
  skipInvalid: toggle('Leave invalid records out', 'Deixa de fora os registros inválidos'),
};

/** For imports whose records are checked locally before sending. */
export const uncheckedOption = {
  unchecked: toggle('Send as written, without local checks', 'Envia como está, sem conferência local', { rare: true }),
};

/** For commands that always wait. */
export const waitTimes = {
  timeout: duration('time', 'Longest time to wait', 'Tempo máximo de espera', { default: '10m' }),
  interval: duration('time', 'Longest pause between two reads', 'Maior pausa entre duas consultas', {
    rare: true,
    default: '5s',
  }),
};

/** Waiting for a result: the same options everywhere. */
export const waitOptions = {
  wait: toggle(
    'Wait until it is validated; the exit code shows the result',
    'Espera até a validação; o código de saída mostra o resultado',
  ),
  ...inModes(waitTimes, { onlyWith: ['wait'] }),
};

export const retryBillableOption = {
  retryBillable: toggle(
    'Send a billed call again when its outcome is unknown: it may be billed twice',
    'Repete uma chamada cobrada de resultado desconhecido: ela pode ser cobrada duas vezes',
    { rare: true },
  ),
};

/** The options of every batch. */
export const batchOptions = {
  ...waitOptions,
  ...retryBillableOption,
  onError: choice(['continue', 'stop'], 'After a failed item', 'Depois de um item que falhou', {
    rare: true,
    default: 'continue',
  }),
  maxFailures: count(
    'n',
    'Stop after this many failures (exit 14)',
    'Para depois desta quantidade de falhas (saída 14)',
    { rare: true, min: 1 },
  ),
  maxBillable: count(
    'n',
    'Make at most this many billed calls (exit 14)',
    'Faz no máximo esta quantidade de chamadas cobradas (saída 14)',
    { rare: true },
  ),
  lockWait: duration(
    'time',
    'How long to wait for items that another process holds',
    'Quanto esperar por itens que outro processo detém',
    // Longer than a lease: what a dead process of another machine held is free by then.
    { rare: true, default: '90s' },
  ),
  stats: duration(
    'time',
    'One line of counts on stderr per interval, instead of the progress display',
    'Uma linha de contagens no stderr por intervalo, no lugar do progresso',
    { rare: true },
  ),
  metricsFile: text(
    'file',
    'Write the counts to this file as Prometheus text',
    'Grava as contagens neste arquivo, como texto do Prometheus',
    { rare: true },
  ),
  report: text('file', 'Write a CSV with one row per item', 'Grava um CSV com uma linha por item'),
};
