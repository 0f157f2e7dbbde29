import {
  anything,
  count,
  each,
  type Fields,
  flag,
  fromService,
  list,
  listOf,
  one,
  type Outputs,
  record,
  text,
  time,
} from '../../cli/output-schema.js';
import { batch, company, counts as countFields, jobFields, wait, withDryRun } from '../shared-records.js';

const counts = record(countFields);
const inTheEnd: Fields = { ...company, finishedAt: time, ...each(text, 'machine user ciRun') };

const itemAlways: Fields = {
  ...each(text, 'id label dedupeKey state idempotencyKey'),
  ...{ ...each(count, 'ordinal attempts'), ...each(flag, 'billed inWork'), ...each(time, 'dueAt updatedAt') },
};

const itemSometimes: Fields = {
  ...{ ...company, ...each(time, 'sentAt settledAt'), httpStatus: count },
  ...each(text, 'resourceId location remoteStatus requestId previousId duplicateOf'),
  ...each(text, 'errorCode errorMessage answeredCompany lookup protocol answerCode answerText'),
};

/** Fields of every kind of job: of products, manifestations, invoices, look-ups, histories. */
const followed = batch({
  ...each(
    text,
    'productId accessKey companyId eventId externalId invoiceId documentId asked source protocol answerCode answerText',
  ),
  ...{
    ...each(count, 'eventCode nSequencia hiddenDocumentsCount'),
    ...each(flag, 'released companyUnproven'),
  },
  ...{ ...company, fetchedAt: time, startFromDate: time, answer: fromService() },
});

export const outputs: Outputs = {
  'job cancel': withDryRun(one({ job: record({ ...jobFields, cancelled: count, counts }, inTheEnd) })),
  'job check': list({
    item: record({ ...each(text, 'id label state verdict'), line: count }, each(text, 'resourceId seen')),
    summary: record({ jobId: text, ...each(count, 'same different gone unchecked exitCode') }),
  }),
  'job items': list({
    job: record(jobFields, inTheEnd),
    item: record(itemAlways, {
      ...itemSometimes,
      ...{ jobId: text, replaced: flag, input: anything },
      events: listOf(
        record(
          { at: time, ...each(text, 'from to'), step: anything, note: record(each(text, 'en pt')) },
          each(text, 'machine user ciRun'),
        ),
      ),
    }),
    summary: record({ jobId: text, items: count, counts }),
  }),
  'job list': list({ job: record({ ...jobFields, ...each(count, 'items done bad uncertain') }, inTheEnd) }),
  'job prune': one({
    job: record({ before: time, ...each(count, 'jobs requests events') }, { dryRun: flag }),
  }),
  'job resolve': one({ job: record(itemAlways, itemSometimes) }),
  'job resume': {
    prints: 'either',
    records: { ...followed.records, waits: record({ profile: text, ended: listOf(wait) }, { dryRun: flag }) },
  },
  'job show': one({
    job: record(
      {
        ...{ ...jobFields, items: count, counts },
        workers: listOf(record({ pid: count, machine: text, until: time })),
      },
      {
        ...{ ...inTheEnd, next: text },
        uncertain: listOf(
          record(
            each(text, 'id label errorCode'),
            each(text, 'errorMessage requestId protocol answerCode answerText'),
          ),
        ),
      },
    ),
  }),
};
