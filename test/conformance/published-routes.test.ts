import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { everyRow, nfeListPath, nfseListPath } from '../facts/inbound.js';
import { testService } from './service.js';

const service = testService();
const inbound = () => `/v2/companies/${service.ready().companyId}/inbound`;
const filter = `$filter=${encodeURIComponent(everyRow)}`;
let [accessKey, eventKey] = ['', ''];

beforeAll(async () => {
  for (let made = 0; made < 7; made += 1) {
    ({ accessKey } = await service.control('POST', 'documents', { family: 'nfe' }));
  }
  await service.control('POST', 'documents', { accessKey, cancelled: true });
  const { json } = await service.send('GET', `${inbound()}/odata/ProductInvoiceEvents?${filter}`);
  eventKey = json.value[0]?.eventKey ?? '';
});

afterEach(() => service.control('DELETE', 'mode'));

describe('paths of other published descriptions', () => {
  it('show an NF-e by its key', async () => {
    for (const noun of ['productinvoice', 'productinvoices']) {
      const path = `${inbound()}/${noun}/${accessKey}`;
      const { json } = await service.send('GET', `${inbound()}/nfe/${accessKey}`);
      const answer = await service.send('GET', path);
      expect([answer.status, answer.json]).toEqual([200, json]);
      expect((await service.send('GET', `${path}/json`)).json.accessKey).toBe(accessKey);
      expect((await service.send('POST', `${path}/processwebhook`)).json.documentId).toEqual(expect.any(String));
    }
  });

  it('show one event of an NF-e', async () => {
    const { json } = await service.send('GET', `${inbound()}/${accessKey}/events/${eventKey}`);
    for (const noun of ['productinvoice', 'productinvoices']) {
      const answer = await service.send('GET', `${inbound()}/${noun}/${accessKey}/events/${eventKey}`);
      expect([answer.status, answer.json]).toEqual([200, json]);
    }
  });

  it('list the NF-e, with a required filter and links that stay on the path', async () => {
    const path = `${inbound()}/odata/ProductInvoices`;
    expect((await service.send('GET', path)).status).toBe(400);
    const { json } = await service.send('GET', `${path}?${filter}`);
    expect(json.value).toEqual((await service.send('GET', nfeListPath(service.ready().companyId))).json.value);
  });

  it('issue and list invoices in version 3', async () => {
    const companyId = service.ready().companyId;
    for (const [noun, list] of [
      ['productinvoices', 'productInvoices'],
      ['consumerinvoices', 'consumerInvoices'],
    ]) {
      const { status, json } = await service.send('GET', `/v3/companies/${companyId}/${noun}?environment=Test`);
      expect([status, json]).toEqual([200, { [String(list)]: [], hasMore: false }]);
    }
    const { status, json } = await service.send('GET', `/v3/companies/${companyId}/serviceinvoices`);
    expect([status, json.serviceInvoices]).toEqual([200, []]);
  });

  it('show a company of the registry in an envelope, with its number as the version has it', async () => {
    const key = service.ready().dataKey;
    const read = async (version: string) =>
      (await service.send('GET', `/${version}/legalentities/basicInfo/12345678000195`, { key })).json.legalEntity;
    const [second, third] = [await read('v2'), await read('v3')];
    expect([second.federalTaxNumber, third.federalTaxNumber]).toEqual([12345678000195, '12345678000195']);
    expect(third.address.city).toEqual({ code: expect.stringMatching(/^\d{7}$/), name: expect.any(String) });
  });

  it('show an NF-e at the tax authority, with numbers as numbers', async () => {
    const key = service.ready().dataKey;
    const { json } = await service.send('GET', `/v2/productinvoices/${accessKey}`, { key });
    expect([typeof json.issuer.federalTaxNumber, typeof json.buyer.federalTaxNumber]).toEqual(['number', 'number']);
    for (const path of ['/v3/productinvoices', '/v2/productinvoices/serpro']) {
      expect((await service.send('GET', `${path}/${accessKey}`, { key })).json).toEqual(json);
    }
    const events = await service.send('GET', `/v3/productinvoices/events/${accessKey}`, { key });
    expect(events.json.events.map(({ protocol }: { protocol: unknown }) => typeof protocol)).toEqual(['number']);
  });

  it('show the same under the key alone, of a person, of a rejection and below a registration', async () => {
    const { dataKey: key, companyId } = service.ready();
    const { json } = await service.send('GET', `${inbound()}/productinvoices/${accessKey}/json`);
    expect((await service.send('GET', `${inbound()}/${accessKey}/json`)).json).toEqual(json);
    const person = await service.send('GET', '/v1/naturalperson/serpro/status/52998224725/1990-12-31', { key });
    expect([person.status, person.json.federalTaxNumber]).toEqual([200, '52998224725']);
    for (const path of ['/v2/productinvoices/serpro', '/v3/productinvoices/serpro', '/v3/productinvoices']) {
      const files = await Promise.all(
        ['xml', 'pdf'].map((form) => service.send('GET', `${path}/${accessKey}.${form}`, { key })),
      );
      expect(files.map(({ status, headers }) => [status, headers.get('content-type')])).toEqual([
        [200, 'application/xml'],
        [200, 'application/pdf'],
      ]);
    }
    for (const version of ['v2', 'v3']) {
      const of = `/${version}/companies/${companyId}`;
      const rejection = await service.send('GET', `${of}/productinvoices/none/xml/rejection`);
      const below = await service.send('POST', `${of}/statetaxes/none/productinvoices`, { body: {} });
      expect([rejection.json.error.message, below.status]).toEqual(['There is no invoice with this id.', 404]);
    }
  });

  it('list the kinds of events', async () => {
    const { json } = await service.send('GET', '/v2/webhooks/eventtypes');
    expect((await service.send('GET', '/v1/eventTypes')).json).toEqual(json);
  });
});

describe('the replaced route of the manifestation, as §4 names it', () => {
  it('answers with Deprecation, and sends the awareness event without a code', async () => {
    for (const [query, status] of [
      ['', 200],
      ['?tpEvent=210200', 200],
      ['?tpEvent=1', 400],
    ] as const) {
      const answer = await service.send('POST', `/${accessKey}/manifest${query}`);
      expect([answer.status, answer.headers.has('deprecation')]).toEqual([status, status === 200]);
    }
    const { entries } = await service.control('GET', 'ledger?operation=nfe.manifestation.legacy&effects=true');
    const codes = entries.map(({ effect }: { effect: { eventCode: string } }) => effect.eventCode);
    expect(codes).toEqual(['210210', '210200']);
    expect((await service.send('POST', '/123/manifest')).status).toBe(400);
    expect((await service.send('POST', `/${accessKey}/manifest`, { key: null })).status).toBe(401);
  });
});

describe('a page after the last NSU (published)', () => {
  const nsusOf = (rows: readonly { nsu: string }[]) => rows.map(({ nsu }) => Number(nsu));

  it.each([
    ['envelope', 'nfe'],
    ['bare', 'nfe'],
    ['envelope', 'odata/ProductInvoices'],
    ['bare', 'odata/ProductInvoices'],
  ])('goes on where the last one ended: %s, %s', async (lists, list) => {
    await service.control('POST', 'mode', { lists });
    const seen: number[] = [];
    for (let last = 0; ; last = seen.at(-1) ?? 0) {
      const query = `?${filter}&$top=3&$skiptoken=${last}`;
      const { json } = await service.send('GET', `${inbound()}/${list}${query}`);
      expect(Array.isArray(json)).toBe(lists === 'bare');
      const rows = nsusOf(lists === 'bare' ? json : json.value);
      if (rows.length === 0) break;
      seen.push(...rows);
    }
    expect([seen.length, new Set(seen).size]).toEqual([7, 7]);
    expect(seen).toEqual(seen.toSorted((one, other) => one - other));
  });

  it('does not change the count of the list', async () => {
    const { json } = await service.send('GET', `${inbound()}/nfe?$count=true&$top=2&$skiptoken=4`);
    expect([json['@odata.count'], nsusOf(json.value)]).toEqual([7, [5, 6]]);
  });

  it('can be unkind in a bare list too', async () => {
    await service.control('POST', 'mode', { lists: 'bare' });
    const faults = [];
    for (const kind of ['list-row-missing', 'list-row-twice', 'cut-list', 'list-null']) {
      await service.control('POST', 'faults', { kind, operation: 'nfe.inbound.list', count: 1 });
      const { json } = await service.send('GET', `${inbound()}/nfe?$top=4`, { isBroken: true });
      faults.push(json === null ? null : nsusOf(json));
    }
    expect(faults).toEqual([[2, 3, 4], [1, 1, 3, 4], [1, 2], null]);
  });

  it('leaves out what is too new for a list that lags', async () => {
    await service.control('POST', 'mode', { lists: 'bare', lag: '1h' });
    expect((await service.send('GET', `${inbound()}/nfe`)).json).toEqual([]);
  });

  it('has an envelope for NFS-e, of which no bare list is published', async () => {
    await service.control('POST', 'mode', { lists: 'bare' });
    const { status, json } = await service.send('GET', `${nfseListPath(service.ready().companyId)}?$top=2`);
    expect([status, json]).toEqual([200, { value: [] }]);
  });

  it('needs a number', async () => {
    expect((await service.send('GET', `${inbound()}/nfe?$skiptoken=x`)).status).toBe(400);
  });

  it('begins a bare list at the lowest NSU', async () => {
    await service.control('POST', 'mode', { lists: 'bare' });
    const { json } = await service.send('GET', `${inbound()}/nfe?$top=2`);
    const all = await service.send('GET', `${inbound()}/nfe`);
    expect(json).toEqual(all.json.slice(0, 2));
    const events = await service.send('GET', `${inbound()}/odata/ProductInvoiceEvents?${filter}`);
    expect(Array.isArray(events.json)).toBe(true);
  });
});

describe('HEAD', () => {
  it('answers what GET answers, without the body', async () => {
    const [{ dataKey, companyId }, path] = [service.ready(), `${inbound()}/nfe/${accessKey}`];
    for (const [address, sending] of [
      [path, {}],
      [`${path}/xml`, {}],
      ['/v2/companies', {}],
      [`/v2/companies/${companyId}/productinvoices`, {}],
      ['/v1/cnpj/12345678000195', { key: dataKey }],
      ['/v2/webhooks/none', {}],
    ] as const) {
      const [head, get] = [await service.send('HEAD', address, sending), await service.send('GET', address, sending)];
      expect([address, head.status, head.text]).toEqual([address, get.status, '']);
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    }
    expect((await service.send('HEAD', `/${accessKey}/manifest`)).status).toBe(404);
  });
});

describe('a body of 12 MB', () => {
  const body = () => Buffer.alloc(12 * 1024 * 1024, 'x');
  const sent = async (path: string, form: 'whole' | 'in pieces') => {
    const type = path.endsWith('certificates') ? 'multipart/form-data; boundary=x' : 'application/json';
    const { url, invoiceKey } = service.ready();
    const pieces = new Blob([body()]).stream();
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { Authorization: invoiceKey, 'Content-Type': type },
      ...(form === 'whole' ? { body: body() } : { body: pieces, duplex: 'half' }),
    });
    return [answer.status, JSON.parse(await answer.text()).error.code];
  };

  it.each(['whole', 'in pieces'] as const)('is answered with 400 and not cut: %s', async (form) => {
    const { tenantId, companyId } = service.ready();
    for (const path of [
      `/${tenantId}/products`,
      `/v2/companies/${companyId}/certificates`,
      `/v1/companies/${companyId}/serviceinvoices`,
      '/v2/webhooks',
    ]) {
      expect([path, await sent(path, form)]).toEqual([path, [400, 'body_too_large']]);
    }
    expect(await sent('/nowhere', form)).toEqual([404, 'not_found']);
  });
});

describe('companies without address and regime (published)', () => {
  it('are created, read and replaced', async () => {
    const company = { name: 'Padaria Sol Ltda', federalTaxNumber: 11222333000181 };
    const created = await service.send('POST', '/v2/companies', { body: { company } });
    expect([created.status, created.json.company]).toMatchObject([200, company]);
    const path = `/v2/companies/${created.json.company.id}`;
    const address = { city: { code: '3550308', name: 'São Paulo' } };
    const replaced = await service.send('PUT', path, { body: { company: { ...company, name: 'Padaria Lua Ltda' } } });
    expect([replaced.status, replaced.json.company.name]).toEqual([200, 'Padaria Lua Ltda']);
    expect((await service.send('PUT', path, { body: { company: { ...company, address } } })).status).toBe(400);
    expect((await service.send('GET', path)).json).toEqual(replaced.json);
  });
});
