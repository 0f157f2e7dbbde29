import { callExitCodes } from '../../cli/exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { contentOptions, statusWord } from './content-options.js';
import { webhookArgument } from './id-argument.js';

export const command = defineCommand({
  summary: { en: 'Change a webhook', pt: 'Altera um webhook' },
  description: {
    en: 'The service replaces the whole. So what stands is read first, merged with the changes, shown as old → new on stderr, and written after consent, with the secret that this machine keeps.',
    pt: 'O serviço substitui o todo. Por isso o que existe é lido antes, mesclado com as alterações, mostrado como antigo → novo no stderr e gravado após o consentimento, com o segredo que esta máquina guarda.',
  },
  arguments: [webhookArgument],
  options: {
    uri: { kind: 'text', value: 'url', summary: { en: 'New address', pt: 'Endereço novo' } },
    ...contentOptions,
    allEvents: {
      kind: 'toggle',
      summary: { en: 'All events, without a filter', pt: 'Todos os eventos, sem filtro' },
    },
    newSecret: {
      kind: 'toggle',
      summary: { en: 'Make a new secret', pt: 'Cria um segredo novo' },
    },
  },
  examples: [
    {
      command: 'fiscal webhook update 6f1c0a2e --status inactive',
      summary: { en: 'Pause it', pt: 'Pausa o webhook' },
    },
    {
      command: 'fiscal webhook update 6f1c0a2e --new-secret --secret-out webhook.secret --yes',
      summary: { en: 'Change the secret', pt: 'Troca o segredo' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.conflict],
  idField: 'id',
  async run({ context, io, options: { status, ...options }, arguments: { id = '' } }) {
    const { updateWebhook } = await import('./update.js');
    return updateWebhook(context, {
      ...options,
      id,
      status: statusWord(status),
      showsSecret: io.stderr.isTerminal,
    });
  },
});
