import { randomBytes, randomUUID } from 'node:crypto';
import type { SandboxAccount } from '../../contract/sandbox.js';
import { allRoles, newKey } from './callers.js';
import type { SandboxDatabase } from './open-database.js';

/** The account that the file serves; `given` is stored and becomes it, and without any a new one is made. */
export function settleAccount(database: SandboxDatabase, given: SandboxAccount | undefined): SandboxAccount {
  const stored = readAccount(database);
  if (given === undefined) return stored ?? storeAccount(database, generateAccount());
  return stored !== undefined && isSame(stored, given) ? stored : storeAccount(database, given);
}

function readAccount(database: SandboxDatabase): SandboxAccount | undefined {
  const row = database
    .prepare<[], { tenant_id: string; company_id: string }>(
      'SELECT tenant_id, company_id FROM accounts LIMIT 1',
    )
    .get();
  if (row === undefined) return undefined;
  const key = database.prepare<[string, string], { secret: string }>(
    'SELECT secret FROM keys WHERE tenant_id = ? AND kind = ? AND first = 1',
  );
  const invoiceKey = key.get(row.tenant_id, 'invoice')?.secret;
  const dataKey = key.get(row.tenant_id, 'data')?.secret;
  if (invoiceKey === undefined || dataKey === undefined) return undefined;
  return { tenantId: row.tenant_id, companyId: row.company_id, invoiceKey, dataKey };
}

function storeAccount(database: SandboxDatabase, account: SandboxAccount): SandboxAccount {
  database.exec('DELETE FROM accounts; DELETE FROM keys WHERE first = 1;');
  database
    .prepare('INSERT INTO accounts (tenant_id, company_id, jwt_secret) VALUES (?, ?, ?)')
    .run(account.tenantId, account.companyId, randomBytes(32).toString('hex'));
  const key = database.prepare(
    'INSERT OR REPLACE INTO keys (secret, tenant_id, kind, roles, first) VALUES (?, ?, ?, ?, 1)',
  );
  key.run(account.invoiceKey, account.tenantId, 'invoice', JSON.stringify(allRoles));
  key.run(account.dataKey, account.tenantId, 'data', JSON.stringify(allRoles));
  return account;
}

function generateAccount(): SandboxAccount {
  return {
    tenantId: randomUUID(),
    companyId: randomUUID(),
    invoiceKey: newKey('invoice'),
    dataKey: newKey('data'),
  };
}

function isSame(one: SandboxAccount, other: SandboxAccount): boolean {
  return (
    one.tenantId === other.tenantId &&
    one.companyId === other.companyId &&
    one.invoiceKey === other.invoiceKey &&
    one.dataKey === other.dataKey
  );
}
