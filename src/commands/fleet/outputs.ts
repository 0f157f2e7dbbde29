import {
  count,
  day,
  each,
  flag,
  list,
  listOf,
  orNull,
  type Outputs,
  record,
  sentence,
  text,
  time,
} from '../../cli/output-schema.js';
import { companyName } from '../shared-records.js';

/** What is known of the capture of one family. */
const capture = record({
  ...{ capture: text, ...each(orNull(text), 'environment rateLimitedCause') },
  ...each(orNull(time), 'startFromDate rateLimitedUntil lastDocumentOn'),
  ...{ lastDocumentIsNewest: orNull(flag), idleDays: orNull(count) },
});

export const outputs: Outputs = {
  'fleet check': list({
    company: record(
      {
        ...{ ...each(text, 'companyId state'), ...each(capture, 'nfe cte nfse') },
        backfill: record({ released: orNull(flag), hiddenDocumentsCount: orNull(count) }),
        certificate: record({
          ...{ state: text, validUntil: orNull(time), daysLeft: orNull(count) },
          ...each(orNull(text), 'subject thumbprint'),
        }),
        manifestations: record({
          ...each(orNull(count), 'open sent lost presumed unknown earlier unreadable'),
          nextDeadline: orNull(day),
        }),
        problems: listOf(
          record({ ...each(text, 'code level next'), family: orNull(text), message: sentence }),
        ),
      },
      companyName,
    ),
  }),
};
