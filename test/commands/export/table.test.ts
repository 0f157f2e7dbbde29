import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { directionColumn } from '../../../src/commands/export/table-columns.js';
import { tables } from '../../../src/commands/export/tables.js';
import { beforeEach, expect, test } from 'vitest';
import { ArchivedMonth } from '../inbound/archived-month.js';
import { records } from '../seed.js';
import { cte, CTE_KEY, nfe, NFE_KEY, nfse, NFSE_KEY } from './documents.js';

let month: ArchivedMonth;

beforeEach(async () => {
  month = await ArchivedMonth.open();
});

const out = (name: string) => join(month.host.root, name);

async function addAll(): Promise<void> {
  await month.add('nfe', NFE_KEY, nfe);
  await month.add('cte', CTE_KEY, cte);
  await month.add('nfse', NFSE_KEY, nfse);
}

async function table(name: string, ...more: string[]) {
  const words = ['export', 'table', name, '2026-10', '--archive', month.archive, '-o', 'ndjson'];
  const { exitCode, stdout, stderr } = await month.fiscal(...words, ...more);
  return { exitCode, stderr, stdout };
}

/** The rows of a CSV as records without empty cells. */
function rowsOf(text: string): readonly Record<string, string>[] {
  const all = parse<Record<string, string>>(text, { columns: true, bom: true });
  return all.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== '')));
}

async function rows(name: string, ...more: string[]) {
  const { stdout, exitCode } = await table(name, '--out', '-', ...more);
  return { rows: rowsOf(stdout), exitCode };
}

/** What the rows say about their document. */
const ofNfe = {
  ...{ companyId: 'c1', month: '2026-10', type: 'nfe', accessKey: NFE_KEY, state: 'standing', model: '55' },
  ...{ series: '1', number: '1', issuedAt: '2026-10-05T09:30:15-03:00', issuedAtOffset: '-03:00' },
  ...{ issuerTaxNumber: '30057049000141', issuerName: 'Distribuidora & Cia; "Serra"' },
};
const ofCte = {
  ...{ companyId: 'c1', month: '2026-10', type: 'cte', accessKey: CTE_KEY, state: 'standing', model: '57' },
  ...{ series: '1', number: '3', issuedAt: '2026-10-06T23:10:00-04:00', issuedAtOffset: '-04:00' },
  ...{ issuerTaxNumber: '30057049000141', issuerName: 'Transportes Rio Claro' },
};
const ofNfse = {
  ...{ companyId: 'c1', month: '2026-10', type: 'nfse', accessKey: NFSE_KEY, state: 'standing' },
  ...{ series: '900', number: '4', issuedAt: '2026-10-07T09:59:00-03:00', issuedAtOffset: '-03:00' },
  competence: '2026-10-01',
  ...{ issuerTaxNumber: '30057049000141', issuerName: 'Consultoria Ipê' },
};

test('the header of an NF-e has the fields of its XML, and nothing where it has none', async () => {
  await month.add('nfe', NFE_KEY, nfe);
  const { rows: found, exitCode } = await rows('header');
  expect(exitCode).toBe(0);
  expect(found).toEqual([
    {
      ...ofNfe,
      ...{ xml: 'read', status: 'Processed', authorizedAt: '2026-10-05T09:31:02-03:00' },
      ...{ protocol: '135260000000001', operation: 'Venda de mercadoria', operationType: '1', purpose: '1' },
      ...{ issuerStateRegistration: '011222333444', issuerRegime: '3', issuerCity: '3550308' },
      ...{ issuerState: 'SP', recipientTaxNumber: '11222333000181', recipientName: '=SOMA(A1)' },
      ...{ recipientStateRegistration: 'ISENTO', recipientCity: '3304557', recipientState: 'RJ' },
      ...{ totalAmount: '155.00', goodsAmount: '150.10', discountAmount: '0.10', freightAmount: '0.00' },
      ...{ insuranceAmount: '0.00', otherAmount: '0.00', icmsBase: '100.00', icmsAmount: '18.00' },
      ...{ icmsReliefAmount: '0.00', icmsStBase: '0.00', icmsStAmount: '0.00', fcpAmount: '0.00' },
      ...{ fcpStAmount: '0.00', iiAmount: '0.00', ipiAmount: '5.00', pisAmount: '1.95' },
      ...{ cofinsAmount: '0.00', ibsCbsBase: '100.00', ibsAmount: '0.04', cbsAmount: '0.90' },
      ...{ totalWithReform: '155.94', file: `11222333000181/2026-10/nfe/${NFE_KEY}.xml` },
      sha256: found[0]?.['sha256'],
    },
  ]);
  expect(found[0]?.['sha256']).toMatch(/^[0-9a-f]{64}$/);
});

test('the header of a CT-e has its parties, its places and its value', async () => {
  await month.add('cte', CTE_KEY, cte);
  const [row = {}] = (await rows('header')).rows;
  expect(row).toMatchObject({
    ...ofCte,
    ...{ cfop: '6353', modal: '01', senderTaxNumber: '12345678909', senderName: 'Quem envia', payer: '4' },
    ...{ payerTaxNumber: '44555666000181', payerName: 'Quem paga', recipientTaxNumber: '11222333000181' },
    ...{ originCity: '3550308', originState: 'SP', destinationCity: '1302603', destinationState: 'AM' },
    ...{ totalAmount: '300.30', netAmount: '290.30', cargoAmount: '5000.00', icmsBase: '300.30' },
    ...{ icmsAmount: '36.04', protocol: '135260000000003' },
  });
  expect(row).not.toHaveProperty('ibsAmount');
});

test.each(['toma3', 'toma03'])('the payer of a CT-e that names one of its parties in %s', async (name) => {
  await month.add('cte', CTE_KEY, cte.replace(/<toma4>.*<\/toma4>/, `<${name}><toma>0</toma></${name}>`));
  const [row = {}] = (await rows('header')).rows;
  expect([row['payer'], row['payerTaxNumber'], row['senderTaxNumber']]).toEqual(['0', undefined, '12345678909']);
});

test('the header of an NFS-e has its service, its withholdings and its IBS and CBS', async () => {
  await month.add('nfse', NFSE_KEY, nfse);
  const [row] = (await rows('header')).rows;
  expect(row).toMatchObject({
    ...ofNfse,
    ...{ operation: 'Consultoria', issuerCityRegistration: '000123' },
    ...{ providerTaxNumber: '30057049000141', recipientTaxNumber: '11222333000181', taxCity: '2111300' },
    ...{ serviceCity: '2111300', substitutedKey: '21113002200574753000100000000000000326107032711024' },
    ...{ totalAmount: '1000.00', netAmount: '890.00', issBase: '1000.00', issAmount: '50.00' },
    ...{ issWithheld: '2', withheldAmount: '110.00', pisAmount: '6.50', cofinsAmount: '30.00' },
    ...{ ibsCbsBase: '940.00', ibsAmount: '0.94', cbsAmount: '8.46', totalWithReform: '1009.40' },
  });
});

test('items are those of an NF-e, the components of a CT-e, and an NFS-e itself', async () => {
  await addAll();
  const { rows: found } = await rows('items');
  expect(found).toEqual([
    { ...ofCte, item: '1', description: 'FRETE PESO', cfop: '6353', amount: '200.20' },
    { ...ofCte, item: '2', description: 'PEDÁGIO', cfop: '6353', amount: '100.10' },
    {
      ...ofNfe,
      ...{ item: '1', code: '0012', description: 'Café torrado', gtin: 'SEM GTIN', ncm: '09012100' },
      ...{ cfop: '5102', unit: 'CX', quantity: '2.0000', unitPrice: '50.0500000000', amount: '100.10' },
      ...{ countsInTotal: '1', taxUnit: 'CX', taxQuantity: '2.0000', taxUnitPrice: '50.0500000000' },
      ...{ discountAmount: '0.10', origin: '0', icmsSituation: '00', icmsBase: '100.00' },
      ...{ icmsRate: '18.0000', icmsAmount: '18.00', ipiSituation: '50', ipiAmount: '5.00' },
      ...{ pisSituation: '01', pisAmount: '1.65', cofinsSituation: '06', ibsCbsSituation: '000' },
      ...{ ibsCbsClassification: '000001', ibsAmount: '0.04', cbsAmount: '0.90' },
      additionalInformation: 'Lote 7\nvalidade 2027',
    },
    {
      ...ofNfe,
      ...{ item: '2', code: '1-2', description: 'Óleo "extra"; 900 ml', gtin: '7891000100103' },
      ...{ ncm: '15079011', cest: '1700100', cfop: '5405', unit: 'UN', quantity: '1.5000' },
      ...{ unitPrice: '33.3333333333', amount: '50.00', countsInTotal: '1', taxUnit: 'UN' },
      ...{ taxQuantity: '1.5000', taxUnitPrice: '33.3333333333', origin: '0', icmsSituation: '101' },
      ...{ pisSituation: '03', pisAmount: '0.30' },
    },
    {
      ...ofNfse,
      ...{ item: '1', code: '170101', description: 'Consultoria tributária', nbs: '114011100' },
      ...{ serviceCode: '001', amount: '1000.00', pisSituation: '01', pisAmount: '6.50' },
      ...{ cofinsSituation: '01', cofinsAmount: '30.00', issAmount: '50.00', ibsCbsSituation: '000' },
      ...{ ibsCbsClassification: '000001', ibsAmount: '0.94', cbsAmount: '8.46' },
    },
  ]);
});

test('a row of the taxes is one tax of an item, or of the document', async () => {
  await addAll();
  const { rows: found } = await rows('taxes');
  const names = ['type', 'item', 'tax', 'situation', 'classification', 'base', 'rate', 'effectiveRate'];
  const shown = found.map((row) =>
    [...names, 'quantity', 'unitRate', 'amount'].map((name) => row[name] ?? '-').join(' '),
  );
  expect(shown).toEqual([
    'cte - ICMS 00 - 300.30 12.00 - - - 36.04',
    'nfe 1 ICMS 00 - 100.00 18.0000 - - - 18.00',
    'nfe 1 IPI 50 - 100.00 5.0000 - - - 5.00',
    'nfe 1 PIS 01 - 100.00 1.6500 - - - 1.65',
    'nfe 1 COFINS 06 - - - - - - -',
    'nfe 1 IBS-UF 000 000001 100.00 0.1000 0.0400 - - 0.04',
    'nfe 1 IBS-MUN 000 000001 100.00 0.0000 - - - 0.00',
    'nfe 1 CBS 000 000001 100.00 0.9000 - - - 0.90',
    'nfe 2 ICMS 101 - - - - - - -',
    'nfe 2 ICMS-SN 101 - - 1.2500 - - - 0.63',
    'nfe 2 PIS 03 - - - - 1.5000 0.2000 0.30',
    'nfe - PIS-RET - - - - - - - 0.65',
    'nfe - IRRF-RET - - 10.00 - - - - 0.15',
    'nfse - ISSQN-RET 1 - 1000.00 5.00 - - - 50.00',
    'nfse - PIS 01 - 1000.00 0.65 - - - 6.50',
    'nfse - COFINS 01 - 1000.00 3.00 - - - 30.00',
    'nfse - CP-RET - - - - - - - 60.00',
    'nfse - IBS-UF 000 000001 940.00 0.10 0.10 - - 0.94',
    'nfse - IBS-MUN 000 000001 940.00 0.00 0.00 - - 0.00',
    'nfse - CBS 000 000001 940.00 0.90 0.90 - - 8.46',
  ]);
});

test('references are the keys that a document names', async () => {
  await addAll();
  const { rows: found } = await rows('references');
  expect(found.map(({ type, relation, referencedKey }) => [type, relation, referencedKey])).toEqual([
    ['cte', 'infNFe/chave', NFE_KEY],
    ['cte', 'infNFe/chave', '35261030057049000141550010000000021000000026'],
    ['nfe', 'NFref/refNFe', '35260930057049000141550010000000091000000098'],
    ['nfse', 'subst/chSubstda', '21113002200574753000100000000000000326107032711024'],
  ]);
});

test('the records say what the table covers, and add up each state and tax exactly', async () => {
  await addAll();
  await month.addEvent('nfe', NFE_KEY);
  const file = out('header.csv');
  const { exitCode, stdout, stderr } = await table('header', '--out', file);
  expect([exitCode, records(stdout)]).toEqual([
    0,
    [
      {
        ...{
          type: 'coverage',
          direction: 'received',
          companyId: 'c1',
          month: '2026-10',
          verdict: 'not-closed',
          closedAt: null,
        },
        ...{ documents: 3, unread: 0, rows: 3 },
      },
      { ...total('cte', 'standing'), rows: 1, amount: '300.30', withoutAmount: 0 },
      { ...total('nfe', 'cancelled'), rows: 1, amount: '155.00', withoutAmount: 0 },
      { ...total('nfse', 'standing'), rows: 1, amount: '1000.00', withoutAmount: 0 },
      {
        ...{ type: 'summary', table: 'header', format: 'csv', companies: 1, months: 1, documents: 3 },
        ...{
          unread: 0,
          withoutRow: 0,
          notStanding: 1,
          otherCompetence: 0,
          outsideTotal: 0,
          rows: 3,
          file,
          bytes: readFileSync(file).length,
          exitCode: 0,
        },
      },
    ],
  ]);
  expect(rowsOf(readFileSync(file, 'utf8'))[1]).toMatchObject({ accessKey: NFE_KEY, state: 'cancelled' });
  expect(stderr).toContain('months of companies that a close proves complete: 0 of 1');
  expect(stderr).toContain('1 document does not stand');
});

function total(documentType: string, state: string) {
  return { type: 'total', direction: 'received', documentType, state };
}

test('a document without its XML is named, and the others are written', async () => {
  await addAll();
  const [changed, odd, foreign] = ['2', '3', '4'].map((end) => `${NFE_KEY.slice(0, -1)}${end}`);
  const path = await month.add('nfe', changed ?? '', nfe);
  await month.add('nfe', odd ?? '', nfe.replace('<vNF>155.00</vNF>', '<vNF>1,00</vNF>'));
  await month.add('nfe', foreign ?? '', '<nota>1</nota>');
  writeFileSync(month.path(path), nfe.replace('155.00', '999.00'));
  const file = out('h.csv');
  const { exitCode, stdout, stderr } = await table('header', '--out', file, '--type', 'nfe');
  expect(exitCode).toBe(3);
  const unread = { type: 'unread', direction: 'received', companyId: 'c1', month: '2026-10', documentType: 'nfe' };
  const named = records(stdout).filter((record) => (record as { type: string }).type === 'unread');
  expect(named).toHaveLength(3);
  expect(named).toEqual(
    expect.arrayContaining([
      { ...unread, key: changed, xml: 'changed' },
      { ...{ ...unread, key: odd, xml: 'unreadable' }, reason: 'the field total/ICMSTot/vNF is no number: 1,00' },
      { ...unread, key: foreign, xml: 'unknown-layout' },
    ]),
  );
  expect(stderr).toContain('3 documents without a readable XML');
  const byKey = new Map(rowsOf(readFileSync(file, 'utf8')).map((row) => [row['accessKey'], row]));
  expect(byKey.size).toBe(4);
  expect(byKey.get(changed)).toMatchObject({ state: 'standing', xml: 'changed', status: 'Processed' });
  expect(byKey.get(changed)).not.toHaveProperty('totalAmount');
  expect(byKey.get(NFE_KEY)).toMatchObject({ xml: 'read', totalAmount: '155.00' });
  // The table of items needs no total, so it can read the document with the odd one.
  const items = await rows('items', '--type', 'nfe');
  expect([items.exitCode, items.rows.length]).toEqual([3, 4]);
});

test('Excel in Portuguese gets decimal commas, Brazilian dates, and keys as text', async () => {
  await month.add('nfe', NFE_KEY, nfe);
  const { stdout } = await table('items', '--out', '-', '--format', 'csv-excel-br');
  expect(stdout.startsWith('\uFEFFcompanyId;companyTaxNumber;month;')).toBe(true);
  const all = parse<Record<string, string>>(stdout, { columns: true, bom: true, delimiter: ';' });
  expect(all[1]).toMatchObject({
    ...{ accessKey: `="${NFE_KEY}"`, month: '="2026-10"', issuedAt: '05/10/2026 09:30:15' },
    ...{ issuedAtOffset: '="-03:00"', issuerTaxNumber: '="30057049000141"', item: '2', code: '="1-2"' },
    ...{ description: 'Óleo "extra"; 900 ml', ncm: '="15079011"', quantity: '1,5000' },
    ...{ unitPrice: '33,3333333333', amount: '50,00', icmsSituation: '="101"', icmsAmount: '' },
  });
  const header = await table('header', '--out', '-', '--format', 'csv-excel-br');
  const [row] = parse<Record<string, string>>(header.stdout, { columns: true, bom: true, delimiter: ';' });
  expect(row).toMatchObject({ recipientName: "'=SOMA(A1)", issuerStateRegistration: '="011222333444"' });
});

test('a failed run leaves no file, and a file that is there is not replaced', async () => {
  await month.add('nfe', NFE_KEY, nfe);
  const file = out('own.csv');
  writeFileSync(file, 'mine');
  expect((await table('items', '--out', file)).exitCode).toBe(2);
  expect(readFileSync(file, 'utf8')).toBe('mine');
  expect((await table('items', '--out', file, '--overwrite')).exitCode).toBe(0);
  expect(readFileSync(file, 'utf8')).not.toBe('mine');
  expect((await table('items', '--out', out('none/x.csv'))).exitCode).not.toBe(0);
  expect(existsSync(out('none'))).toBe(false);
  expect(readdirSync(month.host.root).filter((name) => name.includes('.tmp'))).toEqual([]);
});

test('what is typed wrongly is refused before anything is read', async () => {
  const refused = async (...words: string[]) => {
    const { exitCode, stderr } = await month.fiscal('export', 'table', ...words);
    return [exitCode, stderr];
  };
  expect(await refused('rows', '2026-10', '--out', 'x.csv')).toEqual([
    2,
    expect.stringContaining('header, items, taxes, references'),
  ]);
  expect(await refused('items', '2026-10', '--to', '2026-09', '--out', 'x.csv')).toEqual([
    2,
    expect.stringContaining('not before 2026-10'),
  ]);
  expect(await refused('items', '2026-10')).toEqual([2, expect.stringContaining('--out <file>')]);
  expect(await refused('items', '2026-10', '--out', 'x.ods')).toEqual([2, expect.stringContaining('--format')]);
});

test('no two columns of a table have one name', () => {
  const doubled = Object.entries(tables).flatMap(([table, { columns }]) => {
    const names = [directionColumn, ...columns].map(({ name }) => name);
    return names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${table}: ${name}`);
  });
  expect(doubled).toEqual([]);
});
