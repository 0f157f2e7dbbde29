import { archivingColumns, archivingExits, archivingOptions } from '../../cli/archiving-options.js';
import { batchOptions, batchOptionsOf, companiesOption, knownCompaniesOption } from '../../cli/options.js';
import { callExitCodes } from '../../cli/exit-codes.js';
import { defineCommand, type OptionSpecs } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';

const syncOptions = {
  ...companiesOption,
  ...archivingOptions,
  type: {
    kind: 'list',
    value: 'nfe,cte,nfse',
    choices: ['nfe', 'cte', 'nfse'],
    summary: {
      en: 'Only these families (default: all that are enabled)',
      pt: 'Só estas famílias (padrão: todas as habilitadas)',
    },
  },
  since: {
    kind: 'text',
    value: 'time',
    summary: {
      en: 'Read again what was captured or changed since this day, month, UTC time, or age',
      pt: 'Lê de novo o que foi capturado ou alterado a partir deste dia, mês, horário UTC ou idade',
    },
  },
  window: {
    rare: true,
    kind: 'duration',
    value: 'time',
    // sync-lists.ts has the same as USUAL_WINDOW_MS.
    default: '2d',
    summary: {
      en: 'How long before the last run each list begins, for late arrivals',
      pt: 'Quanto antes da última execução cada lista começa, para o que chega atrasado',
    },
  },
  full: {
    kind: 'toggle',
    summary: {
      en: 'Read the lists from the beginning, and try outstanding documents immediately',
      pt: 'Lê as listas desde o início e tenta imediatamente o que está pendente',
    },
  },
  fullEvery: {
    notWith: ['full'],
    kind: 'duration',
    value: 'time',
    default: '7d',
    summary: {
      en: 'Do this automatically when the last full read is older than this, for documents that arrive later than --window',
      pt: 'Faz isso automaticamente quando a última leitura completa é mais antiga que isto, para o que chega depois de --window',
    },
  },
} as const satisfies OptionSpecs;

export const sync = defineCommand({
  summary: {
    en: 'Download received documents to the archive',
    pt: 'Baixa os documentos recebidos para a pasta de documentos',
  },
  description: {
    en: 'New and changed documents and their events, as files, byte for byte. Each run begins where the last one ended; after a kill at any moment, the same command continues. An invalid document is quarantined with its reason, and a company that fails does not stop the others. A document that is listed and cannot be fetched is outstanding: every sync tries it again, at growing intervals, counts it, and exits 3 while any is left.',
    pt: 'Documentos novos e alterados e seus eventos, em arquivos, byte a byte. Cada execução começa onde a última terminou; interrompido a qualquer momento, o mesmo comando continua. Um documento inválido vai para a quarentena com o motivo, e uma empresa que falha não para as outras. O que consta na lista e não chega fica pendente: cada sync tenta de novo, em intervalos crescentes, conta as pendências e termina com 3 enquanto houver alguma.',
  },
  options: syncOptions,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound sync --all-companies',
      summary: { en: 'Everything that is enabled', pt: 'Tudo o que está habilitado' },
    },
    {
      command: 'fiscal inbound sync --company c1,c2 --type nfe --pdf --archive ./archive',
      summary: { en: 'NF-e of two companies, with PDF', pt: 'NF-e de duas empresas, com PDF' },
    },
    {
      command: 'fiscal inbound sync --archive s3://documents/fiscal --object-lock COMPLIANCE --retain 11y',
      summary: {
        en: 'To object storage, locked for 11 years',
        pt: 'Para um bucket S3, bloqueado por 11 anos',
      },
    },
    {
      command: 'fiscal inbound sync --company c1 --repair',
      summary: {
        en: 'Fetch files again that are missing or changed on disk',
        pt: 'Busca de novo o que falta ou mudou no disco',
      },
    },
    {
      command: "fiscal inbound sync --layout '{cnpj}/{yyyy}/{mm}/{key}.xml'",
      summary: { en: 'Your own folder structure', pt: 'Estrutura de pastas própria' },
    },
  ],
  ...archivingExits,
  view: async () => {
    const { columnsView } = await import('../../presenters/generic.js');
    return columnsView(
      [
        'companyName',
        'family',
        'state',
        'added',
        'changed',
        'archived',
        'summaries',
        'quarantined',
        'failed',
        'outstanding',
        'key',
        'reason',
        'error',
      ],
      archivingColumns,
    );
  },
  async run({ context, options }) {
    const { syncInbound } = await import('./sync.js');
    const { type, window, fullEvery, lockWait, ...others } = options;
    const times = { windowMs: window, fullEveryMs: fullEvery, lockWaitMs: lockWait };
    return syncInbound(context, { ...others, ...times, families: type });
  },
});

export const outstanding = defineCommand({
  summary: {
    en: 'List the documents that no sync could fetch',
    pt: 'Lista os documentos que nenhum sync conseguiu baixar',
  },
  description: {
    en: 'Documents and events whose files are missing, quarantined or not there yet at the service: why, since when, how often they were tried, and when a sync tries them next. Without network. --forget writes one off, with a reason that is kept: it is no longer tried nor counted, and inbound close shows it as written-off, never as complete.',
    pt: 'Documentos e eventos cujos arquivos faltam, estão em quarentena ou ainda não estão no serviço: por quê, desde quando, quantas vezes foram tentados e quando um sync tenta de novo. Sem rede. --forget dá baixa em um, com um motivo que fica guardado: ele não é mais tentado nem contado, e inbound close o mostra como written-off, nunca como completo.',
  },
  options: {
    ...knownCompaniesOption,
    type: {
      kind: 'list',
      value: 'types',
      choices: ['nfe', 'cte', 'nfse'],
      summary: { en: 'Only these: nfe, cte, nfse', pt: 'Só estes: nfe, cte, nfse' },
    },
    forget: {
      kind: 'text',
      value: 'key',
      summary: {
        en: 'Write off this document or event; needs --reason',
        pt: 'Dá baixa neste documento ou evento; exige --reason',
      },
    },
    reason: {
      kind: 'text',
      value: 'text',
      summary: { en: 'Why it is written off', pt: 'Por que a baixa foi dada' },
    },
    restore: {
      kind: 'text',
      value: 'key',
      summary: {
        en: 'Undo the write-off: the next sync tries it',
        pt: 'Desfaz a baixa: o próximo sync tenta de novo',
      },
    },
    writtenOff: {
      notWith: ['forget', 'restore'],
      kind: 'toggle',
      summary: { en: 'Those that were written off', pt: 'Os que receberam baixa' },
    },
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound outstanding',
      summary: {
        en: 'Of every company that this machine knows',
        pt: 'De todas as empresas que esta máquina conhece',
      },
    },
    {
      command:
        "fiscal inbound outstanding --forget 35261012345678000195550010000000011000000010 --reason 'issuer confirms: never authorised'",
      summary: { en: 'Write one off, with the reason', pt: 'Dá baixa em um, com o motivo' },
    },
    {
      command: 'fiscal inbound outstanding --written-off -o ndjson',
      summary: { en: 'What was written off, and why', pt: 'O que recebeu baixa, e por quê' },
    },
  ],
  exitCodes: [ExitCode.usage, ExitCode.partial, ExitCode.notFound],
  exitMeanings: {
    [ExitCode.partial]: {
      en: 'a company was never synced on this machine',
      pt: 'uma empresa nunca foi sincronizada nesta máquina',
    },
  },
  idField: 'key',
  view: async () => {
    const { columnsView } = await import('../../presenters/generic.js');
    return columnsView(
      ['key', 'reason', 'since', 'nextTryAt', 'tries', 'event', 'family', 'companyName', 'writtenOffReason'],
      { required: ['key', 'reason', 'since', 'writtenOffReason'], below: ['reason', 'writtenOffReason'] },
    );
  },
  async run({ context, options: { type, ...options } }) {
    const { outstandingDocuments } = await import('./outstanding.js');
    return outstandingDocuments(context, { ...options, families: type });
  },
});

export const fetchByKey = defineCommand({
  summary: { en: 'Capture an NFS-e by its key (billed)', pt: 'Captura uma NFS-e pela chave (cobrado)' },
  description: {
    en: 'Returns the document. Each call is billed as GetDocByKey. 403 means fiscal secrecy: the company is neither provider nor taker nor intermediary (exit 7). With -, keys are read from stdin, one per line, and become a job; the same keys again continue it.',
    pt: 'A resposta é o documento. Cada chamada é cobrada como GetDocByKey. 403 significa sigilo fiscal: a empresa não é prestadora, tomadora nem intermediária (saída 7). Com -, as chaves vêm do stdin, uma por linha, e viram um lote; as mesmas chaves o continuam.',
  },
  arguments: [
    {
      name: 'key',
      required: true,
      summary: {
        en: 'Access key of 50 characters; - for keys on stdin',
        pt: 'Chave de acesso de 50 caracteres; - para chaves no stdin',
      },
    },
  ],
  options: batchOptions,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound fetch-by-key 33045572211905971000105000000000014625124504258429 --yes',
      summary: { en: 'One note, one billed call', pt: 'Uma nota, uma chamada cobrada' },
    },
    {
      command: 'fiscal inbound fetch-by-key - --max-billable 100 --yes < keys.txt',
      summary: { en: 'Many, at most 100 billed calls', pt: 'Muitas, no máximo 100 chamadas cobradas' },
    },
  ],
  exitCodes: [
    ExitCode.partial,
    ...callExitCodes,
    ExitCode.pending,
    ExitCode.conflict,
    ExitCode.held,
    ExitCode.limitReached,
  ],
  idField: 'id',
  view: async () => (await import('../../presenters/batch.js')).batchView,
  async run({ context, options, arguments: { key = '' } }) {
    const { fetchDocuments } = await import('./fetch-by-key.js');
    return fetchDocuments(context, { key, options: batchOptionsOf(options) });
  },
});
