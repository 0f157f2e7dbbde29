import {
  each,
  either,
  type Fields,
  fromService,
  list,
  mapOf,
  nullable,
  one,
  orNull,
  type Outputs,
  record,
  usual,
} from '../../presenters/record.js';

const clock: Fields = { ...each('time', 'now'), ...each('count', 'offsetMs'), ...each('flag', 'frozen') };

/** A rule, a list of them, or how many were removed, as the sandbox answers. */
const rules = either({
  sandbox: fromService({
    ...usual('operation kind code message family externalId company status count eventCode'),
    ...each('text', 'outcome'),
    ...each('decimal', 'rate: frequência'),
    ...each(
      'count',
      `skip: skipped | ignorados, id, outcomeId, seen: visto, applied: aplicados, retryAfter, delayMs,
    cleared`,
    ),
  }),
});

export const outputs: Outputs = {
  'sandbox clock': one({ sandbox: record(clock, each('count', 'workDone')) }),
  'sandbox deliver': { prints: 'any', records: {} },
  'sandbox exec': { prints: 'any', records: {} },
  'sandbox fault': rules,
  'sandbox ledger': list({
    request: record(
      {
        ...usual('sequence at operation method path requestId'),
        ...nullable('idempotencyKey'),
        ...each(orNull('count'), 'status: situação'),
        ...each(orNull('text'), 'keyKind, cut: cut off | interrompida, fault: falha, billed: cobrado'),
        ...each(orNull(fromService()), 'effect'),
      },
      'companyId',
      {
        ...each(
          'text',
          `effect.sku: SKU | SKU, effect.accessKey: key | chave, effect.eventCode: event | evento,
    effect.id: id | id`,
        ),
        ...each('word', 'effect.created: created | criou'),
      },
    ),
    capture: fromService('sequence at'),
  }),
  'sandbox mode': one({
    sandbox: record({
      ...each('count', 'lagMs'),
      ...each('text', 'idempotencyKeys, externalIds, lists'),
      ...each('flag', 'lenient'),
    }),
  }),
  'sandbox reset': one({ sandbox: record(each('flag', 'reset')) }),
  'sandbox seed': { prints: 'any', records: {} },
  'sandbox start': one({
    ready: record({ ...usual('url tenantId companyId'), ...each('text', 'invoiceKey, dataKey, jwt') }),
  }),
  'sandbox status': one({
    sandbox: record(
      {
        ...usual('service tenantId companyId companies documents webhooks requests billed'),
        ...each('flag', 'running'),
        ...each(record(clock), 'clock'),
        ...each('count', 'seed: semente, dueWork: work due | tarefas vencidas, faults, outcomes'),
        ...each(mapOf('count'), 'products, nfeManifestations, nfseManifestations, invoices, deliveries'),
      },
      'url pid',
    ),
  }),
};
