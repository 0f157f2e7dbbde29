import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { tableOptions, watchOptions } from '../../cli/options.js';

export const command = defineCommand({
  summary: { en: 'Billed calls of this machine', pt: 'Chamadas cobradas desta máquina' },
  description: {
    en: 'Counts of billed calls by operation and company, as far as the store knows: those of every machine that uses it. With --prices also what they cost; the file has entries with of (an operation, or engine, history, doc-by-key), from, until and price. With --bill the calls are compared with the bill of the service: columns operation, calls, and if it has them company and amount. --company selects companies; a company of the profile or of FISCAL_COMPANY is ignored. Calls without an answer are counted separately, and so are repeated captures of a key, which is billed once.',
    pt: 'Contagem das chamadas cobradas por operação e empresa, até onde o arquivo de estado sabe: as de toda máquina que o usa. Com --prices, também quanto custam; o arquivo tem itens com of (uma operação, ou engine, history, doc-by-key), from, until e price. Com --bill, as chamadas são comparadas com a fatura do serviço: colunas operation, calls e, se houver, company e amount. --company seleciona empresas; uma empresa do perfil ou de FISCAL_COMPANY é ignorada. Chamadas sem resultado são contadas à parte, assim como as capturas repetidas de uma chave, que é cobrada uma vez.',
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
      notWith: ['month'],
      kind: 'text',
      value: 'time',
      summary: {
        en: 'From this day, month, UTC time, or age on (30d)',
        pt: 'A partir deste dia, mês, horário UTC ou idade (30d)',
      },
    },
    month: {
      kind: 'text',
      value: 'month',
      summary: {
        en: 'The calls of one month in Brasília, and their total',
        pt: 'As chamadas de um mês de Brasília, e o total delas',
      },
    },
    by: {
      kind: 'list',
      value: 'a,b',
      choices: ['company', 'operation', 'day', 'machine', 'user'],
      summary: {
        en: 'Sum by company, operation, day, machine, user (company,operation)',
        pt: 'Soma por company, operation, day, machine, user (company,operation)',
      },
    },
    prices: {
      kind: 'text',
      value: 'file',
      summary: {
        en: 'YAML file of prices: shows what the calls cost, in BRL',
        pt: 'Arquivo YAML de preços: mostra quanto as chamadas custam, em reais',
      },
    },
    bill: {
      kind: 'text',
      value: 'file',
      summary: {
        en: 'Compare with the bill of the service (CSV, xlsx, NDJSON, JSON; with --month)',
        pt: 'Compara com a fatura do serviço (CSV, xlsx, NDJSON, JSON; com --month)',
      },
    },
    ...tableOptions,
    ...watchOptions,
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal usage --month 2026-10 --prices prices.yaml',
      summary: { en: 'What October costs, with a total', pt: 'Quanto custa outubro, com o total' },
    },
    {
      command: 'fiscal usage --since 30d --by day,user',
      summary: { en: 'Day by day, and who caused it', pt: 'Dia a dia, e quem causou' },
    },
    {
      command: 'fiscal usage --month 2026-10 --bill bill.csv -o csv',
      summary: { en: 'Where the bill of the service differs', pt: 'Onde a fatura do serviço difere' },
    },
  ],
  exitCodes: [ExitCode.partial],
  view: async () => {
    const { columnsView } = await import('../../presenters/generic.js');
    const parts = ['day', 'machine', 'user', 'operation', 'name'];
    const counts = ['billed', 'unknown', 'freeRepeats', 'cost', 'left', 'budget', 'unknownCost'];
    const compared = ['billCalls', 'difference', 'verdict', 'amount', 'amountDifference'];
    const whose = ['companyName', 'billedAs', 'profile', 'company'];
    return columnsView([...parts, 'billed', ...compared, ...counts.slice(1), ...whose], {
      required: [...parts, 'billed', 'unknown', 'freeRepeats', ...compared.slice(0, 3)],
    });
  },
  async run({
    context,
    options: { allCompanies, since, month, by, prices, bill, encoding, decimal, sheet },
  }) {
    const { sumUsage } = await import('./sum.js');
    return await sumUsage(context, {
      ...{ since, month, by, prices, bill, allCompanies },
      form: { encoding, decimal, sheet },
    });
  },
});
