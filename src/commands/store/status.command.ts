import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'Show which store this machine uses', pt: 'Mostra o arquivo de estado em uso' },
  description: {
    en: 'Where the store is, its identity, whether anything was ever sent from it, and how many jobs are open. "Never twice" holds as far as one store reaches.',
    pt: 'Onde está o arquivo de estado, sua identidade, se algo já foi enviado a partir dele e quantos trabalhos estão abertos. A garantia de não enviar duas vezes vale até onde um mesmo arquivo de estado alcança.',
  },
  options: {},
  examples: [
    {
      command: 'fiscal store status',
      summary: { en: 'Before a first import', pt: 'Antes de uma primeira importação' },
    },
  ],
  exitCodes: [],
  async run({ context }) {
    const { storeStatus } = await import('./status.js');
    return storeStatus(context);
  },
});
