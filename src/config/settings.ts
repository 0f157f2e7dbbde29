import type { HostName, KeyKind } from '../contract/operation.js';
import type { ListOperationId } from '../contract/answers.js';
import type { OperationId } from '../contract/operations.js';
import type { Sends } from './sends.js';

/** Where the value of a setting comes from, strongest first. */
export type Origin =
  | { readonly kind: 'flag'; readonly name: string }
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'project'; readonly path: string }
  | { readonly kind: 'profile'; readonly name: string }
  | { readonly kind: 'default' };

export type OutputFormat = 'table' | 'json' | 'ndjson' | 'yaml' | 'csv' | 'xlsx' | 'id';
/** RFC 4180, or what Excel in Portuguese opens by a double click. */
export type CsvStyle = 'rfc4180' | 'excel-br';

/** All settings of a run, resolved. Durations in milliseconds. */
export interface Settings {
  /** The profile in use; `undefined` when none is chosen (keys may still come from the environment). */
  readonly profile: string | undefined;
  /** The same where a command without `--profile` uses it, both in this shell and in one whose environment names none. */
  readonly usualProfile: string | undefined;
  /** The name under which the store keeps this run's rows: the profile, or `environment` when there is none. */
  readonly storeNamespace: string;
  readonly company: string | undefined;
  /** What the profile gives to a command that names no company or tenant, in this shell. */
  readonly usualCompany: string | undefined;
  readonly usualTenant: string | undefined;
  readonly tenant: string | undefined;
  /** The folder of the archive, where no option names one. */
  readonly archive: string | undefined;
  /** Company ids by the profile's aliases, in lower case. */
  readonly aliases: Readonly<Record<string, string>>;
  readonly output: OutputFormat | undefined;
  readonly csvStyle: CsvStyle;
  /** The file of a workbook. */
  readonly out: string | undefined;
  readonly fields: readonly string[] | undefined;
  readonly query: string | undefined;
  readonly errorFormat: 'text' | 'json' | undefined;
  readonly color: 'auto' | 'always' | 'never';
  readonly lang: 'en' | 'pt-BR' | undefined;
  /** People see times in UTC instead of those of Brasília. */
  readonly utc: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly debugHttp: boolean;
  readonly noInput: boolean;
  readonly noPager: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
  /** The pipeline that also receives the result; `undefined`: detected from the environment. */
  readonly ci: 'github' | 'none' | undefined;
  readonly connectTimeoutMs: number;
  readonly readTimeoutMs: number;
  readonly maxRetryWaitMs: number;
  /** The longest `Retry-After` that is believed; a longer one counts as this. */
  readonly maxBelievedWaitMs: number;
  /** For how long after a send an empty lookup proves nothing; `undefined`: the operation's default. */
  readonly settleTimeMs: number | undefined;
  /** Send again, without asking, what is not found after the settle time. */
  readonly resendAbsent: boolean;
  /** Send nothing from a store without earlier sends. */
  readonly requireStore: boolean;
  readonly concurrency: number;
  /** Requests per second set by the user; `undefined`: as fast as the service allows. */
  readonly rps: number | undefined;
  /** A file of prices and budgets, which every billed call must keep. */
  readonly budget: string | undefined;
  /** The address of a shared store in the profile, without a password. */
  readonly storeUrl: string | undefined;
  readonly caCert: string | undefined;
  readonly proxy: string | undefined;
  readonly hosts: Readonly<Partial<Record<HostName, string>>>;
  readonly paths: Readonly<Partial<Record<OperationId, string>>>;
  /** Where the list is in an answer that differs from the published ones: a field, or `array`. */
  readonly shapes: Readonly<Partial<Record<ListOperationId, string>>>;
  readonly sends: Sends;
  /** How the invoice key is sent: in `Authorization` (default), or in `?apikey=` where the operation allows it (§5). */
  readonly keyIn: 'header' | 'query';
  /** What a project file does to this run; `undefined`: nothing. */
  readonly fromProject: ProjectChoices | undefined;
}

/** What a project file does to a run. */
export interface ProjectChoices {
  readonly path: string;
  readonly set: readonly { readonly name: string; readonly value: unknown }[];
  /** What it names and may not change here: the profile, or the default, says something else that holds. */
  readonly without: readonly string[];
}

/** A setting as `config list --show-origin` shows it. */
export interface ShownSetting {
  readonly name: string;
  readonly value: unknown;
  readonly origin: Origin;
}

export type CredentialScheme = 'raw' | 'bearer';

/** A secret and its source. Only the client reads `secret`. */
export interface Credential {
  readonly kind: KeyKind;
  readonly scheme: CredentialScheme;
  readonly secret: string;
  /** e.g. `FISCAL_INVOICE_KEY`, `FISCAL_JWT_FILE`, `profile acme`. */
  readonly source: string;
}
