import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { join } from 'node:path';

/** Reads the XML of documents over `node:http`, so many at once, and keeps no record of anything. */
export class ByteLoop {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(
    env: NodeJS.ProcessEnv,
    private readonly inFlight: number,
  ) {
    const { FISCAL_PRODUCT_URL: url = '', FISCAL_COMPANY: company = '', FISCAL_INVOICE_KEY: key = '' } = env;
    this.#base = `${url}/v2/companies/${company}/inbound/nfe`;
    this.#headers = { authorization: key };
  }

  /** Returns the bytes that came. */
  async read(keys: readonly string[]): Promise<number> {
    let size = 0;
    await this.#each(keys, (_key, bytes) => {
      size += bytes.length;
      return Promise.resolve();
    });
    return size;
  }

  /** Returns documents a second. */
  async write(keys: readonly string[], folder: string): Promise<number> {
    await mkdir(folder);
    const begin = Date.now();
    await this.#each(keys, (key, bytes) => writeFile(join(folder, `${key}.xml`), bytes));
    return keys.length / ((Date.now() - begin) / 1000);
  }

  async #each(keys: readonly string[], keep: (key: string, bytes: Buffer) => Promise<void>): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: this.inFlight });
    const rest = [...keys];
    const lane = async (): Promise<void> => {
      for (let key = rest.pop(); key !== undefined; key = rest.pop()) {
        const [response] = await once(get(`${this.#base}/${key}/xml`, { agent, headers: this.#headers }), 'response');
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        await keep(key, Buffer.concat(chunks));
      }
    };
    await Promise.all(Array.from({ length: this.inFlight }, lane));
    agent.destroy();
  }
}
