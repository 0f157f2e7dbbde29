import { beforeEach, describe, expect, test } from 'vitest';
import { samples } from '../../../src/commands/invoice/samples.js';
import { firstMonth as month, invoiceSandbox, type InvoiceSandbox, recordsOf, wait } from '../invoice/sandbox.js';

let sandbox: InvoiceSandbox;
/** Another company's NF-e, of the same form. */
const FOREIGN = '35250530057049000141550010000280181030656857';

beforeEach(() => {
  sandbox = invoiceSandbox();
});

const issue = (...words: Parameters<InvoiceSandbox['issue']>) => sandbox.issue(...words);
const sync = () => sandbox.invoice('sync', '--archive', 'archive');
const cancel = (id: string) =>
  sandbox.invoice('cancel', '--model', 'nfe', id, '--reason', 'Pedido desfeito pelo cliente', '--yes', ...wait);

async function reconcile(erp: string, ...words: string[]) {
  const file = sandbox.put('erp', erp);
  const run = await sandbox.fiscal(
    ...['inbound', 'reconcile', '--erp', file, '--direction', 'issued', '-o', 'ndjson', ...words],
  );
  const records = recordsOf(run.stdout);
  return {
    ...run,
    found: records
      .filter(({ type }) => type === 'difference')
      .map(({ direction, kind, family, key }) => [direction, kind, family, key]),
    sums: records.filter(({ type }) => type === 'reconciliation'),
  };
}

/** The machine's clock is real: the lists are read before its month ends, and are read again when it has. */
const ofMonth = ['--month', month];

test('books that match the issued invoices differ in nothing, and are not proven while the month runs', async () => {
  const keys = [await issue('nfe', 'P-1'), await issue('nfce', 'P-2'), await issue('nfse', 'P-3')];
  await sync();
  const { exitCode, found, sums, stderr } = await reconcile(
    keys.map(({ accessKey }) => accessKey).join('\n'),
    ...ofMonth,
  );
  expect([exitCode, found]).toEqual([3, []]);
  expect(sums).toMatchObject([{ direction: 'issued', erp: 3, matched: 3, unsynced: 1, 'only-issued': 0 }]);
  expect(stderr).toContain('no sync has read these lists of issued invoices to the end since the period ended');
  expect(stderr).toContain('fiscal invoice sync');
});

test('a month that is over, and whose lists were read since, exits 0 when the books match it', async () => {
  await issue('nfe', 'P-1');
  await sync();
  // Nothing was issued in a month of last year, and nothing is booked.
  const before = `${Number(month.slice(0, 4)) - 1}-01`;
  expect(await reconcile('chave\n', '--month', before)).toMatchObject({ exitCode: 0, found: [] });
});

test('each kind of difference is told apart', async () => {
  const [booked, forgotten, cancelled] = [
    await issue('nfe', 'P-1'),
    await issue('nfe', 'P-2'),
    await issue('nfe', 'P-3'),
  ];
  await cancel(cancelled.id);
  await sync();
  const { found, sums } = await reconcile(
    ['chave', booked.accessKey, cancelled.accessKey, FOREIGN, '123'].join('\n'),
    ...ofMonth,
  );
  expect(found).toEqual([
    ['issued', 'cancelled-since', 'nfe', cancelled.accessKey],
    ['issued', 'only-erp', 'nfe', FOREIGN],
    ['issued', 'invalid-key', undefined, '123'],
    ['issued', 'only-issued', 'nfe', forgotten.accessKey],
  ]);
  expect(sums).toMatchObject([{ 'only-erp': 1, 'only-issued': 1, 'cancelled-since': 1, 'invalid-key': 1 }]);
});

test('an invoice that is not final is said to be so, booked or not', async () => {
  await sandbox.outcome('--outcome', 'issued', '--delay', '2h', '--count', '1');
  const file = sandbox.put('late.json', samples.nfe);
  await sandbox.invoice('issue', '--model', 'nfe', '--file', file, '--external-id', 'P-1');
  await sync();
  const { found } = await reconcile('chave\n', ...ofMonth);
  expect(found.map(([, kind]) => kind)).toEqual(['not-final']);
});

describe('a SPED file', () => {
  const [year = '', nth = ''] = month.split('-');
  const c100 = (own: string, model: string, situation: string, key: string) =>
    `|C100|1|${own}|F1|${model}|${situation}|1|1|${key}|01${nth}${year}|01${nth}${year}|10,00|`;
  const sped = async (...rows: readonly string[]) => {
    const { stdout } = await sandbox.fiscal('company', 'list', '-o', 'ndjson');
    const cnpj = String(recordsOf(stdout)[0]?.['federalTaxNumber']).padStart(14, '0');
    const header = `|0000|019|0|01${nth}${year}|28${nth}${year}|EMPRESA|${cnpj}||SP|`;
    return [header, ...rows, '|9999|9|'].join('\r\n');
  };

  test('has own issues, whose situation counts, and those of others', async () => {
    const [sold, till, voided] = [await issue('nfe', 'P-1'), await issue('nfce', 'P-2'), await issue('nfe', 'P-3')];
    await cancel(voided.id);
    await sync();
    const rows = [
      ...[c100('0', '55', '00', sold.accessKey), c100('0', '65', '00', till.accessKey)],
      ...[c100('0', '55', '02', voided.accessKey), c100('0', '55', '05', ''), c100('1', '55', '00', FOREIGN)],
    ];
    const issued = await reconcile(await sped(...rows));
    expect([issued.found, issued.sums]).toMatchObject([[], [{ erp: 3, matched: 3, notCaptured: 2 }]]);
    const both = await reconcile(await sped(...rows), '--direction', 'both');
    expect(both.found).toEqual([[undefined, 'only-erp', 'nfe', FOREIGN]]);
    expect(both.sums).toMatchObject([
      { erp: 1, matched: 0 },
      { direction: 'issued', erp: 3, matched: 3 },
    ]);
  });
});

test('a list of both sides is matched where each key belongs', async () => {
  const { accessKey } = await issue('nfe', 'P-1');
  await sync();
  const { found, sums } = await reconcile([accessKey, FOREIGN].join('\n'), '--direction', 'both', ...ofMonth);
  expect(found).toEqual([[undefined, 'only-erp', 'nfe', FOREIGN]]);
  expect(sums).toMatchObject([
    { erp: 1, matched: 0 },
    { direction: 'issued', erp: 1, matched: 1 },
  ]);
});

test('issued invoices cannot be captured by key', async () => {
  const { exitCode, stderr } = await reconcile(FOREIGN, ...ofMonth, '--fetch');
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('--fetch captures received NFS-e')]);
});
