import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { json } from '../../client/support/server.js';
import { runFiscal } from '../../support/host.js';
import { imitate, type Answers } from '../inbound/service.js';
import { samples } from '../../../src/commands/invoice/samples.js';

const services = '/v1/companies/c1/serviceinvoices';
const order = { ...samples.nfse, externalId: 'P-1' };
const invoice = { ...order, id: 's1', flowStatus: 'Issued' };

async function run(answers: Answers, words: readonly string[]) {
  const service = await imitate(answers);
  const host = { ...service.host, env: { ...service.host.env, FISCAL_SERVICE_URL: service.url } };
  writeFileSync(join(host.cwd, 'order.json'), JSON.stringify(order));
  const result = await runFiscal(['invoice', ...words, '--yes', '--error-format', 'json'], host);
  return { ...result, posts: service.asked().filter((line) => line.startsWith('POST')) };
}

const issue = ['issue', '--model', 'nfse', '--file', 'order.json'];

test('an NFS-e that the service returns in a list is not sent again', async () => {
  const { exitCode, stdout, stderr, posts } = await run(
    {
      [`GET ${services}/external/P-1`]: json(200, { serviceInvoices: [invoice], page: 1 }),
      [`GET ${services}/s1`]: json(200, invoice),
    },
    issue,
  );
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('nothing was sent')]);
  expect(JSON.parse(stdout)).toMatchObject({ id: 's1', lookup: 'found' });
  expect(posts).toEqual([]);
});

test('an order for which the service returns two NFS-e is not sent', async () => {
  const serviceInvoices = [invoice, { ...invoice, id: 's2' }];
  const { exitCode, stderr, posts } = await run(
    { [`GET ${services}/external/P-1`]: json(200, { serviceInvoices, page: 1 }) },
    issue,
  );
  expect([exitCode, posts]).toEqual([10, []]);
  expect(stderr).toMatch(/invoice\.external_id_taken.*several invoices.*fiscal invoice list --model nfse/);
});

test.each([
  ['shows it', [invoice], 0, ''],
  ['is empty', [], 9, 'invoice.not_found'],
  ['shows two of it', [invoice, { ...invoice, id: 's2' }], 6, 'service.unreadable'],
])('get --external-id of a list that %s', async (_name, serviceInvoices, exit, code) => {
  const { exitCode, stderr } = await run(
    {
      [`GET ${services}/external/P-1`]: json(200, { serviceInvoices, page: 1 }),
      [`GET ${services}/s1`]: json(200, invoice),
    },
    ['get', '--model', 'nfse', '--external-id', 'P-1'],
  );
  expect([exitCode, stderr]).toEqual([exit, expect.stringContaining(code)]);
});

test('an invoice that was issued in contingency is issued', async () => {
  const body = { id: 'i-1', status: 'IssuedContingency' };
  const { exitCode } = await run({ 'GET /v2/companies/c1/productinvoices/i-1': json(200, body) }, [
    ...['get', '--model', 'nfe', 'i-1', '--exit-status'],
  ]);
  expect(exitCode).toBe(0);
});

describe.each([
  ['Cancelled', /no longer valid.*"sent":"no".*issue the order again/],
  // Its number was never used by an invoice that the authority took.
  ['Disabled', /"sent":"no".*issue the order again/],
  ['IssueFailed', /"sent":"no".*nothing was issued/],
])('an order that is found as %s', (flowStatus, words) => {
  const found = { ...invoice, flowStatus };
  const answers = { [`GET ${services}/external/P-1`]: json(200, found), [`GET ${services}/s1`]: json(200, found) };

  test('is not a success, even if it is requested again', async () => {
    const service = await imitate(answers);
    const host = { ...service.host, env: { ...service.host.env, FISCAL_SERVICE_URL: service.url } };
    writeFileSync(join(host.cwd, 'order.json'), JSON.stringify(order));
    for (const _time of [1, 2]) {
      const argv = ['invoice', ...issue, '--yes', '--error-format', 'json'];
      const { exitCode, stderr } = await runFiscal(argv, host);
      expect([exitCode, stderr]).toEqual([13, expect.stringMatching(`ended as ${flowStatus}`)]);
      expect(stderr).toMatch(words);
    }
    expect(service.asked().filter((line) => line.startsWith('POST'))).toEqual([]);
  });

  test('while it is followed, is rejected in a batch', async () => {
    let reads = 0;
    const followed = {
      [`GET ${services}/external/P-1`]: json(200, { ...invoice, flowStatus: 'WaitingSend' }),
      [`GET ${services}/s1`]: () => json(200, { ...found, flowStatus: reads++ > 0 ? flowStatus : 'WaitingSend' }),
    };
    const batch = ['apply', '--model', 'nfse', 'order.json', '--wait', '--interval', '100ms', '-o', 'ndjson'];
    const { exitCode, stdout, posts } = await run(followed, batch);
    expect([exitCode, posts]).toEqual([3, []]);
    expect(stdout).toMatch(new RegExp(`"state":"rejected".*"${flowStatus}"`));
  });

  test('is rejected in a batch', async () => {
    const batch = ['apply', '--model', 'nfse', 'order.json', '-o', 'ndjson'];
    const { exitCode, stdout, posts } = await run(answers, batch);
    expect([exitCode, posts]).toEqual([3, []]);
    expect(stdout).toMatch(new RegExp(`"state":"rejected".*"${flowStatus}"`));
  });
});
