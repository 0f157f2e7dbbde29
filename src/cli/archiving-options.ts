import { text, toggle } from './define.js';
import { layoutPresets, layoutWords } from '../archive/layout.js';
import { batchOptions, followLinksOption, objectLockOptions } from './options.js';

const presets = Object.keys(layoutPresets).join(', ');
const words = layoutWords.map((word) => `{${word}}`).join(' ');

/** How a sync writes documents to the archive. */
export const archivingOptions = {
  pdf: toggle('The PDF as well', 'Também o PDF'),
  layout: text(
    'name',
    `Folders and names: ${presets}, or a template with ${words} (default: month)`,
    `Pastas e nomes: ${presets}, ou um modelo com ${words} (padrão: month)`,
    { rare: true },
  ),
  archive: text(
    'folder',
    'Folder of the archive, or s3://bucket/prefix (default: that of the profile, else where the last sync wrote)',
    'Pasta de documentos, ou s3://bucket/prefixo (padrão: a do perfil, senão onde o último sync gravou)',
  ),
  lockWait: {
    ...batchOptions.lockWait,
    summary: {
      en: 'How long to wait for companies that another process is syncing',
      pt: 'Quanto esperar por empresas em que outro processo trabalha',
    },
  },
  requireSignature: toggle(
    'Quarantine documents without a valid signature',
    'Põe em quarentena documentos sem assinatura válida',
    { rare: true },
  ),
  ...followLinksOption,
  ...objectLockOptions,
  repair: toggle(
    'Read the files again and fetch missing or changed ones; a changed file is kept in set-aside/',
    'Relê os arquivos e busca os que sumiram ou mudaram; um arquivo alterado fica em set-aside/',
  ),
  retryQuarantined: toggle(
    'Try quarantined and other outstanding documents immediately',
    'Tenta imediatamente os documentos em quarentena e as outras pendências',
    { rare: true },
  ),
};

/** How a sync ends. */
export const archivingExits = {
  exits: ['partial', 'calls', 'held'],
  exitMeanings: {
    partial: {
      en: 'a document is quarantined or outstanding, or a company failed: each has a record',
      pt: 'um documento está em quarentena ou não pôde ser baixado, ou uma empresa falhou: cada um tem um registro',
    },
  },
} as const;

/** What the table of a sync keeps on a narrow terminal, and what stands below a row. */
export const archivingColumns = {
  required: 'companyName state failed outstanding key reason error',
  below: 'reason error',
} as const;
