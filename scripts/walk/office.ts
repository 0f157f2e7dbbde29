import type { Stage } from './stage.js';

/** The days of an accounting office: products from a spreadsheet, new invoices, a month, its proof and its cost. */
export async function office(stage: Stage): Promise<void> {
  await products(stage);
  await newInvoices(stage);
  await month(stage, lastMonth());
  await interruption(stage);
}

const titles = 'Código;Descrição;Origem;NCM';

function row(number: number, change: Partial<Record<'code' | 'origin' | 'ncm', string>> = {}): string {
  const code = change.code ?? `CAFE-${String(number).padStart(3, '0')}`;
  return [code, `Café torrado ${number * 10} g`, change.origin ?? '0', change.ncm ?? '0901.21.00'].join(';');
}

/** As Excel in Portuguese saves it: semicolons, Windows-1252, and seven rows with a mistake. */
function sheet(): Buffer {
  const mistakes: Readonly<Record<number, Parameters<typeof row>[1]>> = {
    4: { ncm: '0901.21' },
    11: { origin: '9' },
    18: { code: '' },
    25: { ncm: '0901.21.0O' },
    32: { origin: 'Brasil' },
    39: { code: 'CAFE-001' },
    46: { ncm: '', origin: '' },
  };
  const rows = Array.from({ length: 50 }, (_, index) => row(index + 1, mistakes[index + 1]));
  return Buffer.from(`${[titles, ...rows].join('\r\n')}\r\n`, 'latin1');
}

async function products(stage: Stage): Promise<void> {
  await stage.file('produtos.csv', sheet());
  await stage.type(
    {
      en: 'Fifty products from a spreadsheet of Excel; seven have a mistake',
      pt: 'Cinquenta produtos de uma planilha do Excel; sete com erro',
    },
    'fiscal product apply produtos.csv --wait --yes',
    { exitCode: 2 },
  );
  await stage.file(
    'produtos.csv',
    Buffer.from(
      `${[titles, ...Array.from({ length: 50 }, (_, index) => row(index + 1))].join('\r\n')}\r\n`,
      'latin1',
    ),
  );
  await stage.type(
    { en: 'The same file, mended in Excel', pt: 'O mesmo arquivo, corrigido no Excel' },
    'fiscal product apply produtos.csv --wait --yes',
  );
}

async function newInvoices(stage: Stage): Promise<void> {
  await stage.prepare(
    'sandbox',
    'seed',
    '--documents',
    '6',
    '--stage',
    'summary',
    '--spread',
    '3d',
    '--seed',
    '5',
  );
  await stage.type(
    { en: 'What is new, into the folder of documents', pt: 'O que chegou, para a pasta de documentos' },
    'fiscal inbound sync --type nfe',
  );
  await stage.type(
    {
      en: 'Awareness for everything that is new, as a plan to look at',
      pt: 'Ciência de tudo que chegou, num plano para conferir',
    },
    'fiscal manifestation plan --new --event ciencia --out ciencia.csv',
  );
  await stage.type(
    { en: 'The plan is submitted', pt: 'O plano é enviado' },
    'fiscal manifestation apply ciencia.csv --wait --yes',
  );
  await stage.type({ en: 'What is due', pt: 'O que vence' }, 'fiscal manifestation due --within 200d');
}

async function month(stage: Stage, month: string): Promise<void> {
  const seed = ['sandbox', 'seed', '--scenario', 'month', '--month', month, '--seed', '7'];
  await stage.prepare(...seed, '--documents', '36', '--companies', '3');
  const typed = month.split('-').toReversed().join('/');
  await stage.type(
    { en: 'The documents of three clients', pt: 'Os documentos de três clientes' },
    'fiscal inbound sync --all-companies',
  );
  await stage.type(
    { en: 'The month of the three clients, with its proof', pt: 'O mês dos três clientes, com a prova' },
    `fiscal inbound close ${typed} --all-companies`,
  );
  await stage.type(
    {
      en: 'Later, without the service: has anything changed since?',
      pt: 'Depois, sem o serviço: algo mudou desde então?',
    },
    'fiscal inbound verify',
  );
  await stage.type(
    { en: 'What the calls of this machine cost', pt: 'O que as chamadas desta máquina custaram' },
    'fiscal usage',
  );
}

async function interruption(stage: Stage): Promise<void> {
  const rows = Array.from({ length: 400 }, (_, index) => row(index + 101));
  await stage.file('catalogo.csv', Buffer.from(`${[titles, ...rows].join('\r\n')}\r\n`, 'latin1'));
  await stage.type(
    { en: 'A large import, interrupted with Ctrl-C', pt: 'Uma importação grande, interrompida com Ctrl-C' },
    'fiscal product import catalogo.csv --wait --yes',
    { exitCode: 130, typed: [{ after: '/400', text: '\u0003' }] },
  );
  await stage.type(
    { en: 'The same command goes on', pt: 'O mesmo comando continua' },
    'fiscal product import catalogo.csv --wait --yes --quiet',
  );
}

/** The last complete month, as `2026-10`. */
function lastMonth(): string {
  const day = new Date();
  day.setUTCDate(0);
  return day.toISOString().slice(0, 7);
}
