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
  usual,
} from '../../presenters/record.js';
import { company } from '../shared-records.js';

const webhook = fromService({
  ...usual('id contentType status createdOn modifiedOn'),
  ...each('name', 'uri: address | endereço'),
  ...each(listOf('text'), 'filters: events | eventos'),
  ...each('flag', 'insecureSsl'),
  ...each(fromService(), 'headers: cabeçalhos, properties'),
});

/** An event that this machine has received. */
const storedEvent: readonly [always: Fields, sometimes: Fields] = [
  usual('id hookId scheme sha256 event state receivedAt attempts copies bytes'),
  { ...usual('resource dueAt settledAt body'), ...each('reason', 'lastError: último erro') },
];

export const outputs: Outputs = {
  'webhook create': one({ webhook }),
  'webhook delete': one({ webhook: record('id deleted') }),
  'webhook events': either({ 'webhook-event': record(...storedEvent), 'event-type': fromService('id description') }),
  'webhook get': one({ webhook }),
  'webhook list': list({ webhook }),
  'webhook listen': list({
    ready: record({ ...usual('url scheme'), ...each(listOf('text'), 'events: eventos') }),
    event: record({
      ...usual('id resource hookId sha256 scheme event receivedAt'),
      ...each('anything', 'payload: conteúdo'),
    }),
    summary: called(
      'In total | No total',
      { ...usual('copies refused'), ...each('count', 'stored: gravados, delivered: entregues, givenUp: desistências') },
      each('count', 'stale: antigos demais'),
    ),
  }),
  'webhook missed': list({
    'missed-webhook': record(
      { ...usual('family companyId'), ...each('flag', 'arrived: chegou') },
      {
        ...usual('id accessKey eventKey webhookStatus createdOn'),
        ...each('text', 'resend: send again | reenviar'),
        ...each(record('code message'), 'error: erro'),
        ...company,
      },
      each('reason', 'error.message: error | erro'),
    ),
  }),
  'webhook ping': one({ webhook: fromService('id accepted') }),
  'webhook resend': one({
    'webhook-resend': record(each('count', 'queued: na fila'), {
      ...usual('id since'),
      ...each(listOf('text'), 'states: situações'),
    }),
  }),
  'webhook update': one({ webhook }),
  'webhook verify': one({
    'webhook-signature': record({
      ...usual('scheme sha256 verdict bytes'),
      ...each('text', 'secretSource: secret from | segredo de'),
      ...each('flag', 'valid: válida'),
    }),
  }),
};
