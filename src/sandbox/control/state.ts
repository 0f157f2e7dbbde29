import { onlySet } from '../core/exact-json.js';
import { operations } from '../../contract/operations.js';
import { externalIdModes, idempotencyModes, listModes } from '../../contract/sandbox.js';
import { parseDuration } from '../core/clock.js';
import { queryNumber } from '../core/checks.js';
import type { Core } from '../core/core.js';
import { invalid } from '../core/refusal.js';
import { runDueWork } from '../http/serve.js';
import { hexCases, hookIds, signingSchemes } from '../webhook/signing.js';
import {
  type ControlRequest,
  type Fields,
  type WaitingControl,
  choiceField,
  fieldsOf,
  numberField,
  textField,
} from './control.js';

/** The state of the service. Contains the account's ids, never its keys. */
export function showStatus(core: Core): object {
  const { tenantId, companyId } = core.account;
  return {
    service: 'fiscal-sandbox',
    tenantId,
    companyId,
    clock: core.clock.state(),
    seed: core.chance.seed(),
    companies: core.companies.count(),
    products: core.products.countByStatus(),
    documents: core.documents.count(),
    nfeManifestations: core.nfeEvents.countByStatus(),
    nfseManifestations: core.nfseManifestations.countByStatus(),
    invoices: core.invoices.countByStatus(),
    webhooks: core.webhooks.of(tenantId).length,
    deliveries: core.deliveries.countByState('genuine'),
    dueWork: core.work.count(),
    requests: core.ledger.requests(),
    billed: core.usage.summary().total,
    faults: core.faults.list().length,
    outcomes: core.outcomes.list().length,
    ...(core.options.rate === undefined ? {} : { rate: core.options.rate }),
  };
}

export function reset(core: Core, request: ControlRequest): object {
  fieldsOf(request.body, []);
  core.reset();
  return { reset: true };
}

/** The catalogue with its marks, which separate documented operations from assumed ones. */
export function showRoutes(): object {
  return {
    routes: Object.entries(operations).map(([operation, { method, path, key, role, billed, mark }]) => ({
      operation,
      method,
      path,
      key,
      role,
      billed,
      mark,
    })),
  };
}

export function showClock(core: Core): object {
  return core.clock.state();
}

/**
 * `{advance: "10d"}`, `{set: ISO 8601}`, `{freeze: true}`. Due work is done before the answer. Webhook deliveries are
 * sent, with their retries at the times when they are due, for at most `waitMs`.
 */
export const changeClock: WaitingControl = {
  begin: change,
  waitMs: 10_000,
  pace: 'from-due',
  finish: (_core, begun) => begun,
};

function change(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['advance', 'set', 'freeze']);
  if (Object.keys(fields).length !== 1) throw invalid('', 'Exactly one of advance, set and freeze is required.');
  apply(core, fields);
  const workDone = runDueWork(core);
  return { ...core.clock.state(), workDone };
}

function apply(core: Core, fields: Fields): void {
  const advance = textField(fields, 'advance');
  if (advance !== undefined) {
    const ms = parseDuration(advance);
    if (ms === undefined) throw invalid('advance', 'Must be a duration such as 90s, 1h30m or 10d.');
    return core.clock.set(checked(core.clock.now() + ms, 'advance'));
  }
  const set = textField(fields, 'set');
  if (set !== undefined) {
    // A date without a time zone depends on the machine.
    if (!/^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(set)) throw invalid('set', 'Must be ISO 8601.');
    return core.clock.set(checked(Date.parse(set), 'set'));
  }
  const freeze = fields['freeze'];
  if (typeof freeze !== 'boolean') throw invalid('freeze', 'Must be true or false.');
  core.clock.freeze(freeze);
}

/** Four-digit years only: others do not fit the format of the answers. */
function checked(at: number, field: string): number {
  if (at >= 0 && at < Date.UTC(10_000, 0)) return at;
  throw invalid(field, 'Must result in a date from 1970 to 9999.');
}

export function showMode(core: Core): object {
  return core.mode.get();
}

/** `{lag?: "3s", idempotencyKeys?, externalIds?, lists?, lenient?}`; omitted modes do not change. */
export function setMode(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['lag', 'idempotencyKeys', 'externalIds', 'lists', 'lenient']);
  const lag = textField(fields, 'lag');
  const lagMs = lag === undefined ? undefined : parseDuration(lag);
  if (lag !== undefined && lagMs === undefined) throw invalid('lag', 'Must be a duration such as 3s.');
  const idempotencyKeys = choiceField(fields, 'idempotencyKeys', idempotencyModes);
  const externalIds = choiceField(fields, 'externalIds', externalIdModes);
  const lists = choiceField(fields, 'lists', listModes);
  const { lenient } = fields;
  if (lenient !== undefined && typeof lenient !== 'boolean') throw invalid('lenient', 'Must be true or false.');
  core.mode.set({ ...onlySet({ lagMs, idempotencyKeys, externalIds, lists, lenient }) });
  return core.mode.get();
}

export function usualMode(core: Core): object {
  core.mode.clear();
  return core.mode.get();
}

const most = 1_000_000;

export function showSweep(core: Core): object {
  return core.behaviour.sweepPace();
}

/** `{documents?, every?}`: the documents per batch, and the time between batches. */
export function setSweep(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['documents', 'every']);
  const documents = numberField(fields, 'documents', { from: 1, to: most, whole: true });
  const every = textField(fields, 'every');
  const everyMs = every === undefined ? undefined : parseDuration(every);
  // With no time between batches, all of them would be due at once.
  if (every !== undefined && (everyMs === undefined || everyMs === 0)) {
    throw invalid('every', 'Must be a duration such as 200ms.');
  }
  const before = core.behaviour.sweepPace();
  const pace = { documents: documents ?? before.documents, everyMs: everyMs ?? before.everyMs };
  core.behaviour.setSweepPace(pace);
  return pace;
}

export function usualSweep(core: Core): object {
  core.behaviour.setSweepPace(undefined);
  return core.behaviour.sweepPace();
}

export function showSigning(core: Core): object {
  return core.signing.get();
}

/** `{scheme?, hex?, hookId?}`; omitted fields do not change. */
export function setSigning(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['scheme', 'hex', 'hookId']);
  const before = core.signing.get();
  const signing = {
    scheme: choiceField(fields, 'scheme', signingSchemes) ?? before.scheme,
    hex: choiceField(fields, 'hex', hexCases) ?? before.hex,
    hookId: choiceField(fields, 'hookId', hookIds) ?? before.hookId,
  };
  core.signing.set(signing);
  return signing;
}

export function showLedger(core: Core, { query }: ControlRequest): object {
  const operation = query.get('operation');
  return core.ledger.page({
    effects: query.get('effects') === 'true',
    after: queryNumber(query, 'after', 0),
    limit: queryNumber(query, 'limit', 1_000),
    ...onlySet({ operation }),
  });
}

export function clearLedger(core: Core): object {
  const cleared = core.ledger.count();
  core.ledger.clear();
  return { cleared };
}

export function showUsage(core: Core): object {
  return core.usage.summary();
}
