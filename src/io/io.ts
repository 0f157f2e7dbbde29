import type { Language } from '../contract/text.js';
import type { ByteSource, Clock, Environment, Random } from '../domain/world.js';

/** Everything that one run of the program receives from outside. Tests pass fakes; `main.ts` passes the process. */
export interface Host {
  readonly stdin: ByteSource;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Writes to stdout the one text of a run that does nothing else: help, the version, completions. */
  print(text: string): Promise<void>;
  /** The raw terminal for prompts; absent when prompts are impossible. */
  readonly terminal?: Terminal;
  readonly env: Environment;
  readonly clock: Clock;
  readonly random: Random;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly pid: number;
  readonly homeDir: string;
  /** The Node binary and the program's own file, for starting a sandbox in the background. */
  readonly execPath: string;
  readonly programPath: string;
  /** Aborts on the first SIGINT or SIGTERM with a `FiscalError` as reason; the second signal ends the process. */
  readonly interruption: AbortSignal;
}

/** What a prompt reads from and draws on. Opened for the first prompt. */
export type Terminal = () => {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
};

/** One output stream. Writing to a closed pipe is not an error. */
export interface OutputStream {
  /** Resolves when the text is accepted (back-pressure). */
  write(text: string): Promise<void>;
  /** Writes bytes unchanged: a document sent to a file or a pipe. */
  writeBytes(bytes: Uint8Array): Promise<void>;
  readonly isTerminal: boolean;
  readonly columns: number;
  /** True once the reader has closed the pipe, so a long list can stop. */
  readonly closed: boolean;
}

export type ColorLevel = 0 | 1 | 2 | 3;

/** All interaction with a person: output streams, each with its own colour level, prompts, progress and language. */
export interface Io {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly stdoutColor: ColorLevel;
  readonly stderrColor: ColorLevel;
  readonly language: Language;
  /** False when no prompt may be shown: no terminal on stdin or stderr, `CI`, or `--no-input`. */
  readonly mayAsk: boolean;
  readonly prompts: Prompts;
  /** A line on stderr; silent with `--quiet`. Control characters are neutralised. */
  notice(line: string): Promise<void>;
  /** Starts a progress display: a spinner or bar on a terminal, a line per interval elsewhere, nothing with `--quiet`. */
  progress(label: string): ProgressDisplay;
}

export interface Prompts {
  text(question: string): Promise<string>;
  secret(question: string): Promise<string>;
  confirm(question: string): Promise<boolean>;
  choose(question: string, choices: readonly string[]): Promise<string>;
}

export interface ProgressDisplay {
  update(line: string, fraction?: number): void;
  stop(): void;
}
