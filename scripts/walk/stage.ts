import { execFile } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Language, Text } from '../../src/contract/text.js';
import { Terminal, type Typed } from './terminal.js';

const program = fileURLToPath(new URL('../../../bin/fiscal.js', import.meta.url));

/** A command as it was typed, and the screen at its end. */
interface Step {
  readonly title: string;
  readonly command: string;
  readonly lines: readonly string[];
}

interface Run {
  readonly exitCode?: number;
  /** What is typed when these words are on the screen. */
  readonly typed?: readonly { readonly after: Text; readonly keys: string }[];
}

/** An office with a home folder of its own, at a terminal, in one language. */
export class Stage {
  readonly steps: Step[] = [];
  readonly #terminal: Terminal;

  private constructor(
    private readonly home: string,
    private readonly language: Language,
  ) {
    this.#terminal = new Terminal({ cwd: home, env: this.#environment() });
  }

  static async open(language: Language): Promise<Stage> {
    return new Stage(await realpath(await mkdtemp('/tmp/fiscal-walk-')), language);
  }

  async close(): Promise<void> {
    await rm(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  async file(name: string, content: string | Uint8Array): Promise<void> {
    await writeFile(join(this.home, name), content);
  }

  async read(name: string): Promise<string> {
    return await readFile(join(this.home, name), 'utf8');
  }

  /** A command that an office types. Throws when it does not end with the exit code (0 unless another is named). */
  async type(title: Text, command: string, { exitCode = 0, typed = [] }: Run = {}): Promise<void> {
    const words = command.split(' ').slice(1);
    const keys = typed.map(({ after, keys }): Typed => ({ after: after[this.language], text: keys }));
    const shown = await this.#terminal.run([process.execPath, program, ...words], keys);
    if (shown.exitCode !== exitCode)
      throw new Error(`${command} ended with ${shown.exitCode}:\n${shown.lines.join('\n')}`);
    this.steps.push({ title: title[this.language], command, lines: shown.lines.map((line) => this.#atHome(line)) });
  }

  /** A command beside the walk, such as one that lets documents arrive. Returns what it wrote to stdout. */
  async prepare(command: string): Promise<string> {
    const options = { cwd: this.home, env: this.#environment() };
    const words = [program, ...command.split(' ').slice(1)];
    return (await promisify(execFile)(process.execPath, words, options)).stdout;
  }

  /** The name of the folder differs from run to run; its length stays, because lines wrap by it. */
  #atHome(line: string): string {
    return line.replaceAll(this.home, this.home.replace(/[^-]*$/, 'office'));
  }

  #environment(): Record<string, string> {
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.home,
      TERM: 'xterm-256color',
      FISCAL_CONFIG_DIR: join(this.home, 'config'),
      FISCAL_STATE_DIR: join(this.home, 'state'),
      FISCAL_DATA_DIR: join(this.home, 'data'),
      FISCAL_LANG: this.language === 'pt' ? 'pt-BR' : 'en',
      SHELL: '/bin/bash',
    };
  }
}
