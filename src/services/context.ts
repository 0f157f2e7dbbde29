import type { Client } from '../client/client.js';
import type { Scope } from './scope/scope.js';
import type { Settings } from '../config/settings.js';
import type { Language, Text } from '../contract/text.js';
import type { DataRecord } from '../domain/outcome.js';
import type { ByteSource, Clock, Environment, Random } from '../domain/world.js';
import type { JobEngine } from '../jobs/engine.js';
import type { Store } from '../store/store.js';
import type { ConfigFiles, FlagValues } from '../config/files.js';
import type { Directories } from '../config/directories.js';

/**
 * What a service may use. Lazy: each part is created on first use, so that `key check`
 * opens no store and `config list` makes no connection.
 */
export interface Context {
  readonly clock: Clock;
  readonly random: Random;
  readonly env: Environment;
  readonly cwd: string;
  /** Of files that a person reads; everything that is printed is a `Text`. */
  readonly language: Language;
  readonly stdin: ByteSource;
  readonly interruption: AbortSignal;
  readonly directories: Directories;
  /** The shared flags as typed, for services that look at the configuration itself. */
  readonly flags: FlagValues;
  readonly program: Program;
  readonly goOn: GoOn;
  /** The same run with another profile: its settings, its keys, its client, its rows of the store. */
  withProfile(profile: string): Context;
  settings(): Promise<Settings>;
  config(): Promise<ConfigFiles>;
  client(): Promise<Client>;
  store(): Promise<Store>;
  jobs(): Promise<JobEngine>;
  /** The companies and the tenant that this run acts for. */
  scope(): Promise<Scope>;
  /** Writes a notice to stderr during the work. */
  notice(text: Text): Promise<void>;
  /**
   * Writes a record of the output at once, before the outcome is there, and waits until it is taken; absent where the output is
   * written whole, at the end.
   */
  readonly writeRecord: ((record: DataRecord) => Promise<void>) | undefined;
  /** Shows the progress of the work. */
  progress: ProgressPort;
  /**
   * Asks for consent; with `--yes` true at once, without a terminal `usage.confirmation_required`. With `confirmWith` the
   * value must be given or typed as well; `usage.invalid_value` when another one was given.
   */
  consent(request: ConsentRequest): Promise<void>;
}

/** Builds the command that continues a job of this run, with its company and profile. Contains no secret. */
export interface GoOn {
  /**
   * Marks this command line as not repeatable, because it read input that can be read only once, or creates
   * another resource each time. From then on the command is `fiscal job resume <id>`.
   */
  byJobOnly(): void;
  /**
   * What the run found out that its words leave open: the model of an invoice, and the id that an access key stands for. The
   * printed command names it. Error: `usage.invalid` for a typed option that has no effect on it.
   */
  found(words: { readonly id?: string; readonly model: string }): void;
  commandFor(job: GoOnRequest): Promise<(jobId: string) => string>;
  /** This command on another file, or with other flags. */
  again(change: CommandChange): Promise<string>;
  /**
   * The text, with profile, company and tenant of this run in its commands. Errors and notices get them anyway; only
   * text in the data of a command needs it.
   */
  inText(text: Text): Promise<Text>;
  inSentence(sentence: string): Promise<string>;
}

export interface CommandChange {
  /** In the place of the first argument. */
  readonly file?: string;
  /** Options that do not fit, by their keys. */
  readonly without: readonly string[];
  /** A flag without a value, or with one. */
  readonly flags: readonly (string | readonly [flag: string, value: string])[];
}

export interface GoOnRequest {
  /** The company of the job: an id, or several with commas; empty when the input names it; absent: that of the settings. */
  readonly company?: string | undefined;
  readonly tenant?: string | undefined;
  /** The job contains only part of its input: resuming needs this command line and the input again. */
  readonly needsInput?: boolean | undefined;
}

/** The Node binary and the program's own file, to start a sandbox in the background. */
export interface Program {
  readonly execPath: string;
  readonly path: string;
  readonly pid: number;
}

export interface ProgressPort {
  report(progress: Progress): void;
  stop(): void;
}

export interface Progress {
  readonly label: Text;
  readonly done: number;
  readonly total?: number;
  /** How far the item at work is, where that takes long: the files of a company. */
  readonly within?: { readonly done: number; readonly total?: number };
  /** Items that were sent and whose result is not known yet. */
  readonly awaited?: number;
  readonly jobId?: string;
}

export interface ConsentRequest {
  /** What will happen, with counts: items, billed calls, profile, company. */
  readonly what: Text;
  /** Actions that are hard to undo also require the company: `--confirm <value>`. */
  readonly confirmWith?: {
    readonly value: string;
    readonly given: string | undefined;
    /** What a given or typed text stands for, where the value has several names. */
    readonly read?: (text: string) => Promise<string>;
  };
}
