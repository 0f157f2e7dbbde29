import { list, look } from './look.js';
import type { Stage } from './stage.js';

const coffee = {
  sku: 'COFFEE-250',
  description: 'Roasted coffee, 250 g',
  origin: 'national',
  tax: { ncm: '09012100' },
  customTax: [
    {
      operationCode: 1,
      issuer: [{ taxRegime: 'RealProfit', taxProfile: 'retail' }],
      recipient: [{ taxProfile: 'final_consumer_non_icms_contributor' }],
      intrastate: {
        cfop: '5102',
        icms: { cst: '00', pICMS: 18 },
        pis: { cst: '01', pPIS: '1.65' },
        cofins: { cst: '01', pCOFINS: '7.60' },
      },
    },
  ],
};

/** A CFOP of interstate trade inside the state: well formed, so only the service can refuse it. */
const misplaced = {
  ...coffee,
  sku: 'COFFEE-500',
  customTax: [{ ...coffee.customTax[0], intrastate: { cfop: '6102', icms: { cst: '00', pICMS: '18.00' } } }],
};

const corrected = {
  ...misplaced,
  customTax: [{ ...coffee.customTax[0], intrastate: { cfop: '5102', icms: { cst: '00', pICMS: '18.00' } } }],
};

const mate = { sku: 'MATE-500', description: 'Mate, 500 g', origin: 'National' };

/** A program in any language meets the sandbox through its environment. */
const foreignProgram = [
  "fetch(process.env.FISCAL_PRODUCT_URL + '/v2/companies', { headers: { authorization: process.env.FISCAL_INVOICE_KEY } })",
  '.then((answer) => answer.json())',
  '.then((body) => console.log(JSON.stringify({ companies: body.companies.length })))',
].join('');

/** A product from its file to `Active`, one that the service refuses, its correction, and what this machine remembers of them. */
export async function productLife(stage: Stage): Promise<void> {
  const id = await createProduct(stage);
  await readProduct(stage, id);
  await createMisplaced(stage);
  await applyFile(stage);
  await remember(stage);
  await lendSandbox(stage);
  await askTheService(stage, id);
}

async function createProduct(stage: Stage): Promise<string> {
  stage.title({
    en: 'Create a product with tax rules and wait for its validation',
    pt: 'Criar um produto com regras fiscais e esperar a validação',
  });
  await stage.file('coffee.json', coffee);
  const ending = await stage.fiscal(...'product create --file coffee.json --wait --debug-http -o json'.split(' '));
  stage.check({ en: 'the command ends 0', pt: 'o comando termina com 0' }, ending.exitCode, 0);
  stage.check({ en: 'the product is Active', pt: 'o produto está Active' }, look(ending.data, 'status'), 'Active');
  return String(look(ending.data, 'id'));
}

async function readProduct(stage: Stage, id: string): Promise<void> {
  stage.title({ en: 'Read it back', pt: 'Ler o produto' });
  const { data } = await stage.fiscal('product', 'get', id, '-o', 'json');
  stage.check(
    { en: 'names are canonical, and the rate became text', pt: 'nomes canônicos, e a alíquota virou texto' },
    [look(data, 'origin'), look(data, 'customTax', 0, 'intraState', 'icms', 'pICMS')],
    ['National', '18'],
  );
}

async function createMisplaced(stage: Stage): Promise<void> {
  stage.title({ en: 'Create a product whose CFOP does not fit', pt: 'Criar um produto com CFOP inadequado' });
  await stage.file('misplaced.json', misplaced);
  const words = 'product create --file misplaced.json --wait -o json'.split(' ');
  const { exitCode, stderr } = await stage.fiscal(...words);
  stage.check(
    {
      en: 'the command ends 13 (ended badly at the far side)',
      pt: 'o comando termina com 13 (rejeitado pelo serviço)',
    },
    exitCode,
    13,
  );
  stage.check({ en: 'the reason names the CFOP', pt: 'o motivo cita o CFOP' }, /cfop.*6102/.test(stderr), true);
}

async function applyFile(stage: Stage): Promise<void> {
  stage.title({
    en: 'Correct it, add a product, and bring the registry to the file',
    pt: 'Corrigir, incluir um produto e deixar o cadastro como no arquivo',
  });
  await stage.file('products.json', [coffee, corrected, mate]);
  const apply = 'product apply products.json --wait --yes -o json'.split(' ');
  const first = await stage.fiscal(...apply);
  stage.check(
    {
      en: 'one is as in the file, one updated, one created',
      pt: 'um está como no arquivo, um foi alterado, um foi criado',
    },
    list(first.data).flatMap((row) => look(row, 'action') ?? []),
    ['unchanged', 'update', 'create'],
  );
  stage.check({ en: 'all of them are valid', pt: 'todos são válidos' }, first.exitCode, 0);
  const second = await stage.fiscal(...apply);
  const summary = list(second.data).at(-1);
  stage.check(
    { en: 'the same file again sends nothing', pt: 'o mesmo arquivo de novo não envia nada' },
    [look(summary, 'unchanged'), look(summary, 'jobIds')],
    [3, []],
  );
}

async function remember(stage: Stage): Promise<void> {
  stage.title({
    en: 'Find the work again tomorrow, and what it cost',
    pt: 'Reencontrar o trabalho amanhã, e o que custou',
  });
  const jobs = await stage.fiscal('job', 'list', '-o', 'json');
  stage.check({ en: 'four jobs are known', pt: 'quatro trabalhos conhecidos' }, list(jobs.data).length, 4);
  const usage = await stage.fiscal('usage', '-o', 'json');
  stage.check(
    { en: 'three billed calls are counted', pt: 'três chamadas cobradas contadas' },
    list(usage.data).map((sum) => [look(sum, 'operation'), look(sum, 'billed'), look(sum, 'unknown')]),
    [
      ['product.create', 2, 0],
      ['product.update', 1, 0],
    ],
  );
}

async function lendSandbox(stage: Stage): Promise<void> {
  stage.title({ en: 'Lend a fresh sandbox to another program', pt: 'Emprestar um sandbox novo a outro programa' });
  const { exitCode, data } = await stage.fiscal('sandbox', 'exec', '--', process.execPath, '-e', foreignProgram);
  stage.check({ en: 'the program ends 0', pt: 'o programa termina com 0' }, exitCode, 0);
  stage.check({ en: 'it saw the company', pt: 'ele viu a empresa' }, data, { companies: 1 });
}

/** The end state is the service's word, not the program's. */
async function askTheService(stage: Stage, id: string): Promise<void> {
  stage.title({ en: 'Ask the service what it did', pt: 'Perguntar ao serviço o que ele fez' });
  const { data } = await stage.fiscal('sandbox', 'ledger', '--effects', '-o', 'json');
  const entries = list(data);
  const creations = entries.filter((entry) => look(entry, 'effect', 'created') === 'product');
  stage.check(
    { en: 'each product was created once', pt: 'cada produto foi criado uma única vez' },
    creations.map((entry) => look(entry, 'effect', 'sku')),
    ['COFFEE-250', 'COFFEE-500', 'MATE-500'],
  );
  stage.check(
    { en: 'the first one is the product above', pt: 'o primeiro é o produto acima' },
    look(creations[0], 'effect', 'id'),
    id,
  );
  stage.check(
    { en: 'the engine billed the three with tax rules', pt: 'o motor cobrou as três com regras fiscais' },
    entries.filter((entry) => look(entry, 'billed') === 'engine').length,
    3,
  );
}
