import type { Credential, Settings } from '../config/settings.js';
import type { KeyKind } from '../contract/operation.js';
import type { Clock, Environment, Random } from '../domain/world.js';
import type { Pace, Recorder } from './client.js';

/** What the client must know of the run's settings. */
export type ClientSettings = Pick<
  Settings,
  | 'profile'
  | 'hosts'
  | 'paths'
  | 'keyIn'
  | 'connectTimeoutMs'
  | 'readTimeoutMs'
  | 'maxRetryWaitMs'
  | 'caCert'
  | 'proxy'
> &
  Partial<Pick<Settings, 'dryRun'>>;

export interface ClientOptions {
  readonly settings: ClientSettings;
  /** Asked once per kind, when the first call needs it. */
  credential(kind: KeyKind): Promise<Credential>;
  readonly pace: Pace;
  readonly recorder: Recorder;
  readonly clock: Clock;
  readonly random: Random;
  readonly env: Environment;
  /** Takes the lines of `--debug-http`, already redacted. Absent: nothing is formatted. */
  debug?(line: string): void;
  /** Ends every call under way: the interruption of the run. */
  readonly signal: AbortSignal;
}
