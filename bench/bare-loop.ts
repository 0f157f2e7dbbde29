import got, { type Got } from 'got';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { look } from '../scripts/quickstart/look.js';

/** The time that the sandbox's authority takes; before it a look is wasted. */
const AUTHORITY_MS = 300;

/**
 * The same calls by a loop that keeps nothing: every event submitted, then read until the authority has decided.
 * Returns the seconds.
 */
export async function bareLoop(env: NodeJS.ProcessEnv, keys: readonly string[], concurrency: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const client = got.extend({
    prefixUrl: `${env['FISCAL_PRODUCT_URL']}/productinvoices`,
    headers: { authorization: env['FISCAL_INVOICE_KEY'] },
    agent: { http: agent },
    retry: { limit: 0 },
    responseType: 'json',
  });
  const begin = Date.now();
  const ids: string[] = [];
  await inLanes(concurrency, [...keys], async (key) => void ids.push(await submit(client, key)));
  await pause(AUTHORITY_MS);
  await inLanes(concurrency, ids, (id) => followToEnd(client, id));
  agent.destroy();
  return (Date.now() - begin) / 1000;
}

async function submit(client: Got, key: string): Promise<string> {
  const json = { eventCode: 210210, nSequencia: 1, detail: {} };
  const { body } = await client.post(`by-access-key/${key}/manifestation-events`, { json });
  return String(look(body, 'id'));
}

async function followToEnd(client: Got, id: string): Promise<void> {
  for (;;) {
    const { body } = await client.get(`manifestation-events/${id}`);
    if (look(body, 'status') === 'Accepted') return;
    await pause(50);
  }
}

async function inLanes(count: number, queue: string[], work: (entry: string) => Promise<void>): Promise<void> {
  const lane = async (): Promise<void> => {
    for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) await work(entry);
  };
  await Promise.all(Array.from({ length: count }, lane));
}
