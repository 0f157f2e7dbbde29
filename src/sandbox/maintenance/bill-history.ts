import { randomUUID } from 'node:crypto';
import type { Core } from '../core/core.js';
import { captureMethod } from '../core/ledger.js';
import type { StoredDocument } from '../document/documents.js';

type Captured = Pick<StoredDocument, 'companyId' | 'family' | 'accessKey'>;

/**
 * §4: captures of before the cut-off are billed as history. One row of usage each; one line of the ledger for each
 * company and family, because no request made them.
 */
export function billHistory(core: Core, captured: readonly Captured[]): void {
  const at = core.clock.now();
  const { tenantId } = core.account;
  for (const { family, accessKey } of captured) {
    const operation = `${family}.inbound.list`;
    core.usage.add({ at, tenantId, operation, action: 'history', resourceId: accessKey });
  }
  for (const group of groupsOf(captured)) addLine(core, at, group);
}

interface Group extends Pick<Captured, 'companyId' | 'family'> {
  readonly count: number;
}

function groupsOf(captured: readonly Captured[]): Iterable<Group> {
  const groups = new Map<string, Group>();
  for (const { companyId, family } of captured) {
    const name = `${companyId} ${family}`;
    groups.set(name, { companyId, family, count: (groups.get(name)?.count ?? 0) + 1 });
  }
  return groups.values();
}

function addLine(core: Core, at: number, { companyId, family, count }: Group): void {
  core.ledger.add({
    at: new Date(at).toISOString(),
    operation: null,
    method: captureMethod,
    path: `/v2/companies/${companyId}/inbound/${family}`,
    keyKind: null,
    status: null,
    cut: null,
    effect: { captured: family, companyId, history: String(count) },
    billed: 'history',
    idempotencyKey: null,
    requestId: randomUUID(),
    fault: null,
  });
}
