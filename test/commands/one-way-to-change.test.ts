import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { json, type Reply } from '../client/support/server.js';
import { runFiscal } from '../support/host.js';
import { imitate, type Service } from './inbound/service.js';

type Fields = Readonly<Record<string, unknown>>;

const cnpj = '11444777000161';
/** Exists nowhere else: finding it anywhere but in a request is a leak. */
const canary = 'CANARY-71D4-ONE-WAY';

/** One resource of an account, and one change of it by either way. */
interface Row {
  readonly name: string;
  readonly path: string;
  /** The field that wraps it in requests and answers. */
  readonly envelope?: string;
  readonly method?: 'POST';
  readonly standing: Fields;
  /** The words of the single command that changes it. */
  readonly words: readonly string[];
  /** The same change in a file of `company apply`. */
  readonly file: Fields;
  /** The body that either way sends. */
  readonly sent: Fields;
  /** The route and body by which apply differs. */
  readonly applyMethod?: 'PUT';
  readonly changed: readonly string[];
  /** A field that somebody else changes meanwhile: another one than is named. */
  readonly other: Fields;
  /** What moves by itself meanwhile, and is kept as it stands then. */
  readonly moving?: { readonly shown: Fields; readonly sent: Fields };
  /** The same values in another order: no change. */
  readonly reordered?: { readonly words: readonly string[]; readonly file: Fields };
}

const address = {
  ...{ street: 'Rua A', number: '10', district: 'Centro', state: 'SP', postalCode: '01310100' },
  ...{ country: 'BRA', city: { code: '3550308', name: 'São Paulo' } },
};
const company = { name: 'Sol Ltda', federalTaxNumber: Number(cnpj), taxRegime: 'LucroReal', address };
const nfe = {
  ...{ webhookVersion: '1', webhookEvents: ['a', 'b'], environmentSEFAZ: 'Test' },
  automaticManifesting: { minutesToOperationConfirmation: 60, other: 'kept' },
};
const stateTax = { code: 'SP', taxNumber: '110042490114', type: 'NFe', serie: 1, number: 7 };
const municipalTax = {
  ...{ city: { code: '3550308', name: 'São Paulo' }, taxNumber: '12345678', rpsNumber: 7 },
  ...{ environment: 'Development', email: 'a@example.com' },
};
const webhook = {
  ...{ uri: 'https://erp.example.com/hooks', contentType: 'json', status: 'Active', filters: ['a', 'b'] },
  ...{ headers: { 'X-Caller': canary }, properties: { owner: { team: 'x' } }, retries: { most: 5 } },
};
const capture = ['inbound', 'capture'];

const rows: readonly Row[] = [
  {
    ...{ name: 'company', path: '/v2/companies/c1', envelope: 'company' },
    standing: { id: 'c1', ...company, tradeName: 'Lua', status: 'Active', revision: 1 },
    words: ['company', 'update', 'c1', '--file', 'change.json'],
    file: { address: { number: '20' } },
    sent: { ...company, tradeName: 'Lua', address: { ...address, number: '20' } },
    ...{ changed: ['address.number'], other: { tradeName: 'Estrela' } },
  },
  {
    ...{ name: 'state registration', path: '/v2/companies/c1/statetaxes/s1', envelope: 'stateTax' },
    standing: {
      id: 's1',
      ...stateTax,
      environmentType: 'Production',
      securityCredential: { id: 3, code: canary },
      status: 'Active',
    },
    words: ['company', 'registration', 'update', 's1', '--kind', 'state', '--environment', 'Test'],
    file: { stateTaxes: [{ code: 'SP', taxNumber: '110.042.490.114', type: 'NFe', environmentType: 'Test' }] },
    sent: { ...stateTax, environmentType: 'Test', securityCredential: { id: 3, code: canary } },
    ...{ changed: ['environmentType'], other: { specialTaxRegime: 'Nenhum' } },
    moving: { shown: { number: 9 }, sent: { number: 9 } },
  },
  {
    ...{ name: 'municipal registration', path: '/v2/companies/c1/municipaltaxes/m1' },
    ...{
      envelope: 'municipalTax',
      standing: { id: 'm1', ...municipalTax, rpsSerialNumber: 'A1', loginPassword: canary },
    },
    words: ['company', 'registration', 'update', 'm1', '--kind', 'municipal', '--serie', 'C3'],
    file: { municipalTaxes: [{ city: { code: '3550308' }, taxNumber: '12345678', rpsSerialNumber: 'C3' }] },
    sent: { ...municipalTax, rpsSerialNumber: 'C3', loginPassword: canary },
    ...{ changed: ['rpsSerialNumber'], other: { email: 'b@example.com' } },
    moving: { shown: { rpsNumber: 9 }, sent: { rpsNumber: 9 } },
  },
  {
    ...{ name: 'capture of NF-e', path: '/v2/companies/c1/inbound/productinvoices' },
    standing: { companyId: 'c1', status: 'Active', startFromNsu: 4, startFromDate: '2026-01-01', ...nfe },
    words: [...capture, 'update', '--type', 'nfe', '--environment', 'Production'],
    file: { capture: { nfe: { environmentSEFAZ: 'Production' } } },
    sent: { ...nfe, environmentSEFAZ: 'Production' },
    ...{ changed: ['environmentSEFAZ'], other: { webhookVersion: '2' } },
    moving: { shown: { startFromNsu: 9 }, sent: {} },
    reordered: {
      words: [...capture, 'update', '--type', 'nfe', '--webhook-events', 'b,a'],
      file: { capture: { nfe: { webhookEvents: ['b', 'a'] } } },
    },
  },
  {
    ...{ name: 'capture of CT-e', path: '/v2/companies/c1/inbound/transportationinvoices', method: 'POST' },
    standing: { companyId: 'c1', status: 'Active', startFromNsu: 4, environmentSEFAZ: 'Test' },
    words: [...capture, 'enable', '--type', 'cte', '--environment', 'Production'],
    file: { capture: { cte: { environmentSEFAZ: 'Production' } } },
    sent: { environmentSEFAZ: 'Production' },
    ...{ changed: ['environmentSEFAZ'], other: { environmentSEFAZ: 'Other' } },
    moving: { shown: { startFromNsu: 9 }, sent: {} },
  },
  {
    ...{ name: 'capture of NFS-e', path: '/v2/companies/c1/inbound/nfse/details' },
    standing: {
      companyId: 'c1',
      isActive: true,
      initialNsu: '4',
      webhookUrl: 'https://a.example/',
      outboundEnabled: false,
    },
    words: [...capture, 'update', '--type', 'nfse', '--outbound-enabled', 'true'],
    file: { capture: { nfse: { outboundEnabled: 'true' } } },
    sent: { outboundEnabled: true },
    ...{ changed: ['outboundEnabled'], other: { webhookUrl: 'https://b.example/' } },
    moving: { shown: { initialNsu: '9' }, sent: {} },
  },
  {
    ...{ name: 'webhook', path: '/v2/webhooks/w1', envelope: 'webHook' },
    standing: { id: 'w1', ...webhook, createdOn: '2026-01-01T00:00:00Z' },
    words: ['webhook', 'update', 'w1', '--status', 'inactive'],
    file: { status: 'Inactive' },
    sent: { ...webhook, status: 'Inactive' },
    ...{ changed: ['status'], other: { filters: ['c'] } },
    reordered: { words: ['webhook', 'update', 'w1', '--events', 'b,a'], file: { filters: ['b', 'a'] } },
  },
];

interface Account extends Service {
  readonly writes: () => readonly { readonly method: string; readonly body: Fields }[];
}

interface How {
  readonly standing?: Fields;
  /** Somebody else's change, after the resource was read this many times. */
  readonly meanwhile?: { readonly fields: Fields; readonly reads: number };
  /** What the answer to a write is; it is stored anyway, unless `isLost`. */
  readonly answer?: Reply;
  readonly isLost?: boolean;
  /** What every reading after the first one gets. */
  readonly later?: Reply;
}

/** A service that holds one resource, and stores whatever is written. */
async function account(row: Row, { standing = row.standing, meanwhile, answer, isLost, later }: How = {}) {
  const { path, envelope } = row;
  let kept: Fields = standing;
  let reads = 0;
  const wrapped = (content: Fields) => (envelope === undefined ? content : { [envelope]: content });
  const read = () => {
    if (meanwhile !== undefined && reads === meanwhile.reads) kept = { ...kept, ...meanwhile.fields };
    reads += 1;
    return later !== undefined && reads > 1 ? later : json(200, wrapped(kept));
  };
  const write = () => {
    if (isLost !== true) kept = { ...kept, ...bodyOf(service.seen.at(-1)?.body ?? '', envelope) };
    const { secret: _never, ...shown } = kept;
    kept = shown;
    return answer ?? json(200, wrapped(kept));
  };
  const list = (name: string, of: string) => () =>
    json(200, { [name]: envelope === of ? [{ id: kept['id'], uri: kept['uri'] }] : [], hasMore: false });
  const service = await imitate({
    'GET /v2/companies': json(200, { companies: [{ id: 'c1', ...company }], hasMore: false }),
    'GET /v2/companies/c1': json(200, { company: { id: 'c1', ...company } }),
    'GET /v2/companies/c1/statetaxes': list('stateTaxes', 'stateTax'),
    'GET /v2/companies/c1/municipaltaxes': list('municipalTaxes', 'municipalTax'),
    'GET /v2/webhooks': list('webHooks', 'webHook'),
    [`GET ${path}`]: read,
    [`PUT ${path}`]: write,
    [`POST ${path}`]: write,
  });
  writeFileSync(join(service.host.cwd, 'change.json'), JSON.stringify(row.file));
  return Object.assign(service, {
    writes: () =>
      service.seen
        .filter(({ method }) => method !== 'GET')
        .map(({ method = '', body }) => ({ method, body: bodyOf(body, envelope) })),
  }) satisfies Account;
}

function bodyOf(text: string, envelope: string | undefined): Fields {
  const body = JSON.parse(text === '' ? '{}' : text) as Record<string, Fields>;
  return envelope === undefined ? body : (body[envelope] ?? {});
}

const secret = `${canary}-of-the-signature-0123456789`;

async function apply(service: Service, { name }: Row, file: Fields, ...more: readonly string[]) {
  const { cwd } = service.host;
  writeFileSync(join(cwd, 'hook.secret'), `${secret}\n`);
  const section =
    name === 'webhook'
      ? { webhooks: [{ uri: 'https://ERP.example.com/hooks', secretFile: 'hook.secret', ...file }] }
      : { companies: [{ cnpj, ...file }] };
  writeFileSync(join(cwd, 'clients.yaml'), JSON.stringify(section));
  const run = await runFiscal(['company', 'apply', 'clients.yaml', ...more, '-o', 'ndjson'], service.host);
  const steps = run.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Fields)
    .filter(({ type, line, step }) => type === 'item' && line !== 0 && !(step === 'company' && name !== 'company'));
  return { ...run, steps };
}

const single = async (service: Service, words: readonly string[], ...more: readonly string[]) =>
  await runFiscal([...words, ...more, '-o', 'json'], service.host);

/** Every file of the machine and all of its output, without what the test itself has put there. */
function everything({ host }: Service): string {
  const own = new Set(['hook.secret', 'change.json', 'clients.yaml']);
  const files = readdirSync(host.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !own.has(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('latin1'));
  const { stdout, stderr } = host.written();
  return [stdout, stderr, ...files].join('\n');
}

/** The secrets of a webhook go with every write. */
const withSecret = ({ name, sent }: Row): Fields => (name === 'webhook' ? { ...sent, secret } : sent);

const movingRows = rows.filter(({ moving }) => moving !== undefined);

test.each(movingRows)('$name: what moves by itself meanwhile is kept as it stands then', async (row) => {
  const { words, file, sent, moving: { shown = {}, sent: fresh = {} } = {}, method = 'PUT' } = row;
  const one = await account(row, { meanwhile: { fields: shown, reads: 1 } });
  const done = await single(one, words, '--yes');
  expect([done.exitCode, one.writes()]).toEqual([0, [{ method, body: { ...sent, ...fresh } }]]);
  const many = await account(row, { meanwhile: { fields: shown, reads: 1 } });
  const run = await apply(many, row, file, '--yes');
  expect([run.exitCode, many.writes()]).toEqual([0, [{ method, body: { ...sent, ...fresh } }]]);
});

const rowsWithLists = rows.filter(({ reordered }) => reordered !== undefined);

test.each(rowsWithLists)('$name: a list in another order is no change', async (row) => {
  const service = await account(row);
  const done = await single(service, row.reordered?.words ?? []);
  const run = await apply(service, row, row.reordered?.file ?? {});
  expect([done.exitCode, done.stderr]).toEqual([0, expect.stringContaining('nothing was sent')]);
  expect([run.exitCode, run.steps]).toMatchObject([0, [{ action: 'unchanged' }]]);
  expect(service.writes()).toEqual([]);
});

describe.each(rows)('one way to change: $name', (row) => {
  const { name, words, file, sent, changed, other, method = 'PUT' } = row;
  const secretWords = name === 'webhook' ? ['--secret-file', 'hook.secret'] : [];

  test('the single command and apply send the same body, with what stands and is not named', async () => {
    const one = await account(row);
    writeFileSync(join(one.host.cwd, 'hook.secret'), `${secret}\n`);
    const done = await single(one, words, ...secretWords, '--yes');
    expect([done.exitCode, one.writes()]).toEqual([0, [{ method, body: withSecret(row) }]]);
    const many = await account(row);
    const run = await apply(many, row, file, '--yes');
    expect(run.steps).toMatchObject([{ action: 'update', state: 'succeeded' }]);
    expect([run.exitCode, many.writes()]).toEqual([0, [{ method, body: withSecret(row) }]]);
  });

  test('without a difference nothing is asked and nothing is sent', async () => {
    const service = await account(row, { standing: { ...row.standing, ...sent } });
    const done = await single(service, words);
    const run = await apply(service, row, file);
    const check = await apply(service, row, file, '--check');
    expect([done.exitCode, done.stderr]).toEqual([0, expect.stringContaining('nothing was sent')]);
    expect([run.exitCode, check.exitCode, run.steps]).toMatchObject([0, 0, [{ action: 'unchanged' }]]);
    expect(service.writes()).toEqual([]);
  });

  test('nothing is sent without consent, and a dry run shows the body that is sent', async () => {
    const service = await account(row);
    const asked = [await single(service, words), await apply(service, row, file)];
    const shown = await single(service, words, '--dry-run');
    const planned = await apply(service, row, file, '--dry-run');
    expect([...asked, shown, planned].map(({ exitCode }) => exitCode)).toEqual([2, 2, 0, 0]);
    const { request, changes } = JSON.parse(shown.stdout) as { request: { body: unknown }; changes: Fields[] };
    const body = bodyOf(JSON.stringify(request.body), row.envelope);
    expect(Object.keys(body).toSorted()).toEqual(Object.keys(sent).toSorted());
    const fields = (list: unknown) => (list as Fields[]).map(({ field }) => field);
    expect([fields(changes), fields(planned.steps[0]?.['changes'])]).toEqual([changed, changed]);
    expect(service.writes()).toEqual([]);
  });

  test('what somebody else changes after the reading is not written over', async () => {
    const one = await account(row, { meanwhile: { fields: other, reads: 1 } });
    const refused = await single(one, words, '--yes');
    const [field = ''] = Object.keys(other);
    expect([refused.exitCode, one.writes()]).toEqual([10, []]);
    expect(refused.stderr).toContain('resource.changed');
    expect(refused.stderr).toContain(` (${field}) since it was read; nothing was sent`);
    const many = await account(row, { meanwhile: { fields: other, reads: 1 } });
    const run = await apply(many, row, file, '--yes');
    expect(run.steps).toMatchObject([
      {
        ...{ action: 'update', state: 'failed', errorCode: 'resource.changed' },
        error: `somebody changed ${field} since it was read; nothing was sent`,
      },
    ]);
    expect([run.exitCode, many.writes()]).toEqual([3, []]);
  });

  test.each([408, 500])('a write that ends with %i is sent once, and looked up or asked about', async (status) => {
    const answer = { status, body: '{}' };
    const one = await account(row, { answer });
    const cut = await single(one, words, '--yes', '--max-retry-wait', '0s');
    const again = await single(one, words, '--yes');
    expect(cut.stderr).toMatch(/"hint":"check its state: fiscal (?:company|inbound capture|webhook) /);
    expect([cut.exitCode, cut.stdout, cut.stderr]).toEqual([3, '', expect.stringContaining('outcome.unknown')]);
    expect([again.exitCode, one.writes().length]).toEqual([0, 1]);
    const many = await account(row, { answer });
    const run = await apply(many, row, file, '--yes', '--settle-time', '100ms', '--resend-absent');
    expect(run.steps).toMatchObject([{ action: 'update', state: 'succeeded' }]);
    expect([run.exitCode, many.writes().length]).toEqual([0, 1]);
  });

  test('an answer with other values is no success', async () => {
    const one = await account(row, { isLost: true });
    const done = await single(one, words, '--yes');
    expect([done.exitCode, done.stdout, done.stderr]).toEqual([
      3,
      '',
      expect.stringContaining('shows other values than those written'),
    ]);
    const many = await account(row, { isLost: true });
    const run = await apply(many, row, file, '--yes', '--settle-time', '100ms');
    expect(run.exitCode).toBe(3);
    expect(run.steps).toMatchObject([{ action: 'update', state: expect.not.stringMatching('succeeded') }]);
    expect([one.writes().length, many.writes().length]).toEqual([1, 1]);
  });

  test('what cannot be read again is not replaced', async () => {
    const refused = json(403, { error: { code: 'forbidden', message: 'no' } });
    const one = await account(row, { later: refused });
    expect((await single(one, words, '--yes')).exitCode).toBe(7);
    const many = await account(row, { later: refused });
    const run = await apply(many, row, file, '--yes');
    expect(run.steps).toMatchObject([{ action: 'update', state: 'failed', errorCode: 'service.forbidden' }]);
    expect([run.exitCode, one.writes(), many.writes()]).toEqual([3, [], []]);
  });

  test('no secret is shown, kept or logged', async () => {
    const service = await account(row);
    await single(service, words, '--dry-run', '--debug-http', '-v');
    await apply(service, row, file, '--dry-run', '--debug-http', '-v');
    await apply(service, row, file, '--yes', '--debug-http', '-v');
    await runFiscal(['history', '-o', 'json'], service.host);
    expect(everything(service).includes(canary)).toBe(false);
  });
});

test('many captures: what somebody else changes after the question is not written over, and the others are', async () => {
  const companies = ['c1', 'c2'].map((id, at) => ({ id, name: id, federalTaxNumber: ['11222333000181', cnpj][at] }));
  const reads = new Map<string, number>();
  const settings = (id: string) => () => {
    const count = (reads.get(id) ?? 0) + 1;
    reads.set(id, count);
    const webhookVersion = id === 'c1' && count > 1 ? '2' : '1';
    return json(200, { companyId: id, status: 'Active', ...nfe, webhookVersion });
  };
  const path = (id: string) => `/v2/companies/${id}/inbound/productinvoices`;
  const taken = () => json(200, { companyId: 'c2', status: 'Active', ...nfe, environmentSEFAZ: 'Production' });
  const service = await imitate(
    {
      'GET /v2/companies': json(200, { companies, hasMore: false }),
      [`GET ${path('c1')}`]: settings('c1'),
      [`GET ${path('c2')}`]: settings('c2'),
      [`PUT ${path('c1')}`]: taken,
      [`PUT ${path('c2')}`]: taken,
    },
    { env: { FISCAL_COMPANY: undefined } },
  );
  const words = [...capture, 'update', '--type', 'nfe', '--environment', 'Production', '--all-companies'];
  const run = await single(service, words, '--yes');
  expect([run.exitCode, JSON.parse(run.stdout)]).toMatchObject([
    3,
    [
      { companyId: 'c1', errorCode: 'resource.changed', sent: 'no' },
      { companyId: 'c2', environmentSEFAZ: 'Production' },
    ],
  ]);
  const written = service.asked().filter((asked) => !asked.startsWith('GET'));
  expect(written).toEqual([`PUT ${path('c2')}`]);
});

describe('a webhook of which a status is not shown', () => {
  const [row] = rows.filter(({ name }) => name === 'webhook');
  if (row === undefined) throw new Error('there is no webhook in the table');
  const { status: _unknown, ...standing } = row.standing;

  test('is switched on by no way: both refuse a change that does not name it', async () => {
    const service = await account(row, { standing });
    const refused = await single(service, ['webhook', 'update', 'w1', '--events', 'c', '--yes']);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('turns it off')]);
    const run = await apply(service, row, { filters: ['c'] }, '--yes');
    expect(run.steps).toMatchObject([
      { action: 'blocked', error: expect.stringContaining('an update without a status turns it off') },
    ]);
    expect([run.exitCode, service.writes()]).toEqual([3, []]);
  });

  test('takes what either way names, and neither invents a content type', async () => {
    const { contentType: _none, ...bare } = standing;
    const service = await account(row, { standing: bare });
    const run = await apply(service, row, { status: 'Active' }, '--yes');
    const { id: _id, createdOn: _on, ...kept } = bare;
    expect([run.exitCode, service.writes()]).toEqual([
      0,
      [{ method: 'PUT', body: { ...kept, status: 'Active', secret } }],
    ]);
  });
});

interface NewRow {
  readonly name: string;
  /** `POST /v2/…`. */
  readonly route: string;
  readonly list: string;
  readonly of: string;
  readonly words: readonly string[];
  readonly file: Fields;
  readonly sent: Fields;
}

const newRows: readonly NewRow[] = [
  {
    ...{ name: 'company', route: 'POST /v2/companies', list: 'companies', of: 'company' },
    words: ['company', 'create', '--file', 'change.json', '--cnpj', cnpj],
    file: { name: 'Sol Ltda', taxRegime: 'lucro real', address },
    sent: { company },
  },
  {
    ...{ name: 'state registration', route: 'POST /v2/companies/c1/statetaxes' },
    ...{ list: 'stateTaxes', of: 'stateTax' },
    words: ['company', 'registration', 'create', '--state', 'sp', '--tax-number', '110042490114', '--type', 'NFe'],
    file: { stateTaxes: [{ code: 'sp', taxNumber: '110042490114', type: 'NFe' }] },
    sent: { stateTax: { code: 'SP', taxNumber: '110042490114', type: 'NFe' } },
  },
  {
    ...{ name: 'municipal registration', route: 'POST /v2/companies/c1/municipaltaxes' },
    ...{ list: 'municipalTaxes', of: 'municipalTax' },
    words: ['company', 'registration', 'create', '--city', '3550308', '--tax-number', '12345678'],
    file: { municipalTaxes: [{ city: { code: '3550308' }, taxNumber: '12345678' }] },
    sent: { municipalTax: { city: { code: '3550308' }, taxNumber: '12345678' } },
  },
  {
    ...{ name: 'capture of NF-e', route: 'POST /v2/companies/c1/inbound/productinvoices', list: '', of: '' },
    words: [...capture, 'enable', '--type', 'nfe', '--start-from-date', '2026-10-01'],
    file: { capture: { nfe: { startFromDate: '2026-10-01' } } },
    sent: { startFromDate: '2026-10-01T03:00:00Z' },
  },
  {
    ...{ name: 'capture of NFS-e', route: 'POST /v2/companies/inbound/nfse', list: '', of: '' },
    words: [...capture, 'enable', '--type', 'nfse', '--outbound-enabled', 'true'],
    file: { capture: { nfse: { outboundEnabled: 'true' } } },
    sent: { companyId: 'c1', initialNsu: 0, outboundEnabled: true },
  },
  {
    ...{ name: 'webhook', route: 'POST /v2/webhooks', list: 'webHooks', of: 'webHook' },
    words: ['webhook', 'create', 'https://ERP.example.com/hooks', '--events', 'a', '--secret-file', 'hook.secret'],
    file: { filters: ['a'] },
    sent: {
      webHook: {
        ...{ contentType: 'json', status: 'Active', uri: 'https://ERP.example.com/hooks', filters: ['a'] },
        secret,
      },
    },
  },
];

/** A service without the resource, which keeps what is created. */
async function without({ route, list, of, name, file }: NewRow, answer?: Reply) {
  let kept: Fields | undefined;
  const path = route.replace('POST ', '');
  const settings = name === 'capture of NFS-e' ? '/v2/companies/c1/inbound/nfse/details' : path;
  const id = name === 'company' ? 'c1' : 'n1';
  const one = () => (kept === undefined ? json(404, {}) : json(200, of === '' ? kept : { [of]: kept }));
  const service = await imitate(
    {
      'GET /v2/companies': json(200, { companies: [{ id: 'c1', ...company }], hasMore: false }),
      'GET /v2/companies/c1': json(200, { company: { id: 'c1', ...company } }),
      ...(of === '' ? { [`GET ${settings}`]: one } : { [`GET ${path}/${id}`]: one }),
      ...(of === ''
        ? {}
        : { [`GET ${path}`]: () => json(200, { [list]: kept === undefined ? [] : [kept], hasMore: false }) }),
      [route]: () => {
        const body = JSON.parse(service.seen.at(-1)?.body ?? '{}') as Record<string, Fields>;
        const { secret: _never, ...content } = of === '' ? body : (body[of] ?? {});
        kept = of === '' ? { companyId: 'c1', status: 'Active', ...content } : { id, ...content };
        return answer ?? one();
      },
    },
    { companies: ['c1'] },
  );
  writeFileSync(join(service.host.cwd, 'change.json'), JSON.stringify(file));
  writeFileSync(join(service.host.cwd, 'hook.secret'), `${secret}\n`);
  const sent = () =>
    service.seen.filter(({ method }) => method === 'POST').map(({ body }): unknown => JSON.parse(body));
  return Object.assign(service, { sent });
}

describe.each(newRows)('one way to create: $name', (row) => {
  const named = { name: row.name } as Row;

  test('the single command and apply send the same body once, and the second time nothing', async () => {
    const one = await without(row);
    const done = await single(one, row.words);
    const many = await without(row);
    const run = await apply(many, named, row.file, '--yes');
    const again = await apply(many, named, row.file, '--check');
    expect([done.exitCode, one.sent()]).toEqual([0, [row.sent]]);
    expect([run.exitCode, many.sent()]).toEqual([0, [row.sent]]);
    expect([again.exitCode, again.steps]).toMatchObject([0, [{ action: 'unchanged' }]]);
  });

  test('a dry run shows the body, and sends nothing', async () => {
    const service = await without(row);
    const shown = await single(service, row.words, '--dry-run');
    const planned = await apply(service, named, row.file, '--dry-run');
    expect([shown.exitCode, planned.exitCode, shown.stderr]).toEqual([0, 0, '']);
    const { request } = JSON.parse(shown.stdout) as { request: { body: Fields } };
    const masked = (body: unknown): unknown => JSON.parse(JSON.stringify(body).replaceAll(secret, '***'));
    expect(masked(request.body)).toEqual(masked(row.sent));
    expect(planned.steps).toMatchObject([{ action: 'create' }]);
    expect(service.sent()).toEqual([]);
  });

  test('a create of unknown outcome is looked up, and sent once', async () => {
    const answer = { status: 500, body: '{}' };
    const many = await without(row, answer);
    const run = await apply(many, named, row.file, '--yes', '--settle-time', '100ms', '--resend-absent');
    expect(run.steps).toMatchObject([{ action: 'create', state: 'succeeded' }]);
    expect([run.exitCode, many.sent()]).toEqual([0, [row.sent]]);
  });
});
