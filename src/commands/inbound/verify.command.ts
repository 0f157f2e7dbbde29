import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { archiveOption } from './archive-option.js';

export const command = defineCommand({
  summary: {
    en: 'Read the archive again against its manifests, offline',
    pt: 'Relê o arquivo local contra os manifestos, sem rede',
  },
  description: {
    en: 'Finds changed, missing, extra and swapped files, files that hold something else than the manifest says, a manifest that is not the one of its verdict, and a verdict that does not follow from its coverage. Nothing is asked of the service. The manifests are those that "inbound close" wrote. Ends 0 when all of it is as it was closed; whether a month was complete, its verdict says.',
    pt: 'Acha arquivos alterados, ausentes, a mais e trocados entre si, arquivos que contêm outra coisa que a do manifesto, um manifesto que não é o do veredito e um veredito que não decorre da sua cobertura. Nada é perguntado ao serviço. Os manifestos são os que "inbound close" gravou. Termina com 0 quando tudo está como foi fechado; se o mês estava completo, o veredito diz.',
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
      'verdict',
      'reason',
      'documents',
      'files',
      'problems',
    ]);
  },
  async run({ context, options }) {
    const { verifyArchive } = await import('./verify.js');
    return verifyArchive(context, { manifest: options.manifest, archive: options.archive });
  },
});
