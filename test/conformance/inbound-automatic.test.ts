import { beforeEach, describe, expect, it } from 'vitest';
import { nfeEventsPath, nfePath, nfeSettingsPath, nfseRegistrationPath, nfseSettingsPath } from '../facts/inbound.js';
import { nfeSubmitPath, nfseSubmitPath } from '../facts/manifestation.js';
import { testService } from './service.js';

const service = testService({ validationDelayMs: 1_000 });
const companyId = () => service.ready().companyId;
const advance = (time: string) => service.control('POST', 'clock', { advance: time });

async function oneOf(family: string, more: object = {}): Promise<string> {
  const { captured } = await service.control('POST', 'seed', { documents: 1, family, ...more });
  return captured[0].accessKey;
}

async function setNfe(body: object): Promise<void> {
  expect((await service.send('PUT', nfeSettingsPath(companyId()), { body })).status).toBe(200);
}

async function eventsOf(key: string): Promise<readonly string[]> {
  const filter = encodeURIComponent(`accessKey eq '${key}'`);
  const { json } = await service.send('GET', `${nfeEventsPath(companyId())}?$filter=${filter}`);
  return json.value.map(({ type }: { type: string }) => type);
}

beforeEach(async () => {
  await service.control('POST', 'reset');
  await service.control('POST', 'clock', { freeze: true });
});

/** §2: `automaticManifesting` with its two minutes. */
describe('automaticManifesting of NF-e', () => {
  it.each([
    ['minutesToOperationConfirmation', '210200'],
    ['minutesToUnknownOperation', '210220'],
  ])('with %s sends its event once, after the configured minutes', async (name, code) => {
    await setNfe({ automaticManifesting: { [name]: 90 } });
    const key = await oneOf('nfe');
    await advance('89m');
    expect(await eventsOf(key)).toEqual([]);
    await advance('2m');
    expect(await eventsOf(key)).toEqual([code]);
    await advance('10d');
    expect(await eventsOf(key)).toEqual([code]);
  });

  it('makes the full note available after its confirmation', async () => {
    await setNfe({ automaticManifesting: { minutesToOperationConfirmation: 5 } });
    const key = await oneOf('nfe', { stage: 'summary' });
    const type = async () => (await service.send('GET', nfePath(companyId(), key))).json.type;
    expect(await type()).toBe('productInvoiceSummary');
    await advance('6m');
    expect(await type()).toBe('productInvoice');
  });

  it('sends only the earlier of two configured events', async () => {
    const automaticManifesting = { minutesToOperationConfirmation: 60, minutesToUnknownOperation: 30 };
    await setNfe({ automaticManifesting });
    const key = await oneOf('nfe');
    await advance('2h');
    expect(await eventsOf(key)).toEqual(['210220']);
  });

  it('sends nothing if the recipient has manifested or the setting is removed', async () => {
    await setNfe({ automaticManifesting: { minutesToUnknownOperation: 60 } });
    const spoken = await oneOf('nfe');
    await service.send('POST', nfeSubmitPath(spoken), { body: { eventCode: 210200, nSequencia: 1 } });
    await advance('2h');
    expect(await eventsOf(spoken)).toEqual(['210200']);
    const other = await oneOf('nfe');
    await setNfe({ automaticManifesting: {} });
    await advance('2h');
    expect(await eventsOf(other)).toEqual([]);
  });

  it('waits longer after the minutes are increased', async () => {
    await setNfe({ automaticManifesting: { minutesToOperationConfirmation: '10' } });
    const key = await oneOf('nfe');
    await setNfe({ automaticManifesting: { minutesToOperationConfirmation: 60 } });
    await advance('30m');
    expect(await eventsOf(key)).toEqual([]);
    await advance('31m');
    expect(await eventsOf(key)).toEqual(['210200']);
  });

  it('ignores earlier notes, notes that the company issued and notes before the cut-off', async () => {
    const before = await oneOf('nfe');
    await service.send('DELETE', nfeSettingsPath(companyId()));
    const automaticManifesting = { minutesToOperationConfirmation: 1 };
    const body = { startFromDate: '2026-10-01', automaticManifesting };
    expect((await service.send('POST', nfeSettingsPath(companyId()), { body })).status).toBe(200);
    const hidden = await service.control('POST', 'documents', { issuedOn: '2026-09-30T12:00:00Z' });
    expect(hidden.visibility).toBe('hidden');
    const own = await service.control('POST', 'documents', { direction: 'outgoing' });
    await advance('1h');
    for (const key of [before, hidden.accessKey, own.accessKey]) expect(await eventsOf(key)).toEqual([]);
  });
});

/** operations.md: `isAutomaticManifestationEnabled`, `automaticManifestationDelaySeconds`. */
describe('the automatic manifestation of NFS-e', () => {
  const statusesOf = async (key: string) => {
    const { json } = await service.send('GET', nfseSubmitPath(companyId(), key));
    return json.items.map((item: { eventCode: number; status: string }) => [item.eventCode, item.status]);
  };
  const register = async (body: object) => {
    await service.send('DELETE', nfseSettingsPath(companyId()));
    const registration = { companyId: companyId(), ...body };
    expect((await service.send('POST', nfseRegistrationPath, { body: registration })).status).toBe(201);
  };

  it('confirms once the configured seconds have passed', async () => {
    await register({ isAutomaticManifestationEnabled: true, automaticManifestationDelaySeconds: 3_600 });
    const key = await oneOf('nfse');
    await advance('59m');
    expect(await statusesOf(key)).toEqual([]);
    await advance('2m');
    expect(await statusesOf(key)).toEqual([[203202, 'Accepted']]);
  });

  it('confirms nothing if it is disabled, and no note that the taker rejected', async () => {
    await register({ automaticManifestationDelaySeconds: 60 });
    const quiet = await oneOf('nfse');
    await advance('1h');
    expect(await statusesOf(quiet)).toEqual([]);
    await service.send('PUT', nfseSettingsPath(companyId()), { body: { isAutomaticManifestationEnabled: true } });
    const key = await oneOf('nfse');
    const body = { eventCode: 203206, reasonCode: 1 };
    await service.send('POST', nfseSubmitPath(companyId(), key), { body });
    await advance('1h');
    expect(await statusesOf(key)).toEqual([[203206, 'Accepted']]);
  });
});
