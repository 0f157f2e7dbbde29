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
import { company, withDryRun } from '../shared-records.js';

const webhook = fromService({
  ...each(text, 'id uri contentType status'),
  ...{ filters: listOf(text), insecureSsl: flag, ...each(fromService(), 'headers properties') },
  ...each(time, 'createdOn modifiedOn'),
});

/** An event that this machine has received. */
const storedEvent: readonly [always: Fields, sometimes: Fields] = [
  {
    ...each(text, 'id event state hookId scheme sha256'),
    ...{ receivedAt: time, ...each(count, 'attempts copies bytes') },
  },
  { resource: text, ...each(time, 'dueAt settledAt'), lastError: text, body: anything },
];

export const outputs: Outputs = {
  'webhook create': withDryRun(one({ webhook })),
  'webhook delete': withDryRun(one({ webhook: record({ id: text, deleted: flag }) })),
  'webhook event-types': list({ webhook: fromService(each(text, 'id description')) }),
  'webhook events': {
    prints: 'either',
    records: { 'webhook-event': record(...storedEvent) },
  },
  'webhook get': one({ webhook }),
  'webhook list': list({ webhook }),
  'webhook listen': list({
    ready: record({ ...each(text, 'url scheme'), events: listOf(text) }),
    event: record({
      ...each(text, 'id event resource hookId sha256 scheme'),
      ...{ receivedAt: time, payload: anything },
    }),
    summary: record(each(count, 'stored copies refused delivered givenUp'), { stale: count }),
  }),
  'webhook missed': list({
    'missed-webhook': record(
      { ...each(text, 'family companyId'), arrived: flag },
      {
        ...each(text, 'id accessKey eventKey webhookStatus resend'),
        ...company,
        createdOn: time,
        error: record(each(text, 'code message')),
      },
    ),
  }),
  'webhook ping': withDryRun(one({ webhook: fromService({ id: text, accepted: count }) })),
  'webhook resend': one({
    'webhook-resend': record({ queued: count }, { id: text, since: time, states: listOf(text) }),
  }),
  'webhook update': withDryRun(one({ webhook })),
  'webhook verify': one({
    'webhook-signature': record({
      ...{ ...each(text, 'scheme verdict sha256 secretSource'), valid: flag, bytes: count },
    }),
  }),
};
