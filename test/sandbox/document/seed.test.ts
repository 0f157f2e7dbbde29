import { afterEach, describe, expect, it } from 'vitest';
import { testService } from '../../conformance/service.js';

const service = testService();
const seed = (body: object) => service.control('POST', 'seed', body);

interface Captured {
  readonly accessKey: string;
  readonly issuerTaxNumber: string;
  readonly totalAmount: string;
  readonly authorizedOn: string;
}

/** facts §1: the check digit by its definition, written here once more. */
function digitOf(key: string): string {
  let sum = 0;
  for (let place = 2; place <= key.length; place += 1) {
    sum += Number(key.at(-place)) * (2 + ((place - 2) % 8));
  }
  const rest = sum % 11;
  return String(rest < 2 ? 0 : 11 - rest);
}

afterEach(() => service.control('POST', 'reset'));

describe('seeded documents', () => {
  it.each([
    ['nfe', /^[1-5]\d{5}\d{14}55001\d{9}1\d{9}$/, 6],
    ['nfse', /^\d{7}22\d{14}\d{13}\d{4}\d{9}\d$/, 9],
  ])('have valid keys of the family %s that hold their issuer', async (family, form, issuerAt) => {
    const { captured, documents } = await seed({ documents: 50, family });
    const keys: string[] = captured.map((document: Captured) => document.accessKey);
    expect([documents, new Set(keys).size]).toEqual([50, 50]);
    expect(keys.filter((key) => !form.test(key) || digitOf(key) !== key.at(-1))).toEqual([]);
    expect(captured.map((document: Captured) => document.issuerTaxNumber)).toEqual(
      keys.map((key) => key.slice(issuerAt, issuerAt + 14)),
    );
  });

  it.each([
    ['nfe', { documents: 5, family: 'nfe' }],
    ['nfe', { scenario: 'month', month: '2026-06', documents: 30 }],
  ])('added to existing ones are captured now (%s %j)', async (_family, body) => {
    await service.control('POST', 'clock', { freeze: true });
    await service.control('POST', 'clock', { set: '2026-07-15T12:00:00Z' });
    const { companyId } = service.ready();
    const list = async (filter: string) => {
      const query = new URLSearchParams({ $filter: filter, $top: '1000' }).toString();
      const { json } = await service.send('GET', `/v2/companies/${companyId}/inbound/nfe?${query}`);
      return (json as { readonly value: readonly { readonly modifiedOn: string }[] }).value;
    };
    await seed(body);
    const first = await list("status ne 'x'");
    expect(first.some(({ modifiedOn }) => modifiedOn < '2026-07-15')).toBe(true);
    await service.control('POST', 'clock', { set: '2026-07-16T12:00:00Z' });
    await seed(body);
    const all = await list("status ne 'x'");
    const later = await list('modifiedOn ge 2026-07-16T12:00:00Z and createdOn ge 2026-07-16T12:00:00Z');
    expect([later.length > 0, later.length]).toEqual([true, all.length - first.length]);
  });

  it('depend only on the seed and the time', async () => {
    const play = async (body: object) => {
      await service.control('POST', 'reset');
      await service.control('POST', 'clock', { freeze: true });
      await service.control('POST', 'clock', { set: '2026-07-15T12:00:00Z' });
      return (await seed({ documents: 20, ...body })).captured;
    };
    const first = await play({ seed: 5 });
    expect(await play({ seed: 5 })).toEqual(first);
    expect(await play({ seed: 6 })).not.toEqual(first);
    expect(first[0]).toEqual({
      family: 'nfe',
      companyId: service.ready().companyId,
      accessKey: expect.stringMatching(/^\d{2}2607/),
      issuerTaxNumber: expect.stringMatching(/^\d{14}$/),
      issuerName: expect.stringMatching(/ Ltda$/),
      totalAmount: expect.stringMatching(/^\d+\.\d\d$/),
      issuedOn: '2026-07-15T11:59:00.000Z',
      authorizedOn: '2026-07-15T12:00:00.000Z',
      cancelled: false,
      direction: 'incoming',
    });
  });

  it('are added to existing ones, spread over the requested time', async () => {
    const first = (await seed({ documents: 10, spread: '100d' })).captured;
    const second = (await seed({ documents: 10, spread: '100d' })).captured;
    const listed = await service.control('GET', 'documents?limit=1000');
    expect([listed.total, new Set([...first, ...second].map(({ accessKey }) => accessKey)).size]).toEqual([20, 20]);
    const times = first.map((document: Captured) => Date.parse(document.authorizedOn));
    expect((times[0] - times[9]) / 86_400_000).toBe(90);
  });

  it('come from a few suppliers', async () => {
    const { captured } = await seed({ documents: 200 });
    const suppliers = new Set(captured.map((document: Captured) => document.issuerTaxNumber));
    expect(suppliers.size).toBeGreaterThan(5);
    expect(suppliers.size).toBeLessThanOrEqual(12);
  });

  it.each([
    ['documents', { documents: -1 }],
    ['family', { documents: 1, family: 'mdfe' }],
    ['spread', { documents: 1, spread: 'long' }],
    ['spread', { documents: 1, spread: '99999d' }],
  ])('are refused with a wrong %s', async (field, body) => {
    expect((await seed(body)).error.details[0].field).toBe(field);
  });
});

describe('one document created by the control route', () => {
  const add = (body: object) => service.control('POST', 'documents', body);
  const nfeKey = '35250530057049000141550010000280181030656857';

  it('uses the given fields and generates the rest', async () => {
    const document = await add({ accessKey: nfeKey, totalAmount: '10.50', issuedOn: '2026-05-02T10:00:00Z' });
    expect(document).toMatchObject({
      accessKey: nfeKey,
      issuerTaxNumber: '30057049000141',
      totalAmount: '10.50',
      issuedOn: '2026-05-02T10:00:00.000Z',
      direction: 'incoming',
    });
  });

  it('changes only the given fields of an existing document', async () => {
    const first = await add({ accessKey: nfeKey, totalAmount: '10.50' });
    expect(await add({ accessKey: nfeKey, cancelled: true })).toEqual({ ...first, cancelled: true });
    expect((await service.control('GET', 'documents')).total).toBe(1);
  });

  it('is listed page by page', async () => {
    await seed({ documents: 5 });
    const first = await service.control('GET', 'documents?limit=2');
    const rest = await service.control('GET', `documents?after=${first.documents[1].position}`);
    expect([first.total, first.documents.length, rest.documents.length]).toEqual([5, 2, 3]);
  });

  it.each([
    ['family', { family: 'mdfe' }],
    ['accessKey', { accessKey: nfeKey.slice(1) }],
    ['companyId', { companyId: 'nobody' }],
    ['totalAmount', { totalAmount: '10' }],
    ['authorizedOn', { authorizedOn: 'yesterday' }],
    ['cancelled', { cancelled: 'no' }],
    ['direction', { direction: 'up' }],
    ['colour', { colour: 'red' }],
  ])('is refused with a wrong %s', async (field, body) => {
    expect((await add(body)).error.details[0].field).toBe(field);
  });
});

describe('the capture of a company set by the control route', () => {
  const set = (body: object) => service.control('POST', 'captures', body);

  it('is switched, and is active again after a reset', async () => {
    const { companyId } = service.ready();
    expect(await set({ family: 'nfe', active: false })).toEqual({ companyId, family: 'nfe', active: false });
    const submit = async () => {
      const path = '/productinvoices/by-access-key/35250530057049000141550010000280181030656857';
      const body = { eventCode: 210200, nSequencia: 1 };
      return (await service.send('POST', `${path}/manifestation-events`, { body })).status;
    };
    expect(await submit()).toBe(400);
    await service.control('POST', 'reset');
    expect(await submit()).toBe(202);
  });

  it.each([
    ['family', { active: true }],
    ['active', { family: 'nfe' }],
    ['active', { family: 'nfe', active: 'yes' }],
    ['companyId', { family: 'nfe', active: true, companyId: 'nobody' }],
  ])('is refused with a wrong %s', async (field, body) => {
    expect((await set(body)).error.details[0].field).toBe(field);
  });
});
