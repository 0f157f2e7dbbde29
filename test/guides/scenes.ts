import { createHmac } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { control } from '../e2e/program.js';
import { startPostgres } from '../support/postgres.js';
import { S3Server } from '../support/s3-server.js';
import { accountVariables, type Account } from './account.js';
import { guideBlocks } from './guide-blocks.js';

/** What a reader has before the first block of a guide: the files that it names, a program that it talks to. */
interface Scene {
  /** Instead of an account in the environment, for a block. */
  readonly env?: (account: Account, block: string) => Readonly<Record<string, string>>;
  /** Files by name: their text, or the number of the block that shows it. */
  readonly files?: Readonly<Record<string, string | number | readonly number[]>>;
  /** Commands that earlier guides told to run. */
  readonly earlier?: readonly string[];
  prepare?(account: Account): Promise<(() => Promise<void> | void) | void>;
}

const products = 'sku,description,origin\nTEA-100,"Green tea, 100 g",National\nTEA-250,"Green tea, 250 g",National\n';
const none = (): Readonly<Record<string, string>> => ({});
const synced = 'fiscal inbound sync --all-companies --type nfe';

/** The company under which the guides of invoices issue. */
async function issuing(account: Account): Promise<void> {
  account.put('notas/.keep', '');
  const run = async (line: string): Promise<void> => {
    const { exitCode, stderr } = await account.run(['sh', '-c', line], accountVariables(account));
    if (exitCode !== 0) throw new Error(`${line}: ${stderr}`);
  };
  for (const words of [
    '--state SP --tax-number 110042490114 --type NFe --environment Production --serie 1 --number 1',
    '--state SP --tax-number 110042490115 --type NFCe --environment Production --serie 1 --number 1',
    '--city 3550308 --tax-number 12345678 --environment Development --serie 1',
  ])
    await run(`fiscal company registration create --company padaria ${words} --yes`);
  await run('fiscal invoice issue --model nfe --sample >notas/PEDIDO-3001.json && rm notas/.keep');
}

async function bucket(): Promise<S3Server> {
  return await S3Server.start();
}

const objectStorage: Scene = {
  earlier: ['fiscal inbound sync --all-companies --archive archive'],
  async prepare(account) {
    const s3 = await bucket();
    servers.set(account, s3.env);
    return async () => await s3.stop();
  },
  env: (account) => ({ ...accountVariables(account), ...servers.get(account), AWS_REGION: 'sa-east-1' }),
};
const servers = new Map<Account, Readonly<Record<string, string>>>();

const sharedStore = (owner: string): Scene => ({
  earlier: ['fiscal store status', 'fiscal company list', 'cp .local/state/fiscal/state.db backup/'],
  async prepare(account) {
    const postgres = await startPostgres();
    const url = await postgres.newDatabase();
    for (const name of ['fiscal-store', owner]) account.put(`run/secrets/${name}`, `${url}\n`);
    await postgres.query('CREATE ROLE fiscal_app LOGIN', url);
    return async () => await postgres.stop();
  },
});

/** The XML of a month, a company that has its CNPJ, and books that have the same keys. */
const ownMonth = (client: string, company: string, cnpj: string): Scene => ({
  earlier: [
    'fiscal inbound sync --company acme --archive old',
    'mkdir -p xml/2026-10 && cp -r old/11222333000181/2026-10/nfe xml/2026-10/nfe',
    `fiscal company create --sample >${client}`,
    `fiscal inbound sync --company ${company} --archive old`,
    `fiscal inbound list --local --company ${company} --type nfe -o id >keys.txt`,
    `{ printf '|0000|019|0|01102026|31102026|Acme|${cnpj}||SP|110042490114|3550308|||A|0|\\n'
       while read -r key; do printf '|C100|0|1|F1|55|00|001|1|%s|05102026|05102026|10,00|\\n' "$key"; done <keys.txt
       printf '|9999|%s|\\n' "$(($(wc -l <keys.txt) + 2))"
     } >sped.txt`,
    `sed '1i chave' keys.txt >chaves.csv`,
  ],
  env: (account, block) => (block.includes('sandbox') ? {} : accountVariables(account)),
});

/** A certificate of a client with its password, and what its registrations take from files. */
const clients = (passwords: string): Scene => ({
  earlier: ['fiscal certificate upload --company padaria --file padaria.pfx --password-file password.txt --yes'],
  async prepare(account) {
    const { file } = await control(account.ready, 'pfx', { password: 'a-password', taxNumber: '12345678000195' });
    for (const name of ['padaria.pfx', 'pfx/padaria.pfx']) account.put(name, Buffer.from(String(file), 'base64'));
  },
  files: {
    'address.yaml': 'address: { street: Rua B }\n',
    'csc.txt': 'A-CSC-OF-THE-SANDBOX-0001\n',
    'login.yaml': 'loginName: padaria\nloginPassword: of-the-city-hall\n',
    [passwords]: 'padaria.pfx=a-password\n',
    'password.txt': 'a-password\n',
  },
});

/** Of the delivery that the reader's own program got, by the secret of the first block. */
function signatureOfBody({ home }: Account): string {
  const secret = join(home, 'webhook.secret');
  if (!existsSync(secret)) return '';
  const body = readFileSync(join(home, 'body.json'));
  return `sha1=${createHmac('sha1', readFileSync(secret, 'utf8').trim()).update(body).digest('hex')}`;
}

export const scenes: Readonly<Record<string, Scene>> = {
  'guides/companies-and-certificates': clients('passwords'),
  'pt-BR/clientes': clients('senhas'),
  'guides/costs': {
    files: { 'prices.yaml': 1, 'costs.yaml': [1, 3], 'bill.csv': 'operation,calls\nproduct.create,0\n' },
  },
  'pt-BR/custos': {
    files: { 'prices.yaml': 1, 'custos.yaml': [1, 3], 'fatura.csv': 'operação,quantidade\nproduct.create,0\n' },
  },
  'guides/getting-started': { env: none },
  'pt-BR/primeiros-passos': { env: none },
  'guides/invoices': { files: { 'notas.csv': 6, 'disabled.yaml': 10 }, prepare: issuing },
  'pt-BR/emissao': { files: { 'notas.csv': 6, 'inutilizados.yaml': 10 }, prepare: issuing },
  'guides/inbound': ownMonth('client.json', 'acme', '11222333000181'),
  'pt-BR/notas-recebidas': ownMonth('cliente.json', 'padaria', '12345678000195'),
  'guides/manifestations': { earlier: [synced], files: { 'terms.yaml': 5, 'rules.yaml': 8 } },
  'pt-BR/manifestacoes': {
    files: { 'regras.yaml': 4 },
    earlier: [
      synced,
      `{ echo chave,evento; fiscal inbound list --local --company acme -o id | sed -n '1s/$/,confirmacao/p'; } >eventos.csv`,
    ],
  },
  'guides/object-storage': objectStorage,
  'pt-BR/documentos-em-bucket': objectStorage,
  'guides/products': { files: { 'product.json': 1, 'products.csv': products } },
  'pt-BR/cron': { files: { 'srv/erp/produtos.csv': products } },
  'pt-BR/produtos': { files: { 'cafe.json': 1, 'produtos.csv': products } },
  'guides/shared-store': sharedStore('owner-of-the-store'),
  'pt-BR/estado-compartilhado': sharedStore('dono-do-estado'),
  'guides/spreadsheets': { earlier: [synced] },
  'guides/real-account': {
    env: none,
    earlier: [
      'printf %s "$FISCAL_INVOICE_KEY" | fiscal auth login --profile acme --stdin --product-url "$FISCAL_PRODUCT_URL"' +
        ' --query-url "$FISCAL_QUERY_URL" --service-url "$FISCAL_SERVICE_URL"',
    ],
  },
  'guides/webhooks': {
    files: { 'headers.txt': 'X-Office: 1\n', 'body.json': '{"action":"product.active","payload":{"id":"p-1"}}' },
    env: (account) => ({ ...accountVariables(account), X_HUB_SIGNATURE: signatureOfBody(account) }),
  },
  'guides/tax-and-lookups': {
    files: { 'suppliers.csv': 'cnpj\n11222333000181\n', 'people.csv': 'cpf,birthDate\n52998224725,1990-12-31\n' },
  },
};

/** What a test cannot run, and why; a mark is a part of the block. Everything else is run. */
export const notRun: readonly { readonly mark: string; readonly why: string }[] = [
  { mark: 'fiscal setup\n', why: 'asks at a terminal' },
  { mark: '--service nfe.io', why: 'asks the real service' },
];

/** Writes what the reader has; gives what ends it. */
export async function enter(guide: string, account: Account): Promise<() => Promise<void> | void> {
  const { files = {}, earlier = [], prepare } = scenes[guide] ?? {};
  const blocks = guideBlocks(guide);
  for (const [name, from] of Object.entries(files)) {
    const numbers = typeof from === 'number' ? [from] : from;
    const text = typeof numbers === 'string' ? numbers : numbers.map((index) => blocks[index]?.text ?? '').join('');
    account.put(name, text);
  }
  const leave = await prepare?.(account);
  for (const line of earlier) {
    const { exitCode, stderr } = await account.run(['sh', '-e', '-c', line], accountVariables(account));
    if (exitCode !== 0) throw new Error(`${line}: ${stderr}`);
  }
  return leave ?? (() => undefined);
}
