import type { Text } from './text.js';

/** The base addresses of the service (§1) and the optional query hosts, which fall back to `query` (assumed). */
export type HostName = 'product' | 'query' | 'service' | 'legalEntity' | 'naturalPerson' | 'address';

/** The two API keys of §5. */
export type KeyKind = 'invoice' | 'data';

/**
 * What may be done when the outcome of a call is unknown.
 * safe: repeat freely · keyed: carries an Idempotency-Key that a service may ignore · natural: a repeat answers 409 or
 * the same resource · unsafe: never again on the program's own decision.
 */
export type Replay = 'safe' | 'keyed' | 'natural' | 'unsafe';

/** What the service bills for the call (§1, §4). `null`: nothing that the document names. */
export type Billing = 'engine' | 'history' | 'doc-by-key' | null;

/** Where the row comes from: `doc §n` is promised by the service; `public` and `assumed` are not. */
export type Mark = `doc §${string}` | 'public' | 'assumed';

export type Role = 'NFeDist' | 'CTeDist' | 'NFSeDist' | 'Management';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** One row of the catalogue: everything that is known of a call before it is made. */
export interface Operation {
  readonly summary: Text;
  readonly method: HttpMethod;
  /** Path with parameters in braces, e.g. `/{tenantId}/products`. */
  readonly path: string;
  readonly host: HostName;
  readonly key: KeyKind;
  /** The role that the key needs, when the document names one. */
  readonly role: Role | null;
  readonly success: readonly number[];
  readonly replay: Replay;
  readonly billed: Billing;
  /** True where the key may travel as `?apikey=` (§5, method 3). */
  readonly queryKey: boolean;
  /** The body goes as `multipart/form-data`, not as JSON. */
  readonly form?: true;
  readonly mark: Mark;
}
