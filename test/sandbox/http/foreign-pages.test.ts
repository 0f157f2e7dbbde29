import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/start.js';

const account = { tenantId: 't-1', companyId: 'c-1', invoiceKey: 'sbx_i', dataKey: 'sbx_d' };

/** The status and the error of a request with these headers and a valid key. */
async function ask(url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const sent = request(url, { headers: { authorization: account.invoiceKey, ...headers } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = await response.setEncoding('utf8').reduce((text: string, part: string) => text + part, '');
  return `${response.statusCode ?? 0} ${/"message":"([^"]*)"/.exec(body)?.[1] ?? ''}`;
}

const rebound = { host: 'evil.example:80' };
const fromPage = { origin: 'https://evil.example' };
const ofItself = (url: string) => ({ origin: url });

test('a page in a browser reaches no route, by its origin or by a name that resolves to this machine', async () => {
  const sandbox = await startSandbox({ path: ':memory:', account });
  try {
    const { url } = sandbox;
    const paths = ['/v2/companies', '/t-1/products', '/__sandbox/status', '/__sandbox/no', '/no/such'];
    const notForPages = '403 The sandbox is not for pages in a browser.';
    const onlyLoopback = '403 The sandbox accepts only a loopback host.';
    for (const path of paths) {
      expect([path, await ask(url + path, fromPage)]).toEqual([path, notForPages]);
      expect([path, await ask(url + path, ofItself(url))]).toEqual([path, notForPages]);
      expect([path, await ask(url + path, rebound)]).toEqual([path, onlyLoopback]);
    }
    const answers = await Promise.all(
      ['127.0.0.1', 'localhost:1', '[::1]:8080'].map((host) => ask(`${url}/v2/companies`, { host })),
    );
    expect(answers).toEqual(['200 ', '200 ', '200 ']);
    // A refused page leaves no trace in the ledger.
    const ledger = (await (await fetch(`${url}/__sandbox/ledger`)).json()) as { entries: unknown[] };
    expect(ledger.entries).toHaveLength(3);
  } finally {
    await sandbox.close();
  }
});

test('a page reaches no temporary address of bytes', async () => {
  const sandbox = await startSandbox({ path: ':memory:', account, bytes: 'redirect' });
  try {
    const seeded = await fetch(`${sandbox.url}/__sandbox/documents`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ family: 'nfe' }),
    });
    expect(seeded.status).toBe(200);
    const headers = { authorization: account.invoiceKey };
    const list = await fetch(`${sandbox.url}/v2/companies/c-1/inbound/nfe`, { headers });
    const { value } = (await list.json()) as { value: { accessKey: string }[] };
    const path = `/v2/companies/c-1/inbound/nfe/${value[0]?.accessKey ?? ''}/xml`;
    const { headers: given } = await fetch(sandbox.url + path, { headers, redirect: 'manual' });
    const address = given.get('location') ?? '';
    expect(await ask(address, fromPage)).toMatch(/^403 /);
    expect(await ask(address, rebound)).toMatch(/^403 /);
    expect(await ask(address, {})).toMatch(/^200 /);
  } finally {
    await sandbox.close();
  }
});
