import { type OperationId, operations } from '../../contract/operations.js';

const parameter = /\{(\w+)\}(\.\w+)?/g;

/** `/{tenantId}/products` → `/:tenantId/products`; `{accessKey}.pdf` matches only with its suffix. */
export function templateOf(path: string): string {
  return path.replaceAll(parameter, (_whole, name: string, ending?: string) =>
    ending === undefined ? `:${name}` : `:${name}{[\\w-]+\\${ending}}`,
  );
}

/** The parameters without the suffix of the path. */
export function withoutEndings(
  path: string,
  parameters: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const endings = new Map([...path.matchAll(parameter)].map(([, name, ending = '']) => [name, ending]));
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      value.slice(0, value.length - (endings.get(name)?.length ?? 0)),
    ]),
  );
}

/** The order of segments: a literal, a parameter with a suffix, any parameter. */
export function placeRank(word: string): number {
  if (!word.startsWith(':')) return 0;
  return word.endsWith('}') ? 1 : 2;
}

const companyPrefix = '/v2/companies/{companyId}/inbound';
const prefixed: readonly OperationId[] = ['nfe.manifestation.submit', 'nfe.manifestation.get'];

const nfeOf: ReadonlyMap<OperationId, OperationId> = new Map([
  ['cte.inbound.get', 'nfe.inbound.get'],
  ['cte.inbound.xml', 'nfe.inbound.xml'],
  ['cte.inbound.pdf', 'nfe.inbound.pdf'],
]);

/**
 * The operation that a request means. NF-e and CT-e share some paths: the model in the key selects it (public; facts
 * §1). `eventtypes` is not the id of a webhook, in whatever case it is written (seen live).
 */
export function meantOperation(operation: OperationId, path: Readonly<Record<string, string>>): OperationId {
  const model = path['accessKey']?.slice(20, 22);
  if (operation === 'nfe.inbound.event.xml' && model === '57') return 'cte.inbound.event.xml';
  if (operation === 'nfe.inbound.event.get' && model === '57') return 'cte.inbound.event.get';
  if (operation === 'webhook.get' && path['webhookId']?.toLowerCase() === 'eventtypes') {
    return 'webhook.eventTypes';
  }
  return (model === '55' ? nfeOf.get(operation) : undefined) ?? operation;
}

/** Alternative paths of an operation: the recipient's manifestation is also served under a company (assumed). */
export function otherPaths(operation: OperationId): readonly string[] {
  return prefixed.includes(operation) ? [companyPrefix + operations[operation].path] : [];
}

/** The path in the ledger. §5: logs contain no full CPF; with the day of birth it would identify the person. */
export function ledgerPath(operation: OperationId | null, path: string): string {
  if (operation !== 'lookup.cpf') return path;
  const [birthDate = '', cpf = '', ...before] = path.split('/').toReversed();
  const masked = `${'*'.repeat(Math.max(0, cpf.length - 2))}${cpf.slice(-2)}`;
  return [...before.toReversed(), masked, birthDate.replaceAll(/\d/g, '*')].join('/');
}
