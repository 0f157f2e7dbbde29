import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { json } from '../../client/support/server.js';
import { runFiscal } from '../../support/host.js';
import { imitate } from '../inbound/service.js';
import { recordsOf } from './sandbox.js';

const company = { id: 'c1', name: 'Um', federalTaxNumber: '33000167000101' };
const companies = json(200, { companies: [company], hasMore: false });
const start = Date.parse('2026-01-01T00:00:00Z');

type Row = Record<string, unknown>;

/** An invoice that was refused: it has no document, so the list is all that is read of it. */
function row(number: number): Row {
  const createdOn = new Date(start + number * 60_000).toISOString();
  return { id: `i${number}`, status: 'Error', flowStatus: 'IssueFailed', createdOn };
}

/** Newest first. */
const rows = (count: number): Row[] => Array.from({ length: count }, (_, index) => row(count - index));

/** The list changes after its n-th request: what it does to its rows then. */
type Changes = Readonly<Record<number, (list: Row[]) => void>>;

const pages = {
  nfe: (list: readonly Row[], query: URLSearchParams) => {
    const after = list.findIndex(({ id }) => id === query.get('startingAfter')) + 1;
    const productInvoices = list.slice(after, after + 50);
    return { productInvoices, hasMore: list.length > after + 50 };
  },
  nfse: (list: readonly Row[], query: URLSearchParams) => {
    const page = Number(query.get('pageIndex'));
    const totals = { totalResults: list.length, totalPages: Math.ceil(list.length / 50) };
    return { serviceInvoices: list.slice((page - 1) * 50, page * 50), ...totals, page };
  },
};
const paths = { nfe: 'GET /v2/companies/c1/productinvoices', nfse: 'GET /v1/companies/c1/serviceinvoices' };

async function syncOf(model: 'nfe' | 'nfse', list: Row[], changes: Changes) {
  let requests = 0;
  const answer = (request: IncomingMessage) => {
    const body = pages[model](list, new URL(request.url ?? '', 'http://x').searchParams);
    requests += 1;
    changes[requests]?.(list);
    return json(200, body);
  };
  const service = await imitate({ 'GET /v2/companies': companies, [paths[model]]: answer });
  const env = { ...service.host.env, FISCAL_SERVICE_URL: service.url };
  const argv = ['invoice', 'sync', '--type', model, '--archive', join(service.host.root, 'a')];
  const { exitCode, stdout } = await runFiscal([...argv, '-o', 'ndjson'], { ...service.host, env });
  const stored = await runFiscal(['invoice', 'list', '--model', model, '--local', '--all', '-o', 'ndjson'], {
    ...service.host,
    env,
  });
  const ids = recordsOf(stored.stdout).map(({ id }) => id);
  const [first] = recordsOf(stdout);
  return { exitCode, code: first?.['errorCode'], ids, requests };
}

const moveToFront = (id: string) => (list: Row[]) => {
  const at = list.findIndex((each) => each['id'] === id);
  list.unshift(...list.splice(at, 1));
};

describe.each(['nfe', 'nfse'] as const)('a list of %s', (model) => {
  test('that fits in one answer is read once, and asked for a page behind it where it counts only that page', async () => {
    const run = await syncOf(model, rows(50), {});
    expect([run.exitCode, run.ids.length, run.requests]).toEqual([0, 50, model === 'nfse' ? 2 : 1]);
  });

  test('in which an invoice moves to a page that was read has it all the same', async () => {
    const run = await syncOf(model, rows(120), { 1: moveToFront('i10') });
    expect([run.exitCode, run.code]).toEqual([0, undefined]);
    expect(run.ids).toContain('i10');
    expect(run.ids).toHaveLength(120);
  });

  test('that gets new invoices between two pages is complete', async () => {
    const run = await syncOf(model, rows(120), { 1: (list) => list.unshift(row(121)) });
    expect([run.exitCode, run.code]).toEqual([0, undefined]);
    expect(run.ids.length).toBeGreaterThanOrEqual(120);
  });

  test('in which an old invoice moves in every reading is not said to be complete', async () => {
    const changes = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [index + 1, (list: Row[]) => list.unshift(row(-index))]),
    );
    const run = await syncOf(model, rows(120), changes);
    expect([run.exitCode, run.code]).toEqual([3, 'service.list_cut']);
  });
});
