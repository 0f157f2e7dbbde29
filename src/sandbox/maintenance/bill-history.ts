import type { Family } from '../core/captures.js';
import type { Core } from '../core/core.js';

export interface History {
  readonly companyId: string;
  readonly family: Family;
  readonly accessKeys: readonly string[];
}

/** §4: captures of before the cut-off. One row of usage each, one line of the ledger together, for no request made them. */
export function billHistory(core: Core, { companyId, family, accessKeys }: History): void {
  if (accessKeys.length === 0) return;
  const at = core.clock.now();
  const { tenantId } = core.account;
  const operation = `${family}.inbound.list`;
  for (const resourceId of accessKeys) {
    core.usage.add({ at, tenantId, operation, action: 'history', resourceId });
  }
  core.ledger.add({
    at: new Date(at).toISOString(),
    operation: null,
    method: 'CAPTURE',
    path: `/v2/companies/${companyId}/inbound/${family}`,
    keyKind: null,
    status: null,
    cut: null,
    effect: { captured: family, companyId, history: String(accessKeys.length) },
    billed: 'history',
    idempotencyKey: null,
    requestId: core.chance.uuid(),
    fault: null,
  });
}
