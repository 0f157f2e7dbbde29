import type { OperationId } from '../../contract/operations.js';
import { taxCodeLists, type TaxCodePage } from '../../contract/tax.js';
import type { Core } from '../core/core.js';
import { Refusal } from '../core/refusal.js';
import { whole } from '../inbound/nfse-page.js';
import { calculateTaxes } from '../tax/calculate.js';
import { taxCodes } from '../tax/codes.js';
import { readCalculation } from '../tax/read-calculation.js';
import type { Call, HandlersOf, Reply } from './handler.js';

/** The tax engine (§1 names and bills it; paths and shapes public, its results invented). */
export const taxHandlers: HandlersOf<Extract<OperationId, `tax.${string}`>> = {
  'tax.calculate': calculate,
  'tax.codes': codes,
};

/** §1: a tax calculation records engine consumption, a rejected one does not. */
function calculate(core: Core, call: Call<'tax.calculate'>): Reply {
  const { tenantId } = call.caller;
  const body = calculateTaxes(core, tenantId, readCalculation(call.body));
  const resourceId = core.chance.uuid();
  const { operation } = call;
  core.usage.add({ at: core.clock.now(), tenantId, operation, action: 'engine', resourceId });
  return { status: 200, body, billed: 'engine' };
}

function codes(_core: Core, call: Call<'tax.codes'>): Reply {
  const list = taxCodeLists.find((each) => each === call.path.list);
  if (list === undefined) {
    throw new Refusal('not_found', `There is no such list; the lists are: ${taxCodeLists.join(', ')}.`);
  }
  const page = whole(call.query, 'pageIndex', { from: 1, to: 1_000_000, otherwise: 1 });
  const size = whole(call.query, 'pageCount', { from: 1, to: 100, otherwise: 50 });
  const all = taxCodes[list];
  const body: TaxCodePage = {
    items: all.slice((page - 1) * size, page * size),
    currentPage: page,
    totalPages: Math.ceil(all.length / size),
    totalCount: all.length,
  };
  return { status: 200, body };
}
