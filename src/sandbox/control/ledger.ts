import type { Core } from '../core/core.js';
import type { ControlRequest } from './control.js';
import { queryNumber } from './fields.js';

export function showLedger(core: Core, { query }: ControlRequest): object {
  const operation = query.get('operation');
  return core.ledger.page({
    effects: query.get('effects') === 'true',
    after: queryNumber(query, 'after', 0),
    limit: queryNumber(query, 'limit', 1_000),
    ...(operation === null ? {} : { operation }),
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
