import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a token of this service says. Times are seconds since the epoch, as JWT has them. */
export interface Claims {
  readonly sub: string;
  readonly kind: string;
  readonly roles: readonly string[];
  readonly exp: number;
}

export function signJwt(claims: Claims, secret: string): string {
  const head = encode({ alg: 'HS256', typ: 'JWT' });
  const body = encode(claims);
  return `${head}.${body}.${signature(`${head}.${body}`, secret)}`;
}

/** The claims of a well-signed token; `undefined` for anything else. Expiry is for the caller, who has the clock. */
export function readJwt(
  token: string,
  secretOf: (tenantId: string) => string | undefined,
): Claims | undefined {
  const [head, body, sign, ...more] = token.split('.');
  if (head === undefined || body === undefined || sign === undefined || more.length > 0) return undefined;
  const header = decode(head);
  const claims = asClaims(decode(body));
  // Only HS256: a token that names its own algorithm ("none") must not choose how it is checked.
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
    // Not JSON: not a token of ours, which is what `undefined` says.
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
