import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { json as reply } from '../../client/support/server.js';
import { testService } from '../../conformance/service.js';
import { runFiscal } from '../../support/host.js';
import { errorOf, machineBefore, type Machine, type Run } from '../../support/service-host.js';
import { imitate } from '../inbound/service.js';

const service = testService();
/** Exist nowhere else: finding one of them anywhere is a leak. */
const login = { loginName: 'canary-user-41', loginPassword: 'CANARY-9C2E-PASS', authIssueValue: 'CANARY-AUTH' };
const secrets = Object.values(login);
let machine: Machine;

beforeEach(async () => {
  await service.control('POST', 'reset');
  machine = machineBefore(service.ready());
  machine.put('login.json', JSON.stringify(login));
});

const json = (run: Run) => JSON.parse(run.stdout) as Record<string, unknown>;
const fiscal = (...words: string[]) => machine.fiscal('company', 'registration', ...words, '-o', 'json');
const flags = ['--city', '3550308', '--tax-number', '12345678'];
const create = (...more: string[]) => fiscal('create', ...flags, ...more);
const withLogin = ['--credentials-file', 'login.json'];

interface Entry {
  readonly effect: object | null;
}

async function effectsOf(operation: string): Promise<number> {
  const path = `ledger?operation=${operation}`;
  const { entries } = (await service.control('GET', path)) as { readonly entries: readonly Entry[] };
  return entries.filter(({ effect }) => effect !== null).length;
}

/** As the service has it. */
async function stored(id: unknown): Promise<Record<string, unknown>> {
  const path = `/v2/companies/${service.ready().companyId}/municipaltaxes/${String(id)}`;
  const { municipalTax } = (await service.send('GET', path)).json as { municipalTax: Record<string, unknown> };
  return municipalTax;
}

/** The files of the machine, other than the one that was given, with one of the secrets. */
function leaks(): readonly string[] {
  return readdirSync(machine.host.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'login.json')
    .filter((entry) => {
      const content = readFileSync(join(entry.parentPath, entry.name));
      return secrets.some((secret) => content.includes(secret));
    })
    .map(({ name }) => name);
}

describe('company registration create', () => {
  test('creates from a file with flags over it, and the list shows it', async () => {
    const file = machine.put('im.yaml', 'municipalTax:\n  taxNumber: "1"\n  city: { name: São Paulo }\n');
    const made = json(await create('--file', file, '--serie', 'A1', '--environment', 'Development'));
    expect(made).toMatchObject({
      ...{ taxNumber: '12345678', city: { code: '3550308', name: 'São Paulo' } },
      ...{ rpsSerialNumber: 'A1', environment: 'Development', fiscalStatus: 'Active' },
    });
    const rows = JSON.parse((await fiscal('list')).stdout) as { id: string }[];
    expect(rows.map(({ id }) => id)).toEqual([made['id']]);
  });

  test('looks up a lost answer, and refuses a second one: the registration exists once', async () => {
    await service.control('POST', 'faults', { ...{ operation: 'municipalTax.create', kind: 'cut-after', count: 1 } });
    expect(json(await create())).toMatchObject({ taxNumber: '12345678' });
    const again = await create('--serie', 'B2');
    expect([again.exitCode, errorOf(again).code]).toEqual([10, 'company.registration_exists']);
    expect(await effectsOf('municipalTax.create')).toBe(1);
  });

  test('sets the credentials by an update, and neither shows nor stores them', async () => {
    const words = [...withLogin, '--debug-http', '-v'];
    const run = await create(...words);
    const made = json(run);
    expect([made['loginName'], made['loginPassword'], made['authIssueValue']]).toEqual(['***', '***', '***']);
    expect(await stored(made['id'])).toMatchObject(login);
    const dry = await create('--dry-run', ...words);
    const changed = await fiscal('update', String(made['id']), '--serie', 'B2', '--yes', '--debug-http');
    const history = await machine.fiscal('history', '-o', 'json');
    const runs = [run, dry, changed, await fiscal('list'), history];
    const written = runs.map(({ stdout, stderr }) => stdout + stderr).join('');
    expect(secrets.filter((secret) => written.includes(secret))).toEqual([]);
    expect(leaks()).toEqual([]);
    expect(await stored(made['id'])).toMatchObject({ ...login, rpsSerialNumber: 'B2' });
  });

  test('takes credentials from a file, stdin or a prompt only, and only those', async () => {
    const asked = await create('--ask-credentials');
    machine.put('login.json', JSON.stringify({ ...login, password: 'x' }));
    const other = await create(...withLogin);
    expect([errorOf(asked).code, errorOf(other).code]).toEqual(['usage.missing', 'usage.invalid']);
    expect(other.stderr).not.toContain('CANARY');
    expect(await effectsOf('municipalTax.create')).toBe(0);
  });

  test('names what is missing and what is unknown', async () => {
    const file = machine.put('im.json', JSON.stringify({ cidade: 'São Paulo', issRate: 'x' }));
    const run = await fiscal('create', '--file', file);
    const fields = errorOf(run).details?.map(({ field }) => field);
    expect([run.exitCode, fields]).toEqual([2, ['city', 'taxNumber', 'issRate', 'cidade']]);
  });
});

describe('company registration update', () => {
  test('shows the difference with masked credentials, asks, and keeps the rest', async () => {
    const { id } = json(await create('--number', '7'));
    const asked = await fiscal('update', String(id), ...withLogin);
    expect([asked.exitCode, await effectsOf('municipalTax.update')]).toEqual([2, 0]);
    const run = await fiscal('update', String(id), ...withLogin, '--yes');
    expect(run.stderr).toContain('loginPassword: — → "***"');
    expect(await stored(id)).toMatchObject({ ...login, rpsNumber: 7 });
    expect(leaks()).toEqual([]);
  });

  test('warns that credentials which the service hides may be lost', async () => {
    const { id } = json(await create());
    const path = `/v2/companies/${service.ready().companyId}/municipaltaxes/${String(id)}`;
    const hidden = { city: { code: '3550308' }, taxNumber: '12345678', loginPassword: '***' };
    await service.send('PUT', path, { body: { municipalTax: hidden } });
    const run = await fiscal('update', String(id), '--serie', 'C3', '--yes');
    expect(run.stderr).toContain('--ask-credentials');
    expect(await stored(id)).not.toHaveProperty('loginPassword');
  });
});

test.each([{}, { city: { name: 'São Paulo' } }])(
  'a registration whose city is not shown (%j) may be the same one: nothing is sent',
  async (shown) => {
    const municipalTaxes = [{ id: 'm1', taxNumber: '12345678', ...shown }];
    const service = await imitate({
      'GET /v2/companies/c1/municipaltaxes': reply(200, { municipalTaxes, hasMore: false }),
    });
    const words = ['company', 'registration', 'create', ...flags, '--error-format', 'json'];
    const run = await runFiscal(words, service.host);
    expect([run.exitCode, errorOf(run).code]).toEqual([10, 'company.registration_unclear']);
    expect(service.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
  },
);

test.each([{ taxNumber: '12345679' }, { city: { code: '3304557' } }])(
  'an answer about another registration is no success: %j',
  async (other) => {
    const municipalTax = { id: 'm1', city: { code: '3550308' }, taxNumber: '12345678', ...other };
    const service = await imitate({
      'GET /v2/companies/c1/municipaltaxes': reply(200, { municipalTaxes: [], hasMore: false }),
      'POST /v2/companies/c1/municipaltaxes': reply(201, { municipalTax }),
    });
    const words = ['company', 'registration', 'create', ...flags, '--error-format', 'json'];
    const run = await runFiscal(words, service.host);
    expect([run.exitCode, run.stdout, errorOf(run).code]).toEqual([3, '', 'outcome.unknown']);
  },
);
