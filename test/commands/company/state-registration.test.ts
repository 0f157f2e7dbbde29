import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { json as reply } from '../../client/support/server.js';
import { testService } from '../../conformance/service.js';
import { runFiscal } from '../../support/host.js';
import { errorOf, machineBefore, type Machine, type Run } from '../../support/service-host.js';
import { imitate } from '../inbound/service.js';

const service = testService();
/** Exists nowhere else: finding it anywhere is a leak. */
const csc = 'CANARY-7F3B-CSC';
let machine: Machine;

beforeEach(async () => {
  await service.control('POST', 'reset');
  machine = machineBefore(service.ready());
  machine.put('csc.txt', `${csc}\n`);
});

const json = (run: Run) => JSON.parse(run.stdout) as Record<string, unknown>;
const fiscal = (...words: string[]) => machine.fiscal('company', 'registration', ...words, '-o', 'json');
const flags = ['--state', 'sp', '--tax-number', '110042490114', '--type', 'NFCe'];
const create = (...more: string[]) => fiscal('create', ...flags, ...more);

interface Entry {
  readonly operation: string;
  readonly effect: object | null;
}

async function effectsOf(operation: string): Promise<number> {
  const path = `ledger?operation=${operation}`;
  const { entries } = (await service.control('GET', path)) as { readonly entries: readonly Entry[] };
  return entries.filter(({ effect }) => effect !== null).length;
}

/** As the service has it. */
async function stored(id: unknown): Promise<Record<string, unknown>> {
  const path = `/v2/companies/${service.ready().companyId}/statetaxes/${String(id)}`;
  const { stateTax } = (await service.send('GET', path)).json as { stateTax: Record<string, unknown> };
  return stateTax;
}

function filesWith(words: string): readonly string[] {
  return readdirSync(machine.host.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'csc.txt')
    .filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(words))
    .map(({ name }) => name);
}

describe('company registration create', () => {
  test('creates from flags and a file, and the list shows it', async () => {
    const file = machine.put('ie.yaml', 'stateTax:\n  code: SP\n  serie: 5\n  environmentType: Test\n');
    const made = json(await create('--file', file, '--number', '120'));
    expect(made).toMatchObject({
      ...{ code: 'SP', taxNumber: '110042490114', type: 'NFCe', status: 'Active' },
      ...{ serie: 5, number: 120, environmentType: 'Test' },
    });
    const rows = JSON.parse((await fiscal('list')).stdout) as { id: string }[];
    expect(rows.map(({ id }) => id)).toEqual([made['id']]);
  });

  test('refuses a field that the service does not know, and names it', async () => {
    const file = machine.put('ie.json', JSON.stringify({ csosn: '102', taxNumber: 'X' }));
    const run = await fiscal('create', '--file', file, '--state', 'SP', '--type', 'NFe');
    const fields = errorOf(run).details?.map(({ field }) => field);
    expect([run.exitCode, fields, errorOf(run).sent]).toEqual([2, ['taxNumber', 'csosn'], 'no']);
  });

  test('refuses a registration that exists, without sending it', async () => {
    const { id } = json(await create());
    const again = await create('--serie', '9');
    expect([again.exitCode, errorOf(again).code]).toEqual([10, 'company.registration_exists']);
    expect(errorOf(again).hint).toContain(String(id));
    expect(await effectsOf('stateTax.create')).toBe(1);
  });

  test('looks up a lost answer: the registration exists once', async () => {
    await service.control('POST', 'faults', { operation: 'stateTax.create', kind: 'cut-after', count: 1 });
    expect(json(await create())).toMatchObject({ code: 'SP', type: 'NFCe' });
    expect(await effectsOf('stateTax.create')).toBe(1);
  });

  test('sets the CSC by an update, and neither shows nor stores it', async () => {
    const words = ['--csc-id', '3', '--csc-file', 'csc.txt', '--debug-http', '-v'];
    const run = await create(...words);
    const made = json(run);
    expect(made['securityCredential']).toEqual({ id: 3, code: '***' });
    expect((await stored(made['id']))['securityCredential']).toEqual({ id: 3, code: csc });
    const dry = await create('--dry-run', ...words);
    const listed = await fiscal('list');
    const history = await machine.fiscal('history', '-o', 'json');
    const written = [run, dry, listed, history].map(({ stdout, stderr }) => stdout + stderr).join('');
    expect(dry.stderr).toContain('an update sets them');
    expect(written).not.toContain(csc);
    expect(filesWith(csc)).toEqual([]);
  });

  test('takes the CSC from a file, stdin or a prompt only', async () => {
    const run = await create('--csc-id', '3');
    expect([run.exitCode, errorOf(run).code]).toEqual([2, 'usage.missing']);
    expect((await create('--csc-file', 'csc.txt')).exitCode).toBe(2);
  });

  test('says what remains to be done when only the CSC was refused', async () => {
    await service.control('POST', 'faults', { operation: 'stateTax.update', kind: '404' });
    const run = await create('--csc-id', '3', '--csc-file', 'csc.txt');
    expect([run.exitCode === 0, errorOf(run).hint]).toEqual([
      false,
      expect.stringContaining('company registration update'),
    ]);
  });
});

describe('company registration update', () => {
  test('merges, shows the difference, asks, and keeps the CSC', async () => {
    const { id } = json(await create('--csc-id', '3', '--csc-file', 'csc.txt', '--number', '7'));
    const words = [String(id), '--environment', 'Production'];
    const asked = await fiscal('update', ...words);
    expect([asked.exitCode, errorOf(asked).code]).toEqual([2, 'usage.confirmation_required']);
    const run = await fiscal('update', ...words, '--yes');
    expect(json(run)).toMatchObject({ environmentType: 'Production', number: 7 });
    expect(run.stderr).toContain('environmentType: — → "Production"');
    expect(await stored(id)).toMatchObject({ securityCredential: { id: 3, code: csc }, number: 7 });
  });

  test('masks a new CSC in the difference', async () => {
    const { id } = json(await create());
    const run = await fiscal('update', String(id), '--csc-id', '1', '--csc-file', 'csc.txt', '--yes');
    expect([run.exitCode, run.stderr.includes('***'), (run.stdout + run.stderr).includes(csc)]).toEqual([
      0,
      true,
      false,
    ]);
    expect((await stored(id))['securityCredential']).toEqual({ id: 1, code: csc });
  });

  test('names the command that lists them for an unknown id', async () => {
    const run = await fiscal('update', 'nope', '--serie', '2', '--yes');
    expect([run.exitCode, errorOf(run).hint]).toEqual([9, expect.stringContaining('company registration list')]);
  });
});

describe('company registration switch-authorizer', () => {
  const reason = ['--reason', 'SEFAZ fora do ar desde as nove horas'];

  test('asks first, and says what was in force before', async () => {
    const { id } = json(await create());
    const words = ['switch-authorizer', String(id), '--to', 'EPEC', ...reason];
    const asked = await fiscal(...words);
    expect([asked.exitCode, await effectsOf('stateTax.switchAuthorizer')]).toEqual([2, 0]);
    expect(json(await fiscal(...words, '--yes'))).toMatchObject({
      ...{ stateTaxId: id, fromAuthorizer: 'Normal', toAuthorizer: 'EPEC' },
    });
  });

  test('needs a reason of 15 characters for EPEC', async () => {
    const words = ['switch-authorizer', 'ie1', '--to', 'EPEC', '--yes'];
    const [none, short] = [await fiscal(...words), await fiscal(...words, '--reason', 'curto')];
    expect([errorOf(none).code, errorOf(short).code]).toEqual(['usage.missing', 'usage.invalid_value']);
  });

  test('is uncertain after a lost answer, and sent once', async () => {
    const { id } = json(await create());
    const fault = { operation: 'stateTax.switchAuthorizer', kind: 'cut-after', count: 1 };
    await service.control('POST', 'faults', fault);
    const run = await fiscal('switch-authorizer', String(id), '--to', 'EPEC', ...reason, '--yes');
    expect([run.exitCode, errorOf(run).code]).toEqual([3, 'outcome.unknown']);
    expect(errorOf(run).hint).toContain('the same command again');
    expect(await effectsOf('stateTax.switchAuthorizer')).toBe(1);
  });
});

describe('company registration create before a list that shows a part of each registration', () => {
  const row = { id: 's1', code: 'SP', taxNumber: '110042490114' };

  async function createdBefore(stateTaxes: readonly object[], answer = reply(400, {})) {
    const list = 'GET /v2/companies/c1/statetaxes';
    const service = await imitate({
      [list]: reply(200, { stateTaxes, hasMore: false }),
      'POST /v2/companies/c1/statetaxes': answer,
    });
    const words = ['company', 'registration', 'create', ...flags, '--error-format', 'json'];
    const run = await runFiscal(words, service.host);
    const sent = service.seen.filter(({ method }) => method === 'POST').length;
    return { ...run, sent };
  }

  test.each([
    ['no type', row],
    ['no number', { id: 's1', code: 'SP', type: 'NFCe' }],
    ['a null state', { ...row, code: null, type: 'NFCe' }],
    ['only an id', { id: 's1' }],
  ])('a row with %s may be it: nothing is sent', async (_what, shown) => {
    const run = await createdBefore([{ ...row, id: 's0', type: 'NFe' }, shown]);
    const { code, sent, hint } = errorOf(run);
    expect([run.exitCode, code, sent, run.sent]).toEqual([10, 'company.registration_unclear', 'no', 0]);
    expect(hint).toContain('fiscal company registration get s1');
  });

  test('a row that shows all of it wins over one that may be it', async () => {
    const run = await createdBefore([row, { ...row, id: 's2', type: 'NFCe' }]);
    expect([errorOf(run).code, run.sent]).toEqual(['company.registration_exists', 0]);
    expect(errorOf(run).hint).toContain('s2');
  });

  test('a row that differs in what it shows is another one', async () => {
    const run = await createdBefore([{ ...row, taxNumber: '1' }]);
    expect(run.sent).toBe(1);
  });

  test('after a lost answer, such a row is no proof: the outcome is unknown', async () => {
    let rows: readonly object[] = [];
    const service = await imitate({
      'GET /v2/companies/c1/statetaxes': () => reply(200, { stateTaxes: rows, hasMore: false }),
      'POST /v2/companies/c1/statetaxes': () => {
        rows = [row];
        return reply(500, {});
      },
    });
    const words = ['company', 'registration', 'create', ...flags, '--error-format', 'json'];
    const run = await runFiscal(words, service.host);
    expect([run.exitCode, errorOf(run).code]).toEqual([3, 'outcome.unknown']);
    expect(service.seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test.each([{ taxNumber: '110042490115' }, { code: 'RJ' }, { type: 'NFe' }])(
    'an answer about another registration is no success: %j',
    async (other) => {
      const stateTax = { ...row, type: 'NFCe', ...other };
      const run = await createdBefore([], reply(201, { stateTax }));
      expect([run.exitCode, run.stdout, errorOf(run).code, run.sent]).toEqual([3, '', 'outcome.unknown', 1]);
    },
  );
});
