import { afterEach, describe, expect, it } from 'vitest';
import { badRequest, forbidden, notFound } from '../facts/errors.js';
import {
  accepted,
  acceptedStatus,
  confirmation,
  conflict,
  failed,
  nfeKey,
  nfeRole,
  nfseDetailPath,
  nfseKey,
  nfseRole,
  nfseSubmitPath,
  pending,
  reasons,
  refusal,
  rejected,
  semanticError,
} from '../facts/manifestation.js';
import { testService } from './service.js';

const service = testService();
const company = () => service.ready().companyId;
const submit = (body?: object, { key = nfseKey, query = '' } = {}) =>
  service.send('POST', nfseSubmitPath(company(), key) + query, body === undefined ? {} : { body });
const read = async (id: string) => (await service.send('GET', nfseDetailPath(company(), id))).json;
const wait = () => service.control('POST', 'clock', { advance: '1m' });
const justification = 'Serviço não contratado por esta empresa';

afterEach(() => service.control('POST', 'reset'));

describe('§4 submission', () => {
  it('answers 202 with the manifestation in Pending and the URL of the detail', async () => {
    const { status, headers, json } = await submit({ eventCode: refusal, reasonCode: 1, justification });
    expect([status, headers.get('location')]).toEqual([
      acceptedStatus,
      service.ready().url + nfseDetailPath(company(), json.id),
    ]);
    expect(json).toEqual({
      id: json.id,
      documentId: json.id,
      message: expect.any(String),
      companyId: company(),
      accessKey: nfseKey,
      eventCode: refusal,
      reasonCode: 1,
      justification,
      status: pending,
      createdAt: json.createdAt,
    });
  });

  it('accepts the event in the query (the public form) or in both', async () => {
    const query = `?eventCode=${confirmation}`;
    expect((await submit(undefined, { query })).json.eventCode).toBe(confirmation);
    await service.control('POST', 'reset');
    expect((await submit({ eventCode: confirmation }, { query })).status).toBe(acceptedStatus);
    expect((await submit({ eventCode: refusal, reasonCode: 1 }, { query })).status).toBe(badRequest);
  });

  it.each(reasons)('accepts the reason %i', async (reasonCode) => {
    const text = reasonCode === 9 ? { justification } : {};
    expect((await submit({ eventCode: refusal, reasonCode, ...text })).json.reasonCode).toBe(reasonCode);
  });

  it.each([
    [badRequest, 'eventCode', {}],
    [badRequest, 'eventCode', { eventCode: 210200 }],
    [badRequest, 'eventCode', { eventCode: 203204 }],
    [semanticError, 'reasonCode', { eventCode: refusal }],
    [semanticError, 'reasonCode', { eventCode: refusal, reasonCode: 6 }],
    [semanticError, 'reasonCode', { eventCode: confirmation, reasonCode: 1 }],
    [semanticError, 'justification', { eventCode: refusal, reasonCode: 9 }],
    [semanticError, 'justification', { eventCode: refusal, reasonCode: 9, justification: 'x'.repeat(14) }],
    [semanticError, 'justification', { eventCode: refusal, reasonCode: 1, justification: 'x'.repeat(256) }],
  ])('answers %i that names %s', async (expected, field, body) => {
    const { status, json } = await submit(body);
    expect([status, json.error.details[0].field]).toEqual([expected, field]);
  });

  it.each([nfeKey, nfseKey.slice(1), `${nfseKey.slice(1)}A`])('answers 400 for the key %s', async (key) => {
    const { status, json } = await submit({ eventCode: confirmation }, { key });
    expect([status, json.error.details[0].field]).toEqual([badRequest, 'accessKey']);
  });

  it('requires a company of the account with active NFS-e capture', async () => {
    const path = nfseSubmitPath('nobody', nfseKey);
    expect((await service.send('POST', path, { body: { eventCode: confirmation } })).status).toBe(notFound);
    await service.control('POST', 'captures', { family: 'nfse', active: false });
    expect((await submit({ eventCode: confirmation })).status).toBe(badRequest);
  });
});

describe('states (§2, assumed as for NF-e)', () => {
  it('go from Pending to Accepted, with the time', async () => {
    const { json } = await submit({ eventCode: confirmation });
    expect(await read(json.id)).toMatchObject({ status: pending });
    await wait();
    const manifestation = await read(json.id);
    expect(manifestation).toMatchObject({ status: accepted, submittedAt: manifestation.acceptedAt });
    expect(Date.parse(manifestation.acceptedAt)).toBeGreaterThan(Date.parse(json.createdAt));
  });

  it('make a repeat answer 409 while the event is Pending or Accepted', async () => {
    const { json: first } = await submit({ eventCode: confirmation });
    const again = await submit({ eventCode: confirmation });
    await wait();
    const later = await submit({ eventCode: confirmation });
    expect([again.status, later.status]).toEqual([conflict, conflict]);
    expect(JSON.stringify([again.json, later.json])).not.toContain(first.id);
  });

  it('allow one event of the taker per note: the second is rejected with E1833', async () => {
    await submit({ eventCode: confirmation });
    await wait();
    const { json } = await submit({ eventCode: refusal, reasonCode: 2 });
    await wait();
    expect(await read(json.id)).toMatchObject({ status: rejected, errorCode: 'E1833' });
  });

  it('allow a repeat after Failed, and both are listed, oldest first', async () => {
    await service.control('POST', 'authority', { outcome: 'fail', count: 1 });
    const first = (await submit({ eventCode: confirmation })).json;
    await wait();
    const second = (await submit({ eventCode: confirmation })).json;
    await wait();
    const { json } = await service.send('GET', nfseSubmitPath(company(), nfseKey));
    expect(json.items.map(({ id, status }: Record<string, string>) => [id, status])).toEqual([
      [first.id, failed],
      [second.id, accepted],
    ]);
    expect(json.items[0].submittedAt).toBeUndefined();
  });

  it('are an empty list for a note without manifestations', async () => {
    const { status, json } = await service.send('GET', nfseSubmitPath(company(), nfseKey));
    expect([status, json]).toEqual([200, { items: [] }]);
  });

  it('are 404 for an unknown manifestation and for one of another company', async () => {
    await service.control('POST', 'seed', { companies: 1 });
    const other = (await service.send('GET', '/v2/companies')).json.companies[1].id;
    const { json } = await submit({ eventCode: confirmation });
    const paths = [nfseDetailPath(company(), 'nothing'), nfseDetailPath(other, json.id)];
    const answers = await Promise.all(paths.map((path) => service.send('GET', path)));
    expect(answers.map(({ status }) => status)).toEqual([notFound, notFound]);
  });
});

describe('§5 role', () => {
  it('answers 403 for a key without NFSeDist, and needs no other role', async () => {
    const without = await service.control('POST', 'keys', { roles: [nfeRole, 'Management'] });
    const withRole = await service.control('POST', 'keys', { roles: [nfseRole] });
    const requests = (key: string) =>
      [
        service.send('POST', nfseSubmitPath(company(), nfseKey), { key, body: { eventCode: confirmation } }),
        service.send('GET', nfseSubmitPath(company(), nfseKey), { key }),
        service.send('GET', nfseDetailPath(company(), 'x'), { key }),
      ].map(async (answer) => (await answer).status);
    expect(await Promise.all(requests(without.key))).toEqual([forbidden, forbidden, forbidden]);
    expect(await Promise.all(requests(withRole.key))).toEqual([acceptedStatus, 200, notFound]);
  });
});
