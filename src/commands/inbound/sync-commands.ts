import { argument, columns, define, duration, example, listOf, text, toggle } from '../../cli/define.js';
import { archivingColumns, archivingExits, archivingOptions } from '../../cli/archiving-options.js';
import { batchOptions, companiesOption, knownCompaniesOption } from '../../cli/options.js';

export const sync = define(
  'Download received documents to the archive',
  'Baixa os documentos recebidos para a pasta de documentos',
  {
    description: {
      en: 'New and changed documents and their events, as files, byte for byte. Each run begins where the last one ended; after a kill at any moment, the same command continues. An invalid document is quarantined with its reason, and a company that fails does not stop the others. A document that is listed and cannot be fetched is outstanding: every sync tries it again, at growing intervals, counts it, and exits 3 while any is left.',
      pt: 'Documentos novos e alterados e seus eventos, em arquivos, byte a byte. Cada execução começa onde a última terminou; interrompido a qualquer momento, o mesmo comando continua. Um documento inválido vai para a quarentena com o motivo, e uma empresa que falha não para as outras. O que consta na lista e não chega fica pendente: cada sync tenta de novo, em intervalos crescentes, conta as pendências e termina com 3 enquanto houver alguma.',
    },
    options: {
      ...companiesOption,
      ...archivingOptions,
      type: listOf(
        'nfe,cte,nfse',
        'Only these families (default: all that are enabled)',
        'Só estas famílias (padrão: todas as habilitadas)',
        { choices: ['nfe', 'cte', 'nfse'] },
      ),
      since: text(
        'time',
        'Read again what was captured or changed since this day, month, UTC time, or age',
        'Lê de novo o que foi capturado ou alterado a partir deste dia, mês, horário UTC ou idade',
      ),
      window: duration(
        'time',
        'How long before the last run each list begins, for late arrivals',
        'Quanto antes da última execução cada lista começa, para o que chega atrasado',
        { rare: true, default: '2d' },
      ),
      full: toggle(
        'Read the lists from the beginning, and try outstanding documents immediately',
        'Lê as listas desde o início e tenta imediatamente o que está pendente',
      ),
      fullEvery: duration(
        'time',
        'Do this automatically when the last full read is older than this, for documents that arrive later than --window',
        'Faz isso automaticamente quando a última leitura completa é mais antiga que isto, para o que chega depois de --window',
        { notWith: ['full'], default: '7d' },
      ),
    },
    scope: ['company'],
    examples: [
      example('--all-companies', 'Everything that is enabled', 'Tudo o que está habilitado'),
      example(
        '--company c1,c2 --type nfe --pdf --archive ./archive',
        'NF-e of two companies, with PDF',
        'NF-e de duas empresas, com PDF',
      ),
      example(
        '--archive s3://documents/fiscal --object-lock COMPLIANCE --retain 11y',
        'To object storage, locked for 11 years',
        'Para um bucket S3, bloqueado por 11 anos',
      ),
      example(
        '--company c1 --repair',
        'Fetch files again that are missing or changed on disk',
        'Busca de novo o que falta ou mudou no disco',
      ),
      example("--layout '{cnpj}/{yyyy}/{mm}/{key}.xml'", 'Your own folder structure', 'Estrutura de pastas própria'),
    ],
    ...archivingExits,
    view: columns(
      'companyName family state added changed archived summaries quarantined failed outstanding key reason error',
      archivingColumns,
    ),
  },
);

export const outstanding = define(
  'List the documents that no sync could fetch',
  'Lista os documentos que nenhum sync conseguiu baixar',
  {
    description: {
      en: 'Documents and events whose files are missing, quarantined or not there yet at the service: why, since when, how often they were tried, and when a sync tries them next. Without network. --forget writes one off, with a reason that is kept: it is no longer tried nor counted, and inbound close shows it as written-off, never as complete.',
      pt: 'Documentos e eventos cujos arquivos faltam, estão em quarentena ou ainda não estão no serviço: por quê, desde quando, quantas vezes foram tentados e quando um sync tenta de novo. Sem rede. --forget dá baixa em um, com um motivo que fica guardado: ele não é mais tentado nem contado, e inbound close o mostra como written-off, nunca como completo.',
    },
    options: {
      ...knownCompaniesOption,
      type: listOf('types', 'Only these: nfe, cte, nfse', 'Só estes: nfe, cte, nfse', {
        choices: ['nfe', 'cte', 'nfse'],
      }),
      forget: text(
        'key',
        'Write off this document or event; needs --reason',
        'Dá baixa neste documento ou evento; exige --reason',
      ),
      reason: text('text', 'Why it is written off', 'Por que a baixa foi dada'),
      restore: text(
        'key',
        'Undo the write-off: the next sync tries it',
        'Desfaz a baixa: o próximo sync tenta de novo',
      ),
      writtenOff: toggle('Those that were written off', 'Os que receberam baixa', { notWith: ['forget', 'restore'] }),
    },
    scope: ['company'],
    examples: [
      example('', 'Of every company that this machine knows', 'De todas as empresas que esta máquina conhece'),
      example(
        "--forget 35261012345678000195550010000000011000000010 --reason 'issuer confirms: never authorised'",
        'Write one off, with the reason',
        'Dá baixa em um, com o motivo',
      ),
      example('--written-off -o ndjson', 'What was written off, and why', 'O que recebeu baixa, e por quê'),
    ],
    exits: ['usage', 'partial', 'notFound'],
    exitMeanings: {
      partial: {
        en: 'a company was never synced on this machine',
        pt: 'uma empresa nunca foi sincronizada nesta máquina',
      },
    },
    id: 'key',
    view: columns('key reason since nextTryAt tries event family companyName writtenOffReason', {
      required: 'key reason since writtenOffReason',
      below: 'reason writtenOffReason',
    }),
  },
);

export const fetchByKey = define('Capture an NFS-e by its key (billed)', 'Captura uma NFS-e pela chave (cobrado)', {
  description: {
    en: 'Returns the document. Each call is billed as GetDocByKey. 403 means fiscal secrecy: the company is neither provider nor taker nor intermediary (exit 7). With -, keys are read from stdin, one per line, and become a job; the same keys again continue it.',
    pt: 'A resposta é o documento. Cada chamada é cobrada como GetDocByKey. 403 significa sigilo fiscal: a empresa não é prestadora, tomadora nem intermediária (saída 7). Com -, as chaves vêm do stdin, uma por linha, e viram um lote; as mesmas chaves o continuam.',
  },
  takes: {
    key: argument(
      'Access key of 50 characters; - for keys on stdin',
      'Chave de acesso de 50 caracteres; - para chaves no stdin',
    ),
  },
  options: batchOptions,
  scope: ['company'],
  examples: [
    example(
      '33045572211905971000105000000000014625124504258429 --yes',
      'One note, one billed call',
      'Uma nota, uma chamada cobrada',
    ),
    example(
      '- --max-billable 100 --yes < keys.txt',
      'Many, at most 100 billed calls',
      'Muitas, no máximo 100 chamadas cobradas',
    ),
  ],
  exits: ['partial', 'calls', 'pending', 'conflict', 'held', 'limitReached'],
  id: 'id',
  view: async () => (await import('../../presenters/batch.js')).batchView,
});
