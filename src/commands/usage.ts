import { defineCommand } from '../cli/command.js';

export const command = defineCommand({
  summary: { en: 'What this machine caused to be billed', pt: 'O que esta máquina gerou de cobrança' },
  description: {
    en: 'Counts of billed calls by operation and company, as far as this machine knows; --company (one, or several with commas) leaves out the others. Calls whose outcome never came are counted apart, and so are repeated captures of a key, which is billed once.',
    pt: 'Contagem das chamadas cobradas, até onde esta máquina sabe. Chamadas sem resultado são contadas à parte.',
  },
  options: {
    since: {
      kind: 'duration',
      value: 'age',
      default: '30d',
      summary: { en: 'How far back', pt: 'Até quando no passado' },
    },
    by: {
      kind: 'choice',
      choices: ['operation', 'day'],
      default: 'operation',
      summary: { en: 'Sum by operation, or by day (UTC)', pt: 'Soma por operação, ou por dia (UTC)' },
    },
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal usage --since 30d --by day',
      summary: { en: 'Day by day', pt: 'Dia a dia' },
    },
  ],
  exitCodes: [],
  async run({ context, options: { since, by } }) {
    const { sumUsage } = await import('../services/usage/sum.js');
    return await sumUsage(context, { sinceMs: since, by });
  },
});
