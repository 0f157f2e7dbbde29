import { define, does, example, listOf, text, toggle } from '../../cli/define.js';
import { tableOptions, watchOptions } from '../../cli/options.js';

export const usage = define('Billed calls of this machine', 'Chamadas cobradas desta máquina', {
  description: {
    en: 'Counts of billed calls by operation and company, as far as the store knows: those of every machine that uses it. With --prices also what they cost; the file has entries with of (an operation, or engine, history, doc-by-key), from, until and price. With --bill the calls are compared with the bill of the service: columns operation, calls, and if it has them company and amount. --company selects companies; a company of the profile or of FISCAL_COMPANY is ignored. Calls without an answer are counted separately, and so are repeated captures of a key, which is billed once.',
    pt: 'Contagem das chamadas cobradas por operação e empresa, até onde o arquivo de estado sabe: as de toda máquina que o usa. Com --prices, também quanto custam; o arquivo tem itens com of (uma operação, ou engine, history, doc-by-key), from, until e price. Com --bill, as chamadas são comparadas com a fatura do serviço: colunas operation, calls e, se houver, company e amount. --company seleciona empresas; uma empresa do perfil ou de FISCAL_COMPANY é ignorada. Chamadas sem resultado são contadas à parte, assim como as capturas repetidas de uma chave, que é cobrada uma vez.',
  },
  options: {
    allCompanies: toggle(
      'All companies, and calls for none (the default without --company)',
      'Todas as empresas, e chamadas sem empresa (o padrão sem --company)',
    ),
    since: text(
      'time',
      'From this day, month, UTC time, or age on (30d)',
      'A partir deste dia, mês, horário UTC ou idade (30d)',
      { notWith: ['month'] },
    ),
    month: text(
      'month',
      'The calls of one month in Brasília, and their total',
      'As chamadas de um mês de Brasília, e o total delas',
    ),
    by: listOf(
      'a,b',
      'Sum by company, operation, day, machine, user (company,operation)',
      'Soma por company, operation, day, machine, user (company,operation)',
      { choices: ['company', 'operation', 'day', 'machine', 'user'] },
    ),
    prices: text(
      'file',
      'YAML file of prices: shows what the calls cost, in BRL',
      'Arquivo YAML de preços: mostra quanto as chamadas custam, em reais',
    ),
    bill: text(
      'file',
      'Compare with the bill of the service (CSV, xlsx, NDJSON, JSON; with --month)',
      'Compara com a fatura do serviço (CSV, xlsx, NDJSON, JSON; com --month)',
    ),
    ...tableOptions,
    ...watchOptions,
  },
  scope: ['company'],
  examples: [
    example(
      '--month 2026-10 --prices prices.yaml',
      'What October costs, with a total',
      'Quanto custa outubro, com o total',
    ),
    example('--since 30d --by day,user', 'Day by day, and who caused it', 'Dia a dia, e quem causou'),
    example(
      '--month 2026-10 --bill bill.csv -o csv',
      'Where the bill of the service differs',
      'Onde a fatura do serviço difere',
    ),
  ],
  exits: ['partial'],
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
});

export const command = does(usage, async () => (await import('./sum.js')).sumUsage);
