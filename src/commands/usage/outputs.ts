import { called, each, list, type Outputs, usual } from '../../presenters/record.js';
import { companyName } from '../shared-records.js';

const calls = usual('billed unknown freeRepeats');
const costs = each('money', 'cost: cost (BRL) | custo (R$), unknownCost: cost if billed | custo se cobradas');

export const outputs: Outputs = {
  usage: list({
    usage: called(
      'Calls | Chamadas',
      { ...usual('profile'), ...calls },
      {
        ...usual('machine user company operation'),
        ...each('day', 'day: dia'),
        ...each('text', 'budget: budget (BRL) | orçamento (R$), left: left (BRL) | saldo (R$)'),
        ...each('word', 'billedAs: cobrança'),
        ...companyName,
        ...costs,
      },
    ),
    comparison: called(
      'Beside the bill | Ao lado da fatura',
      {
        ...usual('name verdict billed unknown'),
        ...each('count', 'billCalls: on the bill | na fatura, difference: diferença'),
      },
      {
        ...usual('company amount'),
        ...each('text', 'amountDifference: difference (BRL) | diferença (R$)'),
        ...companyName,
        ...costs,
      },
    ),
    summary: called(
      'In total | No total',
      {},
      {
        ...usual('month rows different exitCode'),
        ...each('count', 'withinUnknown: explained by unknown outcomes | explicadas por chamadas sem resultado'),
        ...calls,
        ...costs,
      },
    ),
  }),
};
