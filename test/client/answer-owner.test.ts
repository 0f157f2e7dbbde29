import { expect, test } from 'vitest';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import { MemorySink } from '../../src/client/receive.js';
import type { Client } from '../../src/client/client.js';
import { bench } from './support/client.js';
import { json, serve } from './support/server.js';

const path = { companyId: 'asked' };
const document = { accessKey: '1', companyId: 'asked' };

const foreign: readonly (readonly [string, (client: Client) => Promise<unknown>, unknown])[] = [
  ['the company itself', (client) => client.call('company.get', { path }), { company: { id: 'other' } }],
  [
    'a row of a list',
    (client) => client.call('nfe.inbound.list', { path }),
    { value: [document, { ...document, companyId: 'other' }] },
  ],
  [
    'an NFS-e in the list of an external id',
    (client) => client.call('nfse.getByExternalId', { path: { ...path, externalId: 'P-1' } }),
    { serviceInvoices: [{ id: 's1', externalId: 'P-1', companyId: 'other' }], page: 1 },
  ],
  [
    'the company inside a document',
    (client) => client.call('nfe.inbound.get', { path: { ...path, accessKey: '1' } }),
    { accessKey: '1', company: { id: 'other' } },
  ],
  [
    'settings that carry an id',
    (client) => client.call('nfse.inbound.settings', { path }),
    { id: 'other', isActive: true },
  ],
  [
    'a company in the body of the request',
    (client) => client.call('nfse.inbound.enable', { path: {}, body: { companyId: 'asked' } }),
    { companyId: 'other' },
  ],
  [
    'a company named beside the request',
    (client) =>
      client.call('nfe.manifestation.submit', {
        path: { accessKey: '1' },
        companyId: 'asked',
        body: { eventCode: 210210, nSequencia: 1, detail: {} },
      }),
    { id: 'e-1', status: 'Pending', companyId: 'other' },
  ],
];

test.each(foreign)('%s: a different one is an error with its own code, exit 10', async (_name, call, body) => {
  const server = await serve(json(200, body, { 'x-request-id': 'r-1' }));
  const hosts = { product: server.url, query: server.url, service: server.url };
  const { client } = bench(server.url, { settings: { hosts } });
  const error: unknown = await call(client).catch((it: unknown) => it);
  if (!(error instanceof FiscalError)) throw new Error('the answer was taken');
  expect([error.code, error.exitCode, server.seen.length]).toEqual(['service.other_company', 10, 1]);
  expect(error.text.en).toContain('is about company other');
  expect(error.text.en).toContain('not about asked');
  expect(error.text.pt).toContain('a empresa other');
  expect(error.facts).toMatchObject({ sent: 'yes', retryable: false, requestId: 'r-1' });
});

test('a different tenant is the same error', async () => {
  const server = await serve(json(200, { id: 'p', status: 'Active', tenantId: 'theirs' }));
  const { client } = bench(server.url);
  const call = client.call('product.get', { path: { tenantId: 'mine', productId: 'p' } });
  await expect(call).rejects.toMatchObject({ code: 'service.other_company', exitCode: 10 });
});

test('a document that is being prepared for another company is not waited for', async () => {
  const server = await serve(json(202, { documentId: 'd', companyId: 'other' }));
  const { client } = bench(server.url);
  const call = client.download('nfe.inbound.pdf', { path: { ...path, accessKey: '1' } }, { sink: new MemorySink() });
  await expect(call).rejects.toMatchObject({ code: 'service.other_company', exitCode: 10 });
});

test('an answer without an owner, or with the same one in another case or as a number, is accepted', async () => {
  const rows = { value: [{ accessKey: '1' }, { accessKey: '2', companyId: 'ASKED' }] };
  const server = await serve(json(200, rows), json(200, { company: { id: 42 } }));
  const { client } = bench(server.url);
  expect((await client.call('nfe.inbound.list', { path })).body).toEqual(rows);
  expect((await client.call('company.get', { path: { companyId: '42' } })).body).toEqual({ company: { id: 42 } });
});
