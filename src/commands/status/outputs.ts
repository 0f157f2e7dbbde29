import {
  count,
  day,
  each,
  either,
  flag,
  fromService,
  listOf,
  orNull,
  type Outputs,
  record,
  sentence,
  text,
  time,
} from '../../cli/output-schema.js';
import { companyName } from '../shared-records.js';

const byCompany = { ...each(listOf(fromService()), 'byCompany unknown'), asOf: orNull(time), next: text };

const terms = record({
  ...each(count, 'open sent lost presumed unknown earlier unreadable'),
  nextDeadline: orNull(day),
});

/** What is known of the capture of one family. */
const capture = record({
  ...{ capture: text, ...each(orNull(text), 'environment rateLimitedCause') },
  ...each(orNull(time), 'startFromDate rateLimitedUntil lastDocumentOn'),
  ...{ lastDocumentIsNewest: orNull(flag), idleDays: orNull(count) },
});

export const outputs: Outputs = {
  status: either({
    status: record({
      at: time,
      profiles: listOf(
        record({
          ...{ profile: text, companies: count },
          due: record({ terms, ...each(day, 'since until'), ...byCompany }),
          newDocuments: record({ documents: count, since: time, ...byCompany }),
          outstanding: record({ ...each(count, 'files summaries'), ...byCompany }),
          months: record({ ...each(count, 'closed open broken'), since: text, ...byCompany }),
          jobs: record({
            ...{ ...each(count, 'uncertain failed unfinished'), ...each(time, 'since asOf') },
            ...{ jobs: listOf(fromService()), next: text },
          }),
          certificates: record({ ...each(count, 'ending expired missing other withinDays'), ...byCompany }),
          capture: record({
            ...each(count, 'failed behind inactive unclear behindAfterHours'),
            ...byCompany,
          }),
          usage: record({ ...each(count, 'billed unknown'), ...each(time, 'since asOf'), next: text }),
        }),
      ),
    }),
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
