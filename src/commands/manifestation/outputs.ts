import {
  count,
  day,
  each,
  type Fields,
  flag,
  fromService,
  list,
  listOf,
  one,
  type Outputs,
  record,
  sentence,
  text,
  time,
} from '../../cli/output-schema.js';
import { company, companyName, counts, itemRecord, withDryRun } from '../shared-records.js';

/** What the authority answered, as far as the service says it. */
const answer: Fields = each(text, 'protocol answerCode answerText');

/** An event as the service has it. */
const event = fromService({
  ...each(text, 'id accessKey companyId status protocol errorCode errorMessage'),
  ...each(count, 'eventCode nSequencia'),
  detail: fromService(),
  ...each(time, 'createdOn modifiedOn'),
});

const item: Fields = {
  ...each(count, 'eventCode nSequencia'),
  ...{ accessKey: text, ...company, eventId: text, companyUnproven: flag, ...answer },
};

export const outputs: Outputs = {
  'manifestation apply': withDryRun(
    list({
      item: itemRecord(item),
      summary: record(each(count, 'total exitCode'), {
        ...{ ...each(text, 'jobId stopped'), ...counts, newStore: flag },
        ...each(count, 'billedCalls billedUnknown freeRepeats lookupNotPossible unchanged changed invalid'),
        ...each({ type: 'number' }, 'elapsedSeconds rate'),
      }),
    }),
  ),
  'manifestation codes': list({
    manifestation: record(
      {
        ...{ code: count, ...each(text, 'name document author officialName') },
        ...{ aliases: listOf(text), label: sentence },
      },
      { detail: text, reasons: listOf(record({ code: count, label: sentence })) },
    ),
  }),
  'manifestation due': list({
    manifestation: record(
      {
        ...each(text, 'accessKey eventClass state basis companyId rule source'),
        ...{ ...each(listOf(text), 'events remains'), deadline: day, daysLeft: count },
      },
      {
        ...{ ...companyName, ...each(text, 'supplier issuedOn amount'), remainsUntil: day, knownAt: time },
        ...{ warnings: listOf(text) },
      },
    ),
  }),
  'manifestation get': one({ manifestation: event }),
  'manifestation list': list({
    manifestation: fromService({
      ...event.properties,
      ...{ ...companyName, ...answer },
      jobId: text,
      event: text,
      seenAt: time,
      answeredCompany: text,
    }),
  }),
  'manifestation plan': {
    prints: 'either',
    records: {
      plan: record({
        out: text,
        ...each(count, 'documents planned overdue unmatched manifested notOwed late earlier unproven own'),
      }),
      manifestation: record(
        { ...each(text, 'accessKey companyId event rule fingerprint'), sequence: count },
        {
          ...{ ...companyName, ...each(text, 'supplier issuedOn amount justification') },
          ...{ deadline: day, reason: count },
        },
      ),
    },
  },
  'manifestation poll': one({ manifestation: event }),
  'manifestation submit': withDryRun(
    one({
      manifestation: record(
        { ...each(text, 'accessKey event status'), ...each(count, 'eventCode nSequencia') },
        {
          ...each(text, 'id jobId companyId errorCode errorMessage message'),
          ...{ companyUnproven: flag, ...answer },
        },
      ),
    }),
  ),
};
