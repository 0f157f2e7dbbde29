import { afterEach, describe, expect, it } from 'vitest';
import { testService } from '../../conformance/service.js';

const service = testService();
const other = testService();
const month = { scenario: 'month', month: '2026-03', documents: 600, companies: 5, seed: 11 };

interface Shown {
  readonly family: string;
  readonly accessKey: string;
  readonly companyId: string;
  readonly issuedOn: string;
  readonly visibility?: string;
}

async function documentsOf(from: typeof service): Promise<Shown[]> {
  return (await from.control('GET', 'documents?limit=5000')).documents;
}

afterEach(() => Promise.all([service.control('POST', 'reset'), other.control('POST', 'reset')]));

describe('the month of an accounting office', () => {
  it('has the requested number of listed documents, in all families and companies, within the month', async () => {
    const seeded = await service.control('POST', 'seed', month);
    const listed = (await documentsOf(service)).filter(({ visibility }) => visibility === undefined);
    const { nfe, cte, nfse } = seeded.byFamily;
    expect([listed.length, nfe + cte + nfse, seeded.companies]).toEqual([600, 600, 5]);
    expect(Math.min(nfe, cte, nfse)).toBeGreaterThan(50);
    expect(new Set(listed.map(({ companyId }) => companyId)).size).toBe(5);
    expect(new Set(listed.map(({ accessKey }) => accessKey)).size).toBe(600);
    // From midnight to midnight in Brasília.
    const outside = listed.filter(({ issuedOn }) => issuedOn < '2026-03-01T03:00' || issuedOn >= '2026-04-01T03:00');
    expect(outside).toEqual([]);
  });

  it('hides documents before the cut-off, bills them as history and includes uncaptured notes', async () => {
    const seeded = await service.control('POST', 'seed', month);
    const documents = await documentsOf(service);
    const count = (visibility: string) => documents.filter((each) => each.visibility === visibility).length;
    expect([count('hidden'), count('uncaptured')]).toEqual([seeded.hidden, seeded.uncaptured]);
    expect([seeded.hidden, seeded.uncaptured > 0]).toEqual([6, true]);
    expect((await service.control('GET', 'usage')).byAction).toEqual({ history: 6 });
  });

  it('is the same for the same seed, except for the companies of the account', async () => {
    await service.control('POST', 'seed', month);
    const first = await documentsOf(service);
    await service.control('POST', 'reset');
    await service.control('POST', 'seed', month);
    expect(await documentsOf(service)).toEqual(first);
    await other.control('POST', 'seed', month);
    const keys = (documents: readonly Shown[]) => documents.map(({ accessKey }) => accessKey);
    expect(keys(await documentsOf(other))).toEqual(keys(first));
  });

  it.each([{ month: '2026-13' }, { month: 'March' }, { month: '2099-01' }, { scenario: 'year' }])(
    'answers 400 for %j',
    async (wrong) => {
      const answer = await service.control('POST', 'seed', { ...month, ...wrong });
      expect(answer.error.code).toBe('validation_error');
    },
  );
});
