import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { shiftedEnv } from './unkind.js';

/** The real program, again and again at the same port. */
export class Listener {
  lives = 0;
  stderr = '';
  readonly #env: NodeJS.ProcessEnv;
  readonly #words: readonly string[];
  readonly #firstClock: number;
  #child: ChildProcess | undefined;

  /** `firstClock`: the number of the wall clock of its first life. */
  constructor(env: NodeJS.ProcessEnv, words: readonly string[], firstClock: number) {
    this.#env = env;
    this.#words = words;
    this.#firstClock = firstClock;
  }

  /** Resolves when it answers. Each life has another wall clock. */
  async start(): Promise<void> {
    const clock = this.#firstClock + this.lives;
    this.lives += 1;
    const child = spawn(process.execPath, [join(process.cwd(), 'bin/fiscal.js'), ...this.#words], {
      env: shiftedEnv(this.#env, clock),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.stderr.on('data', (chunk: Buffer) => {
      // The end of what it says is enough to understand a failure.
      this.stderr = `${this.stderr}${chunk.toString()}`.slice(-4_000);
    });
    const ended = once(child, 'close').then(() => Promise.reject(new Error(`no listener: ${this.stderr}`)));
    // Beyond the start its end is expected.
    ended.catch(() => undefined);
    const lines = createInterface(child.stdout);
    await Promise.race([once(lines, 'line'), ended]);
    lines.on('line', () => undefined);
  }

  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** The exit code of a clean end. */
  async stop(): Promise<number | null> {
    await this.#end('SIGTERM');
    return this.#child?.exitCode ?? null;
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill(signal);
    await closed;
  }
}
