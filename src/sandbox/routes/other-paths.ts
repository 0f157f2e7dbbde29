import { type OperationId, operations } from '../../contract/operations.js';

const companyPrefix = '/v2/companies/{companyId}/inbound';
const prefixed: readonly OperationId[] = ['nfe.manifestation.submit', 'nfe.manifestation.get'];

/** Where else an operation is served: the recipient's manifestation also under a company, which it then means (assumed). */
export function otherPaths(operation: OperationId): readonly string[] {
  return prefixed.includes(operation) ? [companyPrefix + operations[operation].path] : [];
}
