import type { Stage } from './stage.js';

/** The days of an accounting office, each step one command. */
export async function office(stage: Stage): Promise<void> {
  await setup(stage);
  await products(stage);
  await newInvoices(stage);
  await month(stage);
  await cost(stage);
  await interruption(stage);
}

const down = '\u001B[B';
const enter = '\r';
const ctrlC = '\u0003';

async function setup(stage: Stage): Promise<void> {
  await stage.type({ en: 'The first day', pt: 'O primeiro dia' }, 'fiscal setup', {
    typed: [
      { after: { en: 'Which service?', pt: 'Qual serviço?' }, keys: down },
      { after: { en: '❯ Another address', pt: '❯ Outro endereço' }, keys: down },
      { after: { en: '❯ The sandbox of this machine', pt: '❯ O sandbox desta máquina' }, keys: enter },
      { after: { en: '? Folder of', pt: '? Pasta de documentos' }, keys: enter },
      { after: { en: '(y/N)', pt: '(s/N)' }, keys: enter },
    ],
  });
}

const header = 'Código;Descrição;Origem;NCM';

interface Cells {
  readonly code?: string;
  readonly origin?: string;
  readonly ncm?: string;
}

function row(number: number, { code, origin = '0', ncm = '0901.21.00' }: Cells = {}): string {
  return [code ?? `CAFE-${String(number).padStart(3, '0')}`, `Café torrado ${number * 10} g`, origin, ncm].join(';');
}

/** Seven mistakes that people make, by the number of the product. */
const mistakes: ReadonlyMap<number, Cells> = new Map([
  [4, { ncm: '0901.21' }],
  [11, { origin: '9' }],
  [18, { code: '' }],
  [25, { ncm: '0901.21.0O' }],
  [32, { origin: 'Brasil' }],
  [39, { ncm: '901.21.00' }],
  [46, { origin: '' }],
]);

/** As Excel in Portuguese saves it: semicolons, Windows-1252. */
function savedByExcel(rows: readonly string[]): Buffer {
  return Buffer.from(`${[header, ...rows].join('\r\n')}\r\n`, 'latin1');
}

function numbers(count: number, from = 1): readonly number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}

async function products(stage: Stage): Promise<void> {
  const rows = numbers(50).map((number) => row(number, mistakes.get(number)));
  await stage.file('produtos.csv', savedByExcel(rows));
  await stage.type(
    {
      en: 'Fifty products from a spreadsheet of Excel; seven have a mistake',
      pt: 'Cinquenta produtos de uma planilha do Excel; sete com erro',
    },
    'fiscal product apply produtos.csv --skip-invalid --wait --yes',
  );
  const [titles = ''] = (await stage.read('produtos.errors.csv')).split('\r\n');
  const mended = [...mistakes.keys()].map((number) => `${row(number)};;`);
  await stage.file('produtos.errors.csv', `${[titles, ...mended].join('\r\n')}\r\n`);
  await stage.type(
    { en: 'The seven rows, mended in Excel', pt: 'As sete linhas, corrigidas no Excel' },
    'fiscal product apply produtos.errors.csv --wait --yes',
  );
}

async function newInvoices(stage: Stage): Promise<void> {
  await stage.prepare('fiscal sandbox seed --documents 6 --stage summary --spread 3d --seed 5');
  await stage.type({ en: 'What has arrived', pt: 'O que chegou' }, 'fiscal inbound sync --type nfe');
  await stage.type(
    {
      en: 'Awareness for everything that is new, as a plan to look at',
      pt: 'Ciência de tudo que é novo, num plano para conferir',
    },
    'fiscal manifestation plan --new --event ciencia --out ciencia.csv',
  );
  await stage.type(
    { en: 'The plan is submitted', pt: 'O plano é enviado' },
    'fiscal manifestation apply ciencia.csv --wait --yes',
  );
  await stage.type({ en: 'What is due', pt: 'O que vence' }, 'fiscal manifestation due --within 200d');
}

async function month(stage: Stage): Promise<void> {
  await stage.prepare('fiscal sandbox seed --scenario month --month 2026-10 --seed 7 --documents 36 --companies 3');
  await stage.type(
    { en: 'The documents of three clients', pt: 'Os documentos de três clientes' },
    'fiscal inbound sync --all-companies',
  );
  await stage.type(
    { en: 'The month of the three clients', pt: 'O mês dos três clientes' },
    'fiscal inbound close 10/2026 --all-companies',
  );
  await stage.type(
    {
      en: 'The proof, later and without the service: has anything changed since?',
      pt: 'A prova, depois e sem o serviço: algo mudou desde então?',
    },
    'fiscal inbound verify',
  );
  await stage.type(
    { en: 'An invoice by its supplier', pt: 'Uma nota pelo fornecedor' },
    'fiscal inbound list --local --all-companies --supplier oficina --value 1000..5000',
  );
}

async function cost(stage: Stage): Promise<void> {
  await stage.file('venda.json', await stage.prepare('fiscal tax calculate --sample'));
  await stage.prepare('fiscal tax calculate --file venda.json --yes');
  await stage.type(
    { en: 'What the calls of this machine cost', pt: 'O que as chamadas desta máquina custaram' },
    'fiscal usage',
  );
}

async function interruption(stage: Stage): Promise<void> {
  await stage.file('catalogo.csv', savedByExcel(numbers(400, 101).map((number) => row(number))));
  const progress = '/400';
  await stage.type(
    { en: 'A large import, interrupted with Ctrl-C', pt: 'Uma importação grande, interrompida com Ctrl-C' },
    'fiscal product apply catalogo.csv --create-only --wait --yes',
    { exitCode: 130, typed: [{ after: { en: progress, pt: progress }, keys: ctrlC }] },
  );
  await stage.type(
    { en: 'The same command goes on', pt: 'O mesmo comando continua' },
    'fiscal product apply catalogo.csv --create-only --wait --yes',
  );
}
