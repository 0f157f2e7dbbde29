import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import got, { HTTPError, type Got } from 'got';

const LANES = 4;
const TRIES = 5;

interface Line {
  readonly name: string;
  readonly url: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * `naive-issuer <orders> <answers>`: how an issuer is often written. Each order is posted; a 5xx, a 429 and a cut connection
 * are tried again, with got's own retries; what was answered is noted in a file, so that the next start goes on behind it.
 * Kept for comparison by `drill-invoices`: it issues some invoices twice, and does not know it.
 */
async function run([orders = '', answers = '']: readonly string[]): Promise<void> {
  const done = new Set(linesOf(answers).map((line) => String(JSON.parse(line)['name'])));
  const left = linesOf(orders)
    .map((line): Line => JSON.parse(line))
    .filter(({ name }) => !done.has(name));
  const client = got.extend({
    headers: { authorization: process.env['FISCAL_INVOICE_KEY'] },
    timeout: { request: 30_000 },
    retry: {
      limit: TRIES,
      methods: ['POST'],
      statusCodes: [429, 500, 502, 503, 504],
      calculateDelay: ({ computedValue }) => Math.min(computedValue, 100),
    },
  });
  const lane = async (): Promise<void> => {
    for (let order = left.pop(); order !== undefined; order = left.pop()) {
      appendFileSync(answers, `${JSON.stringify({ name: order.name, ...(await issue(client, order)) })}\n`);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

async function issue(client: Got, { url, body }: Line): Promise<Readonly<Record<string, unknown>>> {
  try {
    const answer: unknown = await client.post(url, { json: body }).json();
    return { id: Object(answer)['id'] };
  } catch (error) {
    if (error instanceof HTTPError) return { refused: error.response.statusCode };
    return { failed: String(error) };
  }
}

function linesOf(file: string): readonly string[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}

await run(process.argv.slice(2));
