import { layoutPresets, layoutWords } from '../archive/layout.js';
import { ExitCode } from '../errors/exit-code.js';
import type { OptionSpecs } from './command.js';
import { callExitCodes } from './exit-codes.js';
import { batchOptions, followLinksOption, objectLockOptions } from './options.js';

const presets = Object.keys(layoutPresets).join(', ');
const words = layoutWords.map((word) => `{${word}}`).join(' ');

/** How a sync writes documents to the archive. */
export const archivingOptions = {
  pdf: { kind: 'toggle', summary: { en: 'The PDF as well', pt: 'Também o PDF' } },
  layout: {
    kind: 'text',
    value: 'name',
    summary: {
      en: `Folders and names: ${presets}, or a template with ${words} (default: month)`,
      pt: `Pastas e nomes: ${presets}, ou um modelo com ${words} (padrão: month)`,
    },
    rare: true,
  },
  archive: {
    kind: 'text',
    value: 'folder',
    summary: {
      en: 'Folder of the archive, or s3://bucket/prefix (default: that of the profile, else where the last sync wrote)',
      pt: 'Pasta de documentos, ou s3://bucket/prefixo (padrão: a do perfil, senão onde o último sync gravou)',
    },
  },
  lockWait: {
    ...batchOptions.lockWait,
    summary: {
      en: 'How long to wait for companies that another process is syncing',
      pt: 'Quanto esperar por empresas em que outro processo trabalha',
    },
  },
  requireSignature: {
    kind: 'toggle',
    summary: {
      en: 'Quarantine documents without a valid signature',
      pt: 'Põe em quarentena documentos sem assinatura válida',
    },
    rare: true,
  },
  ...followLinksOption,
  ...objectLockOptions,
  repair: {
    kind: 'toggle',
    summary: {
      en: 'Read the files again and fetch missing or changed ones; a changed file is kept in set-aside/',
      pt: 'Relê os arquivos e busca os que sumiram ou mudaram; um arquivo alterado fica em set-aside/',
    },
  },
  retryQuarantined: {
    rare: true,
    kind: 'toggle',
    summary: {
      en: 'Try quarantined and other outstanding documents immediately',
      pt: 'Tenta imediatamente os documentos em quarentena e as outras pendências',
    },
  },
} as const satisfies OptionSpecs;

/** How a sync ends. */
export const archivingExits = {
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.held],
  exitMeanings: {
    [ExitCode.partial]: {
      en: 'a document is quarantined or outstanding, or a company failed: each has a record',
      pt: 'um documento está em quarentena ou não pôde ser baixado, ou uma empresa falhou: cada um tem um registro',
    },
  },
} as const;

/** What the table of a sync keeps on a narrow terminal, and what stands below a row. */
export const archivingColumns = {
  required: ['companyName', 'state', 'failed', 'outstanding', 'key', 'reason', 'error'],
  below: ['reason', 'error'],
} as const;
