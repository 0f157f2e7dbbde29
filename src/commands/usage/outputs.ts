import { count, day, each, list, type Outputs, record, text } from '../../cli/output-schema.js';
import { companyName } from '../shared-records.js';

export const outputs: Outputs = {
  usage: list({
    usage: record(
      { ...each(text, 'profile operation billedAs'), ...each(count, 'billed unknown freeRepeats') },
      { day, ...each(text, 'machine user company'), ...companyName },
    ),
  }),
};
