import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { KeyKind } from '../../contract/operation.js';
import type { SandboxAccount } from '../../contract/sandbox.js';
import type { Meta } from './database.js';
import type { OpenCollection } from './resources.js';

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
}

interface TokenRequest {
  readonly kind: CallerKind;
  readonly roles: readonly string[];
  readonly expiresAt: number;
}

/** The roles of §5. The account's keys have all of them. */
export const allRoles: readonly string[] = ['NFeDist', 'CTeDist', 'NFSeDist', 'Management'];

/** A further key, and what it may do. */
interface StoredKey extends KeyRequest {
  readonly secret: string;
  readonly tenantId: string;
}

/** The account of the file, and the secret that signs its tokens. */
interface StoredAccount extends SandboxAccount {
  readonly jwtSecret: string;
}

/** The name of the account among the values that a reset keeps. */
export const accountName = 'account';

export function openCallers(meta: Meta, open: OpenCollection): Callers {
  const keys = open<StoredKey>({ kind: 'key', idOf: ({ secret }) => secret, ownerOf: ({ tenantId }) => tenantId });
  const account = () => readAccount(meta);
  return {
    byKey(secret) {
      const first = account();
      if (first?.invoiceKey === secret || first?.dataKey === secret) {
        const kind = first.invoiceKey === secret ? 'invoice' : 'data';
        return { tenantId: first.tenantId, kind, roles: allRoles, companyRoles: {}, by: 'key' };
      }
      const { tenantId, kind, roles, companyRoles } = keys.get(secret) ?? {};
      if (tenantId === undefined || kind === undefined) return undefined;
      return { tenantId, kind, roles: roles ?? [], companyRoles: companyRoles ?? {}, by: 'key' };
    },
    byToken(token, now) {
      const claims = readJwt(token, (tenantId) => {
        const first = account();
        return first?.tenantId === tenantId ? first.jwtSecret : undefined;
      });
      if (claims === undefined || claims.exp * 1000 <= now) return undefined;
      const { sub: tenantId, roles } = claims;
      return { tenantId, kind: kindOf(claims.kind), roles, companyRoles: {}, by: 'jwt' };
    },
    addKey(tenantId, request) {
      const secret = newKey(request.kind);
      keys.put({ secret, tenantId, ...request });
      return secret;
    },
    token: (tenantId, { kind, roles, expiresAt }) =>
      signJwt({ sub: tenantId, kind, roles, exp: Math.floor(expiresAt / 1000) }, account()?.jwtSecret ?? ''),
  };
}

/** The prefix marks the key as valid only for a sandbox. */
function newKey(kind: KeyKind): string {
  return `sbx_${kind}_${randomBytes(16).toString('hex')}`;
}

function kindOf(text: string): CallerKind {
  return text === 'data' || text === 'both' ? text : 'invoice';
}

/** Returns the account of the file. Stores `given` as the account; without any, creates one. */
export function openAccount(meta: Meta, given: SandboxAccount | undefined): SandboxAccount {
  const stored = readAccount(meta);
  if (stored !== undefined && (given === undefined || isSame(stored, given))) return stored;
  const account = given ?? {
    tenantId: randomUUID(),
    companyId: randomUUID(),
    invoiceKey: newKey('invoice'),
    dataKey: newKey('data'),
  };
  const kept: StoredAccount = { ...account, jwtSecret: randomBytes(32).toString('hex') };
  meta.set(accountName, JSON.stringify(kept));
  return account;
}

/** Written by `openAccount`, so the form is known. */
function readAccount(meta: Meta): StoredAccount | undefined {
  const text = meta.get(accountName);
  return text === undefined ? undefined : JSON.parse(text);
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
