import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** A command that goes on while others run, and tells JSON, a line at a time. */
export class Background {
  readonly #child: ChildProcess;
  readonly #lines: unknown[] = [];
  readonly #end: Promise<unknown>;
  #more: () => void = () => undefined;

  constructor(child: ChildProcess, stdout: Readable, show: (line: string) => void) {
    this.#child = child;
    this.#end = once(child, 'close').finally(() => this.#more());
    createInterface(stdout).on('line', (line) => {
      show(line);
      this.#lines.push(JSON.parse(line));
      this.#more();
    });
  }

  /** The first line that is like that, whenever it comes; `undefined` when the command ended without it. */
  async line(isLikeThat: (line: unknown) => boolean): Promise<unknown> {
    for (;;) {
      const found = this.#lines.find(isLikeThat);
      if (found !== undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return found;
      await new Promise<void>((more) => {
        this.#more = more;
      });
    }
  }

  /** Asks it to end; gives its exit code. */
  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    await this.#end;
    return this.#child.exitCode;
  }
}
