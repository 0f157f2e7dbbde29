import { beforeAll, describe, expect, it } from 'vitest';
import { cteListPath, nfeListPath, nfePath, nfseListPath, whole } from '../facts/inbound.js';
import { testService } from './service.js';

const service = testService();
const companyId = () => service.ready().companyId;
const nfe = async (query: string) => await service.send('GET', `${nfeListPath(companyId())}${query}`);
const nfse = async (query: string) => await service.send('GET', `${nfseListPath(companyId())}${query}`);

interface Row {
  readonly accessKey: string;
  readonly status: string;
  readonly nsu: string | null;
  readonly createdOn: string;
  readonly issuedOn: string;
  readonly totalInvoiceAmount: string;
  readonly issuer: { readonly federalTaxNumber: string };
}

const encoded = (filter: string) => `?$top=1000&$filter=${encodeURIComponent(filter)}`;
const all = async (): Promise<Row[]> => (await nfe('?$top=1000')).json.value;

beforeAll(async () => {
  await service.control('POST', 'seed', { scenario: 'month', month: '2026-03', documents: 400, companies: 1 });
});

describe('the list of captured NF-e (§1: by OData)', () => {
  it('returns fifty rows and the next link, until each row is returned once', async () => {
    const keys: string[] = [];
    let address: string | undefined = nfeListPath(companyId());
    while (address !== undefined) {
      const { json } = await service.send('GET', address);
      expect(json.value.length).toBeLessThanOrEqual(50);
      keys.push(...json.value.map((row: Row) => row.accessKey));
      const next: string | undefined = json['@odata.nextLink'];
      address = next === undefined ? undefined : new URL(next).pathname + new URL(next).search;
    }
    const { json } = await nfe('?$count=true&$top=1');
    expect([keys.length, new Set(keys).size]).toEqual([json['@odata.count'], keys.length]);
  });

  it('shows the fields of §2', async () => {
    const [row] = await all();
    expect(row).toEqual({
      accessKey: expect.stringMatching(/^\d{44}$/),
      companyId: companyId(),
      status: expect.stringMatching(/^(Received|Processed|Reprocessed|PdfPending)$/),
      // Nobody was told of what was seeded.
      webhookStatus: 'Skipped',
      nsu: expect.stringMatching(/^\d{1,15}$/),
      issuedOn: expect.stringMatching(/^2026-0[34]-.*Z$/),
      authorizedOn: expect.stringMatching(/Z$/),
      createdOn: expect.stringMatching(/Z$/),
      modifiedOn: expect.stringMatching(/Z$/),
      company: { id: companyId(), federalTaxNumber: expect.stringMatching(/^\d{14}$/), name: expect.any(String) },
      issuer: { federalTaxNumber: row?.accessKey.slice(6, 20), name: expect.stringMatching(/ Ltda$/) },
      type: 'productInvoice',
      buyer: { federalTaxNumber: expect.stringMatching(/^\d{14}$/), name: expect.any(String) },
      nfeNumber: String(Number(row?.accessKey.slice(25, 34))),
      nfeSerialNumber: '1',
      totalInvoiceAmount: expect.stringMatching(/^\d+\.\d\d$/),
      operationType: 'Incoming',
      links: expect.objectContaining({ xml: `${nfePath(companyId(), row?.accessKey ?? '')}/xml` }),
    });
  });

  it.each<[filter: string, fits: (row: Row) => boolean]>([
    ["status eq 'Processed'", (row: Row) => row.status === 'Processed'],
    ['nsu eq null', (row: Row) => row.nsu === null],
    ['nsu ne null', (row: Row) => row.nsu !== null],
    ['nsu gt 100', (row: Row) => Number(row.nsu) > 100],
    ["nsu le '100'", (row: Row) => row.nsu !== null && Number(row.nsu) <= 100],
    ['issuedOn ge 2026-03-10T00:00:00Z and issuedOn lt 2026-03-20', inTenDays],
    ['totalInvoiceAmount gt 40000.5', (row: Row) => Number(row.totalInvoiceAmount) > 40_000.5],
    ['not (nsu le 10 or nsu gt 20)', (row: Row) => row.nsu !== null && Number(row.nsu) > 10 && Number(row.nsu) <= 20],
    ['nsu lt 3 or nsu gt 5 and nsu lt 8', (row: Row) => ['1', '2', '6', '7'].includes(row.nsu ?? '')],
    ['(nsu lt 3 or nsu gt 5) and nsu lt 8', (row: Row) => ['1', '2', '6', '7'].includes(row.nsu ?? '')],
    ["issuer/name eq 'It''s nobody'", () => false],
  ])('filters by %s', async (filter, fits) => {
    const { json, status } = await nfe(encoded(filter));
    const expected = (await all()).filter(fits);
    expect([status, json.value]).toEqual([200, expected]);
  });

  it.each([
    '$filter=',
    '$filter=nobody eq 1',
    "$filter=status like 'x'",
    '$filter=(nsu eq 1',
    '$filter=nsu eq 1)',
    '$filter=nsu eq',
    "$filter=nsu eq 'abc'",
    "$filter=status eq 'open",
    `$filter=${'('.repeat(60)}nsu eq 1${')'.repeat(60)}`,
    '$filter=1 eq 1; DROP TABLE documents',
    '$top=1001',
    '$top=-1',
    '$skip=x',
    '$orderby=nobody',
    '$orderby=nsu upwards',
    '$apply=groupby',
  ])('answers 400 for %s', async (query) => {
    const [name = '', ...value] = query.split('=');
    expect((await nfe(`?${name}=${encodeURIComponent(value.join('='))}`)).status).toBe(400);
  });

  it('orders by several fields', async () => {
    const { json } = await nfe(`?$top=1000&$orderby=${encodeURIComponent('issuer/federalTaxNumber desc,issuedOn')}`);
    const sorted = (await all()).toSorted(
      (one, other) =>
        other.issuer.federalTaxNumber.localeCompare(one.issuer.federalTaxNumber) ||
        one.issuedOn.localeCompare(other.issuedOn),
    );
    expect(json.value.map((row: Row) => row.accessKey)).toEqual(sorted.map((row) => row.accessKey));
  });
});

function inTenDays(row: Row): boolean {
  return row.issuedOn >= '2026-03-10' && row.issuedOn < '2026-03-20';
}

describe('the lists of CT-e and NFS-e', () => {
  it('return CT-e by OData', async () => {
    const { json } = await service.send('GET', `${whole(cteListPath(companyId()))}&$top=1`);
    expect([json.value[0].type, json.value[0].accessKey]).toEqual([
      'transportationInvoice',
      expect.stringMatching(/^\d{20}57\d{22}$/),
    ]);
  });

  it('return NFS-e by page number, with totals on request', async () => {
    const keys: string[] = [];
    const { json: first } = await nfse('?pageCount=7&hasTotals=true');
    for (let page = 1; page <= first.totalPages + 1; page += 1) {
      const { json } = await nfse(`?pageCount=7&pageIndex=${page}`);
      expect([json.page, json.totalResults, json.totalPages]).toEqual([page, null, null]);
      keys.push(...json.documents.map((row: Row) => row.accessKey));
    }
    expect([keys.length, new Set(keys).size]).toEqual([first.totalResults, keys.length]);
  });

  it('filter NFS-e by its own parameters', async () => {
    const { json } = await nfse('?pageCount=100&nsuBegin=5&nsuEnd=9');
    expect(json.documents.map((row: Row) => row.nsu).toSorted()).toEqual([5, 6, 7, 8, 9]);
    const late = await nfse('?pageCount=100&issuedBegin=2026-03-30&issuedEnd=2026-03-31T23:59:59Z');
    expect(late.json.documents.every((row: Row) => row.issuedOn >= '2026-03-30' && row.issuedOn < '2026-04')).toBe(
      true,
    );
    expect(late.json.documents.length).toBeGreaterThan(0);
  });

  it('list the NFS-e of one environment (public)', async () => {
    const all = (await nfse('?pageCount=100')).json.documents;
    expect((await nfse('?pageCount=100&environment=Production')).json.documents).toEqual(all);
    expect((await nfse('?environment=Development')).json.documents).toEqual([]);
  });

  it('name the parties, the amount and the times of an NFS-e as published', async () => {
    const [row] = (await nfse('')).json.documents;
    expect(row).toMatchObject({
      provider: { federalTaxNumber: expect.stringMatching(/^\d{14}$/), name: expect.any(String) },
      borrower: { federalTaxNumber: expect.stringMatching(/^\d{14}$/), name: expect.any(String) },
      servicesAmount: expect.any(Number),
      createdAt: row.createdOn,
      updatedAt: row.modifiedOn,
    });
    expect(['issuer', 'taker', 'totalAmount'].filter((name) => name in row)).toEqual([]);
  });

  it('have the usual number of rows on a page for pageCount=0 (public)', async () => {
    const usual = await nfse('');
    expect((await nfse('?pageCount=0')).json).toEqual(usual.json);
    expect(usual.json.documents.length).toBeGreaterThan(0);
  });

  it('accept the OData parameters for NFS-e too', async () => {
    const { json } = await nfse('?$filter=nsu%20eq%205&$count=true');
    expect([json['@odata.count'], json.value.length, json.value[0].nsu]).toEqual([1, 1, 5]);
  });

  it.each(['pageIndex=0', 'pageCount=101', 'createdBegin=soon', 'nsuBegin=x', 'environment=Test'])(
    'answer 400 for %s',
    async (query) => {
      expect((await nfse(`?${query}`)).status).toBe(400);
    },
  );
});

describe('access to lists', () => {
  it.each([
    [nfeListPath, 'NFeDist', 'CTeDist'],
    [cteListPath, 'CTeDist', 'NFSeDist'],
    [nfseListPath, 'NFSeDist', 'NFeDist'],
  ])('requires the role of the family (§5)', async (path, role, other) => {
    const statusWith = async (roles: readonly string[]) => {
      const { key } = await service.control('POST', 'keys', { kind: 'invoice', roles });
      return (await service.send('GET', whole(path(companyId())), { key })).status;
    };
    expect([await statusWith([role]), await statusWith([other]), await statusWith([])]).toEqual([200, 403, 403]);
  });

  it('answers 404 for an unknown company', async () => {
    expect((await service.send('GET', nfeListPath('nobody'))).status).toBe(404);
  });
});
