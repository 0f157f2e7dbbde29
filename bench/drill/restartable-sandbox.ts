import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { look } from '../../scripts/quickstart/look.js';
import { environmentIn, environmentOf } from '../running-sandbox.js';

/** A sandbox that dies by SIGKILL and comes back at the same address, with the file that it left. */
export class RestartableSandbox {
  restarts = 0;
  readonly #base: NodeJS.ProcessEnv;
  #server: ChildProcess | undefined;
  #ready: unknown;

  /** `options` are those of `sandbox start`. */
  constructor(
    folder: string,
    private readonly options: readonly string[] = [],
  ) {
    this.#base = environmentIn(folder);
  }

  async start(): Promise<void> {
    await this.#serve(['--fresh']);
  }

  /** What a command needs to meet it; the same after every restart. */
  get env(): NodeJS.ProcessEnv {
    return { ...this.#base, ...environmentOf(this.#ready) };
  }

  get url(): string {
    return String(look(this.#ready, 'url'));
  }

  async restart(): Promise<void> {
    await this.#end('SIGKILL');
    await this.#serve(['--port', new URL(this.url).port]);
    this.restarts += 1;
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  async #serve(options: readonly string[]): Promise<void> {
    const words = [join(process.cwd(), 'bin/fiscal.js'), 'sandbox', 'start', '-o', 'json', ...this.options, ...options];
    const server = spawn(process.execPath, words, { env: this.#base, stdio: ['ignore', 'pipe', 'inherit'] });
    this.#server = server;
    const [line] = await Promise.race([
      once(createInterface(server.stdout), 'line'),
      once(server, 'close').then(() => Promise.reject(new Error('the sandbox did not start'))),
    ]);
    this.#ready = JSON.parse(String(line));
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const server = this.#server;
    if (server === undefined || server.exitCode !== null) return;
    server.kill(signal);
    await once(server, 'close');
  }
}
