import { beforeAll, describe, expect, it } from 'vitest';
import { badRequest } from '../facts/errors.js';
import { consumerInvoicesPath, merchandise, productInvoicesPath } from '../facts/invoice.js';
import { testService } from './service.js';

const service = testService();
const families = [
  ['productInvoices', productInvoicesPath],
  ['consumerInvoices', consumerInvoicesPath],
] as const;

describe.each(families)('list of %s by cursor', (name, pathOf) => {
  const path = (query: string) => `${pathOf(service.ready().companyId)}?${query}`;
  const list = async (query: string) => {
    const { status, json } = await service.send('GET', path(`environment=Production&${query}`));
    expect(status).toBe(200);
    return { ids: json[name].map((each: { externalId: string }) => each.externalId), hasMore: json.hasMore };
  };
  const ids = new Map<string, string>();

  beforeAll(async () => {
    await service.control('POST', 'mode', { lenient: true });
    for (const externalId of ['1', '2', '3', '4', '5']) {
      const body = { ...merchandise, externalId };
      const { json } = await service.send('POST', pathOf(service.ready().companyId), { body });
      ids.set(externalId, json.id);
    }
    const body = { ...merchandise, externalId: 'test', environment: 'Test' };
    await service.send('POST', pathOf(service.ready().companyId), { body });
  });

  it('begins with the newest and reports whether there are more', async () => {
    expect(await list('limit=2')).toEqual({ ids: ['5', '4'], hasMore: true });
    expect(await list('limit=5')).toEqual({ ids: ['5', '4', '3', '2', '1'], hasMore: false });
  });

  it('continues after an invoice, and goes back before one', async () => {
    expect(await list(`limit=2&startingAfter=${ids.get('4')}`)).toEqual({ ids: ['3', '2'], hasMore: true });
    expect(await list(`limit=9&startingAfter=${ids.get('1')}`)).toEqual({ ids: [], hasMore: false });
    expect(await list(`limit=2&endingBefore=${ids.get('2')}`)).toEqual({ ids: ['4', '3'], hasMore: true });
    expect(await list(`limit=9&endingBefore=${ids.get('4')}`)).toEqual({ ids: ['5'], hasMore: false });
  });

  it('promises no order: an invoice that changes may move to a page that was read', async () => {
    await service.control('POST', 'pages', { byChange: true, stirred: true });
    const first = await list('limit=2');
    const second = await list(`limit=3&startingAfter=${ids.get('4')}`);
    expect([first, second]).toEqual([
      { ids: ['5', '4'], hasMore: true },
      { ids: ['3', '2'], hasMore: false },
    ]);
    await service.control('POST', 'pages', { byChange: true });
    expect((await list('limit=5')).ids).toEqual(['1', '5', '4', '3', '2']);
    expect((await list(`limit=5&endingBefore=${ids.get('5')}`)).ids).toEqual(['1']);
    await service.control('POST', 'pages', {});
    expect((await list('limit=5')).ids).toEqual(['5', '4', '3', '2', '1']);
  });

  it('can give a row twice, and the rows of a page in another order', async () => {
    await service.control('POST', 'pages', { doubled: true, reordered: true });
    expect((await list(`limit=2&startingAfter=${ids.get('4')}`)).ids).toEqual(['2', '3', '4']);
    await service.control('POST', 'pages', {});
  });

  it.each([
    ['endless-list', ['5', '4']],
    ['self-link', ['5', '4']],
  ])('can have no end: %s', async (kind, given) => {
    await service.control('POST', 'hostile', { kind });
    const last = await list(`limit=2&startingAfter=${ids.get('1')}`);
    await service.control('DELETE', 'hostile');
    expect(last).toEqual({ ids: given, hasMore: true });
  });

  it('keeps the environments apart', async () => {
    const { json } = await service.send('GET', path('environment=Test'));
    expect(json[name]).toMatchObject([{ externalId: 'test' }]);
  });

  it.each([
    '',
    'environment=Sandbox',
    'environment=Test&limit=0',
    'environment=Test&limit=51',
    'environment=Test&startingAfter=nobody',
  ])('answers 400 for %j', async (query) => {
    expect((await service.send('GET', path(query))).status).toBe(badRequest);
  });
});
