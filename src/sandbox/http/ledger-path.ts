import type { OperationId } from '../../contract/operations.js';

/** The path as the ledger keeps it. §5: no full CPF in a log; with the day of birth it would be the person. */
export function ledgerPath(operation: OperationId | null, path: string): string {
  if (operation !== 'lookup.cpf') return path;
  const [birthDate = '', cpf = '', ...before] = path.split('/').toReversed();
  const masked = `${'*'.repeat(Math.max(0, cpf.length - 2))}${cpf.slice(-2)}`;
  return [...before.toReversed(), masked, birthDate.replaceAll(/\d/g, '*')].join('/');
}
