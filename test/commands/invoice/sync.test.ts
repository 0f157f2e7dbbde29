import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { samples } from '../../../src/commands/invoice/samples.js';
import { json, type Reply } from '../../client/support/server.js';
import { NFE_KEY, nfe } from '../../archive/signed-xml.js';
import { runFiscal } from '../../support/host.js';
import { imitate } from '../inbound/service.js';
import { errorOf, invoiceSandbox, recordsOf, wait, type InvoiceSandbox } from './sandbox.js';

let sandbox: InvoiceSandbox;

beforeEach(() => {
  sandbox = invoiceSandbox();
});

type Model = 'nfe' | 'nfce' | 'nfse';

async function issued(model: Model, externalId: string) {
  const file = sandbox.put(`${model}.json`, samples[model]);
  const words = ['issue', '--model', model, '--file', file, '--external-id', externalId, ...wait];
  const { stdout } = await sandbox.invoice(...words);
  const { id, accessKey } = JSON.parse(stdout) as { id: string; accessKey: string };
  return { id, accessKey };
}

async function sync(...words: string[]) {
  const archive = join(sandbox.host.root, 'archive');
  const run = await sandbox.invoice('sync', '--archive', archive, '-o', 'ndjson', ...words);
  const files = existsSync(archive) ? readdirSync(archive, { recursive: true, encoding: 'utf8' }) : [];
  const records = recordsOf(run.stdout);
  return {
    ...run,
    archive,
    summary: records.at(-1),
    problems: records.filter(({ type }) => type === 'problem'),
    files: files.filter((name) => /\.\w+$/.test(name)).toSorted(),
  };
}

const nameOf = (path: string) => path.split('/').slice(-2).join('/');

test('every model comes with its PDF and its events, and a second run downloads nothing', async () => {
  const sold = await issued('nfe', 'P-1');
  const till = await issued('nfce', 'P-2');
  const served = await issued('nfse', 'P-3');
  const letter = ['--text', 'Onde se le Cafe, leia-se Cha', '--yes', ...wait];
  await sandbox.invoice('correct', sold.id, ...letter);
  await sandbox.invoice('cancel', '--model', 'nfse', served.id, '--reason', 'Emitida por engano', '--yes', ...wait);
  const first = await sync('--pdf');
  expect([first.exitCode, first.problems]).toEqual([0, []]);
  expect(first.files.map(nameOf)).toEqual(
    [
      `issued-nfce/${till.accessKey}.pdf`,
      `issued-nfce/${till.accessKey}.xml`,
      `issued-nfe/${sold.accessKey}.event-CorrectionLetter-1.xml`,
      `issued-nfe/${sold.accessKey}.pdf`,
      `issued-nfe/${sold.accessKey}.xml`,
      `issued-nfse/${served.accessKey}.event-Cancellation.xml`,
      `issued-nfse/${served.accessKey}.pdf`,
      `issued-nfse/${served.accessKey}.xml`,
    ].toSorted(),
  );
  expect(first.summary).toMatchObject({ archived: 3, pdfs: 3, events: 2, outstanding: 0 });
  const xml = await sandbox.invoice('xml', '--model', 'nfe', sold.id);
  const path = first.files.find((name) => name.endsWith(`${sold.accessKey}.xml`)) ?? '';
  expect(readFileSync(join(first.archive, path), 'utf8')).toBe(xml.stdout);
  const second = await sync('--pdf');
  expect([second.exitCode, second.summary]).toMatchObject([0, { added: 0, changed: 0, bytes: 0 }]);
  expect(second.files).toEqual(first.files);
});

test('issued documents are in no list of received ones', async () => {
  await issued('nfe', 'P-1');
  await sync();
  const local = await sandbox.fiscal('inbound', 'list', '--local', '-o', 'ndjson');
  // No received document was ever read here.
  expect([local.exitCode, local.stdout]).toEqual([3, '']);
});

test('what was issued in a sandbox is forgotten with it', async () => {
  await issued('nfe', 'P-1');
  await sync();
  const stored = async () =>
    recordsOf((await sandbox.invoice('list', '--model', 'nfe', '--local', '-o', 'ndjson')).stdout);
  expect(await stored()).toHaveLength(1);
  await sandbox.fiscal('sandbox', 'reset');
  expect(await stored()).toEqual([]);
});

test('a later cancellation is seen by the next run, and a correction of an invoice that has not changed as well', async () => {
  const [one, other] = [await issued('nfe', 'P-1'), await issued('nfe', 'P-2')];
  await sync();
  await sandbox.invoice(
    'cancel',
    '--model',
    'nfe',
    one.id,
    '--reason',
    'Pedido desfeito pelo cliente',
    '--yes',
    ...wait,
  );
  const letter = ['--text', 'Onde se le Cafe, leia-se Cha', '--yes', ...wait];
  await sandbox.invoice('correct', other.id, ...letter);
  const second = await sync('--type', 'nfe');
  expect([second.exitCode, second.problems]).toEqual([0, []]);
  expect(second.summary).toMatchObject({ added: 0, events: 1 });
  expect(second.files.map(nameOf)).toContain(`issued-nfe/${other.accessKey}.event-CorrectionLetter-1.xml`);
});

test('what is not final is counted and comes later; what was refused has no document', async () => {
  await sandbox.outcome('--outcome', 'failed', '--count', '1');
  await issued('nfe', 'P-1').catch(() => undefined);
  const late = ['--outcome', 'issued', '--delay', '1h', '--count', '1'];
  await sandbox.outcome(...late);
  const file = sandbox.put('nfe.json', samples.nfe);
  await sandbox.invoice('issue', '--model', 'nfe', '--file', file, '--external-id', 'P-2');
  const first = await sync('--type', 'nfe');
  expect([first.exitCode, first.files]).toEqual([0, []]);
  expect(first.summary).toMatchObject({ added: 2, archived: 0, notFinal: 1, outstanding: 0 });
  expect(first.stderr).toContain('1 invoice is not final yet');
  await sandbox.fiscal('sandbox', 'clock', 'advance', '2h');
  const second = await sync('--type', 'nfe');
  expect([second.exitCode, second.summary]).toMatchObject([0, { archived: 1 }]);
  expect(second.summary).not.toHaveProperty('notFinal');
});

test('a layout without the type does not mix issued and received documents', async () => {
  const { accessKey } = await issued('nfe', 'P-1');
  const { files } = await sync('--type', 'nfe', '--layout', 'flat');
  expect(files).toEqual([expect.stringMatching(new RegExp(`^issued-nfe/\\d{14}/${accessKey}\\.xml$`))]);
});

test('a file that was changed is fetched again by --repair, and the changed one is kept', async () => {
  const sold = await issued('nfe', 'P-1');
  const { archive, files } = await sync('--type', 'nfe');
  const path = join(archive, files[0] ?? '');
  const before = readFileSync(path, 'utf8');
  writeFileSync(path, 'changed');
  const repaired = await sync('--type', 'nfe', '--repair');
  expect([repaired.exitCode, repaired.summary]).toMatchObject([0, { repaired: 1, unrepaired: 0 }]);
  expect(readFileSync(path, 'utf8')).toBe(before);
  expect(repaired.files.filter((name) => name.includes(sold.accessKey))).toHaveLength(2);
});

describe('bad input', () => {
  test.each([
    [['--type', 'cte'], 'usage.invalid_value'],
    [['--since', 'soon'], 'usage.invalid_value'],
    [['--layout', '{nothing}'], 'usage.invalid_value'],
  ])('%j ends 2, and nothing is sent', async (words, code) => {
    const { exitCode, stderr, stdout } = await sync(...words);
    expect([exitCode, errorOf({ exitCode, stderr, stdout })]).toMatchObject([2, { code, sent: 'no' }]);
  });
});

const company = { id: 'c1', name: 'Um', federalTaxNumber: '33000167000101' };
const companies = json(200, { companies: [company], hasMore: false });
const xml = (body: string): Reply => ({ status: 200, headers: { 'content-type': 'application/xml' }, body });

describe('a service', () => {
  const services = 'GET /v1/companies/c1/serviceinvoices';
  const listed = json(200, { serviceInvoices: [{ id: 's1', flowStatus: 'Issued', number: 7 }], page: 1 });
  const cities = (body: string) =>
    imitate({
      'GET /v2/companies': companies,
      [services]: (request) =>
        (request.url ?? '').includes('pageIndex=1') ? listed : json(200, { serviceInvoices: [], page: 2 }),
      [`${services}/s1/xml`]: xml(body),
    });
  const run = async (service: Awaited<ReturnType<typeof imitate>>, ...words: string[]) => {
    const env = { ...service.host.env, FISCAL_SERVICE_URL: service.url };
    const argv = ['invoice', 'sync', '--archive', join(service.host.root, 'a'), '-o', 'ndjson', ...words];
    const { exitCode, stdout } = await runFiscal(argv, { ...service.host, env });
    return { exitCode, records: recordsOf(stdout) };
  };

  test.each([
    ['that names the company', '<CompNfse><Cnpj>33000167000101</Cnpj></CompNfse>', 0, []],
    ['that names another one', '<CompNfse><Cnpj>11222333000181</Cnpj></CompNfse>', 3, ['unknown-layout']],
    ['that is not well-formed', '<CompNfse>33000167000101', 3, ['malformed']],
  ])('gives an NFS-e in the layout of a city %s', async (_name, body, ends, codes) => {
    const { exitCode, records } = await run(await cities(body), '--type', 'nfse');
    const problems = records.filter(({ type }) => type === 'problem').map(({ code }) => code);
    expect([exitCode, problems]).toEqual([ends, codes]);
  });

  test('that gives the XML of another invoice is not believed', async () => {
    const invoices = '/v2/companies/c1/productinvoices';
    const accessKey = NFE_KEY.replace(/030656857$/, '030656865');
    const row = { id: 'i1', status: 'Issued', authorization: { accessKey } };
    const service = await imitate({
      'GET /v2/companies': companies,
      [`GET ${invoices}`]: json(200, { productInvoices: [row], hasMore: false }),
      [`GET ${invoices}/i1/events`]: json(200, { events: [], hasMore: false }),
      [`GET ${invoices}/i1/xml`]: xml(nfe()),
    });
    const { exitCode, records } = await run(service, '--type', 'nfe');
    const [problem] = records.filter(({ type }) => type === 'problem');
    expect([exitCode, problem]).toMatchObject([3, { state: 'quarantined', code: 'other-key' }]);
  });

  test('whose list ends early fails the company, and keeps what the list gave', async () => {
    const invoices = '/v2/companies/c1/productinvoices';
    const row = { id: 'i1', status: 'Issued', authorization: { accessKey: NFE_KEY } };
    const service = await imitate({
      'GET /v2/companies': companies,
      [`GET ${invoices}`]: json(200, { productInvoices: [row], hasMore: true }),
      [`GET ${invoices}/i1/events`]: json(200, { events: [], hasMore: false }),
      [`GET ${invoices}/i1/xml`]: xml(nfe()),
    });
    const { exitCode, records } = await run(service, '--type', 'nfe');
    expect([exitCode, records[0]]).toMatchObject([3, { state: 'failed', errorCode: 'service.list_cut' }]);
  });
});
