import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NFE_KEY, nfe } from '../../archive/signed-xml.js';
import { json, type Reply } from '../../client/support/server.js';
import { runFiscal } from '../../support/host.js';
import { recordsOf } from '../invoice/sandbox.js';
import { imitate } from './service.js';

const invoices = '/v2/companies/c1/productinvoices';
type Row = Readonly<Record<string, unknown>>;

/** Number 28018 of serie 1, of May 2025. */
const issued: Row = {
  ...{ id: 'i1', status: 'Issued', environment: 'Production', createdOn: '2025-05-10T12:00:00Z' },
  authorization: { accessKey: NFE_KEY, receiptOn: '2025-05-10T12:00:00Z' },
};
const listed = (...rows: readonly unknown[]) => json(200, { productInvoices: rows, hasMore: false });
const numbered = (number: unknown, more: Row): Row => ({
  ...{ id: `n${String(number)}`, environment: 'Production', createdOn: '2025-05-11T12:00:00Z', serie: 1, number },
  ...more,
});

interface Unkind {
  /** The answers of the list to the sync and to the close. */
  readonly sync?: Reply;
  readonly close?: Reply;
  readonly events?: Reply;
}

async function closed({ sync = listed(issued), close = sync, events }: Unkind) {
  const xml: Reply = { status: 200, headers: { 'content-type': 'application/xml' }, body: nfe() };
  let list = sync;
  const company = { id: 'c1', name: 'Um', federalTaxNumber: '30057049000141' };
  const service = await imitate({
    'GET /v2/companies': json(200, { companies: [company], hasMore: false }),
    [`GET ${invoices}`]: () => list,
    [`GET ${invoices}/i1/events`]: events ?? json(200, { events: [], hasMore: false }),
    [`GET ${invoices}/i1/xml`]: xml,
    [`GET ${invoices}/i2/events`]: json(200, { events: [], hasMore: false }),
    [`GET ${invoices}/i2/xml`]: xml,
  });
  const archive = join(service.host.root, 'a');
  const type = ['--type', 'nfe', '--archive', archive, '-o', 'ndjson'];
  await runFiscal(['invoice', 'sync', '--full', ...type], service.host);
  list = close;
  const words = ['inbound', 'close', '2025-05', '--direction', 'issued', ...type];
  const { exitCode, stdout } = await runFiscal(words, service.host);
  const records = recordsOf(stdout);
  const found = records.find((record) => record['type'] === 'close');
  const reasons = (found?.['reasons'] ?? []) as { readonly code: string }[];
  return {
    exitCode,
    verdict: found?.['verdict'],
    gaps: records.filter((record) => record['type'] === 'gap').map(({ kind }) => kind),
    reasons: reasons.map(({ code }) => code),
    coverage: found?.['coverage'],
  };
}

test('an archived invoice of a month long past is complete', async () => {
  expect(await closed({})).toMatchObject({ exitCode: 0, verdict: 'complete', gaps: [], reasons: [] });
});

describe('a month is not complete', () => {
  test.each<[string, readonly string[], Unkind]>([
    ['when the list cannot be read at the close', ['list-unread'], { close: json(403, {}) }],
    ['when the list is empty at the close', ['nothing-issued', 'list-lacks'], { close: listed() }],
    [
      'when the list has another invoice',
      ['not-synced'],
      { close: listed(issued, { ...issued, id: 'i9', authorization: {} }) },
    ],
    ['when two invoices have one key', ['not-archived'], { close: listed(issued, { ...issued, id: 'i2' }) }],
    ['when its state is one that no list names', ['not-final'], { close: listed({ ...issued, status: 'Foo' }) }],
    ['when its state is missing', ['not-final'], { close: listed({ ...issued, status: null }) }],
    ['when a row has no id', ['list-unread'], { close: listed(issued, { status: 'Issued' }) }],
    ['when a row has no date', ['row-unreadable'], { close: listed(issued, { id: 'i7', status: 'Issued' }) }],
    ['when its events cannot be read', ['not-archived'], { events: json(500, {}) }],
    [
      'when an event is not decided',
      ['events-unread'],
      { events: json(200, { events: [{ type: 'Cancellation', status: 'Processing' }], hasMore: false }) },
    ],
    [
      'when an issued invoice has no key',
      ['not-synced', 'numbers-unknown'],
      { close: listed(issued, { ...issued, id: 'i8', authorization: null }) },
    ],
    [
      'when a number is skipped, whatever a rejected invoice says of it',
      ['numbers-missing'],
      { close: listed(issued, numbered(28_019, { status: 'Error' }), numbered(28_020, { status: 'IssueDenied' })) },
    ],
    [
      'when numbers are no numbers',
      ['numbers-missing'],
      {
        close: listed(
          issued,
          ...[numbered('28019; DROP', { status: 'Disabled' }), numbered(-28_019, { status: 'Disabled' })],
          numbered('28020', { status: 'IssueDenied' }),
        ),
      },
    ],
  ])('%s', async (_name, expected, unkind) => {
    const { exitCode, verdict, gaps, reasons } = await closed(unkind);
    expect([exitCode, verdict === 'complete']).toEqual([3, false]);
    for (const word of expected)
      expect([word, [...gaps, ...reasons].some((each) => String(each).startsWith(word))]).toEqual([word, true]);
  });
});

test('a disabled or denied invoice without a key uses the number that the list gives it', async () => {
  const close = listed(
    issued,
    numbered(28_019, { status: 'Disabled' }),
    numbered('28020', { status: 'IssueDenied' }),
    numbered(28_021, { status: 'Error', createdOn: '2025-06-01T12:00:00Z' }),
  );
  const { exitCode, coverage } = await closed({ close });
  expect([exitCode, coverage]).toMatchObject([
    0,
    [{ refused: 2, numbering: [{ first: 28_018, last: 28_020, used: 2, disabled: 1, missing: 0 }] }],
  ]);
});

test('an invoice of the other environment does not count', async () => {
  const test = { ...issued, id: 'i5', environment: 'Test', authorization: {} };
  expect(await closed({ close: listed(issued, test) })).toMatchObject({ exitCode: 0, verdict: 'complete' });
});
