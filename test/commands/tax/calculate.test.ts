import { beforeAll, describe, expect, test } from 'vitest';
import { testService } from '../../conformance/service.js';
import { errorOf, machineBefore, type Machine } from '../../support/service-host.js';

const service = testService();
let machine: Machine;

beforeAll(() => {
  machine = machineBefore(service.ready());
});

interface Engine {
  readonly entries: readonly { readonly billed: string | null; readonly status: number | null }[];
}

async function calls(): Promise<readonly unknown[]> {
  const { entries }: Engine = await service.control('GET', 'ledger?operation=tax.calculate');
  return entries.map(({ billed, status }) => [billed, status]);
}

const sample = async (): Promise<string> => {
  const { stdout } = await machine.fiscal('tax', 'calculate', '--sample', '-o', 'json');
  return machine.put('sale.json', stdout);
};

describe('tax calculate', () => {
  test('accepts its own sample, prints amounts as text and counts as billed', async () => {
    const { exitCode, stdout, stderr } = await machine.fiscal('tax', 'calculate', '--file', await sample());
    const { items } = JSON.parse(stdout) as { items: readonly { icms: object; cfop: unknown }[] };
    expect([exitCode, items[0]?.cfop, items[0]?.icms]).toEqual([
      0,
      6102,
      { orig: '0', cst: '00', modBC: '3', vBC: '37.80', pICMS: '12.00', vICMS: '4.54' },
    ]);
    expect(stderr).toContain('the tax engine bills this call');
    const usage = await machine.fiscal('usage', '-o', 'json');
    expect(JSON.parse(usage.stdout)).toMatchObject([
      { operation: 'tax.calculate', billedAs: 'engine', billed: 1, unknown: 0 },
    ]);
  });

  test('prints a line per item and tax on a terminal, with unchanged values', async () => {
    const { stdout } = await machine.fiscal('tax', 'calculate', '--file', await sample(), '-o', 'table');
    const cells = stdout.split('\n').map((line) => line.split('│').map((cell) => cell.trim()));
    expect(cells.slice(0, 3)).toEqual([
      ['item', 'cfop', 'tax', 'cst', 'base', 'rate', 'amount', 'others'],
      ['1', '6102', 'icms', '00', '37.80', '12.00', '4.54', 'orig 0, modBC 3'],
      ['1', '6102', 'pis', '01', '33.26', '1.65', '0.55', ''],
    ]);
  });

  test('reads YAML, and keeps the digits of decimals as written', async () => {
    const yaml = [
      'issuer: { taxRegime: RealProfit, state: SP }',
      'recipient: { state: RJ }',
      'operationType: Outgoing',
      'items:',
      '  - { id: "1", operationCode: 121, origin: National, quantity: 2, unitAmount: "0.10000000" }',
    ];
    const file = machine.put('sale.yaml', yaml.join('\n'));
    const shown = await machine.fiscal('tax', 'calculate', '--file', file, '--dry-run', '-o', 'json');
    const { request, billedCalls } = JSON.parse(shown.stdout) as {
      request: { body: { items: readonly object[] } };
      billedCalls: number;
    };
    expect([billedCalls, request.body.items]).toEqual([
      1,
      [{ id: '1', operationCode: 121, origin: 'National', quantity: 2, unitAmount: 0.1 }],
    ]);
    expect(shown.stdout).toContain('"unitAmount": 0.10000000\n');
  });

  test('an empty list, a negative quantity and too many decimals are reported at once, and nothing is sent', async () => {
    const before = await calls();
    const body = {
      issuer: { taxRegime: 'RealProfit', state: 'SP' },
      recipient: { state: 'XX' },
      operationType: 'Outgoing',
      items: [{ id: '1', operationCode: 121, origin: 'National', quantity: -1, unitAmount: 1, freightAmount: '1.005' }],
    };
    const wrong = await machine.fiscal('tax', 'calculate', '--file', machine.put('w.json', JSON.stringify(body)));
    const empty = machine.put('e.json', JSON.stringify({ ...body, recipient: { state: 'RJ' }, items: [] }));
    expect([wrong.exitCode, errorOf(wrong).details?.map(({ field }) => field)]).toEqual([
      2,
      ['recipient.state', 'items[0].quantity', 'items[0].freightAmount'],
    ]);
    expect(errorOf(await machine.fiscal('tax', 'calculate', '--file', empty)).details).toEqual([
      { field: 'items', message: 'must have at least one entry' },
    ]);
    expect(await calls()).toEqual(before);
  });

  test('an unknown code is refused by the service, with a pointer to the lists', async () => {
    const { stdout } = await machine.fiscal('tax', 'calculate', '--sample', '-o', 'json');
    const file = machine.put('code.json', stdout.replace('121', '998'));
    const refused = await machine.fiscal('tax', 'calculate', '--file', file);
    const { hint, details } = errorOf(refused);
    expect([refused.exitCode, details?.[0]?.field]).toEqual([6, 'items[0].operationCode']);
    expect(hint).toContain('fiscal tax codes operation-code');
  });

  test.each([
    [[], 5, 1],
    [['--retry-billable'], 0, 2],
  ] as const)('a call of unknown outcome is repeated only with consent (%j)', async (more, code, sends) => {
    const before = (await calls()).length;
    await service.control('POST', 'faults', { operation: 'tax.calculate', kind: 'cut-after', count: 1 });
    const end = await machine.fiscal('tax', 'calculate', '--file', await sample(), ...more);
    expect([end.exitCode, (await calls()).length - before]).toEqual([code, sends]);
    await service.control('DELETE', 'faults');
  });
});

describe('tax codes', () => {
  test('prints every code of a list once', async () => {
    const { exitCode, stdout } = await machine.fiscal('tax', 'codes', 'operation-code', '-o', 'json');
    const codes = (JSON.parse(stdout) as readonly { code: string }[]).map(({ code }) => code);
    expect([exitCode, codes.includes('121'), new Set(codes).size]).toEqual([0, true, codes.length]);
  });

  test('names the lists if the given one does not exist', async () => {
    const { exitCode, stderr } = await machine.fiscal('tax', 'codes', 'cfop');
    expect([exitCode, stderr.includes('recipient-tax-profile')]).toEqual([2, true]);
  });
});
