import type { OptionSpecs } from '../../cli/command.js';
import { companiesOption } from '../../cli/company-options.js';
import { layoutPresets, layoutWords } from '../../archive/layout.js';

const presets = Object.keys(layoutPresets).join(', ');
const words = layoutWords.map((word) => `{${word}}`).join(' ');

/** What a sync may be told. */
export const syncOptions = {
  ...companiesOption,
  type: {
    kind: 'list',
    value: 'nfe,cte,nfse',
    summary: {
      en: 'Only these families (default: all that are enabled)',
      pt: 'Só estas famílias (padrão: todas as habilitadas)',
    },
  },
  pdf: { kind: 'toggle', summary: { en: 'The PDF as well', pt: 'Também o PDF' } },
  layout: {
    kind: 'text',
    value: 'name',
    summary: {
      en: `Folders and names: ${presets}, or a template with ${words} (default: month)`,
      pt: `Pastas e nomes: ${presets}, ou um modelo com ${words} (padrão: month)`,
    },
  },
  archive: {
    kind: 'text',
    value: 'folder',
    summary: {
      en: 'Folder of the archive (default: where the last sync wrote)',
      pt: 'Pasta do arquivo local (padrão: onde o último sync gravou)',
    },
  },
  since: {
    kind: 'text',
    value: 'time',
    summary: {
      en: 'Ask again for what was captured or changed from this day or UTC time on',
      pt: 'Pergunta de novo pelo que foi capturado ou alterado a partir deste dia ou horário UTC',
    },
  },
  window: {
    kind: 'duration',
    value: 'time',
    default: '2d',
    summary: {
      en: 'How far behind the last run each list begins, for what arrives late',
      pt: 'Quanto antes da última execução cada lista começa, para o que chega atrasado',
    },
  },
  full: {
    kind: 'toggle',
    summary: {
      en: 'Read the lists from their beginning, and try at once what is outstanding',
      pt: 'Lê as listas desde o início e tenta na hora o que está pendente',
    },
  },
  fullEvery: {
    notWith: ['full'],
    kind: 'duration',
    value: 'time',
    default: '7d',
    summary: {
      en: 'Do so without --full when the last time is this long ago, for what arrives later than --window',
      pt: 'Faz isso sem --full quando a última vez foi há tanto tempo, para o que chega depois de --window',
    },
  },
  requireSignature: {
    kind: 'toggle',
    summary: {
      en: 'Quarantine documents without a valid signature',
      pt: 'Põe em quarentena documentos sem assinatura válida',
    },
  },
  repair: {
    kind: 'toggle',
    summary: {
      en: 'Read the files again, and fetch those that are gone or changed; a changed file is kept in set-aside/',
      pt: 'Relê os arquivos e busca os que sumiram ou mudaram; um arquivo alterado fica em set-aside/',
    },
  },
  retryQuarantined: {
    kind: 'toggle',
    summary: {
      en: 'Try quarantined and other outstanding documents at once',
      pt: 'Tenta na hora os documentos em quarentena e as outras pendências',
    },
  },
} as const satisfies OptionSpecs;
