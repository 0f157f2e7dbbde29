import type { Core } from '../core/core.js';
import { type EventName, isWanted } from './event-types.js';

/** Where a delivery goes. */
export interface Target {
  readonly webhookId: string | null;
  readonly uri: string;
}

/** What the choice of targets depends on. */
export interface Subject {
  readonly tenantId: string;
  readonly event: string;
  /** The address that the company gave for its NFS-e (§6). */
  readonly companyAddress?: string | undefined;
}

/** The active webhooks of the account that want the event, and the company's own address unless it is one of theirs. */
export function targetsOf(core: Core, { tenantId, event, companyAddress }: Subject): readonly Target[] {
  const subscribed = core.webhooks
    .list(tenantId)
    .filter(({ status, filters }) => status === 'Active' && isWanted(filters, event))
    .map(({ id, uri }) => ({ webhookId: id, uri }));
  if (companyAddress === undefined || subscribed.some(({ uri }) => uri === companyAddress)) return subscribed;
  return [...subscribed, { webhookId: null, uri: companyAddress }];
}

/** §6: the events of NF-e that the company asked for; without a list, all of them (names assumed). */
export function isAskedFor(core: Core, companyId: string, event: EventName): boolean {
  const asked = core.captures.settings(companyId, 'nfe')?.given['webhookEvents'];
  return !Array.isArray(asked) || isWanted(asked.map(String), event);
}

/** §6: NFS-e inbound can also deliver to an address of the company. */
export function companyAddressOf(core: Core, companyId: string): string | undefined {
  const address = core.captures.settings(companyId, 'nfse')?.given['webhookUrl'];
  return typeof address === 'string' ? address : undefined;
}
