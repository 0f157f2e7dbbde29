import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { archiveOption } from './archive-option.js';

export const command = defineCommand({
  summary: {
    en: 'Read the archive again against its manifests, offline',
    pt: 'Relê o arquivo local contra os manifestos, sem rede',
  },
  description: {
    en: 'Finds changed, missing, extra and swapped files, and a manifest that is not the one of its verdict. Nothing is asked of the service. The manifests are those that "inbound close" wrote.',
    pt: 'Acha arquivos alterados, ausentes, a mais e trocados entre si, e um manifesto que não é o do veredito. Nada é perguntado ao serviço. Os manifestos são os que "inbound close" gravou.',
  },
  options: {
    manifest: {
      kind: 'text',
      value: 'file',
      summary: { en: 'Only this manifest', pt: 'Só este manifesto' },
    },
    ...archiveOption,
  },
  examples: [
    {
      command: 'fiscal inbound verify',
      summary: { en: 'The whole archive', pt: 'O arquivo local inteiro' },
    },
    {
      command: 'fiscal inbound verify --manifest /backup/archive/proofs/2026-10/acme/manifest.jsonl',
      summary: { en: 'A copy of the archive', pt: 'Uma cópia do arquivo local' },
    },
  ],
  exitCodes: [ExitCode.partial],
  view: async () => {
    const { columnsView } = await import('../../presenters/columns.js');
    return columnsView([
      'type',
      'kind',
      'path',
      'with',
      'key',
      'manifest',
      'intact',
      'documents',
      'files',
      'problems',
    ]);
  },
  async run({ context, options }) {
    const { verifyArchive } = await import('../../services/inbound/verify.js');
    return verifyArchive(context, { manifest: options.manifest, archive: options.archive });
  },
});
