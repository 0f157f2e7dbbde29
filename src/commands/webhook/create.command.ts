import { callExitCodes } from '../../cli/exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { contentOptions, statusWord } from './content-options.js';

export const command = defineCommand({
  summary: { en: 'Create a webhook', pt: 'Cria um webhook' },
  description: {
    en: 'The service calls the address at once, and it must answer 2xx: start "fiscal webhook listen" first. Without a secret one is made; it is kept with the keys of the profile before the request is sent, and shown once on a terminal. A run that was cut off is found again by the address.',
    pt: 'O serviço chama o endereço na hora, e ele deve responder 2xx: inicie antes "fiscal webhook listen". Sem segredo, um é criado; ele é guardado com as chaves do perfil antes do envio e mostrado uma vez no terminal. Uma execução interrompida é reencontrada pelo endereço.',
  },
  arguments: [
    {
      name: 'uri',
      summary: { en: 'The address that is called', pt: 'O endereço que é chamado' },
      required: false,
    },
  ],
  options: {
    ...contentOptions,
    again: {
      kind: 'toggle',
      summary: {
        en: 'Another one for an address that has one',
        pt: 'Mais um para um endereço que já tem um',
      },
    },
  },
  examples: [
    {
      command: 'fiscal webhook create https://erp.example.com/hooks --events "product_invoice.*"',
      summary: {
        en: 'All events of NF-e, with a new secret',
        pt: 'Todos os eventos de NF-e, com segredo novo',
      },
    },
    {
      command: 'fiscal webhook create https://erp.example.com/hooks --secret-out webhook.secret',
      summary: {
        en: 'All events; the secret goes to a file',
        pt: 'Todos os eventos; o segredo vai para um arquivo',
      },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.conflict],
  idField: 'id',
  async run({ context, io, options: { status, ...options }, arguments: { uri } }) {
    const { createWebhook } = await import('./create.js');
    return createWebhook(context, {
      ...options,
      uri,
      status: statusWord(status),
      allEvents: false,
      showsSecret: io.stderr.isTerminal,
    });
  },
});
