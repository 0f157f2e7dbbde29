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

export const outputs: Outputs = {
  status: one({
    status: record({
      at: time,
      profiles: listOf(
        record({
          ...{ profile: text, companies: count },
          due: record({
            ...each(count, 'terms withinDays unreadable'),
            nextDeadline: orNull(day),
            ...byCompany,
          }),
          newDocuments: record({ documents: count, since: time, ...byCompany }),
          outstanding: record({ files: count, ...byCompany }),
          jobs: record({
            ...{ ...each(count, 'uncertain failed unfinished'), ...each(time, 'since asOf') },
            ...{ jobs: listOf(fromService()), next: text },
          }),
          certificates: record({ ...each(count, 'ending expired missing withinDays'), ...byCompany }),
          capture: record({ ...each(count, 'behind inactive behindAfterHours'), ...byCompany }),
          usage: record({ ...each(count, 'billed unknown'), ...each(time, 'since asOf'), next: text }),
        }),
      ),
    }),
  }),
};
