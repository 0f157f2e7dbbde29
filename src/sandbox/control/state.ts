import { operations } from '../../contract/operations.js';
import type { Core } from '../core/core.js';
import type { ControlRequest } from './control.js';
import { fieldsOf } from './fields.js';

/** What stands in the service. Names the account, never its keys. */
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

/** The catalogue with its marks, so that nobody takes a choice of ours for a promise of the service. */
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
