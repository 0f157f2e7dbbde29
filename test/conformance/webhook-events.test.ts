import { afterEach, describe, expect, it } from 'vitest';
import { cutOffPath, fetchByKeyPath, nfseListPath, nfsePath, nfseSettingsPath, nfePath } from '../facts/inbound.js';
import {
  consumerInvoicesPath,
  general,
  generalPath,
  merchandise,
  productInvoicesPath,
  services,
  serviceInvoicesPath,
} from '../facts/invoice.js';
import { confirmation, nfeKey, nfeSubmitPath, nfseSubmitPath } from '../facts/manifestation.js';
import { webhookPath, webhookSecret, webhooksPath, webhookStatuses } from '../facts/webhook.js';
import { openReceiver, type Received } from '../support/webhook-receiver.js';
import { testService } from './service.js';

const service = testService();
const companyId = () => service.ready().companyId;
const advance = (advance = '5m') => service.control('POST', 'clock', { advance });

async function subscribed(filters: readonly string[] = []) {
  const receiver = await openReceiver();
  const webHook = { uri: receiver.url, secret: webhookSecret, filters };
  const { json } = await service.send('POST', webhooksPath, { body: { webHook } });
  receiver.received.length = 0;
  return { receiver, id: String(json.webHook.id) };
}

const actions = (received: readonly Received[]) => received.map(({ json }) => json.action);
const outcome = (rule: object) => service.control('POST', 'outcomes', rule);
const statusOf = async (path: string) => (await service.send('GET', path)).json.webhookStatus;

afterEach(() => service.control('POST', 'reset'));

describe('events of issued invoices (§6)', () => {
  it.each([
    ['product_invoice', () => productInvoicesPath(companyId()), merchandise],
    ['consumer_invoice', () => consumerInvoicesPath(companyId()), merchandise],
    ['service_invoice', () => serviceInvoicesPath(companyId()), services],
    ['invoice', () => generalPath, general],
  ])('report the issue of a %s', async (resource, path, body) => {
    const { receiver } = await subscribed();
    const { json } = await service.send('POST', path(), { body });
    await advance();
    expect(receiver.received.map(({ json: { action, payload } }) => [action, payload.id])).toEqual([
      [`${resource}.issued_successfully`, json.id],
    ]);
  });

  it('report a refusal, a cancellation and a refused cancellation', async () => {
    const { receiver } = await subscribed();
    const path = productInvoicesPath(companyId());
    await outcome({ outcome: 'failed', count: 1 });
    await outcome({ outcome: 'cancel-failed', count: 1 });
    await service.send('POST', path, { body: merchandise });
    await advance();
    const { json } = await service.send('POST', path, { body: merchandise });
    await advance();
    await service.send('DELETE', `${path}/${json.id}`);
    await advance();
    await service.send('DELETE', `${path}/${json.id}`);
    await advance();
    expect(actions(receiver.received)).toEqual([
      'product_invoice.issued_error',
      'product_invoice.issued_successfully',
      'product_invoice.cancelled_error',
      'product_invoice.cancelled_successfully',
    ]);
  });

  it('are absent while an invoice is pending', async () => {
    const { receiver } = await subscribed();
    await outcome({ outcome: 'pending' });
    await service.send('POST', productInvoicesPath(companyId()), { body: merchandise });
    await advance();
    expect(receiver.received).toEqual([]);
  });
});

describe('events of manifestations (§6)', () => {
  it('report transitions for NFS-e, never for NF-e', async () => {
    const { receiver } = await subscribed();
    const { accessKey } = await service.control('POST', 'documents', { family: 'nfse' });
    await advance();
    receiver.received.length = 0;
    const body = { eventCode: confirmation };
    const { json } = await service.send('POST', nfseSubmitPath(companyId(), accessKey), { body });
    await service.send('POST', nfeSubmitPath(nfeKey), { body: { eventCode: 210210, nSequencia: 1, detail: {} } });
    await advance();
    const payload = { id: json.id, companyId: companyId(), accessKey, eventCode: confirmation };
    expect(receiver.received.map((one) => one.json)).toEqual([
      { action: 'service_invoice_manifestation.accepted', payload: { ...payload, status: 'Accepted' } },
    ]);
  });
});

describe('events of products (§6)', () => {
  it('report why the rules of a product are not valid', async () => {
    const { receiver } = await subscribed(['product.error']);
    const path = `/${service.ready().tenantId}/products`;
    await service.send('POST', path, { body: { sku: 'A' } });
    await service.send('POST', path, { body: { sku: 'B', customTax: [{ operationCode: 1 }] } });
    await advance();
    const [first, ...others] = receiver.received.map(({ json }) => json);
    expect([others, first.action, first.payload.sku, first.payload.status]).toEqual([
      [],
      'product.error',
      'B',
      'Error',
    ]);
    expect(first.payload.errorMessage).toMatch(/\w/);
  });
});

describe('events of captured documents', () => {
  it('are sent for documents that arrive while a list is read', async () => {
    const { receiver } = await subscribed();
    await service.control('POST', 'arrivals', { everyRequests: 1, count: 1 });
    await service.send('GET', nfseListPath(companyId()));
    await advance();
    expect(actions(receiver.received)).toEqual(['service_invoice_inbound.received']);
  });

  it('are sent once for a capture by key', async () => {
    const { receiver } = await subscribed();
    const seed = { scenario: 'month', documents: 200, companies: 1 };
    await service.control('POST', 'seed', seed);
    const { documents } = await service.control('GET', 'documents');
    const { accessKey } = documents.find((each: { visibility: string }) => each.visibility === 'uncaptured');
    const fetchIt = () => service.send('POST', fetchByKeyPath(companyId()), { body: { accessKey } });
    const first = await fetchIt();
    await fetchIt();
    await advance();
    expect([first.status, first.json.webhookStatus]).toEqual([200, webhookStatuses.waiting]);
    expect(receiver.received.map(({ json }) => json.payload.accessKey)).toEqual([accessKey]);
  });

  it('are never sent for documents before the cut-off (§4)', async () => {
    const { receiver } = await subscribed();
    await service.send('PUT', cutOffPath(companyId()), { body: { startFromDate: '2026-01-01T00:00:00Z' } });
    const document = { family: 'nfse', issuedOn: '2025-12-31T12:00:00Z' };
    const { accessKey } = await service.control('POST', 'documents', document);
    await advance();
    expect([receiver.received, await statusOf(nfsePath(companyId(), accessKey))]).toEqual([[], webhookStatuses.nobody]);
  });

  it('are also sent to the address of the company for NFS-e, signed like the webhook of the account', async () => {
    const own = await openReceiver();
    const { receiver } = await subscribed(['product.*']);
    const body = { webhookUrl: own.url };
    expect((await service.send('PUT', nfseSettingsPath(companyId()), { body })).status).toBe(200);
    const { accessKey } = await service.control('POST', 'documents', { family: 'nfse' });
    await service.control('POST', 'documents', { family: 'nfe' });
    await advance();
    expect(own.received.map(({ json, headers }) => [json.action, 'x-hub-signature' in headers])).toEqual([
      ['service_invoice_inbound.received', true],
    ]);
    expect([receiver.received, await statusOf(nfsePath(companyId(), accessKey))]).toEqual([[], webhookStatuses.taken]);
  });

  it('never leave this machine', async () => {
    const body = { webhookUrl: 'https://example.com/hook' };
    await service.send('PUT', nfseSettingsPath(companyId()), { body });
    await service.control('POST', 'documents', { family: 'nfse' });
    await advance('1s');
    const { deliveries } = await service.control('GET', 'deliveries');
    expect(deliveries[0].error).toBe('The sandbox calls only addresses on this machine.');
  });
});

describe('webhookStatus of a document with several webhooks (§2)', () => {
  it('is the worst status, and is updated when a webhook is deleted', async () => {
    await subscribed();
    const { receiver, id } = await subscribed();
    receiver.answer = (_one, response) => void response.writeHead(503).end();
    const { accessKey } = await service.control('POST', 'documents', { family: 'nfe' });
    await advance('1s');
    const path = nfePath(companyId(), accessKey);
    const before = await statusOf(path);
    await service.send('DELETE', webhookPath(id));
    expect([before, await statusOf(path)]).toEqual([webhookStatuses.again, webhookStatuses.taken]);
  });
});
