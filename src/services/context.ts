import type { Client } from '../client/client.js';
import type { Scope } from './scope/scope.js';
import type { Settings } from '../config/settings.js';
import type { Text } from '../contract/text.js';
import type { ByteSource, Clock, Environment, Random } from '../domain/world.js';
import type { JobEngine } from '../jobs/engine.js';
import type { Store } from '../store/store.js';
import type { ConfigFiles, FlagValues } from '../config/files.js';
import type { Directories } from '../config/directories.js';

/**
 * What a service may use. Lazy: a part is made when it is first asked for, so that `key check`
 * opens no store and `config list` makes no connection.
 */
export interface Context {
  readonly clock: Clock;
  readonly random: Random;
  readonly env: Environment;
  readonly cwd: string;
  readonly stdin: ByteSource;
  readonly interruption: AbortSignal;
  readonly directories: Directories;
  /** The shared flags as typed, for services that look at the configuration itself. */
  readonly flags: FlagValues;
  readonly program: Program;
  readonly goOn: GoOn;
  settings(): Promise<Settings>;
  config(): Promise<ConfigFiles>;
  client(): Promise<Client>;
  store(): Promise<Store>;
  jobs(): Promise<JobEngine>;
  /** The companies and the tenant that this run acts for. */
  scope(): Promise<Scope>;
  /** Says something on stderr while the work goes on. */
  notice(text: Text): Promise<void>;
  /** Shows how far the work is. */
  progress: ProgressPort;
  /**
   * Asks for consent; with `--yes` true at once, without a terminal `usage.confirmation_required`. With `confirmWith` the
   * value must be given or typed as well; `usage.invalid_value` when another one was given.
   */
  consent(request: ConsentRequest): Promise<void>;
}

/** Builds the command that goes on with a job of this run: the words of the run, for whom it is. It holds no secret. */
export interface GoOn {
  /**
   * Says that the words of this run do not give the same work again, because it read what can be read only once, or makes
   * another thing each time. From then on the command is `fiscal job resume <id>`.
   */
  byJobOnly(): void;
  commandFor(job: GoOnRequest): Promise<(jobId: string) => string>;
  /**
   * The text, whose commands name profile, company and tenant of this run. Errors and notices are written so in any case; a
   * text among the data of a command needs it.
   */
  inText(text: Text): Promise<Text>;
  inSentence(sentence: string): Promise<string>;
}

export interface GoOnRequest {
  /** Whom the job is for: an id, or several with commas; empty where the input itself says it; absent: as the settings say. */
  readonly company?: string | undefined;
  readonly tenant?: string | undefined;
  /** The job holds only a part of its input: it takes the words of this run and the input once more. */
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
}

export interface ConsentRequest {
  /** What will happen, with counts: items, billed calls, profile, company. */
  readonly what: Text;
  /** What cannot be taken back easily also names whom it is for: `--confirm <value>`. */
  readonly confirmWith?: { readonly value: string; readonly given: string | undefined };
}
