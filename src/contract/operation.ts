import type { Text } from './text.js';

/** The base addresses of the service (§1) and the optional query hosts, which fall back to `query` (assumed). */
export type HostName = 'product' | 'query' | 'service' | 'legalEntity' | 'naturalPerson' | 'address';

/** The two API keys of §5. */
export type KeyKind = 'invoice' | 'data';

/**
 * What the program may do if the outcome of a call is unknown. safe: repeat freely · keyed: the call has an
 * Idempotency-Key that a service may ignore · natural: a repeat answers 409 or the same resource · unsafe: only the
 * user may repeat it.
 */
export type Replay = 'safe' | 'keyed' | 'natural' | 'unsafe';

/** What the service bills for the call (§1, §4). `null`: the service document names no charge. */
export type Billing = 'engine' | 'history' | 'doc-by-key' | null;

/** The source of the row: `doc §n` is documented by the service; `public` and `assumed` are not. */
export type Mark = `doc §${string}` | 'public' | 'assumed';

export type Role = 'NFeDist' | 'CTeDist' | 'NFSeDist' | 'Management';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One row of the catalogue: what is known of a call in advance. */
export interface Operation {
  readonly summary: Text;
  readonly method: HttpMethod;
  /** Path with parameters in braces, e.g. `/{tenantId}/products`. */
  readonly path: string;
  readonly host: HostName;
  readonly key: KeyKind;
  /** The role that the key needs, if the service document names one. */
  readonly role: Role | null;
  readonly success: readonly number[];
  readonly replay: Replay;
  readonly billed: Billing;
  /** True if the key may be sent as `?apikey=` (§5, method 3). */
  readonly queryKey: boolean;
  /** The body is sent as `multipart/form-data` instead of JSON. */
  readonly form?: true;
  readonly mark: Mark;
}
