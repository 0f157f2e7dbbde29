import { beforeEach, describe, expect, it } from 'vitest';
import { nfseListPath, nfsePath } from '../facts/inbound.js';
import { testService } from './service.js';

const service = testService();
const companyId = () => service.ready().companyId;

interface Row {
  readonly accessKey: string;
  readonly webhookStatus: string;
  readonly provider: { readonly federalTaxNumber: string };
  readonly borrower: { readonly federalTaxNumber: string };
  readonly intermediary?: { readonly federalTaxNumber: string; readonly name: string };
}

async function seeded(body: object): Promise<Row[]> {
  await service.control('POST', 'seed', body);
  const lists = ['nfse?$top=1000', 'nfe?$top=1000', 'odata/TransportationInvoices?$top=1000&$filter=nsu%20ge%200'];
  const answers = await Promise.all(
    lists.map((list) => service.send('GET', `/v2/companies/${companyId()}/inbound/${list}`)),
  );
  return answers.flatMap(({ json }) => json.value);
}

const month = { scenario: 'month', month: '2026-03', documents: 300, companies: 1 };

beforeEach(() => service.control('POST', 'reset'));

/** §2: `webhookStatus` is the delivery state of the document. */
describe('the webhookStatus of seeded documents', () => {
  it.each([month, { documents: 20 }, { documents: 20, family: 'nfse' }])(
    'is Skipped without deliveries: %j',
    async (body) => {
      const rows = await seeded(body);
      const { deliveries } = await service.control('GET', 'deliveries');
      expect([rows.length > 10, deliveries]).toEqual([true, []]);
      expect(new Set(rows.map(({ webhookStatus }) => webhookStatus))).toEqual(new Set(['Skipped']));
    },
  );
});

/** §4: "not provider, taker or intermediary". */
describe('the intermediary of an NFS-e', () => {
  const withOne = async () =>
    (await seeded({ documents: 60, family: 'nfse' })).filter((row) => row.intermediary !== undefined);

  it('is present on some notes, and is neither provider nor taker', async () => {
    const rows = await withOne();
    expect([rows.length > 0, rows.length < 60]).toEqual([true, true]);
    for (const { provider, borrower, intermediary } of rows) {
      expect(intermediary).toEqual({
        federalTaxNumber: expect.stringMatching(/^\d{14}$/),
        name: expect.stringMatching(/ Ltda$/),
      });
      const numbers = [provider, borrower, intermediary].map((party) => party?.federalTaxNumber);
      expect(new Set(numbers).size).toBe(3);
    }
  });

  it('is in the XML, in the JSON and in the list by page', async () => {
    const [row] = await withOne();
    const number = row?.intermediary?.federalTaxNumber;
    const path = nfsePath(companyId(), row?.accessKey ?? '');
    const { text } = await service.send('GET', `${path}/xml`);
    expect(text).toContain(`<interm><CNPJ>${number}</CNPJ><xNome>${row?.intermediary?.name}</xNome></interm>`);
    expect((await service.send('GET', `${path}/json`)).json.intermediary).toEqual(row?.intermediary);
    const { documents } = (await service.send('GET', `${nfseListPath(companyId())}?pageCount=100`)).json;
    const listed = documents.find(({ accessKey }: Row) => accessKey === row?.accessKey);
    expect(listed.intermediary).toEqual(row?.intermediary);
  });
});
