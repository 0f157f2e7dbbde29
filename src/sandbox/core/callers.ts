import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { KeyKind } from '../../contract/operation.js';
import type { SandboxAccount } from '../../contract/sandbox.js';
import type { SandboxDatabase } from './database.js';

/** §5 separates keys by kind, but not tokens: a token without a kind is valid for both (assumed). */
type CallerKind = KeyKind | 'both';

/** The caller of a request, by its key or token. */
export interface Caller {
  readonly tenantId: string;
  readonly kind: CallerKind;
  readonly roles: readonly string[];
  /** Replaces `roles` for requests about these companies. */
  readonly companyRoles: CompanyRoles;
  readonly by: 'key' | 'jwt';
}

/** Roles by the id of a company. */
export type CompanyRoles = Readonly<Record<string, readonly string[]>>;

interface KeyRequest {
  readonly kind: KeyKind;
  readonly roles: readonly string[];
  readonly companyRoles: CompanyRoles;
}

/** The keys and tokens of the service. */
export interface Callers {
  byKey(secret: string): Caller | undefined;
  /** `undefined` if the token is invalid or expired at `now`. */
  byToken(token: string, now: number): Caller | undefined;
  addKey(tenantId: string, request: KeyRequest): string;
  token(tenantId: string, claims: TokenRequest): string;
  /** Deletes every key except the account's two. */
  dropExtraKeys(): void;
}

interface TokenRequest {
  readonly kind: CallerKind;
  readonly roles: readonly string[];
  readonly expiresAt: number;
}

/** The roles of §5. The account's keys have all of them. */
export const allRoles: readonly string[] = ['NFeDist', 'CTeDist', 'NFSeDist', 'Management'];

interface KeyRow {
  tenant_id: string;
  kind: string;
  roles: string;
  company_roles: string;
}

export function openCallers(database: SandboxDatabase): Callers {
  const secret = database.prepare<[string], { jwt_secret: string }>(
    'SELECT jwt_secret FROM accounts WHERE tenant_id = ?',
  );
  const find = database.prepare<[string], KeyRow>('SELECT * FROM keys WHERE secret = ?');
  const insert = database.prepare(
    'INSERT INTO keys (secret, tenant_id, kind, roles, company_roles, first) VALUES (?, ?, ?, ?, ?, 0)',
  );
  const dropExtra = database.prepare('DELETE FROM keys WHERE first = 0');
  const secretOf = (tenantId: string) => secret.get(tenantId)?.jwt_secret;
  return {
    byKey(key) {
      const row = find.get(key);
      return row && callerOf(row);
    },
    byToken(token, now) {
      const claims = readJwt(token, secretOf);
      if (claims === undefined || claims.exp * 1000 <= now) return undefined;
      return {
        tenantId: claims.sub,
        kind: kindOf(claims.kind),
        roles: claims.roles,
        companyRoles: {},
        by: 'jwt',
      };
    },
    addKey(tenantId, { kind, roles, companyRoles }) {
      const key = newKey(kind);
      insert.run(key, tenantId, kind, JSON.stringify(roles), JSON.stringify(companyRoles));
      return key;
    },
    token: (tenantId, { kind, roles, expiresAt }) =>
      signJwt({ sub: tenantId, kind, roles, exp: Math.floor(expiresAt / 1000) }, secretOf(tenantId) ?? ''),
    dropExtraKeys: () => void dropExtra.run(),
  };
}

/** The prefix marks the key as valid only for a sandbox. */
function newKey(kind: KeyKind): string {
  return `sbx_${kind}_${randomBytes(16).toString('hex')}`;
}

function callerOf(row: KeyRow): Caller {
  return {
    tenantId: row.tenant_id,
    kind: kindOf(row.kind),
    // Written by `addKey`, so the form is known.
    roles: JSON.parse(row.roles),
    companyRoles: JSON.parse(row.company_roles),
    by: 'key',
  };
}

function kindOf(text: string): CallerKind {
  return text === 'data' || text === 'both' ? text : 'invoice';
}

/** Returns the account of the file. Stores `given` as the account; without any, creates one. */
export function openAccount(database: SandboxDatabase, given: SandboxAccount | undefined): SandboxAccount {
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

/** The claims of a token. Times are seconds since the epoch. */
interface Claims {
  readonly sub: string;
  readonly kind: string;
  readonly roles: readonly string[];
  readonly exp: number;
}

function signJwt(claims: Claims, secret: string): string {
  const head = encode({ alg: 'HS256', typ: 'JWT' });
  const body = encode(claims);
  return `${head}.${body}.${signature(`${head}.${body}`, secret)}`;
}

/** The claims of a correctly signed token; `undefined` otherwise. The caller checks the expiry. */
function readJwt(token: string, secretOf: (tenantId: string) => string | undefined): Claims | undefined {
  const [head, body, sign, ...more] = token.split('.');
  if (head === undefined || body === undefined || sign === undefined || more.length > 0) return undefined;
  const header = decode(head);
  const claims = asClaims(decode(body));
  // Only HS256: a token must not choose its own algorithm ("none").
  if (header?.['alg'] !== 'HS256' || claims === undefined) return undefined;
  const secret = secretOf(claims.sub);
  if (secret === undefined) return undefined;
  const expected = Buffer.from(signature(`${head}.${body}`, secret));
  const given = Buffer.from(sign);
  return expected.length === given.length && timingSafeEqual(expected, given) ? claims : undefined;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signature(text: string, secret: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    // Not JSON: not a token of this service.
    return undefined;
  }
}

function asClaims(value: Record<string, unknown> | undefined): Claims | undefined {
  if (value === undefined) return undefined;
  const { sub, kind, roles, exp } = value;
  if (typeof sub !== 'string' || typeof kind !== 'string' || typeof exp !== 'number') return undefined;
  const names = Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : [];
  return { sub, kind, roles: names, exp };
}
