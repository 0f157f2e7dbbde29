import {
  count,
  decimal,
  each,
  either,
  type Fields,
  flag,
  fromService,
  list,
  mapOf,
  one,
  orNull,
  type Outputs,
  record,
  text,
  time,
} from '../../cli/output-schema.js';

const clock: Fields = { now: time, offsetMs: count, frozen: flag };

/** A rule, a list of them, or how many were removed, as the sandbox answers. */
const rules = either({
  sandbox: fromService({
    ...each(text, 'operation kind outcome code message family externalId company status'),
    ...each(count, 'count skip id outcomeId seen applied retryAfter delayMs cleared eventCode'),
    rate: decimal,
  }),
});

export const outputs: Outputs = {
  'sandbox authority': rules,
  'sandbox clock': one({ sandbox: record(clock, { workDone: count }) }),
  'sandbox deliver': { prints: 'any', records: {} },
  'sandbox exec': { prints: 'any', records: {} },
  'sandbox fault': rules,
  'sandbox ledger': list({
    request: record(
      {
        ...{ sequence: count, at: time, ...each(text, 'operation method path requestId') },
        ...{ status: orNull(count), ...each(orNull(text), 'keyKind cut idempotencyKey fault billed') },
        effect: orNull(fromService()),
      },
      { companyId: text },
    ),
    capture: fromService({ sequence: count, at: time }),
  }),
  'sandbox mode': one({
    sandbox: record({ lagMs: count, ...each(text, 'idempotencyKeys externalIds'), lenient: flag }),
  }),
  'sandbox openapi': { prints: 'any', records: {} },
  'sandbox outcome': rules,
  'sandbox reset': one({ sandbox: record({ reset: flag }) }),
  'sandbox seed': { prints: 'any', records: {} },
  'sandbox start': one({
    ready: record(each(text, 'url invoiceKey dataKey tenantId companyId jwt')),
  }),
  'sandbox status': one({
    sandbox: record(
      {
        ...{ running: flag, ...each(text, 'service tenantId companyId'), clock: record(clock) },
        ...each(count, 'seed companies documents webhooks dueWork requests billed faults outcomes'),
        ...each(mapOf(count), 'products nfeManifestations nfseManifestations invoices deliveries'),
      },
      { url: text, pid: count },
    ),
  }),
};
