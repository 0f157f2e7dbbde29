import { beforeAll, describe, expect, it } from 'vitest';
import { companiesPath } from '../facts/authentication.js';
import { testService } from './service.js';

const service = testService();

interface Company {
  readonly id: string;
}

async function page(query = '') {
  const { status, json } = await service.send('GET', companiesPath + query);
  return { status, json, ids: json.companies?.map((company: Company) => company.id) };
}

describe('GET /v2/companies (§4; paging public)', () => {
  beforeAll(() => service.control('POST', 'seed', { companies: 24 }));

  it('begins with the company of the account and returns ten', async () => {
    const { status, json, ids } = await page();
    expect([status, ids.length, ids[0], json.hasMore]).toEqual([200, 10, service.ready().companyId, true]);
  });

  it('returns each company once by startingAfter', async () => {
    const seen: string[] = [];
    for (let hasMore = true; hasMore; ) {
      const after = seen.length === 0 ? '' : `&startingAfter=${seen.at(-1)}`;
      const { json, ids } = await page(`?limit=7${after}`);
      seen.push(...ids);
      hasMore = json.hasMore;
    }
    expect([seen.length, new Set(seen).size]).toEqual([25, 25]);
  });

  it('reports no further page after a full last page', async () => {
    const { json, ids } = await page('?limit=25');
    expect([ids.length, json.hasMore]).toEqual([25, false]);
  });

  it('goes back by endingBefore (published)', async () => {
    const { ids } = await page('?limit=25');
    const back = await page(`?limit=3&endingBefore=${ids[10]}`);
    expect([back.ids, back.json.hasMore]).toEqual([ids.slice(7, 10), true]);
    const first = await page(`?limit=3&endingBefore=${ids[3]}`);
    expect([first.ids, first.json.hasMore]).toEqual([ids.slice(0, 3), false]);
    expect((await page(`?endingBefore=${ids[0]}`)).json).toEqual({ companies: [], hasMore: false });
  });

  it.each([['endingBefore=nobody'], ['endingBefore=nobody&startingAfter=nobody']])(
    'refuses the cursor %s',
    async (query) => {
      const { status, json } = await page(`?${query}`);
      expect([status, json.error.details[0].field]).toEqual([400, 'endingBefore']);
    },
  );

  it.each(['0', '51', 'ten', '-1', '1.5'])('refuses the limit %s', async (limit) => {
    const { status, json } = await page(`?limit=${limit}`);
    expect([status, json.error.details[0].field]).toEqual([400, 'limit']);
  });

  it('refuses to start after an unknown company', async () => {
    const { status, json } = await page('?startingAfter=nobody');
    expect([status, json.error.details[0].field]).toEqual([400, 'startingAfter']);
  });
});
