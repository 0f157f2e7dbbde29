import { describe, expect, test } from 'vitest';
import { rowMatch } from '../../../src/commands/inbound/list-match.js';
import { json } from '../../client/support/server.js';
import { runFiscal, type TestHost } from '../../support/host.js';
import { imitate } from './service.js';

const inbound = '/v2/companies/c1/inbound';

function note(key: string, fields: Readonly<Record<string, unknown>>) {
  return { accessKey: key, createdOn: '2026-10-01T12:00:00Z', status: 'Received', nsu: null, ...fields };
}

const oficina = note('K1', {
  type: 'productInvoice',
  issuer: { name: 'OFICINA São José' },
  totalInvoiceAmount: '26871.5',
});
const padaria = note('K2', { issuer: { name: 'Padaria Sol' }, totalInvoiceAmount: '100.00' });
const frete = note('K3', {
  type: 'transportationInvoice',
  issuer: { name: 'Oficina do Frete' },
  totalAmount: '500.01',
});

const lists = {
  [`GET ${inbound}/nfe`]: json(200, { value: [oficina, padaria] }),
  [`GET ${inbound}/odata/TransportationInvoices`]: json(200, { value: [frete] }),
};

const noNfse = json(403, { error: { code: 'forbidden', message: 'role' } });

/** The same host with a terminal for its data. */
function onTerminal(host: TestHost): TestHost {
  Object.defineProperty(host.stdout, 'isTerminal', { value: true });
  return host;
}

async function keys(host: TestHost, ...words: string[]) {
  const { exitCode, stdout, stderr } = await runFiscal(['inbound', 'list', ...words, '-o', 'id'], host);
  return { exitCode, keys: stdout.split('\n').filter((line) => line !== ''), stderr };
}

describe('inbound list without --type', () => {
  test('lists every family, and each row names its own', async () => {
    const service = await imitate({ ...lists, [`GET ${inbound}/nfse`]: json(200, { value: [] }) });
    const { stdout } = await runFiscal(['inbound', 'list', '--all', '-o', 'ndjson'], service.host);
    const rows = stdout.trimEnd().split('\n');
    expect(rows.map((line): unknown => JSON.parse(line))).toEqual([
      { family: 'nfe', ...oficina, state: 'standing' },
      { type: 'inbound', family: 'nfe', ...padaria, state: 'standing' },
      { family: 'cte', ...frete, state: 'standing' },
    ]);
  });

  test('a family that the key may not list is named, ends with 3 and makes the sum no total', async () => {
    const service = await imitate({ ...lists, [`GET ${inbound}/nfse`]: noNfse });
    const words = ['inbound', 'list', '--color', 'never'];
    const { exitCode, stdout, stderr } = await runFiscal(words, onTerminal(service.host));
    expect(exitCode).toBe(3);
    expect(stderr).toContain('nfse is not listed: ');
    expect(stdout).toContain('3 documents shown, 27,471.51 together');
    expect(stdout).not.toContain('in total');
    // One table for all families, whatever their types.
    expect(stdout.split('\n').filter((line) => line.includes('supplier'))).toHaveLength(1);
  });

  test('with --type the same refusal is the error of the command', async () => {
    const service = await imitate({ [`GET ${inbound}/nfse`]: noNfse });
    expect((await keys(service.host, '--type', 'nfse')).exitCode).toBe(7);
  });
});

test('inbound list shows and counts the events among the documents, also those that name no note', async () => {
  const [NOTE, id] = ['35503081234567800019500000000000000126100000000001', '66aa00000000000000000001'];
  const event = { id, type: 'serviceInvoiceEvent', eventCode: '105102', issuedOn: '2026-10-05T12:00:00Z' };
  const ofNote = { ...event, id: '66aa00000000000000000002', accessKey: NOTE };
  const service = await imitate({
    [`GET ${inbound}/nfse`]: json(200, { ...{ page: 1, totalPages: 1 }, documents: [event, ofNote] }),
  });
  const words = ['inbound', 'list', '--type', 'nfse', '--color', 'never'];
  const { exitCode, stdout } = await runFiscal([...words, '-o', 'json'], service.host);
  expect([exitCode, JSON.parse(stdout)]).toEqual([
    0,
    [
      { ...event, state: 'event', eventKey: id },
      { ...ofNote, state: 'event', eventKey: ofNote.id },
    ],
  ]);
  const { stdout: ids } = await runFiscal([...words, '-o', 'id'], service.host);
  expect(ids).toBe(`${id}\n${NOTE}\n`);
  const table = await runFiscal([...words, '--lang', 'pt-BR'], onTerminal(service.host));
  expect([table.stdout.includes('de fora: 2 eventos'), table.stderr]).toEqual([true, '']);
});

describe('inbound list --supplier and --value', () => {
  test('are applied to the rows whatever the accents, and said', async () => {
    const { host } = await imitate({ ...lists, [`GET ${inbound}/nfse`]: json(200, { value: [] }) });
    const found = await keys(host, '--supplier', 'oficina sao');
    expect([found.exitCode, found.keys]).toEqual([0, ['K1']]);
    expect(found.stderr).toContain('--supplier: applied here');
    expect((await keys(host, '--supplier', 'OFICINA', '--value', '500,01..600')).keys).toEqual(['K3']);
    expect((await keys(host, '--supplier', 'oficina', '--limit', '1')).keys).toEqual(['K1']);
  });

  test('on a terminal the list ends with its number and sum', async () => {
    const { host } = await imitate(lists);
    const words = ['inbound', 'list', '--type', 'nfe', '--lang', 'pt-BR', '--color', 'never'];
    const whole = await runFiscal(words, onTerminal(host));
    expect(whole.stdout.trimEnd().split('\n').at(-1)).toBe('2 documentos, 26.971,50 no total');
    expect(whole.stdout).toContain(' 26.871,50 ');
    const cut = await runFiscal([...words, '--limit', '1'], host);
    expect(cut.stdout).toContain('1 documento na tela, 26.871,50 somados');
    expect(cut.stdout.replaceAll(/\s+/g, ' ')).toContain('isto não é o total');
  });
});

describe('a range of amounts', () => {
  const amounts = ['99.99', '100.00', '100.50', '1234.56'];
  const within = (value: string) => {
    const { matches } = rowMatch({ supplier: undefined, value });
    return amounts.filter((totalAmount) => matches({ totalAmount }));
  };

  test.each([
    ['100..500', ['100.00', '100.50']],
    ['100,50..1.234,56', ['100.50', '1234.56']],
    ['..100', ['99.99', '100.00']],
    ['100.5..', ['100.50', '1234.56']],
    ['100', ['100.00']],
  ])('%s', (range, found) => {
    expect(within(range)).toEqual(found);
  });

  test.each(['500..100', 'x', '..', '1..2..3', '1.234', '', '-', '1e3'])('%s is refused', (range) => {
    expect(() => within(range)).toThrow('--value');
  });

  test('a document without an amount is in no range', () => {
    expect(rowMatch({ supplier: undefined, value: '0..' }).matches({})).toBe(false);
  });
});
