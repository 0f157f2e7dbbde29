import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'Empty the sandbox', pt: 'Esvazia o sandbox' },
  description: {
    en: 'Products, ledger, faults, clock and what this machine knows of them. The account and its keys stay.',
    pt: 'Produtos, registro, falhas, relógio e o que esta máquina sabe deles. A conta e as chaves ficam.',
  },
  options: {},
  examples: [
    {
      command: 'fiscal sandbox reset',
      summary: { en: 'Back to the first day', pt: 'De volta ao primeiro dia' },
    },
  ],
  exitCodes: [5],
  async run({ context }) {
    const { resetSandbox } = await import('./reset.js');
    return { data: await resetSandbox(context) };
  },
});
