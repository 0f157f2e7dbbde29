import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { splitCommand } from '../../../src/domain/command-words.js';
import { fieldOf } from '../../../src/domain/record.js';
import { NFE_KEY, nfe, nfeSummary } from '../../archive/signed-xml.js';
import { json } from '../../client/support/server.js';
import { records } from '../seed.js';
import { testService } from '../../conformance/service.js';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';
import { imitate } from './service.js';

const service = testService();
const MONTH = '2026-03';
let host: TestHost;
let archive: string;

beforeAll(async () => {
  const { url, invoiceKey, companyId } = service.ready();
  const hosts = { FISCAL_PRODUCT_URL: url, FISCAL_QUERY_URL: url, FISCAL_SERVICE_URL: url };
  host = testHost({ env: { ...hosts, FISCAL_INVOICE_KEY: invoiceKey, FISCAL_COMPANY: companyId } });
  archive = join(host.root, 'archive');
  await service.control('POST', 'seed', { scenario: 'month', month: MONTH, documents: 60, companies: 1, seed: 5 });
});

async function fiscal(...words: string[]) {
  const { exitCode, stdout } = await runFiscal([...words, '-o', 'ndjson'], host);
  return { exitCode, records: records(stdout) };
}

/** Exit code, gaps and the printed command of a close. */
async function close() {
  const { exitCode, records: found } = await fiscal('inbound', 'close', MONTH, '--archive', archive);
  const gaps = found.filter((record) => fieldOf(record, 'type') === 'gap').map((gap) => fieldOf(gap, 'kind'));
  return { exitCode, gaps: gaps.toSorted(), repair: fieldOf(found.at(-2), 'repair') };
}

/** Runs a printed command as a shell would. */
async function run(printed: unknown) {
  const split = splitCommand(String(printed));
  if (!('words' in split)) throw new Error(split.problem.en);
  const [program, ...words] = split.words;
  expect(program).toBe('fiscal');
  return await fiscal(...words);
}

const files = (ending: string): readonly string[] =>
  readdirSync(archive, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !/^(?:proofs|set-aside)/.test(name))
    .toSorted();

test('the command that close prints repairs a document that never arrived, missing files and changed files', async () => {
  expect((await fiscal('inbound', 'sync', '--archive', archive)).exitCode).toBe(0);
  await service.control('POST', 'documents', { family: 'nfse', issuedOn: `${MONTH}-20T12:00:00Z` });
  const [gone = '', changed = '', untouched = ''] = files('.xml').filter((name) => !name.includes('.event-'));
  const [event = ''] = files('.xml').filter((name) => name.includes('.event-'));
  const before = statSync(join(archive, untouched)).mtimeMs;
  const right = readFileSync(join(archive, changed));
  rmSync(join(archive, gone));
  rmSync(join(archive, event));
  writeFileSync(join(archive, changed), 'changed by hand');
  const open = await close();
  expect(open).toEqual({
    exitCode: 3,
    gaps: ['event-file-missing', 'file-changed', 'file-missing', 'not-synced'],
    repair: expect.stringMatching(/^fiscal inbound sync .*--since \S+Z --repair --archive /),
  });
  const { records: done } = await run(open.repair);
  expect(done.at(-1)).toMatchObject({ type: 'summary', repaired: 3, unrepaired: 0, added: 1 });
  expect(await close()).toEqual({ exitCode: 0, gaps: [], repair: undefined });
  expect(readFileSync(join(archive, changed))).toEqual(right);
  expect(statSync(join(archive, untouched)).mtimeMs).toBe(before);
  const aside = readdirSync(join(archive, 'set-aside'), { recursive: true, encoding: 'utf8' });
  const [kept = ''] = aside.filter((name) => name.endsWith('.xml'));
  expect(kept).toMatch(new RegExp(`^${changed.replace(/\.xml$/, '')}\\.changed-[0-9a-f]{12}\\.xml$`));
  expect(readFileSync(join(archive, 'set-aside', kept), 'utf8')).toBe('changed by hand');
  expect((await fiscal('inbound', 'verify', '--archive', archive)).exitCode).toBe(0);
});

test('a document that the service no longer has stays broken, is reported and exits 3, every time', async () => {
  const list = [{ accessKey: NFE_KEY, status: 'Processed', issuedOn: '2026-10-05T13:00:00Z', nsu: null }];
  const served: { body: string | undefined } = { body: nfe() };
  const office = await imitate({
    'GET /v2/companies/c1/inbound/productinvoices': json(200, { status: 'Active' }),
    'GET /v2/companies/c1/inbound/nfe': json(200, { value: list }),
    'GET /v2/companies/c1/inbound/odata/ProductInvoiceEvents': json(200, { value: [] }),
    'GET /v2/companies': json(200, { companies: [{ id: 'c1', federalTaxNumber: '33000167000101' }] }),
    [`GET /v2/companies/c1/inbound/nfe/${NFE_KEY}/xml`]: () =>
      served.body === undefined
        ? json(404, { error: { code: 'not_found', message: 'no' } })
        : { status: 200, headers: { 'content-type': 'application/xml' }, body: served.body },
  });
  const sync = async () => {
    const words = ['inbound', 'sync', '--type', 'nfe', '--archive', office.host.root, '--repair', '-o', 'ndjson'];
    const { exitCode, stdout } = await runFiscal(words, office.host);
    return [exitCode, records(stdout).at(-1)];
  };
  expect(await sync()).toMatchObject([0, { archived: 1 }]);
  const path = join(office.host.root, '33000167000101/2026-10/nfe', `${NFE_KEY}.xml`);
  rmSync(path);
  for (const body of [undefined, undefined, 'no XML']) {
    served.body = body;
    expect([await sync(), existsSync(path)]).toMatchObject([[3, { repaired: 0, unrepaired: 1 }], false]);
  }
});

test('a missing file is repaired with a summary if the service only has that, and reported as a summary', async () => {
  const list = [{ accessKey: NFE_KEY, status: 'Processed', issuedOn: '2026-10-05T13:00:00Z', nsu: null }];
  const served = { body: nfe() };
  const office = await imitate({
    'GET /v2/companies/c1/inbound/productinvoices': json(200, { status: 'Active' }),
    'GET /v2/companies/c1/inbound/nfe': json(200, { value: list }),
    'GET /v2/companies/c1/inbound/odata/ProductInvoiceEvents': json(200, { value: [] }),
    'GET /v2/companies': json(200, { companies: [{ id: 'c1', federalTaxNumber: '33000167000101' }] }),
    [`GET /v2/companies/c1/inbound/nfe/${NFE_KEY}/xml`]: () => ({
      ...{ status: 200, headers: { 'content-type': 'application/xml' }, body: served.body },
    }),
  });
  const words = ['inbound', 'sync', '--type', 'nfe', '--archive', office.host.root, '--repair', '-o', 'ndjson'];
  await runFiscal(words, office.host);
  rmSync(join(office.host.root, '33000167000101/2026-10/nfe', `${NFE_KEY}.xml`));
  served.body = nfeSummary();
  const { stdout } = await runFiscal(words, office.host);
  expect(records(stdout).at(-1)).toMatchObject({ archived: 0, summaries: 1, repaired: 1 });
});

test('a missing or changed PDF is fetched again, without its XML', async () => {
  const words = ['inbound', 'sync', '--archive', archive, '--type', 'nfe'];
  // A PDF that the service is still making is outstanding until the next run.
  expect((await fiscal(...words, '--pdf')).exitCode).toBe(3);
  expect((await fiscal(...words, '--pdf')).exitCode).toBe(0);
  const [gone = '', changed = ''] = files('.pdf');
  const right = readFileSync(join(archive, changed));
  const document = join(archive, changed.replace(/\.pdf$/, '.xml'));
  const before = statSync(document).mtimeMs;
  rmSync(join(archive, gone));
  writeFileSync(join(archive, changed), 'changed by hand');
  const { exitCode, records: found } = await fiscal(...words, '--repair');
  expect([exitCode, found.at(-1)]).toMatchObject([0, { repaired: 2, unrepaired: 0 }]);
  expect([existsSync(join(archive, gone)), statSync(document).mtimeMs]).toEqual([true, before]);
  expect(readFileSync(join(archive, changed))).toEqual(right);
});

test('files of a disabled capture are repaired too', async () => {
  const [gone = ''] = files('.xml').filter((name) => name.includes('/cte/') && !name.includes('.event-'));
  rmSync(join(archive, gone));
  await service.control('POST', 'captures', { family: 'cte', active: false });
  const words = ['inbound', 'sync', '--archive', archive, '--type', 'cte', '--repair'];
  expect((await fiscal(...words)).records.at(-1)).toMatchObject({ repaired: 1, unrepaired: 0 });
  expect(existsSync(join(archive, gone))).toBe(true);
  expect((await fiscal('inbound', 'close', MONTH, '--archive', archive, '--type', 'cte')).exitCode).toBe(3);
});
