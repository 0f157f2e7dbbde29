import { beforeEach, describe, expect, it } from 'vitest';
import { cutOffPath, nfseListPath, nfseSettingsPath, nfeSettingsPath } from '../facts/inbound.js';
import {
  certificatesPath,
  fetchNowPath,
  management,
  noticesPath,
  reactivatePath,
  releasePath,
  resetNsuPath,
  statisticsPath,
} from '../facts/maintenance.js';
import { testService } from './service.js';

const service = testService({ validationDelayMs: 1_000 });
const companyId = () => service.ready().companyId;
const post = (path: (companyId: string) => string, body?: object) =>
  service.send('POST', path(companyId()), body === undefined ? {} : { body });
const read = async (path: (companyId: string) => string) => (await service.send('GET', path(companyId()))).json;
const advance = (by: string) => service.control('POST', 'clock', { advance: by });
const certificate = (body: object) => service.control('POST', 'certificates', body);
const listed = async () => (await read(nfseListPath)).documents;
const noticeTypes = async () => (await read(noticesPath)).notifications.map(({ type }: { type: string }) => type);

beforeEach(async () => {
  await service.control('POST', 'reset');
  await service.control('POST', 'clock', { freeze: true });
  await service.control('POST', 'clock', { set: '2026-11-20T12:10:00Z' });
});

describe('an immediate capture', () => {
  it('is accepted and captures what has arrived', async () => {
    await service.control('POST', 'arrivals', { everyRequests: 1_000, count: 3 });
    const { status, json } = await post(fetchNowPath);
    expect([status, json]).toEqual([
      202,
      { documentId: expect.any(String), message: expect.any(String), companyId: companyId() },
    ]);
    expect((await listed()).length).toBe(0);
    await advance('1s');
    expect((await listed()).length).toBe(3);
    await post(fetchNowPath);
    await advance('1s');
    expect((await listed()).length).toBe(3);
  });

  it('takes the NSU at which it begins (public)', async () => {
    expect((await post(fetchNowPath, { forcedStartNsu: '7' })).status).toBe(202);
    expect((await post(fetchNowPath, { forcedStartNsu: null })).status).toBe(202);
    const { status, json } = await post(fetchNowPath, { forcedStartNsu: -1 });
    expect([status, json.error.details[0].field]).toEqual([400, 'forcedStartNsu']);
    const { entries } = await service.control('GET', 'ledger?operation=nfse.fetchNow');
    expect(entries.map(({ effect }: { effect: { forcedStartNsu?: string } | null }) => effect?.forcedStartNsu)).toEqual(
      ['7', undefined, undefined],
    );
  });

  it('hides and bills as history what was issued before the cut-off (§4)', async () => {
    await service.send('PUT', cutOffPath(companyId()), { body: { startFromDate: '2026-11-20T12:00:00Z' } });
    await service.control('POST', 'arrivals', { everyRequests: 1_000, count: 1 });
    await post(fetchNowPath);
    await advance('1s');
    expect(await listed()).toEqual([]);
    expect((await service.control('GET', 'usage')).byAction).toEqual({ history: 1 });
  });

  it('is refused while the capture is spaced, with the end of the spacing (assumed)', async () => {
    await service.control('POST', 'captures', { family: 'nfse', spacedFor: '90s' });
    const { status, json, headers } = await post(fetchNowPath);
    expect([status, json.error.code, headers.get('retry-after')]).toEqual([409, 'conflict', '90']);
  });
});

describe('the statistics of the capture', () => {
  it('are empty before anything is captured', async () => {
    expect(await read(statisticsPath)).toEqual({
      ...{ id: companyId(), accountId: expect.any(String), name: expect.any(String), isActive: true },
      ...{ currentNsu: 0, maxAvailableNsu: 0, consecutiveFailures: 0, lastExecutedAt: null },
      ...{ documentsTotal: 0, documentsProcessed: 0, documentsFailed: 0, documentsPdfPending: 0 },
      ...{ webhooksDelivered: 0, webhooksFailed: 0 },
    });
  });

  it('include hidden documents, with the last NSU and capture (public)', async () => {
    await service.send('PUT', cutOffPath(companyId()), { body: { startFromDate: '2026-10-01' } });
    for (const issuedOn of ['2026-10-09T12:00:00Z', '2026-09-09T12:00:00Z']) {
      await service.control('POST', 'documents', { family: 'nfse', issuedOn });
    }
    expect(await read(statisticsPath)).toMatchObject({
      ...{ documentsTotal: 2, documentsProcessed: 2, currentNsu: 2, maxAvailableNsu: 2 },
      lastExecutedAt: '2026-10-09T12:06:00.000Z',
    });
  });

  it('show until when the capture is spaced', async () => {
    await service.control('POST', 'captures', { family: 'nfse', spacedFor: '1h' });
    expect((await read(statisticsPath)).rateLimitedUntil).toBe('2026-11-20T13:10:00.000Z');
  });
});

describe('the notices of the capture', () => {
  it('are listed newest first', async () => {
    await service.control('POST', 'captures', { family: 'nfse', spacedFor: '1h' });
    await post(reactivatePath);
    await post(resetNsuPath, { nsu: 7 });
    await service.send('PUT', cutOffPath(companyId()), { body: { startFromDate: '2026-10-01' } });
    await post(releasePath, { released: true });
    await post(releasePath, { released: false });
    await advance('1m');
    expect(await noticeTypes()).toEqual([
      'BackfillRevoked',
      'BackfillReplaced',
      'CutOffChanged',
      'NsuReset',
      'CaptureReactivated',
      'RateLimited',
    ]);
    const [newest] = (await read(noticesPath)).notifications;
    expect(newest).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      companyId: companyId(),
      type: 'BackfillRevoked',
      severity: 'Info',
      title: expect.any(String),
      description: expect.any(String),
      createdAt: '2026-11-20T12:10:00.200Z',
    });
  });

  it('are filtered by severity and by type (public)', async () => {
    await service.control('POST', 'captures', { family: 'nfse', spacedFor: '1h' });
    await post(reactivatePath);
    const found = async (query: string) =>
      (await read((id) => `${noticesPath(id)}?${query}`)).notifications.map(
        ({ type, severity }: Record<string, string>) => [type, severity],
      );
    expect(await found('severity=Warning')).toEqual([['RateLimited', 'Warning']]);
    expect(await found('type=CaptureReactivated')).toEqual([['CaptureReactivated', 'Info']]);
    expect(await found('type=CaptureReactivated&severity=Critical')).toEqual([]);
    const { status } = await service.send('GET', `${noticesPath(companyId())}?severity=Loud`);
    expect(status).toBe(400);
  });
});

describe('a reactivation', () => {
  it('ends the spacing', async () => {
    await service.control('POST', 'captures', { family: 'nfse', spacedFor: '1h' });
    expect('rateLimitedUntil' in (await read(nfseSettingsPath))).toBe(true);
    expect((await post(reactivatePath)).status).toBe(200);
    expect('rateLimitedUntil' in (await read(nfseSettingsPath))).toBe(false);
  });

  it('activates an inactive registration with its previous settings', async () => {
    const before = await read(nfseSettingsPath);
    await service.send('DELETE', nfseSettingsPath(companyId()));
    expect((await post(reactivatePath)).status).toBe(200);
    expect(await read(nfseSettingsPath)).toEqual(before);
  });

  it('is refused while the certificate is missing or not valid (assumed)', async () => {
    await certificate({ state: 'expired' });
    expect((await post(reactivatePath)).status).toBe(409);
  });
});

describe('a reset of the NSU', () => {
  const seed = () => service.control('POST', 'seed', { documents: 3, family: 'nfse' });
  const shown = async () =>
    (await listed())
      .map(({ nsu, accessKey, modifiedOn }: Record<string, string>) => ({ nsu, accessKey, modifiedOn }))
      .toSorted((one: { nsu: string }, other: { nsu: string }) => Number(one.nsu) - Number(other.nsu));

  it('captures the documents after it again, under the same keys and without duplicates', async () => {
    await seed();
    const before = await shown();
    await advance('1h');
    expect((await post(resetNsuPath, { nsu: '1' })).status).toBe(200);
    const modifiedOn = '2026-11-20T13:10:00.000Z';
    expect(await shown()).toEqual([before[0], { ...before[1], modifiedOn }, { ...before[2], modifiedOn }]);
  });

  it('continues after a higher number', async () => {
    await post(resetNsuPath, { nsu: 500 });
    await service.control('POST', 'documents', { family: 'nfse' });
    expect((await read(statisticsPath)).currentNsu).toBe(501);
  });

  it.each([undefined, {}, { nsu: '' }, { nsu: '1.0' }, { nsu: -1 }, { nsu: 1.5 }, { nsu: 1234567890123456 }])(
    'answers 400 for %j',
    async (body) => {
      expect((await post(resetNsuPath, body)).status).toBe(400);
    },
  );
});

describe('the certificates of a company', () => {
  const list = async () => (await read(certificatesPath)).certificates;

  it('start with a valid one', async () => {
    expect(await list()).toEqual([
      {
        subject: expect.stringContaining('ICP-Brasil'),
        validUntil: expect.stringMatching(/^202\d-\d\d-\d\dT00:00:00\.000Z$/),
        thumbprint: expect.stringMatching(/^[0-9A-F]{40}$/),
        status: 'Active',
      },
    ]);
  });

  it.each([
    [{ state: 'valid' }, '2027-11-20T12:10:00.000Z', 'Active'],
    [{ state: 'expiring', days: 5 }, '2026-11-25T12:10:00.000Z', 'Active'],
    [{ state: 'expired', days: 2 }, '2026-11-18T12:10:00.000Z', 'Overdue'],
    [{ state: 'pending' }, '2027-11-20T12:10:00.000Z', 'Pending'],
    [{ state: 'inactive' }, '2027-11-20T12:10:00.000Z', 'Inactive'],
  ])('can be chosen by a test: %j', async (body, validUntil, status) => {
    await certificate(body);
    expect(await list()).toMatchObject([{ validUntil, status }]);
  });

  it.each([{}, { state: 'lost' }, { state: 'valid', days: -1 }, { state: 'valid', companyId: 'x' }])(
    'cannot be chosen as %j',
    async (body) => {
      expect((await certificate(body)).error.code).toBe('validation_error');
    },
  );

  it('space every capture while none exists, and the company stays active (§2)', async () => {
    await certificate({ state: 'missing' });
    expect(await list()).toEqual([]);
    const rateLimitedUntil = '2026-11-20T13:00:00.000Z';
    expect(await read(nfseSettingsPath)).toMatchObject({ isActive: true, rateLimitedUntil });
    expect(await read(nfeSettingsPath)).toMatchObject({ status: 'Active', rateLimitedUntil });
    expect((await post(fetchNowPath)).status).toBe(409);
    expect(await noticeTypes()).toEqual(['CertificateMissing']);
    await certificate({ state: 'valid' });
    expect('rateLimitedUntil' in (await read(nfseSettingsPath))).toBe(false);
  });

  it('expire by the clock, with one notice dated at the expiry (§2)', async () => {
    await certificate({ state: 'expiring', days: 3 });
    await advance('4d');
    expect(await list()).toMatchObject([{ status: 'Overdue' }]);
    expect('rateLimitedUntil' in (await read(nfseSettingsPath))).toBe(true);
    await read(noticesPath);
    expect((await read(noticesPath)).notifications).toMatchObject([
      { type: 'CertificateExpired', createdAt: '2026-11-23T12:10:00.000Z' },
    ]);
  });

  it('stop all captures while none is valid', async () => {
    await service.control('POST', 'arrivals', { everyRequests: 1 });
    await certificate({ state: 'expired' });
    expect((await listed()).length).toBe(0);
    await certificate({ state: 'valid' });
    expect((await listed()).length).toBe(1);
  });
});

describe('the notices of the capture', () => {
  it('are listed by page, the newest first (public)', async () => {
    for (const nsu of [1, 2]) await post(resetNsuPath, { nsu });
    const { notifications } = await read(noticesPath);
    expect(notifications.length).toBeGreaterThan(1);
    const pages = await Promise.all(
      [1, 2].map((index) => read((id) => `${noticesPath(id)}?pageIndex=${index}&pageCount=1`)),
    );
    expect(pages.map((shown) => [shown.page, shown.notifications])).toEqual([
      [1, [notifications[0]]],
      [2, [notifications[1]]],
    ]);
    const past = await read((id) => `${noticesPath(id)}?pageIndex=50`);
    expect(past).toMatchObject({ totalResults: null, totalPages: null, page: 50, notifications: [] });
    expect(await read((id) => `${noticesPath(id)}?pageCount=0`)).toMatchObject({ notifications });
  });
});

const everyOperation = [
  ['POST', fetchNowPath],
  ['GET', noticesPath],
  ['GET', statisticsPath],
  ['POST', reactivatePath],
  ['POST', resetNsuPath],
] as const;

describe.each(everyOperation)('%s %O', (method, path) => {
  it('requires the role Management, which the 403 names', async () => {
    const { key } = await service.control('POST', 'keys', { roles: ['NFSeDist'] });
    const { status, json } = await service.send(method, path(companyId()), { key });
    expect([status, json.error.message]).toEqual([403, expect.stringContaining(management)]);
  });

  it('answers 404 for a company without NFS-e capture and for an unknown company', async () => {
    await service.control('POST', 'seed', { companies: 1 });
    const { companies } = (await service.send('GET', '/v2/companies')).json;
    const without = await service.send(method, path(companies[1].id));
    const unknown = await service.send(method, path('no-company'));
    expect([without.status, unknown.status]).toEqual([404, 404]);
  });
});
