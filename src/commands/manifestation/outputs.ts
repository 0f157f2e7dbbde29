import {
  called,
  each,
  either,
  type Fields,
  fromService,
  list,
  listOf,
  one,
  type Outputs,
  record,
  titled,
  usual,
} from '../../presenters/record.js';
import { company, companyName, counts, itemRecord } from '../shared-records.js';

/** What the authority answered, as far as the service says it. */
const answer: Fields = usual('protocol answerCode answerText');

/** An event as the service has it. */
const event = fromService(
  {
    ...usual(`id accessKey companyId errorCode status protocol errorMessage eventCode nSequencia createdOn
    modifiedOn`),
    ...each(fromService(), 'detail'),
  },
  {},
  usual('createdAt'),
);

const item: Fields = { ...usual('eventCode nSequencia accessKey eventId companyUnproven'), ...company, ...answer };

export const outputs: Outputs = {
  'manifestation apply': list({
    item: itemRecord(item),
    summary: called('In total | No total', 'total exitCode', {
      ...usual(`jobId stopped errorCode newStore billedCalls billedUnknown freeRepeats lookupNotPossible unchanged changed elapsedSeconds rate
    invalid`),
      ...counts,
    }),
  }),
  'manifestation codes': list({
    manifestation: record(
      {
        ...usual('name'),
        ...each('count', 'code: código'),
        ...each('text', 'document, author, officialName'),
        ...each(listOf('text'), 'aliases'),
        ...each('sentence', 'label: identificação'),
      },
      {
        ...each('text', 'detail'),
        reasons: titled(
          'reasons | motivos',
          listOf(record({ ...each('count', 'code: código'), ...each('sentence', 'label: identificação') })),
        ),
      },
    ),
  }),
  'manifestation due': list({
    manifestation: record(
      {
        ...usual('accessKey companyId rule source state deadline daysLeft'),
        ...each('word', 'eventClass: event | manifestação, basis: known from | origem do dado'),
        ...each(listOf('text'), 'events: eventos'),
        ...each(listOf('word'), 'remains: still possible | ainda possível'),
      },
      {
        ...usual('supplier amount'),
        ...each('text', 'issuedOn: issued | emissão'),
        ...each('day', 'remainsUntil: possible until | possível até'),
        ...each('time', 'knownAt'),
        ...each(listOf('text'), 'warnings'),
        ...companyName,
      },
    ),
  }),
  'manifestation get': one({ manifestation: event }),
  'manifestation list': list({
    manifestation: fromService(
      { ...usual('jobId answeredCompany event seenAt'), ...event.properties, ...companyName, ...answer },
      {},
      event.seen,
    ),
  }),
  'manifestation plan': either({
    plan: record({
      ...usual('out documents earlier unproven own'),
      ...each(
        'count',
        `planned: planejados, overdue: deadline passed | prazo vencido,
    unmatched: without a rule | sem regra, manifested: have an event | com evento, notOwed,
    late: too late | fora do prazo`,
      ),
    }),
    manifestation: record('accessKey companyId rule fingerprint event sequence', {
      ...usual('supplier amount deadline'),
      ...each('text', 'issuedOn: issued | emissão, justification'),
      ...each('count', 'reason: motivo'),
      ...companyName,
    }),
  }),
  'manifestation poll': one({ manifestation: event }),
  'manifestation submit': one({
    manifestation: record('accessKey event status eventCode nSequencia', {
      ...usual('id jobId companyId errorCode message errorMessage companyUnproven'),
      ...answer,
    }),
  }),
};
