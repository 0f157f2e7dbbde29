import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testService } from '../../conformance/service.js';
import { newCompany } from '../../facts/company.js';
import { commandOf, loadCommands } from '../../support/commands.js';
import { giveEmptyStore } from '../../support/empty-store.js';
import { errorOf, machineBefore, type Machine, type Run } from '../../support/service-host.js';

const nfe = '35250530057049000141550010000280181030656857';
const nfse = '21113002200574753000100000000000146726037032711025';
const thumbprint = 'A'.repeat(40);

const reason = 'um motivo de mais de quinze letras';
const range = ['--serie', '1', '--from', '2', '--state', 'SP', '--reason', reason, '--yes'];

/** Words with which each command that acts for companies comes as far as asking which; `many`: it takes several; a mode has a
 * row of its own, such as `status --check`. */
const commands: Readonly<Record<string, { readonly words: readonly string[]; readonly many?: true }>> = {
  'backfill plan': { words: [], many: true },
  'backfill release': { words: ['--yes'], many: true },
  'backfill revoke': { words: ['--yes'], many: true },
  'backfill show': { words: [], many: true },
  'backfill start-from': { words: ['2026-01-01', '--yes'], many: true },
  'backfill show --wait': { words: [], many: true },
  'certificate delete': { words: [thumbprint, '--yes'] },
  'certificate list': { words: [] },
  'certificate list --yes': { words: [thumbprint] },
  'certificate upload': { words: ['--file', 'a1.pfx', '--password-file', 'password.txt', '--yes'] },
  'company export': { words: ['--out', 'clients.yaml'], many: true },
  'company registration create': { words: ['--state', 'SP', '--tax-number', '110042490114', '--type', 'NFe'] },
  'company registration create --city 3550308': { words: ['--tax-number', '12345678'] },
  'company registration get': { words: ['ie1'] },
  'company registration get --kind municipal': { words: ['im1'] },
  'company registration list': { words: [] },
  'company registration switch-authorizer': { words: ['ie1', '--to', 'Normal', '--yes'] },
  'company registration update': { words: ['ie1', '--serie', '2', '--yes'] },
  'company registration update --kind municipal': { words: ['im1', '--serie', '2', '--yes'] },
  status: { words: [], many: true },
  'status --check': { words: [], many: true },
  'job list': { words: ['--attention'], many: true },
  'inbound close': { words: ['2026-10'], many: true },
  'inbound events': { words: [nfe] },
  'inbound fetch-by-key': { words: [nfse, '--yes'] },
  'inbound get': { words: [nfe] },
  'inbound list': { words: ['--type', 'nfe'], many: true },
  'inbound outstanding': { words: [], many: true },
  'inbound capture run': { words: ['--yes'] },
  'inbound capture show --notices': { words: [] },
  'inbound capture reactivate': { words: ['--yes'] },
  'inbound capture reset-nsu': { words: ['0', '--yes'] },
  'inbound pdf': { words: [nfe] },
  'inbound reconcile': { words: ['--erp', 'erp.csv', '--month', '2026-10'], many: true },
  'inbound reprocess': { words: [nfe, '--webhook', '--yes'] },
  'inbound capture disable': { words: ['--type', 'nfe', '--yes'] },
  'inbound capture enable': { words: ['--type', 'nfe', '--environment', 'Test', '--yes'], many: true },
  'inbound capture show': { words: ['--type', 'nfe'], many: true },
  'inbound capture show --statistics': { words: ['--type', 'nfse'], many: true },
  'inbound capture update': { words: ['--type', 'nfe', '--environment', 'Test', '--yes'], many: true },
  'inbound sync': { words: [], many: true },
  'inbound xml': { words: [nfe] },
  'invoice sync': { words: [], many: true },
  'lookup cte': { words: [nfe.replace(/^(.{20})55/, '$157')] },
  'manifestation apply': { words: ['plan.csv', '--yes'], many: true },
  'manifestation due': { words: [], many: true },
  'manifestation get': { words: ['event-1', '--type', 'nfse'] },
  'manifestation apply --skip-invalid': { words: ['events.csv', '--yes'] },
  'manifestation list': { words: [], many: true },
  'manifestation plan': { words: ['--rules', 'rules.yaml'], many: true },
  'manifestation poll': { words: ['event-1', '--type', 'nfse'] },
  'manifestation submit': { words: [nfe, '--event', 'awareness', '--yes'] },
  'export package': { words: ['2026-10', '--out', 'packages'], many: true },
  'export table': { words: ['header', '2026-10', '--out', 'header.csv'], many: true },
  'report month': { words: ['2026-10', '--out', 'reports'], many: true },
  usage: { words: [], many: true },
  'webhook missed': { words: ['--since', '7d'], many: true },
  ...Object.fromEntries(
    ['nfe', 'nfce', 'nfse'].flatMap((model) => [
      [`invoice apply --model ${model}`, { words: ['nota.json', '--yes'] }],
      [`invoice cancel --model ${model}`, { words: ['i1', '--reason', reason, '--yes'] }],
      [`invoice get --model ${model}`, { words: ['i1'] }],
      [`invoice issue --model ${model}`, { words: ['--file', 'nota.json', '--unchecked', '--yes'] }],
      [`invoice list --model ${model}`, { words: [] }],
      [`invoice pdf --model ${model}`, { words: ['i1'] }],
      [`invoice xml --model ${model}`, { words: ['i1'] }],
    ]),
  ),
  ...Object.fromEntries(
    ['nfe', 'nfce'].flatMap((model) => [
      [`invoice disable --model ${model}`, { words: range }],
      [`invoice events --model ${model}`, { words: ['i1'] }],
      [`invoice xml --model ${model} --of rejection`, { words: ['i1'] }],
    ]),
  ),
  'invoice correct': { words: ['i1', '--text', 'uma correção de mais de quinze letras', '--yes'] },
  'invoice disable': { words: ['i1', '--reason', reason, '--yes'] },
  'invoice email': { words: ['i1', '--yes'] },
  'invoice get': { words: ['i1'] },
  'invoice pdf --of letter': { words: ['i1'] },
  'invoice xml --of letter': { words: ['i1'] },
  'invoice xml --of cancellation': { words: ['i1'] },
};

const service = testService();
const ids = { sol: '', nascente: '', zenite: '' };
let machine: Machine;
let pfx: Uint8Array;

async function create(name: string, federalTaxNumber: number): Promise<string> {
  const { url, invoiceKey } = service.ready();
  const answer = await fetch(`${url}/v2/companies`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: invoiceKey },
    body: JSON.stringify({ company: { ...newCompany, name, federalTaxNumber } }),
  });
  const { company } = (await answer.json()) as { readonly company: { readonly id: string } };
  return company.id;
}

beforeAll(async () => {
  const made = (await service.control('POST', 'pfx', { password: 'x' })) as { readonly file: string };
  pfx = Buffer.from(made.file, 'base64');
  ids.sol = await create('Padaria São João Ltda', 33000167000101);
  ids.nascente = await create('PADARIA SAO JOAO FILIAL ME', 33000167000292);
  ids.zenite = await create('Zênite Ltda', 191);
});

beforeEach(() => {
  machine = machineBefore(service.ready());
  giveEmptyStore(machine.host);
  machine.put('nota.json', JSON.stringify({ externalId: 'P-1' }));
  machine.put('erp.csv', `accessKey\n${nfe}\n`);
  machine.put('plan.csv', `accessKey,event,fingerprint\n${nfe},awareness,${'0'.repeat(32)}\n`);
  machine.put('events.csv', `accessKey,event\n${nfe},awareness\n`);
  machine.put('rules.yaml', 'rules: [{ event: awareness }]');
  machine.put('password.txt', 'x');
  machine.put('a1.pfx', pfx);
});

interface Entry {
  readonly method: string;
  readonly path: string;
}

/** What was asked of the service besides the companies themselves. */
async function askedOthers(): Promise<readonly string[]> {
  const { entries } = (await service.control('GET', 'ledger?limit=5000')) as { readonly entries: readonly Entry[] };
  return entries
    .map(({ method, path }) => `${method} ${path.split('?')[0] ?? ''}`)
    .filter((line) => !/^GET \/v2\/companies(?:\/[^/]+)?$/.test(line));
}

async function outcomeOf(run: Promise<Run>) {
  const { exitCode, stdout, stderr } = await run;
  const { code, details = [] } = errorOf({ exitCode, stdout, stderr });
  return { exitCode, stdout, code, details, others: await askedOthers() };
}

test('the table names every command that acts for a company', async () => {
  const scoped = [...(await loadCommands())].flatMap(([name, { scope = [] }]) =>
    scope.includes('company') ? [name] : [],
  );
  expect([...new Set(Object.keys(commands).map(commandOf))].toSorted()).toEqual(scoped.toSorted());
});

describe.each(Object.entries(commands))('%s', (name, { words, many }) => {
  const asked = async (company: string) => {
    await service.control('DELETE', 'ledger');
    return await outcomeOf(machine.fiscal(...name.split(' '), ...words, '--company', company, '-o', 'json'));
  };

  test('exits 9 for an unknown company, and names the known ones', async () => {
    const actual = await asked('nope');
    expect(actual).toMatchObject({ exitCode: 9, stdout: '', code: 'company.unknown', others: [] });
    expect(actual.details.map(({ field }) => field)).toEqual(expect.arrayContaining([ids.sol, ids.zenite]));
  });

  test('exits 9 for an unknown id', async () => {
    const actual = await asked('11111111-2222-4333-8444-555555555555');
    expect(actual).toMatchObject({ exitCode: 9, stdout: '', code: 'company.unknown', others: [] });
  });

  test('exits 2 for a name of two companies, and names both', async () => {
    const actual = await asked('padaria sao');
    expect(actual).toMatchObject({ exitCode: 2, stdout: '', code: 'company.ambiguous', others: [] });
    expect(actual.details).toEqual([
      { field: ids.sol, message: 'Padaria São João Ltda, 33.000.167/0001-01' },
      { field: ids.nascente, message: 'PADARIA SAO JOAO FILIAL ME, 33.000.167/0002-92' },
    ]);
  });

  if (many === undefined) {
    test('accepts one company and exits 2 for two', async () => {
      const actual = await asked('zenite,padaria são joão l');
      expect(actual).toMatchObject({ exitCode: 2, stdout: '', code: 'usage.invalid', others: [] });
    });
  } else {
    test('exits 9 if one of two is unknown', async () => {
      const actual = await asked('zenite,nope');
      expect(actual).toMatchObject({ exitCode: 9, stdout: '', code: 'company.unknown', others: [] });
    });
  }
});
