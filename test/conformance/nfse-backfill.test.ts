import { beforeEach, describe, expect, it } from 'vitest';
import { backfillPath, cutOffPath, nfseListPath, nfsePath, skipped } from '../facts/inbound.js';
import { historyAction, management, releasePath } from '../facts/maintenance.js';
import { testService } from './service.js';

const service = testService();
const companyId = () => service.ready().companyId;
const cutOff = '2026-10-01T03:00:00.000Z';

interface Listed {
  readonly accessKey: string;
  readonly webhookStatus: string;
  readonly modifiedOn: string;
}

const seed = (documents = 5) =>
  service.control('POST', 'seed', { scenario: 'history', month: '2026-10', documents, companies: 1 });
const ask = (released: boolean) => service.send('POST', releasePath(companyId()), { body: { released } });
const advance = (by: string) => service.control('POST', 'clock', { advance: by });
const summary = async () => (await service.send('GET', backfillPath(companyId()))).json;
const listed = async (): Promise<readonly Listed[]> =>
  (await service.send('GET', `${nfseListPath(companyId())}?pageCount=100`)).json.documents;

beforeEach(async () => {
  await service.control('POST', 'reset');
  await service.control('POST', 'clock', { freeze: true });
  await service.control('POST', 'clock', { set: '2026-11-20T12:00:00Z' });
});

describe('documents before the cut-off (§4)', () => {
  it('are captured but not listed, start as Skipped and are billed as history', async () => {
    await seed();
    expect(await listed()).toEqual([]);
    expect(await summary()).toEqual({ startFromDate: cutOff, released: false, hiddenDocumentsCount: 5 });
    const { documents } = await service.control('GET', 'documents');
    const one = await service.send('GET', nfsePath(companyId(), documents[0].accessKey));
    expect([one.status, one.json.webhookStatus]).toEqual([200, skipped]);
    expect((await service.control('GET', 'usage')).byAction).toEqual({ [historyAction]: 5 });
    const { entries } = await service.control('GET', 'ledger?effects=true');
    expect(entries.map(({ effect, billed }: Record<string, unknown>) => ({ effect, billed }))).toEqual([
      { effect: { captured: 'nfse', companyId: companyId(), history: '5' }, billed: historyAction },
    ]);
  });

  it('are hidden however they are captured', async () => {
    await seed(0);
    const early = '2026-09-30T00:00:00Z';
    await service.control('POST', 'documents', { family: 'nfse', issuedOn: early });
    await service.control('POST', 'documents', { family: 'nfse', issuedOn: '2026-11-01T00:00:00Z' });
    await service.control('POST', 'seed', { documents: 3, family: 'nfse', spread: '90d' });
    expect((await listed()).length).toBe(3);
    expect((await summary()).hiddenDocumentsCount).toBe(2);
    expect((await service.control('GET', 'usage')).byAction).toEqual({ [historyAction]: 2 });
  });

  it('are listed after the release of the history, still Skipped and billed', async () => {
    await seed(0);
    await ask(true);
    await service.control('POST', 'documents', { family: 'nfse', issuedOn: '2026-09-30T00:00:00Z' });
    expect((await listed()).map(({ webhookStatus }) => webhookStatus)).toEqual([skipped]);
    expect((await service.control('GET', 'usage')).byAction).toEqual({ [historyAction]: 1 });
  });
});

describe('the release of the history (§4)', () => {
  it('is accepted, appears in the summary at once and lists the documents afterwards', async () => {
    await seed();
    const { status, json } = await ask(true);
    expect([status, json]).toEqual([
      202,
      { documentId: expect.any(String), message: expect.any(String), companyId: companyId() },
    ]);
    expect(await summary()).toEqual({ startFromDate: cutOff, released: true, hiddenDocumentsCount: 5 });
    await advance('200ms');
    expect(await summary()).toEqual({ startFromDate: cutOff, released: true, hiddenDocumentsCount: 0 });
    const found = await listed();
    expect(found.map(({ webhookStatus, modifiedOn }) => ({ webhookStatus, modifiedOn }))).toEqual(
      Array.from({ length: 5 }, () => ({ webhookStatus: skipped, modifiedOn: '2026-11-20T12:00:00.200Z' })),
    );
  });

  it('updates the count batch by batch', async () => {
    await seed();
    await service.control('POST', 'sweep', { documents: 2, every: '1s' });
    await ask(true);
    const counts = [];
    for (let batch = 0; batch < 4; batch += 1) {
      counts.push((await summary()).hiddenDocumentsCount);
      await advance('1s');
    }
    expect(counts).toEqual([5, 3, 1, 0]);
  });

  it('is reversed by a revocation, which only hides documents issued before the cut-off', async () => {
    await seed();
    await service.control('POST', 'documents', { family: 'nfse', issuedOn: '2026-11-01T00:00:00Z' });
    await ask(true);
    await advance('1s');
    expect((await listed()).length).toBe(6);
    expect((await ask(false)).status).toBe(202);
    await advance('1s');
    expect(await summary()).toEqual({ startFromDate: cutOff, released: false, hiddenDocumentsCount: 5 });
    expect((await listed()).length).toBe(1);
  });

  it('changes nothing when repeated', async () => {
    await seed();
    await ask(true);
    const again = await ask(true);
    expect(again.status).toBe(202);
    const { entries } = await service.control('GET', 'ledger?operation=nfse.backfill.release');
    const effects = entries.map(({ effect }: { effect: unknown }) => effect);
    expect(effects).toEqual([{ backfill: 'released', companyId: companyId() }, null]);
  });

  it.each([undefined, {}, { released: 'yes' }, { released: null }, []])('answers 400 for %j', async (body) => {
    const { status } = await service.send('POST', releasePath(companyId()), { body });
    expect(status).toBe(400);
  });
});

describe('a new cut-off (§4)', () => {
  const move = (startFromDate: string) => service.send('PUT', cutOffPath(companyId()), { body: { startFromDate } });
  const capture = (issuedOn: string) =>
    service.control('POST', 'documents', { family: 'nfse', issuedOn: `${issuedOn}T12:00:00Z` });

  it('hides and shows documents again, and updates their modifiedOn', async () => {
    await seed(0);
    for (const day of ['2026-08-10', '2026-09-10', '2026-10-10']) await capture(day);
    await advance('1h');
    expect((await move('2026-09-01')).status).toBe(204);
    expect((await summary()).hiddenDocumentsCount).toBe(1);
    const shown = (await listed()).map(({ modifiedOn }) => modifiedOn > '2026-11-20T12:30');
    expect(shown.toSorted()).toEqual([false, true]);
    await move('2026-11-01T00:00:00Z');
    expect([(await summary()).hiddenDocumentsCount, await listed()]).toEqual([3, []]);
  });

  it('keeps documents visible that a release shows, until it is revoked', async () => {
    await seed(0);
    for (const day of ['2026-08-10', '2026-10-10']) await capture(day);
    await ask(true);
    await advance('1s');
    await move('2026-11-01');
    expect(await summary()).toEqual({ startFromDate: '2026-11-01', released: true, hiddenDocumentsCount: 0 });
    await ask(false);
    await advance('1s');
    expect([(await summary()).hiddenDocumentsCount, await listed()]).toEqual([2, []]);
  });

  it.each(['2026-02-30', '2026-13-01', '2026-11-21', 'tomorrow', '', 5, null])(
    'answers 400 for %j and does not change',
    async (startFromDate) => {
      await seed(0);
      const { status, json } = await service.send('PUT', cutOffPath(companyId()), { body: { startFromDate } });
      expect([status, json.error.details[0].field]).toEqual([400, 'startFromDate']);
      expect((await summary()).startFromDate).toBe(cutOff);
    },
  );
});

describe('the role Management (§5)', () => {
  it.each([
    ['PUT', cutOffPath],
    ['POST', releasePath],
  ] as const)('is named in the 403 of %s without the role', async (method, path) => {
    const { key } = await service.control('POST', 'keys', { roles: ['NFSeDist'] });
    const { status, json } = await service.send(method, path(companyId()), { key, body: {} });
    expect([status, json.error.message]).toEqual([403, expect.stringContaining(management)]);
  });

  it('can be missing for one of several companies, and the summary requires another role', async () => {
    await service.control('POST', 'seed', { scenario: 'history', month: '2026-10', companies: 2 });
    const { companies } = (await service.send('GET', '/v2/companies')).json;
    const [one, two]: string[] = companies.map(({ id }: { id: string }) => id);
    const companyRoles = { [one ?? '']: ['NFSeDist'], [two ?? '']: [management] };
    const { key } = await service.control('POST', 'keys', { companyRoles });
    const statusOf = async (method: string, path: string) =>
      (await service.send(method, path, { key, body: method === 'GET' ? undefined : { released: true } })).status;
    expect([
      await statusOf('POST', releasePath(one ?? '')),
      await statusOf('POST', releasePath(two ?? '')),
      await statusOf('GET', backfillPath(one ?? '')),
      await statusOf('GET', backfillPath(two ?? '')),
    ]).toEqual([403, 202, 200, 403]);
  });
});

describe('a company that does not capture NFS-e', () => {
  it.each([
    ['GET', backfillPath, undefined],
    ['POST', releasePath, { released: true }],
    ['PUT', cutOffPath, { startFromDate: '2026-01-01' }],
  ] as const)('answers 404 for %s %O', async (method, path, body) => {
    await service.control('POST', 'captures', { family: 'nfse', active: false });
    const own = await service.send(method, path(companyId()), { body });
    const unknown = await service.send(method, path('no-company'), { body });
    expect([own.status, unknown.status]).toEqual([404, 404]);
  });
});
