import { afterEach, describe, expect, it } from 'vitest';
import { type Sending, testService } from '../conformance/service.js';

const service = testService();
const path = () => `/${service.ready().tenantId}/products`;
const create = (sending: Sending = {}) => service.send('POST', path(), { body: { sku: 'F' }, ...sending });
const fault = (rule: object) => service.control('POST', 'faults', rule);

/** What happened: the status, or that the connection broke before the answer was whole. */
async function outcome(): Promise<number | 'cut'> {
  try {
    return (await create()).status;
  } catch {
    return 'cut';
  }
}

async function ledger() {
  const { entries } = await service.control('GET', 'ledger?operation=product.create');
  return entries.map(({ status, cut, effect, fault: kind }: Record<string, unknown>) => ({
    status,
    cut,
    created: effect !== null,
    fault: kind,
  }));
}

afterEach(() => service.control('POST', 'reset'));

describe('faults', () => {
  it.each([
    ['429', 429, { status: 429, cut: null, created: false }],
    ['503', 503, { status: 503, cut: null, created: false }],
    ['500', 500, { status: 500, cut: null, created: false }],
    ['500-after', 500, { status: 500, cut: null, created: true }],
    ['cut-before', 'cut', { status: null, cut: 'before', created: false }],
    ['cut-after', 'cut', { status: null, cut: 'after', created: true }],
    ['cut-body', 'cut', { status: 201, cut: 'body', created: true }],
    ['slow', 201, { status: 201, cut: null, created: true }],
  ])('%s fails as described, and the ledger records the effect', async (kind, expected, entry) => {
    await fault({ kind, count: 1, delayMs: 5 });
    expect(await outcome()).toBe(expected);
    expect(await ledger()).toEqual([{ ...entry, fault: kind }]);
    expect(await outcome()).toBe(201);
  });

  it('can break the JSON and keep the effect', async () => {
    await fault({ kind: 'broken-json', count: 1 });
    const { status, text, json } = await create({ isBroken: true });
    expect([status, text.slice(0, 6), json]).toEqual([201, '{"id":', undefined]);
  });

  it('can start a response and stall until the connection is cut', async () => {
    await fault({ kind: 'stall', count: 1, delayMs: 50 });
    expect(await outcome()).toBe('cut');
    expect(await ledger()).toEqual([{ status: 201, cut: 'body', created: true, fault: 'stall' }]);
  });

  it('can stall until the client gives up, without a delay', async () => {
    await fault({ kind: 'stall', count: 1 });
    const answer = await fetch(`${service.ready().url}/v2/companies`, {
      headers: { Authorization: service.ready().invoiceKey },
    });
    const race = await Promise.race([
      answer.text().then(
        () => 'ended',
        () => 'cut',
      ),
      service.control('GET', 'status').then(() => 'still open'),
    ]);
    expect([answer.status, race]).toEqual([200, 'still open']);
    await answer.body?.cancel().catch(() => undefined);
  });

  it('can redirect with method and body, before any effect', async () => {
    await fault({ kind: 'redirect', to: 'http://127.0.0.1:9/elsewhere', count: 1 });
    const answer = await create({ isBroken: true });
    expect([answer.status, answer.headers.get('location')]).toEqual([307, 'http://127.0.0.1:9/elsewhere']);
    expect(await ledger()).toEqual([{ status: 307, cut: null, created: false, fault: 'redirect' }]);
  });

  it('can send Retry-After in seconds or as a date', async () => {
    await fault({ kind: '429', retryAfter: 7, count: 1 });
    await fault({ kind: '503', retryAfter: 'Wed, 21 Oct 2026 07:28:00 GMT', count: 1 });
    const answers = [await create(), await create()];
    expect(answers.map((answer) => answer.headers.get('retry-after'))).toEqual(['7', 'Wed, 21 Oct 2026 07:28:00 GMT']);
  });

  it('apply to the named operation only, skip the first requests and stop after a number of times', async () => {
    await fault({ kind: '503', operation: 'product.create', skip: 1, count: 2 });
    expect((await service.send('GET', '/v2/companies')).status).toBe(200);
    const seen = [await outcome(), await outcome(), await outcome(), await outcome()];
    expect(seen).toEqual([201, 503, 503, 201]);
  });

  it('apply at a rate, determined by the seed', async () => {
    const play = async (seed: number) => {
      await service.control('POST', 'reset');
      await service.control('POST', 'seed', { seed });
      await fault({ kind: '503', rate: 0.5 });
      const seen: (number | 'cut')[] = [];
      for (let turn = 0; turn < 40; turn += 1) seen.push(await outcome());
      return seen;
    };
    const first = await play(7);
    expect(await play(7)).toEqual(first);
    expect(await play(8)).not.toEqual(first);
    expect(new Set(first)).toEqual(new Set([201, 503]));
  });

  it('are listed with their counts, and cleared', async () => {
    await fault({ kind: '503', operation: 'product.create', count: 1 });
    await outcome();
    const rule = { id: 1, operation: 'product.create', kind: '503', rate: 1, skip: 0, count: 1 };
    expect(await service.control('GET', 'faults')).toEqual({ faults: [{ ...rule, seen: 1, applied: 1 }] });
    expect(await service.control('DELETE', 'faults')).toEqual({ cleared: 1 });
    expect(await service.control('GET', 'faults')).toEqual({ faults: [] });
  });

  it.each([
    ['kind', {}],
    ['kind', { kind: 'earthquake' }],
    ['operation', { kind: '503', operation: 'product.destroy' }],
    ['rate', { kind: '503', rate: 1.5 }],
    ['count', { kind: '503', count: 0 }],
    ['to', { kind: 'redirect' }],
    ['retryAfter', { kind: '503', retryAfter: 'a\r\nb' }],
    ['often', { kind: '503', often: true }],
  ])('are refused with a wrong %s', async (field, rule) => {
    const { error } = await fault(rule);
    expect([error.code, error.details[0].field]).toEqual(['validation_error', field]);
  });
});

describe('control routes', () => {
  it('refuse requests of a web page', async () => {
    const answer = await service.send('POST', '/__sandbox/reset', { headers: { Origin: 'https://evil.example' } });
    expect(answer.status).toBe(403);
  });

  it('refuse a host name that resolves to this machine', async () => {
    // fetch does not let a test choose the Host header.
    const { request } = await import('node:http');
    const status = await new Promise((resolve) => {
      const url = `${service.ready().url}/__sandbox/status`;
      request(url, { headers: { Host: 'evil.example' } }, (answer) => resolve(answer.statusCode)).end();
    });
    expect(status).toBe(403);
  });

  it('leave no trace in the ledger', async () => {
    await service.control('GET', 'status');
    await service.control('GET', 'nothing');
    expect(await service.control('GET', 'ledger')).toEqual({ entries: [], total: 0 });
  });

  it('keep keys and queries out of the ledger', async () => {
    const { invoiceKey } = service.ready();
    await service.send('GET', `${path()}/x?apikey=${invoiceKey}`, { key: null });
    expect(JSON.stringify(await service.control('GET', 'ledger'))).not.toContain(invoiceKey);
  });

  it('list every operation with its mark', async () => {
    const { routes } = await service.control('GET', 'routes');
    expect(routes[0]).toEqual({
      operation: 'product.create',
      method: 'POST',
      path: '/{tenantId}/products',
      key: 'invoice',
      role: null,
      billed: 'engine',
      mark: 'doc §4',
    });
  });
});
