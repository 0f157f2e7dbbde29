import {
  count,
  day,
  each,
  fromService,
  listOf,
  one,
  orNull,
  type Outputs,
  record,
  text,
  time,
} from '../../cli/output-schema.js';

const byCompany = { ...each(listOf(fromService()), 'byCompany unknown'), asOf: orNull(time), next: text };

const terms = record({
  ...each(count, 'open sent lost presumed unknown earlier unreadable'),
  nextDeadline: orNull(day),
});

export const outputs: Outputs = {
  status: one({
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
  }),
};
