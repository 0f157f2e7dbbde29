import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { testService } from '../../conformance/service.js';
import { openReceiver } from '../../support/webhook-receiver.js';
import { errorOf, machineBefore, type Machine, type Run } from '../../support/service-host.js';

const service = testService();
const cnpj = '11444777000161';
const other = '11222333000181';
/** Exists nowhere else: finding it anywhere is a leak. */
const password = 'CANARY-9C1E-PFX';
let machine: Machine;

beforeEach(async () => {
  await service.control('POST', 'reset');
  machine = machineBefore(service.ready());
});

interface Row {
  readonly type: string;
  readonly line?: number;
  readonly step?: string;
  readonly action?: string;
  readonly state?: string;
  readonly error?: string;
  readonly [field: string]: unknown;
}

const rowsOf = ({ stdout }: Run) =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);
const stepsOf = (run: Run) => rowsOf(run).filter(({ type, line }) => type === 'item' && line !== 0);
const apply = async (file: string, ...more: string[]) =>
  await machine.fiscal('company', 'apply', file, ...more, '-o', 'ndjson');

function client(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    ...{ cnpj, name: 'Padaria Sol Ltda', taxRegime: 'simples nacional' },
    address: {
      ...{ street: 'Rua A', number: '10', district: 'Centro', state: 'SP', postalCode: '01310-100' },
      ...{ country: 'BRA', city: { code: '3550308', name: 'São Paulo' } },
    },
    ...changes,
  };
}

const whole = client({
  stateTaxes: [{ code: 'SP', taxNumber: '110.042.490.114', type: 'NFe', environmentType: 'Test', serie: '1' }],
  municipalTaxes: [{ city: { code: '3550308' }, taxNumber: '12345678', environment: 'Development' }],
  capture: { nfe: { environmentSEFAZ: 'Production' }, cte: '', nfse: { startFromDate: '2026-10-01' } },
});

/** JSON is YAML. */
const yaml = (...companies: object[]) => machine.put('clients.yaml', JSON.stringify({ companies }));

async function pfxOf(taxNumber: string, days = 365): Promise<Uint8Array> {
  const made = (await service.control('POST', 'pfx', { taxNumber, password, days })) as { file: string };
  return Buffer.from(made.file, 'base64');
}

async function effects(): Promise<readonly string[]> {
  const { entries } = (await service.control('GET', 'ledger?limit=1000')) as {
    readonly entries: readonly { readonly effect: Record<string, string> | null }[];
  };
  return entries.flatMap(({ effect }) => effect?.['created'] ?? []);
}

describe('company apply', () => {
  test('creates what is missing in order, and then finds nothing that differs', async () => {
    const file = yaml(whole);
    machine.put('sol.pfx', await pfxOf(cnpj));
    machine.put('passwords', `sol.pfx=${password}\n`);
    const secrets = ['--certificates', '.', '--passwords-file', 'passwords'];
    const asked = await apply(file, ...secrets);
    expect({ exitCode: asked.exitCode, created: await effects() }).toEqual({ exitCode: 2, created: [] });
    const done = await apply(file, ...secrets, '--yes');
    const steps = stepsOf(done).map(({ step, state }) => `${step} ${state}`);
    // What belongs to the company may end in any order.
    expect({ exitCode: done.exitCode, steps: [...steps.slice(0, 1), ...steps.slice(1).toSorted()] }).toEqual({
      exitCode: 0,
      steps: [
        ...['company', 'capture', 'capture', 'capture', 'certificate', 'municipal-tax', 'state-tax'].map(
          (step) => `${step} succeeded`,
        ),
      ],
    });
    const again = await apply(file, ...secrets, '--yes');
    expect(stepsOf(again).map(({ action }) => action)).toEqual(Array.from({ length: 7 }, () => 'unchanged'));
    expect((await apply(file, ...secrets, '--check')).exitCode).toBe(0);
    const store = readFileSync(join(machine.host.root, 'state', 'state.db')).toString('latin1');
    expect(store).not.toContain(password);
  });

  test.each([
    ['2026-11-24_11444777000161.pfx', '11444777000161', '11.444.777/0001-61'],
    ['11.444.777-0001.61 (2) 2025.pfx', '11444777000161', '11444777000161'],
  ])('the password of %s stands under the CNPJ in its name', async (...[name, owner, shown]) => {
    const file = yaml(client({ cnpj: owner }));
    machine.put(name, await pfxOf(owner));
    machine.put('passwords', `${shown}=${password}\n`);
    const run = await apply(file, '--certificates', '.', '--passwords-file', 'passwords', '--dry-run');
    expect([run.exitCode, run.stderr]).toEqual([0, expect.not.stringContaining('password')]);
    expect(stepsOf(run).map(({ step }) => step)).toContain('certificate');
  });

  test('a password that is given by CNPJ opens the PFX again when it is sent', async () => {
    const file = yaml(client({ certificate: { file: 'sol.pfx' } }));
    machine.put('sol.pfx', await pfxOf(cnpj));
    machine.put('passwords', `${cnpj}=${password}\n`);
    const done = await apply(file, '--certificates', '.', '--passwords-file', 'passwords', '--yes');
    expect({
      exitCode: done.exitCode,
      rows: stepsOf(done).map(({ step, state, error }) => [step, state, error]),
    }).toEqual({
      exitCode: 0,
      rows: [
        ['company', 'succeeded', undefined],
        ['certificate', 'succeeded', undefined],
      ],
    });
  });

  test('changes only what the file names, and --check ends 13 while it differs', async () => {
    await apply(yaml(whole), '--yes');
    const changed = yaml({ cnpj, tradeName: 'Sol', capture: { nfe: { outboundEnabled: 'true' } } });
    const check = await apply(changed, '--check');
    expect({ exitCode: check.exitCode, rows: stepsOf(check) }).toMatchObject({
      exitCode: 13,
      rows: [
        { action: 'update', step: 'company-update', changes: [{ field: 'tradeName', from: null, to: 'Sol' }] },
        { action: 'update', step: 'capture', resource: 'nfe' },
      ],
    });
    expect((await apply(changed, '--yes')).exitCode).toBe(0);
    expect((await apply(changed, '--check')).exitCode).toBe(0);
    expect((await apply(yaml(whole), '--check')).exitCode).toBe(0);
  });

  test.each(['500', '500-after', 'cut-before', 'cut-after'])('a create that meets %s is there once', async (kind) => {
    await service.control('POST', 'faults', { kind, operation: 'company.create', times: 1 });
    const file = yaml(whole, client({ cnpj: other, name: 'Outra Ltda', capture: { nfe: '' } }));
    const run = await apply(file, '--yes', '--settle-time', '100ms', '--resend-absent');
    expect({ exitCode: run.exitCode, states: [...new Set(stepsOf(run).map(({ state }) => state))] }).toEqual({
      exitCode: 0,
      states: ['succeeded'],
    });
    expect((await effects()).filter((name) => name === 'company')).toHaveLength(2);
  });

  test.each<[string, () => Promise<object[]> | object[], string]>([
    ['two rows of one CNPJ', () => [client(), client()], `${cnpj} is in line 1 as well`],
    ['a wrong check digit', () => [client({ cnpj: '11444777000162' })], 'check digit'],
    ['a password in the file', () => [client({ certificate: { file: 'a.pfx', password } })], 'is a secret'],
    ['an unknown field', () => [client({ tradename: 'Sol' })], 'did you mean tradeName?'],
    ['a capture that is to end', () => [client({ capture: { nfe: 'false' } })], 'a file never ends a capture'],
  ])('%s is refused with its line, and nothing is sent', async (_name, companies, words) => {
    const run = await apply(yaml(...(await companies())), '--yes');
    const { details = [], sent } = errorOf(run);
    expect({ exitCode: run.exitCode, details, sent, effects: await effects() }).toEqual({
      exitCode: 2,
      details: [{ field: expect.stringMatching(/^line 1/), message: expect.stringContaining(words) }],
      sent,
      effects: [],
    });
    expect(run.stderr).not.toContain(password);
  });

  const secrets = ['--certificates', '.', '--passwords-file', 'passwords'];

  /** Each step with what became of it. */
  const outcomes = (run: Parameters<typeof stepsOf>[0]) =>
    rowsOf(run).flatMap(({ type, step, resource, action, state, error }) =>
      type === 'item' && action !== 'extra' ? [{ step, resource, action, state, error }] : [],
    );

  test.each([
    ['of another company', () => pfxOf(other, 365), 'belongs to 11.222.333/0001-81'],
    ['that has expired', () => pfxOf(cnpj, -1), 'expired on'],
    ['that no password opens', () => Buffer.from('MAAwAA==', 'base64'), 'it is not a PKCS #12 file'],
  ])('a client with a PFX %s is left out, and the others are sent', async (_name, bad, words) => {
    machine.put('bad.pfx', await bad());
    machine.put('passwords', `*=${password}\n`);
    const file = yaml(
      client({ certificate: { file: 'bad.pfx' }, capture: { cte: '' } }),
      client({ cnpj: '11444777000242', name: 'Outra Padaria Ltda' }),
    );
    const planned = await apply(file, ...secrets, '--dry-run');
    const run = await apply(file, ...secrets, '--yes');
    expect({ planned: planned.exitCode, exitCode: run.exitCode, effects: await effects() }).toEqual({
      ...{ planned: 3, exitCode: 3, effects: ['company'] },
    });
    const reason = expect.stringMatching(new RegExp(`^bad.pfx cannot be used as a certificate: .*${words}`));
    const waits = expect.stringContaining('earlier step of the same client did not succeed: certificate bad.pfx');
    expect(outcomes(run)).toEqual([
      { step: 'certificate', resource: 'bad.pfx', action: 'blocked', error: reason },
      { step: 'company', resource: '', action: 'blocked', error: waits },
      { step: 'capture', resource: 'cte', action: 'blocked', error: waits },
      { step: 'company', resource: '', action: 'create', state: 'succeeded' },
    ]);
  });

  test('a PFX of the folder that cannot be read is named, and the plan is sent', async () => {
    machine.put('sol.pfx', await pfxOf(cnpj));
    machine.put('old 11444777000161.pfx', await pfxOf(cnpj, -1));
    machine.put('unknown.pfx', 'no certificate');
    machine.put('passwords', `*=${password}\n`);
    const run = await apply(yaml(client()), ...secrets, '--yes');
    expect({ exitCode: run.exitCode, steps: outcomes(run) }).toEqual({
      exitCode: 3,
      steps: [
        {
          ...{ step: 'certificate', resource: 'unknown.pfx', action: 'blocked' },
          error: expect.stringContaining('unknown.pfx cannot be used as a certificate: it is not a PKCS #12 file'),
        },
        { step: 'company', resource: '', action: 'create', state: 'succeeded' },
        expect.objectContaining({ step: 'certificate', action: 'create', state: 'succeeded' }),
      ],
    });
    expect(run.stderr).toContain('needed by no client in the file and stays unused: old 11444777000161.pfx');
  });

  test('two PFX files of one company block it with both names, and nothing of it is sent', async () => {
    machine.put('a.pfx', await pfxOf(cnpj));
    machine.put('b.pfx', await pfxOf(cnpj));
    machine.put('passwords', `*=${password}\n`);
    const run = await apply(yaml(client()), ...secrets, '--yes');
    expect({ exitCode: run.exitCode, steps: outcomes(run), effects: await effects() }).toEqual({
      exitCode: 3,
      steps: [
        {
          ...{ step: 'certificate', resource: 'a.pfx', action: 'blocked' },
          error: 'several certificates are of 11.444.777/0001-61: a.pfx, b.pfx; name one of them as certificate.file',
        },
        expect.objectContaining({ step: 'company', action: 'blocked' }),
      ],
      effects: [],
    });
  });
});

describe('a certificate that the service has', () => {
  const secrets = ['--certificates', '.', '--passwords-file', 'passwords'];
  const certificateOf = (run: Run) => stepsOf(run).find(({ step }) => step === 'certificate');
  const stateIs = async (state: string): Promise<void> => {
    const companyId = await idOf(cnpj);
    await service.control('POST', 'certificates', { state, companyId });
  };
  const idOf = async (taxNumber: string): Promise<string> => {
    const listed = await machine.fiscal('company', 'list', '-o', 'json');
    const rows = JSON.parse(listed.stdout) as { id: string; federalTaxNumber: unknown }[];
    return rows.find((row) => String(row.federalTaxNumber) === taxNumber)?.id ?? '';
  };
  const put = async (days: number): Promise<string> => {
    machine.put('passwords', `*=${password}\n`);
    machine.put('sol.pfx', await pfxOf(cnpj, days));
    return yaml(client());
  };

  test('and does not use is drift, and is sent again', async () => {
    const file = await put(365);
    expect((await apply(file, ...secrets, '--yes')).exitCode).toBe(0);
    await stateIs('inactive');
    const check = await apply(file, ...secrets, '--check');
    expect([check.exitCode, certificateOf(check)]).toMatchObject([
      13,
      { action: 'update', changes: [{ field: 'status', from: 'Inactive', to: 'Active' }] },
    ]);
    const done = await apply(file, ...secrets, '--yes');
    expect([done.exitCode, certificateOf(done)]).toMatchObject([0, { action: 'update', state: 'succeeded' }]);
    expect((await apply(file, ...secrets, '--check')).exitCode).toBe(0);
  });

  test.each([
    ['inactive', 'Inactive', 'does not use it, and no PFX file of it is given'],
    ['expired', 'Overdue', 'does not use it, and no PFX file of it is given'],
    ['pending', 'Pending', 'does not use it yet (pending)'],
  ])('by its thumbprint alone: one that is %s is drift that says why', async (state, from, why) => {
    const file = await put(365);
    const first = await apply(file, ...secrets, '--yes');
    const thumbprint = String(certificateOf(first)?.['resource']);
    await stateIs(state);
    const check = await apply(yaml(client({ certificate: { thumbprint } })), '--check');
    expect([check.exitCode, certificateOf(check)]).toMatchObject([
      13,
      { action: 'blocked', changes: [{ field: 'status', from, to: 'Active' }], error: expect.stringContaining(why) },
    ]);
  });

  test('and is in use for longer: both days are named, and --yes is the consent', async () => {
    await apply(await put(365), ...secrets, '--yes');
    const file = await put(10);
    const days =
      /! .*certificate .*: the new certificate expires on \d.*, in (?:9|10) days, before the one in use, which expires on \d.*, in 36[45] days/;
    const check = await apply(file, ...secrets, '--check');
    const asked = await apply(file, ...secrets);
    const done = await apply(file, ...secrets, '--yes');
    expect([check, asked, done].map(({ exitCode, stderr }) => [exitCode, days.test(stderr)])).toEqual([
      [13, true],
      [2, true],
      [0, true],
    ]);
    // A longer one needs no word.
    const longer = await apply(await put(300), ...secrets, '--yes');
    expect([longer.exitCode, longer.stderr]).toEqual([0, expect.not.stringContaining('before the one in use')]);
  });
});

describe('company export', () => {
  test.each(['e.yaml', 'e.csv', 'e.xlsx'])('%s is the file of what is', async (out) => {
    await apply(yaml({ ...whole, name: '=SUM(A1) "Sol"; Ltda' }), '--yes');
    expect((await machine.fiscal('company', 'export', '--company', cnpj, '--out', out)).exitCode).toBe(0);
    const check = await apply(out, '--check');
    expect({ exitCode: check.exitCode, actions: [...new Set(stepsOf(check).map(({ action }) => action))] }).toEqual({
      exitCode: 0,
      actions: ['unchanged'],
    });
  });
});

test('a service that refuses one part is not "no drift"', async () => {
  await apply(yaml(whole), '--yes');
  const { key } = (await service.control('POST', 'keys', { roles: ['NFeDist'] })) as { key: string };
  const env = { FISCAL_INVOICE_KEY: key };
  const weak = machineBefore(service.ready(), { env });
  weak.put('clients.yaml', JSON.stringify({ companies: [whole] }));
  const run = await weak.fiscal('company', 'apply', 'clients.yaml', '--check', '-o', 'ndjson');
  expect({
    exitCode: run.exitCode,
    unread: rowsOf(run).flatMap(({ action, resource }) => (action === 'unread' ? [resource] : [])),
  }).toEqual({ exitCode: 3, unread: ['cte', 'nfse'] });
});

test('a file of webhooks: created with the secret of a file, changed, and compared', async () => {
  const { url } = await openReceiver();
  machine.put('hook.secret', 'CANARY-HOOK-0123456789abcdef0123456789\n');
  const webhooks = (...more: object[]) =>
    machine.put('hooks.yaml', JSON.stringify({ webhooks: [{ uri: url, ...Object.assign({}, ...more) }] }));
  expect((await apply(webhooks(), '--yes')).exitCode).toBe(3);
  const secret = { secretFile: 'hook.secret' };
  expect((await apply(webhooks(secret), '--yes')).exitCode).toBe(0);
  expect((await apply(webhooks(), '--check')).exitCode).toBe(0);
  expect((await apply(webhooks(secret, { status: 'Inactive' }), '--check')).exitCode).toBe(13);
  expect((await apply(webhooks(secret, { status: 'Inactive' }), '--yes')).exitCode).toBe(0);
  expect((await apply(webhooks({ status: 'Inactive' }), '--check')).exitCode).toBe(0);
  expect((await effects()).filter((name) => name === 'webhook')).toHaveLength(1);
});
