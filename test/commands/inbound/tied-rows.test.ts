import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { listDocuments } from '../../../src/commands/inbound/list-documents.js';
import { eventReader, eventsSince } from '../../../src/commands/inbound/list-events.js';
import { FiscalError } from '../../../src/errors/fiscal-error.js';
import { bench } from '../../client/support/client.js';
import { serve } from '../../client/support/server.js';
import { testService } from '../../conformance/service.js';
import { runFiscal, testHost } from '../../support/host.js';
import { serveInbound, type ServedPages } from '../../support/inbound-service.js';

type Row = Readonly<Record<string, unknown>>;

const ROWS = 5;
const at = (second: number): string => new Date(Date.UTC(2026, 9, 1, 0, 0, second)).toISOString();
const keyOf = (index: number): string => `K${String(index).padStart(3, '0')}`;

/** The place in the order of a row, when so many rows from there on stand at the same place. */
function placeIn(index: number, { from, length }: Tie): number {
  return index >= from && index < from + length ? from : index;
}

/** A note and its events with one time and one key, from a row on. */
interface Tie {
  readonly from: number;
  readonly length: number;
}

const ties: readonly Tie[] = [2, 3].flatMap((length) =>
  Array.from({ length: ROWS - length + 1 }, (_, from) => ({ from, length })),
);
const everything: Tie = { from: 0, length: ROWS };
const nameOf = ({ from, length }: Tie): string => `${from}-${length}`;

const typesOf = {
  nfe: ['productInvoice', 'productInvoiceEvent'],
  // The number of the type (public): an event has a code.
  cte: [2, 3],
  nfse: ['serviceInvoice', 'serviceInvoiceEvent'],
} as const;
type Family = keyof typeof typesOf;

function documentRow(family: Family, index: number, tie: Tie): Row {
  const place = placeIn(index, tie);
  const [note, event] = typesOf[family];
  const [createdOn, id] = [at(place), `id-${index}`];
  const row = { accessKey: keyOf(place), id, nsu: index, createdOn, modifiedOn: createdOn };
  return place === index ? { ...row, type: note } : { ...row, type: event, eventCode: '110111' };
}

/** Events of several notes may have one key of their own. */
function eventRow(index: number, tie: Tie): Row {
  const place = placeIn(index, tie);
  return { accessKey: keyOf(index), eventKey: `E${place}`, createdOn: at(place), type: '110111' };
}

/** A company for each tie. */
async function serveTies(pages: ServedPages): Promise<string> {
  const all = [...ties, everything];
  const indexes = Array.from({ length: ROWS }, (_, index) => index);
  const service = await serveInbound(
    {
      companies: all.map((tie) => ({ id: nameOf(tie) })),
      documents: all.flatMap((tie) =>
        (['nfe', 'cte', 'nfse'] as const).flatMap((family) =>
          indexes.map((index) => {
            const row = documentRow(family, index, tie);
            return { company: nameOf(tie), family, row, names: [] };
          }),
        ),
      ),
      events: all.flatMap((tie) =>
        (['nfe', 'cte'] as const).flatMap((family) =>
          indexes.map((index) => {
            const row = eventRow(index, tie);
            return { company: nameOf(tie), family, eventKey: String(row['eventKey']), row };
          }),
        ),
      ),
    },
    { pages },
  );
  onTestFinished(() => service.close());
  return service.url;
}

const lists = ['nfe', 'cte', 'nfse', 'nfe events', 'cte events'] as const;
type List = (typeof lists)[number];

/** The rows of a list, or the code of the error that says that it is not whole. */
async function read(
  url: string,
  { list, companyId, pageSize, secret }: { list: List; companyId: string; pageSize?: number; secret?: string },
): Promise<readonly unknown[] | string> {
  const { client } = bench(url, secret === undefined ? {} : { credential: { secret } });
  const interruption = new AbortController().signal;
  const found: unknown[] = [];
  try {
    if (list === 'nfe events' || list === 'cte events') {
      const family = list === 'nfe events' ? 'nfe' : 'cte';
      const reader = await eventReader(client, { family, companyId }, interruption);
      for await (const rows of eventsSince(reader, undefined)) found.push(...rows);
    } else {
      const context = { client: () => Promise.resolve(client), interruption };
      const query = { family: list, companyId, by: 'modified', ...(pageSize && { pageSize }) } as const;
      for await (const row of listDocuments(context, query)) found.push(row);
    }
    return found;
  } catch (error) {
    if (error instanceof FiscalError) return error.code;
    throw error;
  }
}

function rowsOf(list: List, tie: Tie): readonly Row[] {
  return Array.from({ length: ROWS }, (_, index) =>
    list.endsWith('events') ? eventRow(index, tie) : documentRow(list as Family, index, tie),
  );
}

const sizes = Array.from({ length: ROWS + 1 }, (_, index) => index + 1);

test.each(sizes)(
  'pages of %i rows pass rows of one time and one key at every boundary, in every list',
  async (most) => {
    for (const counts of [true, false]) {
      const url = await serveTies({ most, counts });
      for (const list of lists)
        for (const tie of [...ties, everything]) {
          const found = await read(url, { list, companyId: nameOf(tie) });
          expect([list, tie, counts, found]).toEqual([list, tie, counts, rowsOf(list, tie)]);
        }
    }
  },
);

test.each(sizes)(
  'of a service without $skip, pages of %i rows pass what is shorter than a page, and nothing is taken for whole that is not',
  async (pageSize) => {
    for (const counts of [true, false]) {
      const url = await serveTies({ counts, skips: false });
      for (const list of ['nfe', 'cte', 'nfse'] as const)
        for (const tie of [...ties, everything]) {
          const found = await read(url, { list, companyId: nameOf(tie), pageSize });
          const all = rowsOf(list, tie);
          // NFS-e have pages by number, too.
          const isPassed = list === 'nfse' || tie.length < pageSize || tie.from + tie.length < pageSize;
          expect([list, tie, counts, found]).toEqual([list, tie, counts, isPassed ? all : 'service.list_cut']);
        }
    }
  },
);

test('a row that leaves its position while the list is read hides no other row of it', async () => {
  const tie = { from: 1, length: 3 };
  const rows = rowsOf('nfe', tie).map((row, index) => ({ row, index }));
  const documents = rows.map(({ row }) => ({ company: 'c', family: 'nfe' as const, row, names: [] }));
  const later = rowsOf('nfe', everything)[0];
  const changed = { ...documents[1]?.row, createdOn: later?.['createdOn'], modifiedOn: at(100) };
  // After the first page, which has it, the note changes: one of its two events is still to come.
  const moved = documents.map((document, index) => (index === 1 ? { ...document, row: changed } : document));
  const world = { companies: [{ id: 'c' }], events: [] };
  const pages = { counts: false, most: 3 };
  const [before, after] = await Promise.all([
    serveInbound({ ...world, documents }, { pages }),
    serveInbound({ ...world, documents: moved }, { pages }),
  ]);
  const server = await serve((request, response) => {
    const { url } = server.seen.length === 1 ? before : after;
    void fetch(url + (request.url ?? '')).then(async (answer) => response.end(await answer.text()));
  });
  onTestFinished(() => Promise.all([before.close(), after.close()]).then(() => undefined));
  expect(await read(server.url, { list: 'nfe', companyId: 'c' })).toEqual([
    ...documents.map(({ row }) => row),
    changed,
  ]);
});

const sandbox = testService();

beforeAll(async () => {
  await sandbox.control('POST', 'events', { nfe: 'mixed', cte: 'mixed', nfse: 'mixed' });
  await sandbox.control('POST', 'clock', { freeze: true });
  for (const family of ['nfe', 'cte', 'nfse'])
    for (const cancelled of [true, false, true, true, false])
      await sandbox.control('POST', 'documents', { family, cancelled });
});

test.each(['nfe', 'cte', 'nfse'] as const)(
  '%s: the sandbox lists notes and events of one moment, and every page size finds each',
  async (list) => {
    const { url, companyId, invoiceKey: secret } = sandbox.ready();
    const whole = await read(url, { list, companyId, secret });
    expect(whole).toHaveLength(8);
    for (const pageSize of [1, 2, 3, 4, 5, 6, 7, 8, 9])
      expect(await read(url, { list, companyId, secret, pageSize })).toEqual(whole);
  },
);

test('a sync stores the notes and the events of one moment', async () => {
  const { url, invoiceKey, companyId } = sandbox.ready();
  await sandbox.control('POST', 'pages', { short: true });
  const hosts = { FISCAL_PRODUCT_URL: url, FISCAL_QUERY_URL: url, FISCAL_SERVICE_URL: url };
  const host = testHost({ env: { ...hosts, FISCAL_INVOICE_KEY: invoiceKey, FISCAL_COMPANY: companyId } });
  const { exitCode } = await runFiscal(['inbound', 'sync', '-o', 'ndjson'], host);
  const local = await runFiscal(['inbound', 'list', '--local', '--all', '-o', 'id'], host);
  expect([exitCode, local.stdout.trimEnd().split('\n').length]).toEqual([0, 15]);
});
