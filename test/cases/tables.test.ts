import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { fields, ofType, serveCase, type ServedCase } from './served-case.js';

type Cells = Readonly<Record<string, string>>;

async function tableOf(machine: ServedCase, name: string): Promise<readonly Cells[]> {
  await machine.fiscal('export', 'table', name, '2026-10', '--out', `${name}.csv`);
  return parse<Cells>(readFileSync(join(machine.host.cwd, `${name}.csv`)), { columns: true, bom: true });
}

/** Of each document, by the end of its key, the cells of one column that are not empty; sorted. */
function cellsOf(rows: readonly Cells[], column: string): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, string[]> = {};
  for (const { accessKey = '', [column]: cell = '' } of rows) if (cell !== '') (found[accessKey] ??= []).push(cell);
  for (const cells of Object.values(found)) cells.sort((one, other) => Number(one) - Number(other));
  return found;
}

const nfe = (number: string): string => `35261011222333000181550030000000${number}`;
const cte = (number: string): string => `35261011222333000181570030000000${number}`;
const cteOs = (number: string): string => `35261011222333000181670030000000${number}`;
const note = (number: string): string => `3550308221122233300018100000000000${number}`;
const NAMED = '3526101122233300018155003000000';

test('every tax amount of an XML is in the table of taxes, once', async () => {
  const machine = await serveCase('tables');
  await machine.fiscal('inbound', 'sync');
  const taxes = await tableOf(machine, 'taxes');
  expect(cellsOf(taxes, 'amount')).toEqual({
    // IBS and CBS in one phase: gMonoPadrao, and not once more as its total.
    [nfe('291123456784')]: ['10.00', '20.00'],
    // ICMS 53: what the operation owes, what is deferred, what is left.
    [nfe('301123456785')]: ['40.00', '60.00', '100.00'],
    [nfe('271123456780')]: ['9.00', '50.00'],
    [nfe('281123456787')]: ['7.00', '8.00'],
    // PIS, COFINS, IR, INSS and CSLL of infTribFed.
    [cteOs('321123456780')]: ['1.00', '1.50', '1.65', '7.60', '11.00'],
    // ISS and the deduction of 15 %.
    [note('4026101234567890')]: ['425.00', '1500.00'],
    [note('3926101234567890')]: ['425.00', '1500.00'],
    // ISS, PIS, COFINS and IRRF, all withheld.
    [note('4326101234567891')]: ['65.00', '150.00', '300.00', '500.00'],
  });
});

test('the withheld taxes of an NFS-e add up to its vTotalRet', async () => {
  const machine = await serveCase('tables');
  await machine.fiscal('inbound', 'sync');
  const rows = await tableOf(machine, 'taxes');
  const withheld = rows.filter(
    ({ accessKey, tax = '' }) => accessKey === note('4326101234567891') && tax.endsWith('-RET'),
  );
  const sum = withheld.reduce((before, { amount = '' }) => before + BigInt(amount.replace('.', '')), 0n);
  expect(sum).toBe(101_500n);
});

test('every key that an XML names is in the table of references, once', async () => {
  const machine = await serveCase('tables');
  await machine.fiscal('inbound', 'sync');
  const named = cellsOf(await tableOf(machine, 'references'), 'referencedKey');
  expect(Object.fromEntries(Object.entries(named).map(([key, keys]) => [key, keys.toSorted()]))).toEqual({
    [nfe('251123456785')]: [`${NAMED}0011123456783`, `${NAMED}0021123456780`],
    [nfe('261123456782')]: [`${NAMED}0031123456788`],
    [cteOs('331123456787')]: [`${NAMED}0041123456785`, `${NAMED}0051123456782`, `${NAMED}0061123456780`],
    [cte('341123456781')]: [`${NAMED}0071123456787`],
    [cte('351123456789')]: [`${NAMED}0081123456784`],
    [cte('361123456786')]: [`${NAMED}0091123456781`],
    [cte('371123456783')]: [`${NAMED}0101123456782`, `${NAMED}0111123456780`, `${NAMED}0121123456787`],
    [cte('381123456780')]: [`${NAMED}0131123456784`, `${NAMED}0141123456781`],
    [note('3926101234567890')]: [`${NAMED}0151123456789`, note('2126101234567899')],
    [note('4126101234567894')]: [note('2226101234567892')],
    [note('4226101234567898')]: [`${NAMED}0161123456786`],
  });
});

test('an item that is no part of the value of its note is in no sum', async () => {
  const machine = await serveCase('tables');
  await machine.fiscal('inbound', 'sync');
  const rows = await tableOf(machine, 'items');
  expect(cellsOf(rows, 'amount')[nfe('311123456782')]).toEqual(['5.00', '10.00']);
  const found = await machine.records('export', 'table', 'items', '2026-10', '--out', 'sum.csv', '--type', 'nfe');
  const totals = ofType(found, 'total').filter((total) => total['countsInTotal'] === undefined);
  // Seven notes of one item of 10.00.
  expect(totals.map((total) => fields(total, 'state', 'amount'))).toEqual([{ state: 'standing', amount: '70.00' }]);
});
