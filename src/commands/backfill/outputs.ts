import {
  count,
  each,
  either,
  type Fields,
  flag,
  type Outputs,
  record,
  text,
  time,
} from '../../cli/output-schema.js';
import { company, companyName, failure, itemRecord, summaryRecord, withDryRun } from '../shared-records.js';

const backfill = record(
  { companyId: text },
  {
    ...{ ...companyName, ...each(text, 'state asked jobId'), released: flag, hiddenDocumentsCount: count },
    ...{ startFromDate: time, ...failure },
  },
);

const item: Fields = {
  ...company,
  asked: text,
  released: flag,
  hiddenDocumentsCount: count,
  startFromDate: time,
};

/** One company, or the items of a job of several. */
const swept = withDryRun({
  prints: 'either',
  records: {
    backfill,
    item: record(each(text, 'label state'), { ...itemRecord(item).properties }),
    summary: summaryRecord({ changed: count }),
  },
});

export const outputs: Outputs = {
  'backfill plan': either({
    plan: record({
      ...{ ...each(text, 'out id'), ...each(count, 'companies release startFrom none hiddenDocumentsCount') },
    }),
    backfill: record(
      { companyId: text, ...each(text, 'action note fingerprint') },
      { ...companyName, startFromDate: time, released: flag, hidden: count },
    ),
  }),
  'backfill release': swept,
  'backfill revoke': swept,
  'backfill show': swept,
  'backfill start-from': swept,
};
