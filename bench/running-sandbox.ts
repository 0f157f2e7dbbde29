import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { look } from '../scripts/quickstart/look.js';

export interface LentSandbox {
  /** What a command needs to meet it. */
  readonly env: NodeJS.ProcessEnv;
  readonly productId: string;
}

/** Keeps a fresh sandbox with one product running while `use` works; `options` are those of `sandbox start`. */
export async function withSandbox(
  folder: string,
  use: (sandbox: LentSandbox) => Promise<void>,
  options: readonly string[] = [],
): Promise<void> {
  const fiscal = join(process.cwd(), 'bin/fiscal.js');
  const base = environmentIn(folder);
  const server = spawn(process.execPath, [fiscal, 'sandbox', 'start', '--fresh', '-o', 'json', ...options], {
    env: base,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = await once(createInterface(server.stdout), 'line');
    const env = { ...base, ...environmentOf(JSON.parse(String(line))) };
    await use({ env, productId: createProduct(fiscal, env) });
  } finally {
    server.kill('SIGTERM');
    await once(server, 'close');
  }
}

/** The environment of this process without what changes Node, with configuration, state and data of the program in the folder. */
export function environmentIn(folder: string): NodeJS.ProcessEnv {
  // NODE_EXTRA_CA_CERTS alone makes every start of Node 20 some 30 ms longer, and each ratio to it kinder.
  const inherited = Object.entries(process.env).filter(([name]) => !/^(FISCAL|XDG|GITHUB|NODE)_/.test(name));
  return {
    ...Object.fromEntries(inherited),
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_CACHE_HOME: join(folder, 'cache'),
  };
}

/** What leads a command to the sandbox that printed this ready line. */
export function environmentOf(ready: unknown): Record<string, string> {
  const url = String(look(ready, 'url'));
  return {
    FISCAL_PRODUCT_URL: url,
    FISCAL_QUERY_URL: url,
    FISCAL_SERVICE_URL: url,
    FISCAL_INVOICE_KEY: String(look(ready, 'invoiceKey')),
    FISCAL_DATA_KEY: String(look(ready, 'dataKey')),
    FISCAL_TENANT: String(look(ready, 'tenantId')),
    FISCAL_COMPANY: String(look(ready, 'companyId')),
  };
}

function createProduct(fiscal: string, env: NodeJS.ProcessEnv): string {
  const words = ['product', 'create', '--sku', 'BENCH', '--description', 'For the bench', '--origin', 'National'];
  const { stdout, stderr } = spawnSync(process.execPath, [fiscal, ...words, '-o', 'id'], { env, encoding: 'utf8' });
  if (stdout.trim() === '') throw new Error(`no product for the bench: ${stderr}`);
  return stdout.trim();
}
