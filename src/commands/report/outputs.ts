import { count, each, list, orNull, type Outputs, record, text, time } from '../../cli/output-schema.js';
import { company } from '../shared-records.js';

export const outputs: Outputs = {
  'report month': list({
    report: record(
      {
        ...{ ...each(text, 'month direction companyId verdict file'), closedAt: orNull(time), bytes: count },
        ...each(orNull(count), 'gaps documents'),
      },
      company,
    ),
    summary: record(
      {
        ...each(text, 'month folder'),
        ...each(count, 'companies complete incomplete notProvable notClosed unproven exitCode'),
      },
      { index: text },
    ),
  }),
};
