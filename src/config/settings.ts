import type { HostName, KeyKind } from '../contract/operation.js';
import type { OperationId } from '../contract/operations.js';

/** Where the value of a setting comes from, strongest first. */
export type Origin =
  | { readonly kind: 'flag'; readonly name: string }
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'project'; readonly path: string }
  | { readonly kind: 'profile'; readonly name: string }
  | { readonly kind: 'default' };

export type OutputFormat = 'table' | 'json' | 'ndjson' | 'yaml' | 'csv' | 'id';

/** Everything that a run may be told, resolved. Durations in milliseconds. */
export interface Settings {
  /** The profile in use; `undefined` when none is chosen (keys may still come from the environment). */
  readonly profile: string | undefined;
  /** The name under which the store keeps this run's rows: the profile, or `environment` when there is none. */
  readonly space: string;
  readonly company: string | undefined;
  readonly tenant: string | undefined;
  /** Ids of companies by the words of the profile for them, in small letters. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly output: OutputFormat | undefined;
  readonly fields: readonly string[] | undefined;
  readonly query: string | undefined;
  readonly errorFormat: 'text' | 'json' | undefined;
  readonly color: 'auto' | 'always' | 'never';
  readonly lang: 'en' | 'pt-BR' | undefined;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly debugHttp: boolean;
  readonly noInput: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
  /** Where the program also tells how it ended; `undefined`: the environment decides. */
  readonly ci: 'github' | 'none' | undefined;
  readonly connectTimeoutMs: number;
  readonly readTimeoutMs: number;
  readonly maxRetryWaitMs: number;
  /** How long after a send its absence at the service proves nothing; `undefined`: as long as the operation says. */
  readonly settleTimeMs: number | undefined;
  /** What is not found after that time is sent again without asking. */
  readonly resendAbsent: boolean;
  /** Nothing is sent from a store that knows nothing of earlier sends. */
  readonly requireStore: boolean;
  readonly concurrency: number;
  /** Requests per second asked for by the user; `undefined`: as fast as the service allows. */
  readonly rps: number | undefined;
  readonly caCert: string | undefined;
  readonly proxy: string | undefined;
  readonly hosts: Readonly<Partial<Record<HostName, string>>>;
  readonly paths: Readonly<Partial<Record<OperationId, string>>>;
  /** How the invoice key travels: raw in `Authorization` (default), or in `?apikey=` where the operation allows it (§5). */
  readonly keyIn: 'header' | 'query';
}

/** A setting as `config list --show-origin` shows it. */
export interface ShownSetting {
  readonly name: string;
  readonly value: unknown;
  readonly origin: Origin;
}

export type CredentialScheme = 'raw' | 'bearer';

/** A secret and where it was found. Only the client reads `secret`. */
export interface Credential {
  readonly kind: KeyKind;
  readonly scheme: CredentialScheme;
  readonly secret: string;
  /** e.g. `FISCAL_INVOICE_KEY`, `FISCAL_JWT_FILE`, `profile acme`. */
  readonly source: string;
}
