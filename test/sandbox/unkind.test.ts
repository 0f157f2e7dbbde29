import { afterEach, describe, expect, it } from 'vitest';
import { testService } from '../conformance/service.js';
import { backfillPath } from '../facts/inbound.js';
import { general, generalOnePath, generalPath, serviceInvoicesPath, services } from '../facts/invoice.js';
import { releasePath } from '../facts/maintenance.js';

const service = testService({ lagMs: 3_000, clockOffsetMs: -3_600_000 });
const path = () => `/${service.ready().tenantId}/products`;
const product = { body: { sku: 'U' } };
const products = async (): Promise<number> => {
  const { entries } = await service.control('GET', 'ledger?operation=product.create&effects=true');
  return entries.length;
};

afterEach(async () => {
  await service.control('POST', 'reset');
});

describe('reads that lag', () => {
  it('do not show a new product until the lag is over', async () => {
    await service.control('POST', 'clock', { freeze: true });
    const { id } = (await service.send('POST', generalPath, { body: general })).json;
    const statuses: number[] = [];
    for (const ms of [0, 2_900, 200]) {
      if (ms > 0) await service.control('POST', 'clock', { advance: `${ms}ms` });
      statuses.push((await service.send('GET', generalOnePath(id))).status);
    }
    expect(statuses).toEqual([404, 404, 200]);
  });

  it('omit it from lists and from the look-up by external id, and the lag can be changed at run time', async () => {
    await service.control('POST', 'clock', { freeze: true });
    const invoices = serviceInvoicesPath(service.ready().companyId);
    await service.send('POST', invoices, { body: { ...services, externalId: 'lag-1' } });
    const seen = async () => {
      const list = await service.send('GET', `${invoices}?pageIndex=1`);
      const one = await service.send('GET', `${invoices}/external/lag-1`);
      return [list.json.serviceInvoices.length, one.status, one.json.serviceInvoices.length];
    };
    // Seen live: the look-up lags some seconds behind the issue, and a miss is an empty list.
    expect(await seen()).toEqual([0, 200, 0]);
    await service.control('POST', 'mode', { lag: '0s' });
    expect(await seen()).toEqual([1, 200, 1]);
  });

  it('show the history as before its release', async () => {
    await service.control('POST', 'seed', { scenario: 'history', documents: 10, companies: 1 });
    await service.control('POST', 'clock', { freeze: true });
    const { companyId } = service.ready();
    await service.send('POST', releasePath(companyId), { body: { released: true } });
    const released = async () => (await service.send('GET', backfillPath(companyId))).json.released;
    const before = await released();
    await service.control('POST', 'clock', { advance: '3s' });
    expect([before, await released()]).toEqual([false, true]);
  });
});

describe('delayed effects', () => {
  it.each([
    ['cut-late', 'cut', null],
    ['500-late', 500, null],
    ['503-late', 503, '7'],
  ])('%s: the effect happens once, after the delay', async (kind, expected, retryAfter) => {
    await service.control('POST', 'clock', { freeze: true });
    await service.control('POST', 'faults', {
      kind,
      count: 1,
      delayMs: 10_000,
      ...(retryAfter === null ? {} : { retryAfter: Number(retryAfter) }),
    });
    const answer = await service.send('POST', path(), product).catch(() => undefined);
    expect(answer?.status ?? 'cut').toBe(expected);
    expect(answer?.headers.get('retry-after') ?? null).toBe(retryAfter);
    await service.control('POST', 'clock', { advance: '9s' });
    expect(await products()).toBe(0);
    await service.control('POST', 'clock', { advance: '2s' });
    await service.control('POST', 'clock', { advance: '1m' });
    expect(await products()).toBe(1);
  });

  it('do not include requests that the rules refuse', async () => {
    await service.control('POST', 'faults', { kind: '500-late', count: 1, delayMs: 0 });
    expect((await service.send('POST', path(), { body: { sku: 7 } })).status).toBe(500);
    await service.control('POST', 'clock', { advance: '1m' });
    expect(await products()).toBe(0);
  });
});

describe('incomplete and misleading answers', () => {
  it('include a success with neither body nor Location', async () => {
    await service.control('POST', 'faults', { kind: 'empty-body', count: 1 });
    const answer = await service.send('POST', generalPath, { body: general, isBroken: true });
    expect([answer.status, answer.text, answer.headers.get('location')]).toEqual([202, '', null]);
  });

  it('include 503 with Retry-After after a real effect', async () => {
    await service.control('POST', 'faults', { kind: '503-after', count: 1, retryAfter: 3 });
    const answer = await service.send('POST', path(), product);
    expect([answer.status, answer.headers.get('retry-after'), await products()]).toEqual([503, '3', 1]);
  });

  it('include half a list without a next link, but with the full count', async () => {
    await service.control('POST', 'seed', { documents: 5, family: 'nfe' });
    const { companyId } = service.ready();
    const fault = { kind: 'cut-list', count: 2 };
    await service.control('POST', 'faults', { ...fault, operation: 'nfe.inbound.list' });
    await service.control('POST', 'faults', { ...fault, operation: 'company.list' });
    const list = `/v2/companies/${companyId}/inbound/nfe?$count=true`;
    const cut = (await service.send('GET', list)).json as { readonly value: readonly unknown[] };
    expect(cut).toEqual({ '@odata.count': 5, value: expect.any(Array) });
    expect(cut.value).toHaveLength(2);
    expect((await service.send('GET', '/v2/companies')).json).toEqual({ companies: [] });
  });

  it('include a Date header that follows a wrong clock', async () => {
    await service.control('POST', 'clock', { set: '2026-01-02T03:04:05Z' });
    const { headers } = await service.send('GET', generalOnePath('x'));
    expect(headers.get('date')).toBe('Fri, 02 Jan 2026 03:04:05 GMT');
  });
});
