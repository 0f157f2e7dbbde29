import { count, each, list, orNull, type Outputs, record, text, time } from '../../cli/output-schema.js';
import { company } from '../shared-records.js';

export const outputs: Outputs = {
  'export package': list({
    package: record(
      {
        ...each(text, 'month companyId state verdict'),
        ...each(orNull(text), 'file sha256'),
        ...each(orNull(count), 'number bytes'),
        ...each(count, 'documents events pdfs'),
        closedAt: orNull(time),
      },
      company,
    ),
    difference: record(each(text, 'companyId kind path'), {
      ...company,
      ...each(text, 'expected found reason'),
    }),
    summary: record({ month: text, ...each(count, 'companies written nothingNew damaged exitCode') }),
  }),
};
