import { beforeEach, describe, expect, it } from 'vitest';
import {
  backfillPath,
  cteSettingsPath,
  cutOffPath,
  nfeSettingsPath,
  nfseListPath,
  nfseRegistrationPath,
  nfseSettingsPath,
  skipped,
  nfsePath,
} from '../facts/inbound.js';
import { testService } from './service.js';

const service = testService();
const companyId = () => service.ready().companyId;
/** The published names of the settings of NFS-e. */
const published = (isActive: boolean) => ({
  ...{ id: companyId(), name: expect.any(String), environment: 'Production', isActive },
  ...{ initialNsu: 0, currentNsu: 0, maxAvailableNsu: 0 },
  createdAt: expect.stringMatching(/Z$/),
  updatedAt: expect.stringMatching(/Z$/),
});
const state = () => ({
  companyId: companyId(),
  status: 'Active',
  createdOn: expect.stringMatching(/Z$/),
  modifiedOn: expect.stringMatching(/Z$/),
});

const everySetting = {
  startFromNsu: 10,
  startFromDate: '2026-01-01',
  environmentSEFAZ: 'Production',
  webhookVersion: '2',
  webhookEvents: ['invoice.received'],
  automaticManifesting: { minutesToOperationConfirmation: 60, minutesToUnknownOperation: 0 },
  outboundEnabled: true,
};

beforeEach(() => service.control('POST', 'reset'));

describe('the settings of NF-e inbound (§2)', () => {
  it('are read back as sent, and removed when the capture is disabled', async () => {
    const path = nfeSettingsPath(companyId());
    await service.send('DELETE', path);
    const enabled = await service.send('POST', path, { body: everySetting });
    const read = await service.send('GET', path);
    const disabled = await service.send('DELETE', path);
    const gone = await service.send('GET', path);
    expect([enabled.status, read.status, disabled.status, gone.status]).toEqual([200, 200, 200, 404]);
    expect(enabled.json).toEqual({ ...everySetting, ...state() });
    expect(read.json).toEqual(enabled.json);
    expect(disabled.json.status).toBe('Inactive');
  });

  it('change in part by an update, which refuses the cut-off and names its operation', async () => {
    const path = nfeSettingsPath(companyId());
    await service.send('POST', path, { body: everySetting });
    const { status, json } = await service.send('PUT', path, { body: { outboundEnabled: false } });
    expect([status, json]).toEqual([200, { ...everySetting, outboundEnabled: false, ...state() }]);
    const refused = await service.send('PUT', path, { body: { startFromDate: '2026-02-01' } });
    expect(refused.status).toBe(400);
    expect(refused.json.error.details).toEqual([
      { field: 'startFromDate', message: expect.stringContaining('maintenance/start-from-date') },
    ]);
  });

  it('keep their cut-off when the capture is enabled again', async () => {
    const path = nfeSettingsPath(companyId());
    await service.send('POST', path, { body: everySetting });
    const { json } = await service.send('POST', path, { body: { startFromDate: '2026-05-05' } });
    expect(json.startFromDate).toBe('2026-01-01');
  });

  it.each([
    { outboundEnabled: 'yes' },
    { environmentSEFAZ: 'Staging' },
    { webhookEvents: 'all' },
    { startFromDate: 'soon' },
    { startFromNsu: 1234567890123456 },
    { automaticManifesting: { minutesToOperationConfirmation: -1 } },
    { automaticManifesting: { minutesToWaitAwarenessOperation: 'soon' } },
    { automaticManifesting: 5 },
    { startFromNsu: '' },
    { startFromNsu: '1.5' },
    { startFromNsu: '1234567890123456' },
  ])('answer 400 for %j', async (body) => {
    expect((await service.send('POST', nfeSettingsPath(companyId()), { body })).status).toBe(400);
  });

  it.each(['1', '3', 'v2', '', true, {}, 1])('answer 400 for the webhook version %j, and name it', async (given) => {
    const body = { webhookVersion: given };
    for (const method of ['POST', 'PUT']) {
      const { status, json } = await service.send(method, nfeSettingsPath(companyId()), { body });
      expect([status, json.error.details[0].field]).toEqual([400, 'webhookVersion']);
    }
  });

  it('accept the webhook version as text or as a number', async () => {
    for (const webhookVersion of ['2', 2]) {
      const { status, json } = await service.send('PUT', nfeSettingsPath(companyId()), { body: { webhookVersion } });
      expect([status, json.webhookVersion]).toEqual([200, webhookVersion]);
    }
  });

  it.each([
    { startFromNsu: '000000000000123' },
    { startFromNsu: 0, environmentSEFAZ: 'None' },
    { automaticManifesting: { minutesToOperationConfirmation: '60', minutesToUnknownOperation: '0' } },
    { automaticManifesting: { minutesToWaitAwarenessOperation: '10' } },
    { automaticManifesting: { minutesToWaitAwarenessOperation: 10 } },
  ])('accept %j, as one of the published descriptions has it', async (body) => {
    const path = nfeSettingsPath(companyId());
    for (const method of ['POST', 'PUT']) {
      const { status, json } = await service.send(method, path, { body });
      expect([status, json]).toEqual([200, expect.objectContaining(body)]);
    }
  });

  it('show the end of the spacing while the capture is spaced (§2)', async () => {
    const path = nfeSettingsPath(companyId());
    await service.control('POST', 'captures', { family: 'nfe', spacedFor: '1h' });
    const { json } = await service.send('GET', path);
    expect([json.status, Date.parse(json.rateLimitedUntil) > Date.now()]).toEqual(['Active', true]);
    await service.control('POST', 'clock', { advance: '61m' });
    expect('rateLimitedUntil' in (await service.send('GET', path)).json).toBe(false);
  });
});

describe('the settings of CT-e inbound', () => {
  it('can be enabled, read and disabled, but not changed', async () => {
    const path = cteSettingsPath(companyId());
    const body = { environmentSEFAZ: 'Test', startFromNsu: '12' };
    const statuses = [
      (await service.send('POST', path, { body })).status,
      (await service.send('GET', path)).status,
      (await service.send('PUT', path, { body })).status,
      (await service.send('DELETE', path)).status,
      (await service.send('DELETE', path)).status,
    ];
    expect(statuses).toEqual([200, 200, 404, 200, 404]);
  });
});

describe('the settings of NFS-e inbound', () => {
  const registration = () => ({ companyId: companyId(), automaticManifestationDelaySeconds: 604_800 });

  it('are registered once: a second registration is a conflict', async () => {
    await service.send('DELETE', nfseSettingsPath(companyId()));
    const first = await service.send('POST', nfseRegistrationPath, { body: { ...registration(), initialNsu: '0' } });
    const second = await service.send('POST', nfseRegistrationPath, { body: registration() });
    expect([first.status, second.status]).toEqual([201, 409]);
    expect(first.json).toEqual({ automaticManifestationDelaySeconds: 604_800, ...published(true) });
  });

  it('are turned off and on again by isActive, and keep the rest (public)', async () => {
    const path = nfseSettingsPath(companyId());
    const put = async (body: object) => {
      const { status, json } = await service.send('PUT', path, { body });
      return [status, json.isActive, json.automaticManifestationDelaySeconds];
    };
    const delay = { automaticManifestationDelaySeconds: 604_800 };
    expect(await put({ isActive: false, ...delay })).toEqual([200, false, 604_800]);
    expect((await service.send('GET', path)).status).toBe(404);
    expect((await put({ automaticManifestationDelaySeconds: 5 }))[0]).toBe(404);
    expect(await put({ isActive: true })).toEqual([200, true, 604_800]);
    expect((await service.send('GET', path)).json.isActive).toBe(true);
    expect((await service.send('PUT', path, { body: { isActive: 'no' } })).status).toBe(400);
  });

  it('refuse a delay of more than a week', async () => {
    const body = { automaticManifestationDelaySeconds: 604_801 };
    expect((await service.send('PUT', nfseSettingsPath(companyId()), { body })).status).toBe(400);
  });

  it('are listed by page number', async () => {
    const { json } = await service.send('GET', `${nfseRegistrationPath}?pageIndex=1&pageCount=10`);
    expect((await service.send('GET', `${nfseRegistrationPath}?pageCount=0`)).json).toEqual(json);
    expect(json).toEqual({ totalResults: 1, totalPages: 1, page: 1, companies: [published(true)] });
  });
});

describe('the list of registrations of NFS-e', () => {
  const listed = async (query: string) => {
    const { status, json } = await service.send('GET', `${nfseRegistrationPath}?${query}`);
    return [status, json.totalResults, json.companies?.map((each: Record<string, unknown>) => each['isActive'])];
  };

  it('finds deactivated companies by isActive=false, and active ones by isActive=true', async () => {
    await service.control('POST', 'seed', { companies: 1 });
    const [, other] = (await service.send('GET', '/v2/companies?limit=2')).json.companies;
    await service.send('POST', nfseRegistrationPath, { body: { companyId: other.id, initialNsu: 0 } });
    await service.send('DELETE', nfseSettingsPath(companyId()));
    const { json } = await service.send('GET', `${nfseRegistrationPath}?isActive=false`);
    expect(json.companies).toEqual([published(false)]);
    expect(await listed('isActive=false')).toEqual([200, 1, [false]]);
    expect(await listed('isActive=true')).toEqual([200, 1, [true]]);
    expect(await listed('')).toEqual([200, 2, [false, true]]);
    expect((await listed('isActive=maybe'))[0]).toBe(400);
  });
});

describe('a startFromDate in the future', () => {
  const future = () => new Date(Date.now() + 86_400_000).toISOString();
  const never = '2026-02-30';

  it('is a 400 that names it, on every route that accepts one', async () => {
    const company = companyId();
    for (const startFromDate of [future(), never]) {
      const asked = [
        await service.send('POST', nfeSettingsPath(company), { body: { startFromDate } }),
        await service.send('PUT', nfeSettingsPath(company), { body: { startFromDate } }),
        await service.send('POST', cteSettingsPath(company), { body: { startFromDate } }),
        await service.send('POST', nfseRegistrationPath, { body: { companyId: company, startFromDate } }),
        await service.send('PUT', nfseSettingsPath(company), { body: { startFromDate } }),
        await service.send('PUT', cutOffPath(company), { body: { startFromDate } }),
      ];
      expect(asked.map(({ status, json }) => [status, json.error.details[0]?.field])).toEqual(
        asked.map(() => [400, 'startFromDate']),
      );
    }
  });
});

describe('the cut-off of NFS-e (§4)', () => {
  const seed = async () => {
    const { captured } = await service.control('POST', 'seed', { documents: 4, family: 'nfse', spread: '40d' });
    const [newest, , , oldest] = captured;
    return { newest, oldest };
  };

  it('hides older documents from the list, counts them and leaves them readable by key', async () => {
    const { oldest } = await seed();
    const startFromDate = new Date(Date.now() - 15 * 86_400_000).toISOString();
    const { status } = await service.send('PUT', cutOffPath(companyId()), { body: { startFromDate } });
    const { json: list } = await service.send('GET', `${nfseListPath(companyId())}?hasTotals=true`);
    const { json: summary } = await service.send('GET', backfillPath(companyId()));
    const { json: hidden } = await service.send('GET', nfsePath(companyId(), oldest.accessKey));
    expect([status, list.totalResults]).toEqual([204, 2]);
    expect(summary).toEqual({ startFromDate, released: false, hiddenDocumentsCount: 2 });
    expect(hidden.webhookStatus).toBe(skipped);
  });

  it('requires the role Management', async () => {
    const { key } = await service.control('POST', 'keys', { kind: 'invoice', roles: ['NFSeDist'] });
    const body = { startFromDate: '2026-01-01' };
    expect((await service.send('PUT', cutOffPath(companyId()), { key, body })).status).toBe(403);
  });
});
