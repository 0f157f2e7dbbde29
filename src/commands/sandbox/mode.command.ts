import { defineCommand } from '../../cli/command.js';
import { modeOptions } from './options.js';

export const command = defineCommand({
  summary: {
    en: 'Show or change what the sandbox does beyond the document',
    pt: 'Mostra ou muda o que o sandbox faz além do documento',
  },
  description: {
    en: 'By default the sandbox promises no more than the service document: no Idempotency-Key is kept and no externalId is unique. What you change stays until "fiscal sandbox reset" or --usual.',
    pt: 'Por padrão o sandbox não promete mais que o documento do serviço: nenhuma Idempotency-Key é guardada e nenhum externalId é único. O que você muda vale até "fiscal sandbox reset" ou --usual.',
  },
  options: {
    ...modeOptions,
    usual: {
      kind: 'toggle',
      summary: { en: 'Go back to the modes of the start', pt: 'Volta aos modos do início' },
    },
  },
  examples: [
    {
      command: 'fiscal sandbox mode --lag 3s',
      summary: {
        en: 'Reads show what was created three seconds later',
        pt: 'As leituras mostram o que foi criado três segundos depois',
      },
    },
    {
      command: 'fiscal sandbox mode --idempotency-keys honoured',
      summary: {
        en: 'The same key answers the same invoice',
        pt: 'A mesma chave responde a mesma nota',
      },
    },
  ],
  exitCodes: [5, 6],
  async run({ options, context }) {
    const { changeModes } = await import('./modes.js');
    const { usual, ...modes } = options;
    return { data: await changeModes(context, modes, usual) };
  },
});
