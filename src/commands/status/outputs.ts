import {
  each,
  either,
  fromService,
  listOf,
  nullable,
  orNull,
  type Outputs,
  record,
  usual,
} from '../../presenters/record.js';
import { companyName } from '../shared-records.js';

const byCompany = { ...each(listOf(fromService()), 'byCompany, unknown'), ...nullable('asOf'), ...usual('next') };

const terms = record({
  ...usual('open lost presumed unknown earlier unreadable'),
  ...nullable('nextDeadline'),
  ...each('count', 'sent'),
});

/** What is known of the capture of one family. */
const capture = record({
  ...usual('capture'),
  ...nullable('environment startFromDate rateLimitedUntil'),
  ...each(orNull('text'), 'rateLimitedCause'),
  ...each(orNull('time'), 'lastDocumentOn'),
  ...each(orNull('flag'), 'lastDocumentIsNewest'),
  ...each(orNull('count'), 'idleDays'),
});

export const outputs: Outputs = {
  status: either({
    status: record({
      ...usual('at'),
      profiles: listOf(
        record({
          ...usual('profile companies'),
          ...each(record('billed unknown since asOf next'), 'usage'),
          due: record({ ...each(terms, 'terms'), ...each('day', 'since, until'), ...byCompany }),
          newDocuments: record({ ...usual('documents since'), ...byCompany }),
          outstanding: record({ ...usual('files summaries'), ...byCompany }),
          months: record({
            ...usual('open'),
            ...each('count', 'closed, broken'),
            ...each('text', 'since'),
            ...byCompany,
          }),
          jobs: record({
            ...usual('uncertain failed since asOf next'),
            ...each('count', 'unfinished'),
            ...each(listOf(fromService()), 'jobs'),
          }),
          certificates: record({
            ...usual('missing'),
            ...each('count', 'ending, expired, other, withinDays'),
            ...byCompany,
          }),
          capture: record({
            ...usual('failed'),
            ...each('count', 'behind, inactive, unclear, behindAfterHours'),
            ...byCompany,
          }),
        }),
      ),
    }),
    company: record(
      {
        ...usual('companyId state'),
        ...each(capture, 'nfe, cte, nfse'),
        ...each(record(nullable('released hiddenDocumentsCount')), 'backfill'),
        certificate: record({ ...usual('state'), ...nullable('validUntil daysLeft subject thumbprint') }),
        manifestations: record({
          ...nullable('open lost presumed unknown earlier unreadable nextDeadline'),
          ...each(orNull('count'), 'sent'),
        }),
        problems: listOf(
          record({
            ...usual('code next'),
            ...nullable('family'),
            ...each('text', 'level'),
            ...each('sentence', 'message'),
          }),
        ),
      },
      companyName,
    ),
  }),
};
