import { count, day, each, list, type Outputs, record, text } from '../../cli/output-schema.js';
import { companyName } from '../shared-records.js';

const calls = each(count, 'billed unknown freeRepeats');
const costs = each(text, 'cost unknownCost');

export const outputs: Outputs = {
  usage: list({
    usage: record(
      { profile: text, ...calls },
      {
        day,
        ...each(text, 'machine user company operation billedAs'),
        ...companyName,
        ...costs,
        ...each(text, 'budget left'),
      },
    ),
    comparison: record(
      { ...each(text, 'name verdict'), ...each(count, 'billed unknown billCalls difference') },
      { company: text, ...companyName, ...costs, ...each(text, 'amount amountDifference') },
    ),
    summary: record(
      {},
      { month: text, ...calls, ...costs, ...each(count, 'rows different withinUnknown exitCode') },
    ),
  }),
};
