import type { Operation } from '../../contract/operation.js';
import type { Caller } from '../core/callers.js';
import type { Core } from '../core/core.js';
import { Refusal } from '../core/refusal.js';
import type { Arrival } from './request.js';

/** The sender of a request, before any check; the ledger records it too. */
export interface Identity {
  readonly caller: Caller | undefined;
  /** `unknown`: the request has a key that does not exist; null: it has none. */
  readonly keyKind: string | null;
}

/** Reads the key in one of the three ways of §5. */
export function identify(core: Core, arrival: Arrival, operation: Operation | undefined): Identity {
  const header = arrival.header('authorization');
  const caller = header === undefined ? byQuery(core, arrival, operation) : byHeader(core, header);
  if (caller !== undefined) return { caller, keyKind: caller.by === 'jwt' ? 'jwt' : caller.kind };
  const isPresent = header !== undefined || arrival.query.has('apikey');
  return { caller, keyKind: isPresent ? 'unknown' : null };
}

/** Method 2 accepts only tokens: a raw key after `Bearer` is invalid (§5, method 1). */
function byHeader(core: Core, header: string): Caller | undefined {
  const token = /^bearer\s(.*)$/i.exec(header)?.[1]?.trimStart();
  return token === undefined ? core.callers.byKey(header) : core.callers.byToken(token, core.clock.now());
}

/** Method 3 is declared for the product registry only. */
function byQuery(core: Core, arrival: Arrival, operation: Operation | undefined): Caller | undefined {
  const key = arrival.query.get('apikey');
  return key === null || operation?.queryKey !== true ? undefined : core.callers.byKey(key);
}

/**
 * Throws 401 for a missing or invalid key and for a key of the other kind (§5); 403 for a missing role and for a path
 * of another tenant (assumed: the service document defines no status for it).
 */
export function authorize(operation: Operation, identity: Identity, path: Readonly<Record<string, string>>): Caller {
  const { caller } = identity;
  if (caller === undefined) {
    const message = identity.keyKind === null ? 'No key was sent.' : 'The key is not valid.';
    throw new Refusal('unauthorized', message);
  }
  if (caller.kind !== 'both' && caller.kind !== operation.key) {
    throw new Refusal('wrong_key_type', `This operation takes the ${operation.key} key.`);
  }
  if (operation.role !== null && !rolesOf(caller, path['companyId']).includes(operation.role)) {
    throw new Refusal('forbidden', `The key does not have the role ${operation.role}.`);
  }
  if (path['tenantId'] !== undefined && path['tenantId'] !== caller.tenantId) {
    throw new Refusal('forbidden', 'The key does not belong to this tenant.');
  }
  return caller;
}

/** A key can have different roles for some companies (assumed). */
function rolesOf({ roles, companyRoles }: Caller, companyId: string | undefined): readonly string[] {
  const isNamed = companyId !== undefined && Object.hasOwn(companyRoles, companyId);
  return (isNamed ? companyRoles[companyId] : undefined) ?? roles;
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * A page in a browser must not reach the sandbox, neither from its own origin nor through a name that resolves to this
 * machine: the control routes need no key, and a page could guess the documented keys of the others.
 */
export function refuseForeignPages(arrival: Arrival): void {
  if (arrival.header('origin') !== undefined) {
    throw new Refusal('forbidden', 'The sandbox is not for pages in a browser.');
  }
  if (!loopback.test(arrival.header('host') ?? '')) {
    throw new Refusal('forbidden', 'The sandbox accepts only a loopback host.');
  }
}
