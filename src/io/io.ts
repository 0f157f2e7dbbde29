import type { LogFile } from './log-file.js';
import type { Language, Text } from '../contract/text.js';
import type { ByteSource, Clock, Environment, Random } from '../domain/world.js';

/** Everything that one run of the program receives from outside. Tests pass fakes; `main.ts` passes the process. */
export interface Host {
  readonly stdin: ByteSource;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Writes to stdout the one text of a run that does nothing else: help, the version, completions. */
  print(text: string): Promise<void>;
  /** Shows a text in a pager; false when it cannot be started. Absent where there is none. */
  readonly pageText?: (text: string, words: readonly string[], env: Environment) => Promise<boolean>;
  /** Starts a program that goes on without this one; false when that fails. Absent where there is none. */
  readonly startProgram?: (words: readonly string[], env: Environment) => Promise<boolean>;
  /** The raw terminal for prompts; absent when prompts are impossible. */
  readonly terminal?: Terminal;
  readonly env: Environment;
  readonly clock: Clock;
  readonly random: Random;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly pid: number;
  /** Absent: the user has none. */
  readonly homeDir: string | undefined;
  /** What the system calls the machine and the user; absent where rows of the store shall name nobody. */
  readonly names?: { readonly machine: string; readonly user: string };
  /** The Node binary and the program's own file, for starting a sandbox in the background. */
  readonly execPath: string;
  readonly programPath: string;
  /** Aborts on the first SIGINT or SIGTERM with a `FiscalError` as reason; the second signal ends the process. */
  readonly interruption: AbortSignal;
  /** Calls the listener at each SIGHUP, which otherwise ends the process, until the returned function is called. */
  readonly onHangup?: (listener: () => void) => () => void;
}

/** What a prompt reads from and draws on. Opened for the first prompt. */
export type Terminal = () => {
  readonly input: NodeJS.ReadableStream;
  /** `columns`: 0 on a terminal of unknown size. */
  readonly output: NodeJS.WritableStream & { readonly columns?: number };
};

/** One output stream. Writing never rejects: a closed pipe is no error, and any other one is the `failure`. */
export interface OutputStream {
  /** Resolves when the text is written or lost (back-pressure). */
  write(text: string): Promise<void>;
  /** Writes bytes unchanged: a document sent to a file or a pipe. */
  writeBytes(bytes: Uint8Array): Promise<void>;
  readonly isTerminal: boolean;
  readonly columns: number;
  /** The height of a terminal, where it is known. */
  readonly rows?: number | undefined;
  /** True once nothing can be written any more, so a long list can stop. */
  readonly closed: boolean;
  /** Why output was lost, such as a full disk (ENOSPC): the run then exits 5. Absent where the reader closed the pipe. */
  readonly failure?: Error | undefined;
}

export type ColorLevel = 0 | 1 | 2 | 3;

/** All interaction with a person: output streams, each with its own colour level, prompts, progress and language. */
export interface Io {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly stdoutColor: ColorLevel;
  readonly stderrColor: ColorLevel;
  readonly language: Language;
  /** The locale of the machine has no signs beyond ASCII. */
  readonly isAscii: boolean;
  /** False when no prompt may be shown: no terminal on stdin or stderr, `CI`, or `--no-input`. */
  readonly mayAsk: boolean;
  readonly prompts: Prompts;
  /** What opens a file for a person. Error: `usage.invalid` where nobody would see it. */
  opener(): OpenFile;
  /** A file that is appended to, and opened again at each SIGHUP. Error: `store.unwritable`. */
  openLog(path: string): Promise<LogFile>;
  /** A line on stderr; silent with `--quiet`. Control characters are neutralised. */
  notice(line: string): Promise<void>;
  /** Starts a progress display: a spinner or bar on a terminal, a line per interval elsewhere, nothing with `--quiet`. */
  progress(label: string): ProgressDisplay;
  /**
   * To be called now and then while the program waits: at most one line per interval says for what, with how far the work is where
   * that is shown. `undefined` on a terminal and with `--quiet`.
   */
  readonly waits: ((awaited: readonly Text[]) => void) | undefined;
}

/** Opens a file in the program that the desktop has for it. Error: `usage.invalid` when none can be started. */
export type OpenFile = (path: string) => Promise<void>;

export interface Prompts {
  /** `suggested` is the answer to an empty line. */
  text(question: string, suggested?: string): Promise<string>;
  secret(question: string): Promise<string>;
  confirm(question: string): Promise<boolean>;
  /** One of a few. */
  choose(question: string, choices: readonly (string | Choice)[]): Promise<string>;
  /** One of many, found by typing a part of it: accents and case are ignored. */
  search(question: string, choices: readonly Choice[]): Promise<string>;
  /** Some of many, at least one; all are ticked at first. */
  tick(question: string, choices: readonly Choice[]): Promise<readonly string[]>;
}

export interface Choice {
  readonly value: string;
  /** The line of the list. */
  readonly name: string;
  /** What stays on the screen once it is chosen; absent: the line. */
  readonly short?: string;
}

export interface ProgressDisplay {
  update(shown: Shown): void;
  stop(): void;
  /** Called now and then while the program waits, with what for: where nothing is redrawn, a line says that it is still there. */
  beat?(awaited: readonly string[]): void;
}

export interface Shown {
  /** How much is done, e.g. `120/500`. */
  readonly text: string;
  /** Between 0 and 1, where the total is known. */
  readonly fraction?: number;
  /** What follows where it fits, as of now: what is awaited, elapsed time, time left, rate, the job. */
  parts(): readonly string[];
}
