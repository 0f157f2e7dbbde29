import { defineCommand } from '../../cli/command.js';
import { watchOptions } from '../../cli/options.js';

export const command = defineCommand({
  summary: { en: 'Billed calls of this machine', pt: 'Chamadas cobradas desta máquina' },
  description: {
    en: 'Counts of billed calls by operation and company, as far as the store knows: those of every machine that uses it. --company selects companies; a company of the profile or of FISCAL_COMPANY is ignored. Calls without an answer are counted separately, and so are repeated captures of a key, which is billed once.',
    pt: 'Contagem das chamadas cobradas por operação e empresa, até onde o arquivo de estado sabe: as de toda máquina que o usa. --company seleciona empresas; uma empresa do perfil ou de FISCAL_COMPANY é ignorada. Chamadas sem resultado são contadas à parte, assim como as capturas repetidas de uma chave, que é cobrada uma vez.',
  },
  options: {
    allCompanies: {
      kind: 'toggle',
      summary: {
        en: 'All companies, and calls for none (the default without --company)',
        pt: 'Todas as empresas, e chamadas sem empresa (o padrão sem --company)',
      },
    },
    since: {
      kind: 'text',
      value: 'time',
      summary: {
        en: 'From this day, month, UTC time, or age on (30d)',
        pt: 'A partir deste dia, mês, horário UTC ou idade (30d)',
      },
    },
    by: {
      kind: 'choice',
      choices: ['operation', 'day', 'machine', 'user'],
      default: 'operation',
      summary: {
        en: 'Sum by operation, or also by day (UTC), machine or user',
        pt: 'Soma por operação, ou também por dia (UTC), máquina ou usuário',
      },
    },
    ...watchOptions,
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal usage --by user',
      summary: { en: 'Who caused which calls', pt: 'Quem causou quais chamadas' },
    },
    {
      command: 'fiscal usage --since 30d --by day',
      summary: { en: 'Day by day', pt: 'Dia a dia' },
    },
  ],
  exitCodes: [],
  view: async () => {
    const { columnsView } = await import('../../presenters/generic.js');
    const parts = ['day', 'machine', 'user'];
    const counts = ['billed', 'unknown', 'freeRepeats'];
    return columnsView([...parts, 'operation', ...counts, 'companyName', 'billedAs', 'profile', 'company'], {
      required: [...parts, 'operation', ...counts],
    });
  },
  async run({ context, options: { allCompanies, since, by } }) {
    const { sumUsage } = await import('./sum.js');
    return await sumUsage(context, { since: since ?? '30d', by, allCompanies });
  },
});
