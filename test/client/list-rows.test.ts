import { expect, test } from 'vitest';
import type { Client } from '../../src/client/client.js';
import { cursorRows, numberedRows } from '../../src/client/list-rows.js';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import { bench } from './support/client.js';
import { json, serve, type Reply } from './support/server.js';

const how = { signal: new AbortController().signal };
const companies = (client: Client) => cursorRows(client, 'company.list', { path: {}, query: { limit: 2 } }, how);
const invoices = (client: Client) =>
  numberedRows(client, 'nfse.list', { path: { companyId: 'c' }, query: { pageCount: 2 }, idField: 'id' }, how);

async function read(rows: (client: Client) => AsyncGenerator<unknown>, ...replies: readonly Reply[]) {
  const server = await serve(...replies);
  const { client } = bench(server.url, { settings: { hosts: { product: server.url, service: server.url } } });
  const ids: unknown[] = [];
  try {
    for await (const row of rows(client)) ids.push((row as { readonly id: unknown }).id);
    return { ids, asked: server.seen.map(({ path }) => path.split('?')[1]) };
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    const asked = server.seen.map(({ path }) => path.split('?')[1]);
    return { ids, asked, code: error.code, exitCode: error.exitCode, text: error.text.en };
  }
}

const page = (ids: readonly string[], more?: boolean) =>
  json(200, { companies: ids.map((id) => ({ id })), ...(more === undefined ? {} : { hasMore: more }) });
const numbered = (ids: readonly string[], totalPages?: number | string | null) =>
  json(200, { serviceInvoices: ids.map((id) => ({ id })), totalPages });

test('a list continues after the last row of each page, and ends when the service says so', async () => {
  expect(await read(companies, page(['a', 'b'], true), page(['b', 'c'], false))).toEqual({
    ids: ['a', 'b', 'c'],
    asked: ['limit=2', 'limit=2&startingAfter=b'],
  });
});

test.each([
  ['an empty page', page([])],
  ['the same short page again', page(['c'])],
])('a list that does not say whether more follows ends with %s', async (_name, last) => {
  expect(await read(companies, page(['a', 'b']), page(['c']), last)).toEqual({
    ids: ['a', 'b', 'c'],
    asked: ['limit=2', 'limit=2&startingAfter=b', 'limit=2&startingAfter=c'],
  });
});

test('a list that pays no heed to the page size and repeats itself is whole', async () => {
  const whole = page(['a', 'b', 'c']);
  expect((await read(companies, whole, whole)).ids).toEqual(['a', 'b', 'c']);
});

test('a numbered list with fewer rows than its count is incomplete', async () => {
  const counted = json(200, { serviceInvoices: [{ id: 'a' }], totalPages: 1, totalResults: 3 });
  const { ids, code, exitCode } = await read(invoices, counted);
  expect([ids, code, exitCode]).toEqual([['a'], 'service.list_cut', 5]);
});

const counted = (ids: readonly string[], totalResults: number, totalPages = 2) =>
  json(200, { serviceInvoices: ids.map((id) => ({ id })), totalPages, totalResults });

test('a numbered list that gets a row on a page that was read is read again, and gives each row once', async () => {
  const { ids } = await read(
    invoices,
    ...[counted(['c', 'b'], 3), counted(['b', 'a'], 4)],
    ...[counted(['d', 'c'], 4), counted(['b', 'a'], 4)],
  );
  expect(ids).toEqual(['c', 'b', 'a', 'd']);
});

test.each([
  ['gives a row twice, and so as many rows as it counts', [counted(['a', 'b'], 3), counted(['b'], 3)]],
  ['gives fewer rows than it counts', [counted(['a', 'b'], 4), counted(['c'], 4)]],
  ['gives more rows than it counts', [counted(['a', 'b'], 3), counted(['c', 'd'], 3)]],
  ['changes its count in each reading', [counted(['a', 'b'], 4), counted(['c'], 3)]],
  ['gives a row twice and counts nothing', [numbered(['a', 'a'], 2), numbered(['c'], 2)]],
])('a numbered list that %s is read three times, and then is incomplete', async (_name, replies) => {
  const { ids, code, exitCode, text, asked } = await read(invoices, ...[1, 2, 3].flatMap(() => replies));
  expect([code, exitCode, asked?.length]).toEqual(['service.list_cut', 5, 6]);
  // A row that two readings gave is one row.
  expect(text).toContain(`breaks off after ${ids.length} rows`);
});

test('a count that is the length of its own page proves nothing: the list is read to an empty page', async () => {
  const own = (...ids: readonly string[]) => counted(ids, ids.length, 1);
  const { ids, asked } = await read(invoices, own('a', 'b'), own('c'), own());
  expect([ids, asked?.length]).toEqual([['a', 'b', 'c'], 3]);
});

test('a list by cursor that gives a row twice is read again', async () => {
  const { ids, asked } = await read(
    companies,
    ...[page(['a', 'a'], true), page(['c'], false), page(['a', 'b'], true), page(['c'], false)],
  );
  expect([ids, asked?.length]).toEqual([['a', 'c', 'b'], 4]);
  const { code } = await read(companies, page(['a', 'a'], false));
  expect(code).toBe('service.list_cut');
});

test.each([
  [
    'announces more and gives nothing',
    [1, 2, 3].flatMap(() => [page(['a', 'b'], true), page([], true)]),
    'announces more',
  ],
  ['turns in a circle', [page(['a', 'b'], true), page(['a', 'b'], true)], 'nothing new'],
])('a list that %s is incomplete: exit 5 after the rows read', async (_name, replies, reason) => {
  const { ids, code, exitCode, text } = await read(companies, ...replies);
  expect([ids, code, exitCode]).toEqual([['a', 'b'], 'service.list_cut', 5]);
  expect(text).toContain('the list of company.list breaks off after 2 rows');
  expect(text).toContain(reason);
});

test('a numbered list is read to its last page', async () => {
  const { ids } = await read(invoices, numbered(['a', 'b'], 2), numbered(['c'], '2'));
  expect(ids).toEqual(['a', 'b', 'c']);
});

test('a numbered list without totals is read to the first empty page', async () => {
  const { ids, asked } = await read(invoices, numbered(['a', 'b'], null), numbered(['c']), numbered([]));
  expect([ids, asked?.length]).toEqual([['a', 'b', 'c'], 3]);
});

test('pages shorter than asked for, with totals and page that are null, end with the first empty one', async () => {
  const uncounted = (...ids: readonly string[]) =>
    json(200, {
      ...{ serviceInvoices: ids.map((id) => ({ id })), page: null },
      ...{ totalResults: null, totalPages: null },
    });
  const { ids, asked } = await read(invoices, uncounted('a'), uncounted('b'), uncounted('c'), uncounted());
  expect([ids, asked?.length]).toEqual([['a', 'b', 'c'], 4]);
  const cut = await read(invoices, uncounted('a', 'b'), uncounted('a', 'b'));
  expect([cut.ids, cut.code, cut.exitCode]).toEqual([['a', 'b'], 'service.list_cut', 5]);
});

test('a list without paging is complete if it repeats less than a page', async () => {
  expect((await read(invoices, numbered(['a']), numbered(['a']))).ids).toEqual(['a']);
});

test('rows that arrive while short pages are read push others back, and hide none of them', async () => {
  // The service gives one row a page, whatever is asked for; a new row stands before all others after the first page.
  const pages = [['b'], ['b'], ['a'], []];
  expect((await read(invoices, ...pages.map((ids) => numbered(ids)))).ids).toEqual(['b', 'a']);
});

test.each([
  ['ends before its last page', [numbered(['a', 'b'], 3), numbered([], 3)]],
  ['gives the same whole page again', [numbered(['a', 'b']), numbered(['a', 'b'])]],
])('a numbered list that %s is incomplete', async (_name, replies) => {
  const { ids, code, exitCode } = await read(invoices, ...replies);
  expect([ids, code, exitCode]).toEqual([['a', 'b'], 'service.list_cut', 5]);
});

test('a total of zero pages with rows is ignored: the list is read to an empty page', async () => {
  const page = (ids: readonly string[]) =>
    json(200, { serviceInvoices: ids.map((id) => ({ id })), totalPages: 0, totalResults: 0 });
  expect((await read(invoices, page(['a', 'b']), page(['c']), page([]))).ids).toEqual(['a', 'b', 'c']);
});

test('bare arrays are read to the first empty page, or to a short one that repeats', async () => {
  const bare = (...ids: readonly string[]) =>
    json(
      200,
      ids.map((id) => ({ id })),
    );
  expect((await read(companies, bare('a', 'b'), bare('c'), bare())).ids).toEqual(['a', 'b', 'c']);
  const full = await read(companies, bare('a', 'b'), bare('a', 'b'));
  expect([full.ids, full.code]).toEqual([['a', 'b'], 'service.list_cut']);
});

test('null in place of the rows of any list is an empty list, unless something is counted', async () => {
  const captured = (client: Client) =>
    numberedRows(
      client,
      'nfse.notifications',
      { path: { companyId: 'c1' }, query: { pageCount: 2 }, idField: 'id' },
      how,
    );
  const totals = { page: 1, totalPages: null, totalResults: null };
  const empty = await read(captured, json(200, { ...totals, notifications: null }));
  expect([empty.ids, empty.code]).toEqual([[], undefined]);
  expect((await read(captured, json(200, { ...totals, totalResults: 2, notifications: null }))).code).toBe(
    'service.list_cut',
  );
});

test('rows of the same code are rows of their own', async () => {
  const codes = (client: Client) =>
    numberedRows(client, 'tax.codes', { path: { list: 'operation-code' }, query: { pageCount: 9 } }, how);
  const items = [
    { code: '1', description: 'a' },
    { code: '1', description: 'b' },
  ];
  const found: unknown[] = [];
  const server = await serve(json(200, { items, currentPage: 1, totalPages: 1, totalCount: 2 }));
  for await (const row of codes(bench(server.url).client)) found.push(row);
  expect(found).toEqual(items);
});

test('null in place of the rows of the codes is an empty list; no list is none', async () => {
  const codes = (client: Client) =>
    numberedRows(
      client,
      'tax.codes',
      { path: { list: 'operation-code' }, query: { pageCount: 2 }, idField: 'code' },
      how,
    );
  const totals = { currentPage: 1, totalPages: 0, totalCount: 0 };
  expect((await read(codes, json(200, { ...totals, items: null }))).ids).toEqual([]);
  expect((await read(codes, json(200, totals))).code).toBe('service.unreadable');
});
