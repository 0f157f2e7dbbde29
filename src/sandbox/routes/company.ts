import type { OperationId } from '../../contract/operations.js';
import type { Core } from '../core/core.js';
import { invalid } from '../core/refusal.js';
import type { Call, HandlersOf, Reply } from './handler.js';

export const companyHandlers: HandlersOf<Extract<OperationId, `company.${string}`>> = {
  'company.list': list,
};

const defaultLimit = 10;
const highestLimit = 50;

/** One more than asked for is read, to know whether there are more. */
function list(core: Core, call: Call<'company.list'>): Reply {
  const limit = limitOf(call.query.get('limit'));
  const after = call.query.get('startingAfter') ?? undefined;
  const found = core.companies.page(call.caller.tenantId, limit + 1, after);
  if (found === undefined) throw invalid('startingAfter', 'Must be the id of a company of this account.');
  return { status: 200, body: { companies: found.slice(0, limit), hasMore: found.length > limit } };
}

function limitOf(text: string | null): number {
  if (text === null) return defaultLimit;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > highestLimit) throw invalid('limit', `Must be from 1 to ${highestLimit}.`);
  return limit;
}
