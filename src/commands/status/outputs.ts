import {
  each,
  either,
  fromService,
  listOf,
  nullable,
  orNull,
  type Outputs,
  record,
  titled,
  usual,
} from '../../presenters/record.js';
import { companyName } from '../shared-records.js';

const byCompany = {
  ...each(listOf(fromService()), 'byCompany, unknown: unknown outcome | sem resultado'),
  ...nullable('asOf'),
  ...usual('next'),
};

const terms = record({
  ...usual('open lost presumed unknown earlier unreadable'),
  ...nullable('nextDeadline'),
  ...each('count', 'sent: enviada'),
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
          due: titled(
            'due | a vencer',
            record({ ...each(terms, 'terms'), ...each('day', 'since: desde, until: até'), ...byCompany }),
          ),
          newDocuments: record({ ...usual('documents since'), ...byCompany }),
          outstanding: titled(
            'outstanding | pendentes',
            record({ ...usual('files summaries'), ...byCompany }),
          ),
          months: titled(
            'months | meses',
            record({
              ...usual('open'),
              ...each('count', 'closed, broken'),
              ...each('text', 'since: desde'),
              ...byCompany,
            }),
          ),
          jobs: titled(
            'jobs | lotes',
            record({
              ...usual('uncertain failed since asOf next'),
              ...each('count', 'unfinished'),
              ...each(listOf(fromService()), 'jobs: lotes'),
            }),
          ),
          certificates: record({
            ...usual('missing'),
            ...each('count', 'ending, expired, other: outro, withinDays'),
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
        certificate: titled(
          'certificate | certificado',
          record({ ...usual('state'), ...nullable('validUntil daysLeft subject thumbprint') }),
        ),
        manifestations: record({
          ...nullable('open lost presumed unknown earlier unreadable nextDeadline'),
          ...each(orNull('count'), 'sent: enviada'),
        }),
        problems: titled(
          'problems | problemas',
          listOf(
            record({
              ...usual('code next'),
              ...nullable('family'),
              ...each('text', 'level'),
              ...each('sentence', 'message: mensagem'),
            }),
          ),
        ),
      },
      companyName,
    ),
  }),
};
