import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { type InboundRow, listDocuments, newReport } from '../../../src/commands/inbound/list-documents.js';
import type { DocumentQuery } from '../../../src/commands/inbound/list-query.js';
import { bench, failureOf } from '../../client/support/client.js';
import { json, serve } from '../../client/support/server.js';
import { base, captured, numberedList, odataList, type Captured } from './captured.js';

const nfe: DocumentQuery = { family: 'nfe', companyId: 'c1', pageSize: 10 };
const nfse: DocumentQuery = { ...nfe, family: 'nfse' };

function contextOf(url: string) {
  const { client } = bench(url);
  return { client: async () => Promise.resolve(client), interruption: new AbortController().signal };
}

async function keys(documents: AsyncIterable<InboundRow>): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { accessKey } of documents) found.push(accessKey ?? '');
  return found;
}

async function queries(reply: RequestListener, query: DocumentQuery) {
  const server = await serve(reply);
  await keys(listDocuments(contextOf(server.url), query));
  return server.seen.map(({ path }) => Object.fromEntries(new URL(path, server.url).searchParams));
}

test('an OData list is read to its end, each page from the position of the last row of the previous one on', async () => {
  const list = [...captured(25)];
  const server = await serve(odataList(list));
  expect(await keys(listDocuments(contextOf(server.url), nfe))).toEqual(list.map((row) => row.accessKey));
  expect(new URL(server.seen[1]?.path ?? '', server.url).searchParams.get('$filter')).toBe(
    "createdOn ge 2026-10-01T00:00:03.000Z and (createdOn gt 2026-10-01T00:00:03.000Z or accessKey ge 'K000009')",
  );
});

test('documents that arrive between pages cause no missing and no duplicate documents', async () => {
  const list = [...captured(25)];
  const late = { accessKey: 'A0', createdOn: new Date(base + 60_000).toISOString() };
  const odata = await serve(odataList(list, (page) => page === 1 && list.unshift(late)));
  const expected = [...captured(25).map((row) => row.accessKey), 'A0'];
  expect(await keys(listDocuments(contextOf(odata.url), nfe))).toEqual(expected);
});

test('new NFS-e move others to later pages: the list is read again, and each is returned once', async () => {
  const list = [...captured(25)];
  const report = newReport();
  const server = await serve(numberedList(list, (page) => page === 1 && list.push(...captured(4, 25))));
  const found = await keys(listDocuments(contextOf(server.url), nfse, report));
  expect(found.toSorted()).toEqual(captured(29).map((row) => row.accessKey));
  expect(report).toEqual({ pages: 6, unreadable: 0, untied: [], servedAt: expect.any(Number) });
});

test('NFS-e that leave the list move others to an earlier page: the list is read again', async () => {
  const list = [...captured(35)];
  const server = await serve(numberedList(list, (page) => page === 1 && list.splice(30, 3)));
  const found = await keys(listDocuments(contextOf(server.url), nfse));
  expect(found.toSorted()).toEqual(captured(35).map((row) => row.accessKey));
});

test('pages in another order than requested are read by the position of the service, without a loss', async () => {
  const list = captured(35);
  const server = await serve((request, response) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams;
    const skip = Number(query.get('$skip') ?? 0);
    response.end(JSON.stringify({ value: list.slice(skip, skip + 10).toReversed() }));
  });
  const found = await keys(listDocuments(contextOf(server.url), nfe));
  expect(found.toSorted()).toEqual(list.map((row) => row.accessKey));
});

test('bare arrays are read to an empty page, by NSU if the service supports neither order nor $skip', async () => {
  const list = captured(25).map((row, index) => ({ ...row, createdOn: '2026-10-01', nsu: 100 + index }));
  const asked: (string | null)[] = [];
  const server = await serve((request, response) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams;
    asked.push(query.get('$skiptoken'));
    const after = Number(query.get('$skiptoken') ?? 0);
    response.end(JSON.stringify(list.filter(({ nsu }) => nsu > after).slice(0, 10)));
  });
  const unordered: DocumentQuery = { ...nfe, orderBy: 'issuedOn desc' };
  const found = await keys(listDocuments(contextOf(server.url), unordered));
  expect(found).toEqual(list.map((row) => row.accessKey));
  expect(asked).toEqual([null, null, '109', '119', '124']);
});

test('a bare array whose only page never ends is incomplete', async () => {
  const server = await serve(json(200, captured(10)));
  const failure = await failureOf(keys(listDocuments(contextOf(server.url), { ...nfe, orderBy: 'nsu' })));
  expect(failure.code).toBe('service.list_cut');
});

test('the conditions of a query become one correctly quoted filter', async () => {
  const query: DocumentQuery = {
    ...nfe,
    by: 'issued',
    since: base,
    until: base + 1000,
    status: "O'Neil",
    webhookStatus: 'Skipped',
    issuer: '12ABC34501DE35',
    nsuAfter: '12',
    filter: "a eq 'x' or b eq 'y'",
  };
  expect(await queries((_request, response) => response.end('{"value":[]}'), query)).toEqual([
    {
      $top: '10',
      $count: 'true',
      $orderby: 'createdOn asc,accessKey asc',
      $filter:
        "issuedOn ge 2026-10-01T00:00:00.000Z and issuedOn lt 2026-10-01T00:00:01.000Z and status eq 'O''Neil'" +
        " and webhookStatus eq 'Skipped' and issuer/federalTaxNumber eq '12ABC34501DE35' and nsu gt '12'" +
        " and (a eq 'x' or b eq 'y')",
    },
  ]);
});

test('a list under /odata/ always has a filter: one that every row meets, unless there are conditions', async () => {
  const cte: DocumentQuery = { ...nfe, family: 'cte' };
  const filters = async (query: DocumentQuery) =>
    (await queries((_request, response) => response.end('{"value":[]}'), query)).map((sent) => sent['$filter']);
  const everyRow = 'createdOn ge 1900-01-01T00:00:00Z or createdOn eq null';
  expect(await filters(cte)).toEqual([everyRow]);
  expect(await filters({ ...cte, since: base })).toEqual(['createdOn ge 2026-10-01T00:00:00.000Z']);
  expect(await filters({ ...cte, filter: 'nsu gt 0' })).toEqual(['nsu gt 0']);
  expect(await filters(nfe)).toEqual([undefined]);
});

test('every page of an unordered list under /odata/ has the filter', async () => {
  const rows = captured(25).map((row, index) => ({ ...row, createdOn: 'unknown', nsu: index }));
  const sent = await queries(
    (request, response) => {
      const skip = Number(new URL(request.url ?? '', 'http://x').searchParams.get('$skip') ?? 0);
      response.end(JSON.stringify({ value: rows.slice(skip, skip + 10) }));
    },
    { ...nfe, family: 'cte' },
  );
  expect(sent.map(({ $skip, $filter }) => [$skip, $filter?.startsWith('createdOn ge 1900-01-01')])).toEqual([
    [undefined, true],
    ['10', true],
    ['20', true],
    ['25', true],
  ]);
});

test('the environment of NFS-e is a page parameter', async () => {
  const query: DocumentQuery = { ...nfse, environment: 'Development' };
  const [sent] = await queries((_request, response) => response.end('{"documents":[]}'), query);
  expect(sent?.['environment']).toBe('Development');
});

test('the same conditions become page parameters for NFS-e', async () => {
  const query = { ...nfse, since: base, until: base + 1000, status: 'Received', nsuAfter: '12' };
  expect(await queries((_request, response) => response.end('{"documents":[]}'), query)).toEqual([
    {
      status: 'Received',
      nsuBegin: '13',
      createdBegin: '2026-10-01T00:00:00.000Z',
      createdEnd: '2026-10-01T00:00:00.999Z',
      hasTotals: 'true',
      pageIndex: '1',
      pageCount: '10',
    },
  ]);
});

test.each([['always'], ['when they are asked for'], ['never']])(
  'changes of NFS-e in a list with only page numbers are read to the end, with totals %s',
  async (totals) => {
    const at = (index: number): string => new Date(base + index * 1000).toISOString();
    const list = captured(25).map((row, index) => ({ ...row, modifiedOn: at(index) }));
    const server = await serve((request, response) => {
      const query = new URL(request.url ?? '', 'http://x').searchParams;
      const [index, size] = [Number(query.get('pageIndex') ?? 1), Number(query.get('pageCount') ?? 10)];
      const hasTotals = totals === 'always' || (totals !== 'never' && query.get('hasTotals') === 'true');
      const totalResults = hasTotals ? list.length : null;
      const totalPages = hasTotals ? Math.ceil(list.length / size) : null;
      const documents = list.slice((index - 1) * size, index * size);
      response.end(JSON.stringify({ totalResults, totalPages, page: index, documents }));
    });
    const changes: DocumentQuery = { ...nfse, by: 'modified' };
    const all = list.map((row) => row.accessKey);
    expect(await keys(listDocuments(contextOf(server.url), changes))).toEqual(all);
    const since = base + 20_000;
    expect(await keys(listDocuments(contextOf(server.url), { ...changes, since }))).toEqual(all.slice(20));
  },
);

test('a numbered list whose pages are shorter than asked for, without totals, is read to an empty page', async () => {
  const list = captured(7);
  const server = await serve((request, response) => {
    const index = Number(new URL(request.url ?? '', 'http://x').searchParams.get('pageIndex') ?? 1);
    const documents = list.slice((index - 1) * 3, index * 3);
    response.end(JSON.stringify({ totalResults: null, totalPages: null, page: null, documents }));
  });
  const found = await keys(listDocuments(contextOf(server.url), { ...nfse, by: 'modified' }));
  expect(found).toEqual(list.map((row) => row.accessKey));
  expect(server.seen.map(({ path }) => new URL(path, server.url).searchParams.get('pageIndex')).at(-1)).toBe('4');
});

test('the order of the user is followed by the links of the service', async () => {
  const [one, two] = [captured(10), captured(3, 10)];
  const next = '/v2/companies/c1/inbound/nfe?$skiptoken=t%272&$top=10';
  const server = await serve(
    json(200, { '@odata.count': 13, value: one, '@odata.nextLink': next }),
    json(200, { value: two }),
  );
  const found = await keys(listDocuments(contextOf(server.url), { ...nfe, orderBy: 'issuedOn desc' }));
  expect(found).toEqual([...one, ...two].map((row) => row.accessKey));
  expect(new URL(server.seen[1]?.path ?? '', server.url).search).toBe('?%24skiptoken=t%272&%24top=10');
});

test('a link to another host or to the page itself ends the list, without a request to another host', async () => {
  const other = await serve({ status: 200 });
  const away = await serve(json(200, { value: captured(10), '@odata.nextLink': `${other.url}/next` }));
  const self = await serve((request, response) => {
    response.end(JSON.stringify({ value: captured(10), '@odata.nextLink': request.url }));
  });
  const [left, circled] = [
    await failureOf(keys(listDocuments(contextOf(away.url), nfe))),
    await failureOf(keys(listDocuments(contextOf(self.url), nfe))),
  ];
  expect([left.code, circled.code]).toEqual(['service.unreadable', 'service.list_cut']);
  expect([other.seen.length, away.seen.length, self.seen.length]).toEqual([0, 1, 1]);
});

test('an endless list ends at its limit, or when it returns nothing new', async () => {
  let served = 0;
  const endless = await serve((_request, response) => {
    response.end(JSON.stringify({ page: 1, documents: captured(10, (served += 10)) }));
  });
  const limited = await failureOf(keys(listDocuments(contextOf(endless.url), { ...nfse, maxPages: 7 })));
  const same = await serve(json(200, { page: 1, documents: captured(10) }));
  const idle = await failureOf(keys(listDocuments(contextOf(same.url), nfse)));
  expect([limited.code, endless.seen.length]).toEqual(['inbound.list_limit', 8]);
  expect([idle.code, same.seen.length]).toEqual(['service.list_cut', 6]);
});

test('rows without a key are counted, and null and unknown values are kept', async () => {
  const rows = [null, 7, { accessKey: 3 }, { accessKey: '../../x', nsu: null, status: 'Novo' }];
  const server = await serve(json(200, { '@odata.count': 4, value: rows }), json(200, { value: [] }));
  const report = newReport();
  const found: InboundRow[] = [];
  for await (const row of listDocuments(contextOf(server.url), nfe, report)) found.push(row);
  expect(found).toEqual([{ accessKey: '../../x', nsu: null, status: 'Novo' }]);
  expect(report).toEqual({ pages: 2, unreadable: 3, untied: [], servedAt: expect.any(Number) });
});

test('an NSU is compared as a number, and null is not after any', async () => {
  const rows = ['9', '10', '100', null].map((nsu, index) => ({ accessKey: `K${index}`, nsu }));
  const server = await serve(json(200, { '@odata.count': 4, value: rows }), json(200, { value: [] }));
  const found = await keys(listDocuments(contextOf(server.url), { ...nfe, nsuAfter: '10' }));
  expect(found).toEqual(['K2']);
});

/** Answers by position: so many rows at most, and a count where it is asked for. */
function shortList(list: readonly Captured[], how: { readonly most: number; readonly counts: boolean }) {
  return serve((request, response) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams;
    const [, operator, key = ''] = /accessKey (g[et]) '(\w+)'/.exec(query.get('$filter') ?? '') ?? [];
    const left = list.filter(({ accessKey }) => accessKey > key || (operator === 'ge' && accessKey === key));
    const isCounted = how.counts && query.get('$count') === 'true';
    const count = isCounted ? { '@odata.count': left.length } : {};
    response.end(JSON.stringify({ ...count, value: left.slice(0, how.most) }));
  });
}

test.each([
  ['the whole count in one page, which a page behind it confirms', { most: 10, counts: true }, 2],
  ['the whole count in pages that are short and have no link', { most: 3, counts: true }, 4],
  ['no count: a page behind the last one is empty', { most: 10, counts: false }, 2],
  ['no count, in pages that are short and have no link', { most: 3, counts: false }, 5],
])('a list is read to its end if the service returns %s', async (_, how, requests) => {
  const list = captured(8);
  const server = await shortList(list, how);
  expect(await keys(listDocuments(contextOf(server.url), nfe))).toEqual(list.map((row) => row.accessKey));
  expect(server.seen).toHaveLength(requests);
});

test('a list with fewer rows than the count of the service is incomplete', async () => {
  const server = await serve((request, response) => {
    const isFirst = !(request.url ?? '').includes('accessKey+ge');
    const [value, count] = isFirst ? [captured(3), 8] : [[], 5];
    response.end(JSON.stringify({ value, '@odata.count': count }));
  });
  const numbered = await serve(json(200, { totalResults: 8, totalPages: 1, documents: captured(3) }));
  const orders = await serve((request, response) => {
    const isFirst = !(request.url ?? '').includes('%24skip');
    response.end(JSON.stringify({ value: isFirst ? captured(3) : [], '@odata.count': 8 }));
  });
  for (const [url, query] of [
    [server.url, nfe],
    [numbered.url, nfse],
    [orders.url, { ...nfe, orderBy: 'issuedOn desc' }],
  ] as const) {
    const { code } = await failureOf(keys(listDocuments(contextOf(url), query)));
    expect(code).toBe('service.list_cut');
  }
});

test('the same short page again after the last row does not prove the end', async () => {
  const server = await serve(json(200, { value: captured(3) }));
  const { code } = await failureOf(keys(listDocuments(contextOf(server.url), nfe)));
  expect([code, server.seen.length]).toEqual(['service.list_cut', 9]);
});

test('documents that leave the list while it is read are not missing', async () => {
  let pages = 0;
  const server = await serve((_request, response) => {
    pages += 1;
    response.end(
      JSON.stringify(pages === 1 ? { value: captured(3), '@odata.count': 4 } : { value: [], '@odata.count': 0 }),
    );
  });
  expect(await keys(listDocuments(contextOf(server.url), nfe))).toHaveLength(3);
});

test('after the first page a list by date of issue still begins at that date', async () => {
  const list = [...captured(25)];
  const server = await serve(odataList(list));
  await keys(listDocuments(contextOf(server.url), { ...nfe, by: 'issued', since: base }));
  const filters = server.seen.map(({ path }) => new URL(path, 'http://x').searchParams.get('$filter'));
  expect(filters.length).toBeGreaterThan(1);
  for (const filter of filters) expect(filter).toContain('issuedOn ge 2026-10-01T00:00:00.000Z');
});

test('an event among the documents, with the key of its document, is a row of its own', async () => {
  const rows = [
    { accessKey: 'K1', type: 'productInvoice', createdOn: '2026-10-01T00:00:00Z' },
    { accessKey: 'K1', type: 'productInvoiceEvent', nsu: 2, createdOn: '2026-10-01T00:00:01Z' },
    { accessKey: 'K1', type: 'productInvoiceEvent', nsu: 3, createdOn: '2026-10-01T00:00:02Z' },
  ];
  const server = await serve(
    json(200, { '@odata.count': 3, value: rows }),
    json(200, { '@odata.count': 0, value: [] }),
  );
  expect(await keys(listDocuments(contextOf(server.url), nfe))).toEqual(['K1', 'K1', 'K1']);
});

describe('a service that knows only what is published', () => {
  const rows = captured(1_500).map((row, index) => ({
    ...row,
    nsu: 1_000 + index,
    status: index % 2 === 0 ? 'Received' : 'Processed',
    issuer: { federalTaxNumber: index % 3 === 0 ? 191 : '11222333000181' },
  }));
  const cte: DocumentQuery = { family: 'cte', companyId: 'c1' };
  const published = ['$filter', '$top', '$skiptoken', '$count'];

  /** Ignores, or refuses, what it does not know; `behind` finds the next page in the query, `link` gives it as an address. */
  const strict =
    ({
      refuses,
      link = false,
      from = rows,
    }: {
      refuses: RegExp;
      link?: boolean;
      from?: readonly Captured[];
    }): RequestListener =>
    (request, response) => {
      const query = new URL(request.url ?? '', 'http://x').searchParams;
      const sent = [...query].map(([name, value]) => `${name}=${value}`);
      if (sent.some((each) => refuses.test(each)) || !query.has('$filter')) {
        response.writeHead(400).end('"unknown option"');
        return;
      }
      const token = Number(query.get('$skiptoken') ?? 0);
      const page = from.filter(({ nsu }) => Number(nsu) > token).slice(0, 1_000);
      const next = link && page.length > 0 ? `?$filter=x&$skiptoken=${String(page.at(-1)?.nsu)}` : undefined;
      response.end(JSON.stringify(link ? { value: page, '@odata.nextLink': next } : page));
    };
  const unknown = new RegExp(`^(?!${published.map((name) => `\\${name}`).join('|')})`);

  test.each([
    ['ignores them', { refuses: /^$/ }],
    ['refuses them', { refuses: unknown }],
    ['refuses a filter by capture', { refuses: /=createdOn ge 2026/ }],
    ['gives links', { refuses: unknown, link: true }],
  ])('is read to the end when it %s, and what was not asked for is left out here', async (_way, how) => {
    const server = await serve(strict(how));
    const found = (query: DocumentQuery) => keys(listDocuments(contextOf(server.url), query));
    expect(await found(cte)).toEqual(rows.map(({ accessKey }) => accessKey));
    const since = base + 100_000;
    const asked = { ...cte, since, until: base + 400_000, status: 'received', issuer: '00000000000191' };
    const isAsked = (row: Captured) =>
      Date.parse(row.createdOn) >= since && Date.parse(row.createdOn) < base + 400_000 && Number(row['nsu']) % 6 === 4;
    expect(await found(asked)).toEqual(rows.filter(isAsked).map(({ accessKey }) => accessKey));
  });

  test('is read with the newest first, too', async () => {
    const newest = rows.toReversed().map((row) => ({ ...row, before: -row.nsu }));
    const server = await serve((request, response) => {
      const query = new URL(request.url ?? '', 'http://x').searchParams;
      const token = Number(query.get('$skiptoken') ?? Infinity);
      response.end(JSON.stringify(newest.filter(({ nsu }) => nsu < token).slice(0, 1_000)));
    });
    const found = await keys(listDocuments(contextOf(server.url), cte));
    expect(found.toSorted()).toEqual(rows.map(({ accessKey }) => accessKey));
  });

  test('is never told another order or filter than that of the user', async () => {
    const server = await serve(strict({ refuses: unknown }));
    const orderBy = await failureOf(keys(listDocuments(contextOf(server.url), { ...cte, orderBy: 'nsu desc' })));
    expect([orderBy.code, server.seen.length]).toEqual(['service.refused', 1]);
    const other = await serve(strict({ refuses: /wrong/ }));
    const filter = await failureOf(keys(listDocuments(contextOf(other.url), { ...cte, filter: 'wrong eq 1' })));
    expect([filter.code, other.seen.every(({ path }) => path.includes('wrong'))]).toEqual(['service.refused', true]);
  });
});

describe('a service that refuses every option is read by its links', () => {
  test.each(['nfe', 'nfse'] as const)('%s', async (family) => {
    const list = captured(25);
    const server = await serve((request, response) => {
      const query = new URL(request.url ?? '', 'http://x').searchParams;
      const isRefused = [...query.keys()].some((name) => name.startsWith('$') && name !== '$skiptoken');
      response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' });
      const from = Number(query.get('$skiptoken') ?? 0);
      const next = from + 10 < list.length ? `?$skiptoken=${String(from + 10)}` : '';
      const page = { value: list.slice(from, from + 10), '@odata.nextLink': next };
      response.end(JSON.stringify(isRefused ? { error: { code: 'validation_error', message: 'no' } } : page));
    });
    expect(await keys(listDocuments(contextOf(server.url), { ...nfe, family }))).toEqual(
      list.map((row) => row.accessKey),
    );
  });
});

test.each(['nfe', 'nfse'] as const)('an empty page that links to another one is not the end: %s', async (family) => {
  const list = captured(20);
  const server = await serve((request, response) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams;
    const isBehind = query.has('$skiptoken') || query.get('$filter')?.includes('accessKey') === true;
    const value = isBehind ? [] : list.slice(0, 10);
    response.end(JSON.stringify({ value, '@odata.nextLink': `?$skiptoken=${isBehind ? 30 : 10}` }));
  });
  const { code } = await failureOf(keys(listDocuments(contextOf(server.url), { ...nfe, family })));
  expect(code).toBe('service.list_cut');
});

test('an empty page that lacks the row from which it was asked for is not the end, unless it is counted', async () => {
  const server = await serve((request, response) => {
    const isBehind = request.url?.includes('accessKey+ge') === true;
    response.end(JSON.stringify({ value: isBehind ? [] : captured(10) }));
  });
  const { code } = await failureOf(keys(listDocuments(contextOf(server.url), nfe)));
  expect(code).toBe('service.list_cut');
});

test('a service that refuses a condition is not read without it where a row does not show it', async () => {
  const rows = captured(2).map(({ status, ...row }, index) => ({
    ...{ ...row, nsu: index + 1 },
    ...(index === 0 && { status }),
  }));
  const server = await serve((request, response) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams;
    if (query.get('$filter')?.includes('status') === true) response.writeHead(400).end('"unknown"');
    else response.end(JSON.stringify(rows.filter(({ nsu }) => nsu > Number(query.get('$skiptoken') ?? 0))));
  });
  const { code } = await failureOf(keys(listDocuments(contextOf(server.url), { ...nfe, status: 'Received' })));
  expect(code).toBe('service.refused');
});

test('null is an empty list beside a count of 0, and nothing beside a count that is no number', async () => {
  const empty = await serve(json(200, { value: null, '@odata.count': 0 }));
  expect(await keys(listDocuments(contextOf(empty.url), nfe))).toEqual([]);
  for (const count of ['', false, [], null]) {
    const server = await serve(json(200, { value: null, '@odata.count': count }));
    const { code } = await failureOf(keys(listDocuments(contextOf(server.url), nfe)));
    expect([count, code]).toEqual([count, 'service.unreadable']);
  }
});
