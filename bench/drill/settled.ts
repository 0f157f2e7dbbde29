import { lastSequence, ledger } from './ledger.js';
import { live } from './life.js';

/** Remembers from which line of the ledger on an item was settled, and counts the calls that came later. */
export class Settled {
  readonly #since = new Map<string, number>();
  readonly #labels = new Set<string>();
  readonly #env: NodeJS.ProcessEnv;
  readonly #url: string;

  constructor(env: NodeJS.ProcessEnv, url: string) {
    this.#env = env;
    this.#url = url;
  }

  get count(): number {
    return this.#labels.size;
  }

  /** While no life of the program runs: what the store calls settled now must not be called again. */
  async look(): Promise<void> {
    const job = (await this.#records(['job', 'list', '--all']))[0];
    if (job === undefined) return;
    const sequence = await lastSequence(this.#url);
    for (const item of await this.#records(['job', 'items', String(job['id'])])) {
      if (item['state'] !== 'succeeded') continue;
      this.#labels.add(String(item['label']));
      // One that was found among the registered events has no id.
      for (const name of [item['label'], item['resourceId']])
        if (typeof name === 'string' && !this.#since.has(name)) this.#since.set(name, sequence);
    }
  }

  async laterCalls(): Promise<number> {
    let count = 0;
    for await (const { sequence, path } of ledger(this.#url)) {
      const names = path.split('/').map((segment) => this.#since.get(segment));
      if (names.some((since) => since !== undefined && since < sequence)) count += 1;
    }
    return count;
  }

  async #records(words: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const { stdout } = await live(this.#env, [...words, '-o', 'ndjson']);
    const lines = stdout.split('\n').filter((line) => line !== '');
    return lines.map((line): Readonly<Record<string, unknown>> => JSON.parse(line));
  }
}
