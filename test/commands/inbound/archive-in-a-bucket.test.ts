import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { BUCKET, S3Server, s3Keys } from '../../support/s3-server.js';
import { testService } from '../../conformance/service.js';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';

const service = testService();
const archive = `s3://${BUCKET}/fiscal`;
let server: S3Server;

beforeAll(async () => {
  server = await S3Server.start();
  await service.control('POST', 'seed', { documents: 60, family: 'nfe' });
});
afterAll(() => server.stop());

function hostOfService(): TestHost {
  const { url, invoiceKey, companyId } = service.ready();
  const hosts = { FISCAL_PRODUCT_URL: url, FISCAL_QUERY_URL: url, FISCAL_SERVICE_URL: url };
  const keys = { FISCAL_INVOICE_KEY: invoiceKey, FISCAL_COMPANY: companyId, ...server.env };
  return testHost({ env: { ...hosts, ...keys } });
}

const documents = (): readonly string[] =>
  [...server.objects.keys()].filter((key) => /^fiscal\/(?!proofs|set-aside|\.fiscal)/.test(key));

test('documents of two machines go to one bucket once, are closed, verified, repaired, and no secret stays', async () => {
  const [host, other] = [hostOfService(), hostOfService()];
  const sync = ['inbound', 'sync', '--type', 'nfe', '--archive', `${archive}/`, '-o', 'json'];
  const synced = await Promise.all([runFiscal(sync, host), runFiscal(sync, other)]);
  expect(synced.map(({ exitCode, stderr }) => [exitCode, stderr.includes('set-aside')])).toEqual([
    [0, false],
    [0, false],
  ]);
  const archived = documents().length;
  expect(archived).toBeGreaterThanOrEqual(60);
  expect([...server.objects.keys()].filter((key) => key.startsWith('fiscal/set-aside'))).toEqual([]);
  expect(JSON.parse(synced[0]?.stdout ?? '')).toEqual(
    expect.arrayContaining([expect.objectContaining({ type: 'summary', archive })]),
  );

  const months = new Set(documents().map((key) => /\/(\d{4}-\d\d)\//.exec(key)?.[1] ?? ''));
  for (const month of months) {
    const closed = await runFiscal(['inbound', 'close', month, '--type', 'nfe', '-o', 'json'], host);
    expect([closed.exitCode === 0 || closed.exitCode === 3, closed.stdout]).toEqual([
      true,
      expect.stringContaining(`${archive}/proofs/${month}`),
    ]);
  }
  const verify = async () => await runFiscal(['inbound', 'verify', '--archive', archive, '-o', 'json'], other);
  expect((await verify()).exitCode).toBe(0);

  const [first = ''] = documents().filter((key) => key.endsWith('.xml') && !key.includes('event'));
  server.put(first, Buffer.from('<nfeProc>changed</nfeProc>'));
  const differing = await verify();
  expect([differing.exitCode, differing.stdout]).toEqual([3, expect.stringContaining('"changed"')]);
  const repaired = await runFiscal([...sync, '--repair'], host);
  expect(repaired.exitCode).toBe(0);
  expect((await verify()).exitCode).toBe(0);
  const aside = [...server.objects.keys()].filter((key) => key.startsWith('fiscal/set-aside/'));
  expect(aside.map((key) => String(server.objects.get(key)?.body))).toEqual(['<nfeProc>changed</nfeProc>']);

  for (const folder of [host.root, other.root]) expect(filesWith(s3Keys.AWS_SECRET_ACCESS_KEY, folder)).toEqual([]);
  const printed = [...synced, repaired, differing].map(({ stdout, stderr }) => stdout + stderr).join('');
  expect(printed).not.toContain(s3Keys.AWS_SECRET_ACCESS_KEY);
});

test('the same address at another server is another archive, and nothing is believed of it', async () => {
  const host = hostOfService();
  const sync = ['inbound', 'sync', '--type', 'nfe', '-o', 'json'];
  expect((await runFiscal([...sync, '--archive', archive], host)).exitCode).toBe(0);
  const [first = ''] = documents().filter((name) => /\/\d{44}\.xml$/.test(name));
  const [, month = '', key = ''] = /\/(\d{4}-\d\d)\/.*?(\d{44})\.xml$/.exec(first) ?? [];

  const elsewhere = await S3Server.start();
  onTestFinished(() => elsewhere.stop());
  const there = { ...host, env: { ...host.env, ...elsewhere.env } };
  const terminal = { ...there, stdout: { ...there.stdout, isTerminal: true } };
  for (const words of [['verify'], ['sync'], ['close', month], ['pdf', key]]) {
    const refused = await runFiscal(['inbound', ...words, '--error-format', 'text'], terminal);
    expect([words, refused.exitCode, refused.stderr]).toEqual([
      words,
      2,
      expect.stringContaining('it is not the archive of this address'),
    ]);
    expect(refused.stderr).not.toContain('#');
  }
  expect([...elsewhere.objects.keys()]).toEqual([]);

  const close = ['inbound', 'close', month, '--type', 'nfe', '--archive', archive, '-o', 'json'];
  const closed = await runFiscal(close, there);
  expect([closed.exitCode, closed.stdout]).toEqual([3, expect.stringContaining('"other-archive"')]);
  const again = await runFiscal([...sync, '--archive', archive], there);
  expect([again.exitCode, again.stdout]).toEqual([0, expect.stringContaining(`"archive": "${archive}"`)]);
  for (const name of documents()) expect(elsewhere.objects.get(name)?.body).toEqual(server.objects.get(name)?.body);
  expect((await runFiscal(['inbound', 'verify'], there)).exitCode).toBe(0);
});

test('the PDF of an archived document goes beside its XML, and is not opened there', async () => {
  const host = hostOfService();
  expect((await runFiscal(['inbound', 'sync', '--type', 'nfe', '--archive', archive], host)).exitCode).toBe(0);
  const xml = documents().find((key) => /\/\d{44}\.xml$/.test(key)) ?? '';
  const [, key = ''] = /(\d{44})\.xml$/.exec(xml) ?? [];
  const pdf = ['inbound', 'pdf', key];
  const terminal = { ...host, stdout: { ...host.stdout, isTerminal: true } };
  expect((await runFiscal(pdf, terminal)).exitCode).toBe(0);
  expect(String(server.objects.get(xml.replace('.xml', '.pdf'))?.body)).toContain('%PDF');
  const startProgram = () => Promise.reject(new Error('nothing is opened'));
  const desktop = { ...terminal, startProgram, stderr: { ...host.stderr, isTerminal: true } };
  desktop.env = { ...host.env, DISPLAY: ':0' };
  const refused = await runFiscal([...pdf, '--open'], desktop);
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining('a PDF in a bucket cannot be opened'),
  ]);
});

test.each([
  [['--archive', 's3://name:secret@archive/x'], 'keys belong in AWS_ACCESS_KEY_ID'],
  [['--archive', 's3://archive/a/../b'], 'the prefix is made of parts'],
  [['--archive', 's3:///x'], 's3://bucket'],
  [['--archive', archive, '--object-lock', 'COMPLIANCE'], 'belong together'],
  [['--archive', archive, '--object-lock', 'COMPLIANCE', '--retain', '1'], 'days or years'],
  [['--object-lock', 'GOVERNANCE', '--retain', '1d'], 's3://bucket/prefix'],
] as const)('%j is refused with a sentence, and nothing is sent', async (words, sentence) => {
  const before = server.requests.length;
  const result = await runFiscal(['inbound', 'sync', ...words], hostOfService());
  expect([result.exitCode, result.stderr]).toEqual([2, expect.stringContaining(sentence)]);
  expect(result.stderr).not.toContain('secret@');
  expect(server.requests.length).toBe(before);
});

test('a missing bucket ends before the service is asked for documents', async () => {
  const argv = [
    'inbound',
    'sync',
    '--type',
    'nfe',
    '--archive',
    's3://not-there',
    '--lang',
    'pt-BR',
    '--error-format',
    'text',
  ];
  const result = await runFiscal(argv, hostOfService());
  expect([result.exitCode, result.stderr]).toEqual([9, expect.stringContaining('não existe o bucket')]);
});

function filesWith(text: string, folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && readFileSync(path).includes(text));
}
