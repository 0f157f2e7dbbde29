import { randomBytes } from 'node:crypto';
import type { KeyKind } from '../../contract/operation.js';
import { readJwt, signJwt } from './jwt.js';
import type { SandboxDatabase } from './open-database.js';

/** §5 tells keys of two kinds apart, but not tokens: a token without a kind is good for both (assumed). */
export type CallerKind = KeyKind | 'both';

/** Who a request comes from, as its key says. */
export interface Caller {
  readonly tenantId: string;
  readonly kind: CallerKind;
  readonly roles: readonly string[];
  /** Instead of `roles`, where the path names one of these companies. */
  readonly companyRoles: CompanyRoles;
  readonly by: 'key' | 'jwt';
}

/** Roles by the id of a company. */
export type CompanyRoles = Readonly<Record<string, readonly string[]>>;

export interface KeyRequest {
  readonly kind: KeyKind;
  readonly roles: readonly string[];
  readonly companyRoles: CompanyRoles;
}

/** The keys and tokens that open the service. */
export interface Callers {
  byKey(secret: string): Caller | undefined;
  /** `undefined` also when the token has expired at `now`. */
  byToken(token: string, now: number): Caller | undefined;
  addKey(tenantId: string, request: KeyRequest): string;
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

/** The prefix tells client and person that the key is worth nothing elsewhere. */
export function newKey(kind: KeyKind): string {
  return `sbx_${kind}_${randomBytes(16).toString('hex')}`;
}

function callerOf(row: KeyRow): Caller {
  return {
    tenantId: row.tenant_id,
    kind: kindOf(row.kind),
    // What is read here was written here.
    roles: JSON.parse(row.roles),
    companyRoles: JSON.parse(row.company_roles),
    by: 'key',
  };
}

function kindOf(text: string): CallerKind {
  return text === 'data' || text === 'both' ? text : 'invoice';
}
