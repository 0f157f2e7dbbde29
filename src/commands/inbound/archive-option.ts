import type { OptionSpecs } from '../../cli/command.js';

/** Where the files of the archive lie, for the commands that read it. */
export const archiveOption = {
  archive: {
    kind: 'text',
    value: 'folder',
    summary: {
      en: 'Folder of the archive (default: where sync wrote)',
      pt: 'Pasta do arquivo local (padrão: onde o sync gravou)',
    },
  },
} as const satisfies OptionSpecs;
