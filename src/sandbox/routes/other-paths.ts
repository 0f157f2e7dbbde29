import { type OperationId, operations } from '../../contract/operations.js';

const companyPrefix = '/v2/companies/{companyId}/inbound';
const prefixed: readonly OperationId[] = ['nfe.manifestation.submit', 'nfe.manifestation.get'];

/** NF-e and CT-e share some addresses: the model in the key tells which is meant (facts §1). */
export function meantOperation(operation: OperationId, path: Readonly<Record<string, string>>): OperationId {
  const isCte = path['accessKey']?.slice(20, 22) === '57';
  return operation === 'nfe.inbound.event.xml' && isCte ? 'cte.inbound.event.xml' : operation;
}

/** Where else an operation is served: the recipient's manifestation also under a company, which it then means (assumed). */
export function otherPaths(operation: OperationId): readonly string[] {
  return prefixed.includes(operation) ? [companyPrefix + operations[operation].path] : [];
}
