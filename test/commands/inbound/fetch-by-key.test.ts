import { expect, test } from 'vitest';
import { imitate } from './service.js';
import { json } from '../../client/support/server.js';
import { runFiscal } from '../../support/host.js';

const one = '33045572211905971000105000000000014625124504258429';
const two = '21113002200574753000100000000000146726037032711025';
const fetch = 'POST /v2/companies/c1/inbound/nfse/fetch-by-access-key';
const words = ['inbound', 'fetch-by-key'];

test('one key is one billed call, with consent, and it is counted', async () => {
  const service = await imitate({ [fetch]: json(200, { id: 'd1', accessKey: one, status: 'Received' }) });
  const refused = await runFiscal([...words, one], service.host);
  expect([refused.exitCode, service.seen.length]).toEqual([2, 0]);
  const result = await runFiscal([...words, one, '--yes', '-o', 'json'], service.host);
  expect(JSON.parse(result.stdout)).toEqual({ id: 'd1', accessKey: one, status: 'Received' });
  expect(service.seen.map(({ body }) => body)).toEqual([`{"accessKey":"${one}"}`]);
  const usage = await runFiscal(['usage', '-o', 'json'], service.host);
  expect(usage.stdout).toContain('doc-by-key');
  expect(result.stderr).toContain('this call is billed as GetDocByKey');
  const again = await runFiscal([...words, one, '--yes'], service.host);
  expect(again.stderr).toContain('1 call was a free repeat');
  const { stdout } = await runFiscal(['usage', '-o', 'ndjson'], service.host);
  expect(JSON.parse(stdout)).toMatchObject({ company: 'c1', billed: 1, unknown: 0, freeRepeats: 1 });
});

test('fiscal secrecy exits 7 with an explanation; any other 403 names both causes', async () => {
  const refusals = [json(403, { error: { code: 'fiscal_secrecy', message: 'no party' } }), { status: 403 }];
  const service = await imitate({ [fetch]: () => refusals.shift() ?? { status: 500 } });
  const secret = await runFiscal([...words, one, '--yes'], service.host);
  expect([secret.exitCode, secret.stdout]).toEqual([7, '']);
  expect(secret.stderr).toContain(`company c1 is neither provider nor taker nor intermediary of ${one}`);
  const other = await runFiscal([...words, one, '--yes'], service.host);
  expect(other.exitCode).toBe(7);
  expect(other.stderr).toContain('or the key lacks the role NFSeDist');
});

test('a billed call of unknown outcome is not repeated automatically', async () => {
  const service = await imitate({ [fetch]: { status: 500 } });
  expect((await runFiscal([...words, one, '--yes'], service.host)).exitCode).toBe(5);
  expect(service.seen).toHaveLength(1);
});

test('a list of keys is a job: limited by --max-billable, without a repeated request', async () => {
  const stdin = `${one}\n\n${two}\n${one}\n`;
  const service = await imitate({ [fetch]: json(200, { id: 'd1', status: 'Received' }) }, { stdin });
  const argv = [...words, '-', '--yes', '--concurrency', '1', '-o', 'ndjson'];
  const bounded = await runFiscal([...argv, '--max-billable', '1'], service.host);
  expect([bounded.exitCode, service.seen.length]).toEqual([14, 1]);
  expect(bounded.stderr).toContain('continue with: fiscal job resume');
  const none = await runFiscal([...argv, '--max-billable', '0'], service.host);
  expect([none.exitCode, none.stderr.includes('continue with a higher limit: ')]).toEqual([14, true]);
  const rest = await runFiscal(argv, service.host);
  const records = rest.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect([rest.exitCode, service.seen.length]).toEqual([0, 2]);
  expect(records).toMatchObject([
    { type: 'item', label: one, state: 'succeeded', documentId: 'd1' },
    { type: 'item', label: two, state: 'succeeded', documentId: 'd1' },
    { type: 'summary', succeeded: 2, billedCalls: 1 },
  ]);
  await runFiscal(argv, service.host);
  expect(service.seen).toHaveLength(2);
});

test('a refused key fails its item and the others continue', async () => {
  const service = await imitate(
    {
      [fetch]: () =>
        service.seen.length === 1
          ? json(403, { error: { code: 'fiscal_secrecy', message: 'no party' } })
          : json(200, { id: 'd2' }),
    },
    { stdin: `${one}\n${two}\n` },
  );
  const result = await runFiscal([...words, '-', '--yes', '--concurrency', '1', '-o', 'ndjson'], service.host);
  expect(result.exitCode).toBe(3);
  expect(result.stdout).toContain('"errorCode":"service.forbidden"');
  expect(JSON.parse(result.stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ failed: 1, billedCalls: 1 });
  expect(result.stderr).toContain('1 billed call was made');
  const usage = await runFiscal(['usage', '-o', 'ndjson'], service.host);
  expect(JSON.parse(usage.stdout)).toMatchObject({ billed: 1, unknown: 0 });
});

test('wrong keys are reported with their lines, and nothing is sent', async () => {
  const service = await imitate({}, { stdin: `${one}\n123\n` });
  const many = await runFiscal([...words, '-', '--yes'], service.host);
  expect([many.exitCode, many.stderr.includes('line 2')]).toEqual([2, true]);
  expect((await runFiscal([...words, '123', '--yes'], service.host)).exitCode).toBe(2);
  expect(service.seen).toEqual([]);
});

test('a spaced capture is respected: no call during the pause, with the settings read again', async () => {
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const details = 'GET /v2/companies/c1/inbound/nfse/details';
  const settings = [{ rateLimitedUntil: later }, { rateLimitedUntil: later }, { isActive: true }];
  const service = await imitate({
    [details]: () => json(200, settings.shift() ?? { isActive: true }),
    [fetch]: json(200, { id: 'd1' }),
  });
  await runFiscal(['inbound', 'capture', 'show', '--type', 'nfse'], service.host);
  const held = await runFiscal([...words, one, '--yes'], service.host);
  expect([held.exitCode, held.stderr.includes('capture is spaced until')]).toEqual([12, true]);
  expect((await runFiscal([...words, one, '--yes'], service.host)).exitCode).toBe(0);
  expect(service.asked()).toEqual([details, details, details, fetch]);
});

test('--dry-run shows the request and its cost', async () => {
  const service = await imitate({});
  const result = await runFiscal([...words, one, '--dry-run', '-o', 'json'], service.host);
  expect(JSON.parse(result.stdout)).toMatchObject({ operation: 'nfse.fetchByKey', billedCalls: 1 });
  expect(service.seen).toEqual([]);
});
