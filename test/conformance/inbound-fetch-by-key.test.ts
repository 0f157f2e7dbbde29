import { beforeEach, describe, expect, it } from 'vitest';
import { fetchAction, fetchByKeyPath, nfseListPath, nfseRegistrationPath, nfseSettingsPath } from '../facts/inbound.js';
import { testService } from './service.js';

const service = testService();
const companyId = () => service.ready().companyId;
const fetchKey = async (accessKey: unknown, company = companyId()) =>
  await service.send('POST', fetchByKeyPath(company), { body: { accessKey } });
const billed = async () => (await service.control('GET', 'usage')).byAction[fetchAction] ?? 0;

interface Shown {
  readonly accessKey: string;
  readonly companyId: string;
  readonly visibility?: string;
}

async function notCaptured(): Promise<Shown[]> {
  await service.control('POST', 'seed', { scenario: 'month', month: '2026-03', documents: 600, companies: 2 });
  const { documents } = await service.control('GET', 'documents?limit=2000');
  return documents.filter(({ visibility }: Shown) => visibility === 'uncaptured');
}

beforeEach(async () => {
  await service.control('POST', 'reset');
  await service.control('POST', 'seed', { companies: 1 });
});

describe('POST .../inbound/nfse/fetch-by-access-key (§4)', () => {
  it('captures a note that is not in the list and bills it once, however often it is requested', async () => {
    const mine = (await notCaptured()).find((document) => document.companyId === companyId());
    const listed = async () => {
      const filter = encodeURIComponent(`accessKey eq '${mine?.accessKey}'`);
      return (await service.send('GET', `${nfseListPath(companyId())}?$filter=${filter}`)).json.value.length;
    };
    const before = await listed();
    const answers = [await fetchKey(mine?.accessKey), await fetchKey(mine?.accessKey)];
    expect([before, await listed(), await billed()]).toEqual([0, 1, 1]);
    expect(answers.map(({ status, json }) => [status, json.accessKey, json.nsu])).toEqual([
      [200, mine?.accessKey, null],
      [200, mine?.accessKey, null],
    ]);
    const { entries } = await service.control('GET', 'ledger?operation=nfse.fetchByKey');
    expect(entries.map((entry: { billed: string | null }) => entry.billed)).toEqual(['doc-by-key', null]);
  });

  it('answers 403 to a company that is not a party to the note, and bills nothing', async () => {
    const others = (await notCaptured()).find((document) => document.companyId !== companyId());
    const { status, json } = await fetchKey(others?.accessKey);
    expect([status, json.error.code, await billed()]).toEqual([403, 'fiscal_secrecy', 0]);
  });

  it('returns a note to its intermediary, including the taker', async () => {
    const [taker, intermediary] = (await service.send('GET', '/v2/companies?limit=2')).json.companies;
    await service.send('POST', nfseRegistrationPath, { body: { companyId: intermediary.id, initialNsu: 0 } });
    const { accessKey } = await service.control('POST', 'documents', {
      family: 'nfse',
      companyId: taker.id,
      intermediaryTaxNumber: String(intermediary.federalTaxNumber),
    });
    const { status, json } = await fetchKey(accessKey, intermediary.id);
    expect([status, json.companyId, json.borrower.federalTaxNumber, json.intermediary.federalTaxNumber]).toEqual([
      200,
      intermediary.id,
      String(taker.federalTaxNumber),
      String(intermediary.federalTaxNumber),
    ]);
    expect(await billed()).toBe(1);
  });

  it.each([undefined, 5, '', '1'.repeat(44), `${'1'.repeat(49)}x`])('answers 400 for the key %j', async (key) => {
    expect((await fetchKey(key)).status).toBe(400);
  });

  it('answers 404 for a key that the national environment does not know', async () => {
    expect((await fetchKey('9'.repeat(50))).status).toBe(404);
  });

  it('answers 404 for a company without NFS-e inbound', async () => {
    await service.send('DELETE', nfseSettingsPath(companyId()));
    expect((await fetchKey('9'.repeat(50))).status).toBe(404);
  });
});
