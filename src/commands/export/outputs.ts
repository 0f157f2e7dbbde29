import { count, each, list, orNull, type Outputs, record, text, time } from '../../cli/output-schema.js';
import { company } from '../shared-records.js';

export const outputs: Outputs = {
  'export package': list({
    package: record(
      {
        ...each(text, 'month direction companyId state verdict'),
        ...each(orNull(text), 'file sha256'),
        ...each(orNull(count), 'number bytes'),
        ...each(count, 'documents events pdfs'),
        closedAt: orNull(time),
      },
      company,
    ),
    difference: record(each(text, 'direction companyId kind path'), {
      ...company,
      ...each(text, 'expected found reason'),
    }),
    summary: record({ month: text, ...each(count, 'companies written nothingNew damaged exitCode') }),
  }),
  'export table': list({
    coverage: record(
      {
        ...each(text, 'direction companyId month verdict'),
        closedAt: orNull(time),
        ...each(count, 'documents unread rows'),
      },
      company,
    ),
    total: record(
      { ...each(text, 'direction documentType state'), rows: count },
      { ...each(text, 'tax countsInTotal amount'), withoutAmount: count },
    ),
    withheld: record(each(text, 'direction companyId month documentType key amount declaredAmount'), company),
    'left-out': record({ ...each(text, 'documentType element key'), documents: count }),
    unread: record(each(text, 'direction companyId month documentType key xml'), {
      ...company,
      reason: text,
    }),
    summary: record({
      ...each(text, 'table format file'),
      ...each(
        count,
        'companies months documents unread withoutRow notStanding otherCompetence outsideTotal rows bytes exitCode',
      ),
    }),
  }),
};
