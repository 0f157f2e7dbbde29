import { randomBytes, randomUUID } from 'node:crypto';
import type { KeyKind } from '../../contract/operation.js';
import { readJwt, signJwt } from './jwt.js';
import type { SandboxDatabase } from './open-database.js';

export interface Account {
  readonly tenantId: string;
  readonly companyId: string;
  readonly invoiceKey: string;
  readonly dataKey: string;
}

/** §5 tells keys of two kinds apart, but not tokens: a token without a kind is good for both (assumed). */
export type CallerKind = KeyKind | 'both';

/** Who a request comes from, as its key says. */
export interface Caller {
  readonly tenantId: string;
  readonly kind: CallerKind;
  readonly roles: readonly string[];
  readonly by: 'key' | 'jwt';
}

export interface Accounts {
  /** The account that the file serves; `given` is stored and becomes it. */
  settle(given: Account | undefined): Account;
  byKey(secret: string): Caller | undefined;
  /** `undefined` also when the token has expired at `now`. */
  byToken(token: string, now: number): Caller | undefined;
  addKey(tenantId: string, kind: KeyKind, roles: readonly string[]): string;
  token(tenantId: string, claims: TokenRequest): string;
  /** Takes every key but the account's own two. */
  dropExtraKeys(): void;
}

export interface TokenRequest {
  readonly kind: CallerKind;
  readonly roles: readonly string[];
  readonly expiresAt: number;
}

/** The roles that §5 names. The account's own keys have them all. */
export const allRoles: readonly string[] = ['NFeDist', 'CTeDist', 'NFSeDist', 'Management'];

interface KeyRow {
  tenant_id: string;
  kind: string;
  roles: string;
}

export function openAccounts(database: SandboxDatabase): Accounts {
  const first = database.prepare<[], { tenant_id: string; company_id: string }>(
    'SELECT tenant_id, company_id FROM accounts LIMIT 1',
  );
  const ownKey = database.prepare<[string, string], { secret: string }>(
    'SELECT secret FROM keys WHERE tenant_id = ? AND kind = ? AND first = 1',
  );
  const secret = database.prepare<[string], { jwt_secret: string }>(
    'SELECT jwt_secret FROM accounts WHERE tenant_id = ?',
  );
  const find = database.prepare<[string], KeyRow>('SELECT tenant_id, kind, roles FROM keys WHERE secret = ?');
  const addKey = database.prepare(
    'INSERT INTO keys (secret, tenant_id, kind, roles, first) VALUES (?, ?, ?, ?, ?)',
  );
  const dropExtra = database.prepare('DELETE FROM keys WHERE first = 0');
  const secretOf = (tenantId: string) => secret.get(tenantId)?.jwt_secret;

  const current = (): Account | undefined => {
    const row = first.get();
    if (row === undefined) return undefined;
    const invoiceKey = ownKey.get(row.tenant_id, 'invoice')?.secret;
    const dataKey = ownKey.get(row.tenant_id, 'data')?.secret;
    if (invoiceKey === undefined || dataKey === undefined) return undefined;
    return { tenantId: row.tenant_id, companyId: row.company_id, invoiceKey, dataKey };
  };
  const store = (account: Account): Account => {
    database.exec('DELETE FROM accounts; DELETE FROM keys WHERE first = 1;');
    database
      .prepare('INSERT INTO accounts (tenant_id, company_id, jwt_secret) VALUES (?, ?, ?)')
      .run(account.tenantId, account.companyId, randomBytes(32).toString('hex'));
    const roles = JSON.stringify(allRoles);
    addKey.run(account.invoiceKey, account.tenantId, 'invoice', roles, 1);
    addKey.run(account.dataKey, account.tenantId, 'data', roles, 1);
    return account;
  };

  return {
    settle(given) {
      const stored = current();
      if (given === undefined) return stored ?? store(generateAccount());
      return stored !== undefined && isSame(stored, given) ? stored : store(given);
    },
    byKey(key) {
      const row = find.get(key);
      return row === undefined ? undefined : { ...callerOf(row), by: 'key' };
    },
    byToken(token, now) {
      const claims = readJwt(token, secretOf);
      if (claims === undefined || claims.exp * 1000 <= now) return undefined;
      return { tenantId: claims.sub, kind: kindOf(claims.kind), roles: claims.roles, by: 'jwt' };
    },
    addKey(tenantId, kind, roles) {
      const key = newKey(kind);
      addKey.run(key, tenantId, kind, JSON.stringify(roles), 0);
      return key;
    },
    token: (tenantId, { kind, roles, expiresAt }) =>
      signJwt({ sub: tenantId, kind, roles, exp: Math.floor(expiresAt / 1000) }, secretOf(tenantId) ?? ''),
    dropExtraKeys: () => void dropExtra.run(),
  };
}

function generateAccount(): Account {
  return {
    tenantId: randomUUID(),
    companyId: randomUUID(),
    invoiceKey: newKey('invoice'),
    dataKey: newKey('data'),
  };
}

/** The prefix tells client and person that the key is worth nothing elsewhere. */
function newKey(kind: KeyKind): string {
  return `sbx_${kind}_${randomBytes(16).toString('hex')}`;
}

function isSame(one: Account, other: Account): boolean {
  return (
    one.tenantId === other.tenantId &&
    one.companyId === other.companyId &&
    one.invoiceKey === other.invoiceKey &&
    one.dataKey === other.dataKey
  );
}

function callerOf(row: KeyRow): Pick<Caller, 'tenantId' | 'kind' | 'roles'> {
  const roles: unknown = JSON.parse(row.roles);
  return {
    tenantId: row.tenant_id,
    kind: kindOf(row.kind),
    roles: Array.isArray(roles) ? roles.map(String) : [],
  };
}

function kindOf(text: string): CallerKind {
  return text === 'data' || text === 'both' ? text : 'invoice';
}
