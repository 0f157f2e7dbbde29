import { afterEach, describe, expect, it } from 'vitest';
import { testService } from '../../conformance/service.js';
import { backfillPath, cutOffPath } from '../../facts/inbound.js';
import { statisticsPath } from '../../facts/maintenance.js';

const service = testService();
const other = testService();
const history = { scenario: 'history', month: '2026-03', documents: 50, companies: 3, seed: 11 };

interface Shown {
  readonly accessKey: string;
  readonly companyId: string;
  readonly issuedOn: string;
}

async function documentsOf(from: typeof service): Promise<readonly Shown[]> {
  return (await from.control('GET', 'documents?limit=5000')).documents;
}

async function companiesOf(from: typeof service): Promise<readonly string[]> {
  const { companies } = (await from.send('GET', '/v2/companies?limit=50')).json;
  return companies.map(({ id }: { id: string }) => id);
}

afterEach(() => Promise.all([service.control('POST', 'reset'), other.control('POST', 'reset')]));

describe('a history', () => {
  it('is distributed over the companies, hidden by their cut-off, and two years long', async () => {
    const seeded = await service.control('POST', 'seed', history);
    expect(seeded).toEqual({ month: '2026-03', companies: 3, documents: 50, hidden: 50, seed: 11 });
    const companies = await companiesOf(service);
    const summaries = companies.map(async (id) => (await service.send('GET', backfillPath(id))).json);
    const startFromDate = '2026-03-01T03:00:00.000Z';
    expect(await Promise.all(summaries)).toEqual(
      [17, 17, 16].map((hiddenDocumentsCount) => ({ startFromDate, released: false, hiddenDocumentsCount })),
    );
    const documents = await documentsOf(service);
    const times = documents.map(({ issuedOn }) => issuedOn).toSorted();
    expect(new Set(documents.map(({ accessKey }) => accessKey)).size).toBe(50);
    expect([times[0], (times.at(-1) ?? '') < startFromDate]).toEqual(['2024-03-01T02:59:00.000Z', true]);
  });

  it('is billed per document, in one ledger entry per company without a request', async () => {
    await service.control('POST', 'seed', history);
    expect((await service.control('GET', 'usage')).byAction).toEqual({ history: 50 });
    const { entries } = await service.control('GET', 'ledger');
    const lines = entries.map(({ method, status, billed, effect }: Record<string, unknown>) => ({
      method,
      status,
      billed,
      effect,
    }));
    const companies = await companiesOf(service);
    expect(lines).toEqual(
      ['17', '17', '16'].map((count, index) => ({
        method: 'CAPTURE',
        status: null,
        billed: 'history',
        effect: { captured: 'nfse', companyId: companies[index], history: count },
      })),
    );
    expect((await service.control('GET', 'status')).requests).toBe(1);
  });

  it('has NSUs in order of issue', async () => {
    await service.control('POST', 'seed', { ...history, companies: 1, documents: 3 });
    const [companyId = ''] = await companiesOf(service);
    const { json } = await service.send('GET', statisticsPath(companyId));
    expect(json).toMatchObject({ documentsTotal: 3, currentNsu: 3 });
  });

  it('is the same for the same seed', async () => {
    await service.control('POST', 'seed', history);
    const first = await documentsOf(service);
    await service.control('POST', 'reset');
    await service.control('POST', 'seed', history);
    expect(await documentsOf(service)).toEqual(first);
    await other.control('POST', 'seed', history);
    const keys = (documents: readonly Shown[]) => documents.map(({ accessKey }) => accessKey);
    expect(keys(await documentsOf(other))).toEqual(keys(first));
  });

  it('is older than the existing cut-off of a company', async () => {
    const [companyId = ''] = await companiesOf(service);
    const startFromDate = '2025-06-01T00:00:00Z';
    await service.send('PUT', cutOffPath(companyId), { body: { startFromDate } });
    await service.control('POST', 'seed', { ...history, companies: 1 });
    const { json } = await service.send('GET', backfillPath(companyId));
    expect(json).toEqual({ startFromDate, released: false, hiddenDocumentsCount: 50 });
  });

  it('answers 400 for a future month', async () => {
    const { error } = await service.control('POST', 'seed', { ...history, month: '2099-01' });
    expect(error.code).toBe('validation_error');
  });
});
