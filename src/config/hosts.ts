import { isProtected } from '../domain/loopback.js';
import type { HostName } from '../contract/operation.js';
import { operations, type OperationId } from '../contract/operations.js';
import type { Text } from '../contract/text.js';

/** The environment variable with the address of each host. */
export const hostVariables: Readonly<Record<HostName, string>> = {
  product: 'FISCAL_PRODUCT_URL',
  query: 'FISCAL_QUERY_URL',
  service: 'FISCAL_SERVICE_URL',
  legalEntity: 'FISCAL_LEGAL_ENTITY_URL',
  naturalPerson: 'FISCAL_NATURAL_PERSON_URL',
  address: 'FISCAL_ADDRESS_URL',
};

export function isHostName(name: string): name is HostName {
  return Object.hasOwn(hostVariables, name);
}

export function hostNames(): readonly HostName[] {
  return Object.keys(hostVariables).filter(isHostName);
}

export function isOperationId(name: string): name is OperationId {
  return Object.hasOwn(operations, name);
}

/** Validates an absolute https address (http on this machine only) without user, query or fragment. */
export function parseHost(raw: unknown): string | undefined {
  if (typeof raw !== 'string' || !URL.canParse(raw.trim())) return undefined;
  const url = new URL(raw.trim());
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return isPlain && isProtected(url) ? url.href.replace(/(?<!\/)\/+$/, '') : undefined;
}

export const hostExpected: Text = {
  en: 'an https address is expected; http only for this machine',
  pt: 'espera-se um endereço https; http só para esta máquina',
};

/** Operations whose own path names no company although every call knows it. */
const companyKnown: ReadonlySet<OperationId> = new Set([
  'nfe.manifestation.submit',
  'nfe.manifestation.get',
  'nfse.inbound.enable',
]);

/**
 * Validates a path: its parameters must be those of the operation, or the company where it is known, so that it can
 * always be filled.
 */
export function parsePath(id: OperationId, raw: unknown): string | undefined {
  if (typeof raw !== 'string' || !/^\/[\w\-./{}:~]*$/.test(raw)) return undefined;
  if (raw.split('/').some((segment) => segment === '..' || segment === '.')) return undefined;
  const allowed = [...parametersOf(operations[id].path), ...(companyKnown.has(id) ? ['companyId'] : [])];
  const isFillable = parametersOf(raw).every((name) => allowed.includes(name));
  return isFillable && !/[{}]/.test(raw.replaceAll(/\{\w+\}/g, '')) ? raw : undefined;
}

export function pathExpected(id: OperationId): Text {
  const { path } = operations[id];
  if (!companyKnown.has(id)) {
    return { en: `a path such as ${path} is expected`, pt: `espera-se um caminho como ${path}` };
  }
  return {
    en: `a path such as ${path} is expected; it may have {companyId} as well`,
    pt: `espera-se um caminho como ${path}; ele também pode ter {companyId}`,
  };
}

function parametersOf(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}
