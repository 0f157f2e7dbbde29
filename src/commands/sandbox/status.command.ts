import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'Show what stands in the sandbox', pt: 'Mostra o que há no sandbox' },
  options: {},
  examples: [
    {
      command: 'fiscal sandbox status',
      summary: {
        en: 'Whether one runs, and its products by status',
        pt: 'Se há um em execução, e seus produtos por status',
      },
    },
  ],
  exitCodes: [5],
  async run({ context }) {
    const { readStatus } = await import('./status.js');
    return { data: await readStatus(context) };
  },
});
