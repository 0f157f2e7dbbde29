import type { Core } from '../core/core.js';
import { invalid } from '../core/refusal.js';
import type { ControlRequest } from './control.js';

export function showLedger(core: Core, { query }: ControlRequest): object {
  const operation = query.get('operation');
  return core.ledger.page({
    effects: query.get('effects') === 'true',
    after: wholeNumber(query, 'after', 0),
    limit: wholeNumber(query, 'limit', 1_000),
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

function wholeNumber(query: URLSearchParams, name: string, otherwise: number): number {
  const text = query.get(name);
  if (text === null) return otherwise;
  if (!/^\d{1,9}$/.test(text)) throw invalid(name, 'Must be a whole number.');
  return Number(text);
}
