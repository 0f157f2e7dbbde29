import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BUCKET, S3Server } from '../../support/s3-server.js';
import { testService } from '../../conformance/service.js';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';
import { records } from '../seed.js';
import { unzipped } from './unzipped.js';

const service = testService();
const archive = `s3://${BUCKET}/fiscal`;
let server: S3Server;

beforeAll(async () => {
  server = await S3Server.start();
  await service.control('POST', 'seed', { documents: 40, family: 'nfe' });
});
afterAll(() => server.stop());

function hostOfService(): TestHost {
  const { url, invoiceKey, companyId } = service.ready();
  const hosts = { FISCAL_PRODUCT_URL: url, FISCAL_QUERY_URL: url, FISCAL_SERVICE_URL: url };
  return testHost({ env: { ...hosts, FISCAL_INVOICE_KEY: invoiceKey, FISCAL_COMPANY: companyId, ...server.env } });
}

function packageIn(stdout: string) {
  const all = records(stdout) as { readonly type: string; readonly documents: number }[];
  return all.find(({ type }) => type === 'package');
}

test('a bucket remembers what was handed over for every machine, and gives the same bytes', async () => {
  const [host, other] = [hostOfService(), hostOfService()];
  for (const machine of [host, other]) {
    const sync = ['inbound', 'sync', '--type', 'nfe', '--archive', archive];
    expect((await runFiscal(sync, machine)).exitCode).toBe(0);
  }
  const paths = [...server.objects.keys()];
  const [month = ''] = paths.flatMap((key) => /\/(\d{4}-\d\d)\/nfe\//.exec(key)?.[1] ?? []);
  const pack = async (machine: TestHost, to: string, ...more: string[]) => {
    const out = join(machine.root, to);
    const from = more.includes('--archive') ? [] : ['--archive', archive];
    const words = ['export', 'package', month, '--out', out, '-o', 'ndjson', ...from];
    const { exitCode, stdout } = await runFiscal([...words, ...more], machine);
    const [name = ''] = readdirSync(out);
    return { exitCode, record: packageIn(stdout), file: join(out, name) };
  };
  const whole = await pack(host, 'whole');
  expect(whole).toMatchObject({ exitCode: 0, record: { state: 'written' } });
  const again = await pack(host, 'again');
  expect(readFileSync(again.file).equals(readFileSync(whole.file))).toBe(true);
  const first = await pack(host, 'new', '--since-last');
  expect(first.record).toMatchObject({ state: 'written', number: 1, documents: whole.record?.documents });
  expect((await pack(other, 'new', '--since-last')).record).toMatchObject({ state: 'nothing-new' });
  const copy = join(host.root, 'copy');
  await runFiscal(['inbound', 'close', month, '--archive', archive], host);
  await runFiscal(['inbound', 'archive', 'copy', '--from', archive, '--to', copy], host);
  const copied = await pack(host, 'of-copy', '--archive', copy);
  expect(copied.record).toMatchObject({ documents: whole.record?.documents });
  const receipt = [...(await unzipped(copied.file)).values()][0];
  expect(JSON.parse(String(receipt))).toMatchObject({ withoutFile: { documents: 0, events: 0 } });
  const [xml = ''] = paths.filter((key) => key.includes(`/${month}/nfe/`));
  server.put(xml, Buffer.from('<nfeProc>changed</nfeProc>'));
  expect(await pack(host, 'damaged')).toMatchObject({ exitCode: 3, record: { state: 'damaged' } });
});
