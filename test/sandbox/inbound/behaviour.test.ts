import { beforeEach, describe, expect, it } from 'vitest';
import { testService } from '../../conformance/service.js';

const service = testService();
const listPath = (query = '') => `/v2/companies/${service.ready().companyId}/inbound/nfe${query}`;
const nfsePath = (query = '') => `/v2/companies/${service.ready().companyId}/inbound/nfse${query}`;
const rows = async (query = ''): Promise<Row[]> => (await service.send('GET', listPath(query))).json.value;
const seed = async (documents: number) => await service.control('POST', 'seed', { documents });

interface Row {
  readonly accessKey: string;
  readonly createdOn: string;
  readonly issuer: { readonly name: string };
}

beforeEach(() => service.control('POST', 'reset'));

describe('documents that arrive while a list is read', () => {
  it('arrive before every nth request, in the requested number', async () => {
    await seed(3);
    await service.control('POST', 'arrivals', { everyRequests: 2, count: 2 });
    const counts: number[] = [];
    for (let request = 0; request < 6; request += 1) counts.push((await rows()).length);
    expect(counts).toEqual([3, 4, 4, 5, 5, 5]);
  });

  it('can have an earlier time of capture', async () => {
    await service.control('POST', 'arrivals', { everyRequests: 1, lateBy: '10m' });
    const { now } = await service.control('POST', 'clock', { freeze: true });
    const [late] = await rows();
    expect(Date.parse(now) - Date.parse(late?.createdOn ?? '')).toBe(600_000);
  });

  it('wait while the capture is spaced', async () => {
    await service.control('POST', 'arrivals', { everyRequests: 1 });
    await service.control('POST', 'captures', { family: 'nfe', spacedFor: '1h' });
    const spaced = (await rows()).length;
    await service.control('POST', 'clock', { advance: '61m' });
    expect([spaced, (await rows()).length]).toEqual([0, 1]);
  });
});

describe('damaged pages', () => {
  it('can repeat the last row of the previous page', async () => {
    await seed(6);
    const [first, second] = [await rows('?$top=3'), await rows('?$top=3&$skip=3')];
    await service.control('POST', 'pages', { doubled: true });
    expect(await rows('?$top=3')).toEqual(first);
    expect(await rows('?$top=3&$skip=3')).toEqual([first.at(-1), ...second]);
  });

  it('can be in reverse order', async () => {
    await seed(3);
    const before = await rows();
    await service.control('POST', 'pages', { reordered: true });
    expect(await rows()).toEqual(before.toReversed());
  });

  it('can omit half of their rows and count all of them', async () => {
    await seed(5);
    await service.control('POST', 'pages', { short: true });
    const { json } = await service.send('GET', listPath('?$top=4&$count=true'));
    expect([json.value.length, json['@odata.count'], json['@odata.nextLink']]).toEqual([2, 5, undefined]);
  });
});

describe('a hostile service', () => {
  const hostile = async (body: object) => await service.control('POST', 'hostile', body);

  it('has keys with path traversal, and serves them', async () => {
    await hostile({ kind: 'path-key', count: 2 });
    const keys = (await rows()).map(({ accessKey }) => accessKey);
    expect(keys).toEqual(['../../x2', '../../x1']);
    const { status } = await service.send('GET', listPath(`/${encodeURIComponent('../../x1')}/xml`));
    expect(status).toBe(200);
  });

  it('has names with control characters', async () => {
    await hostile({ kind: 'control-names' });
    expect((await rows())[0]?.issuer.name).toContain('\u001b]0;owned\u0007');
  });

  it('has an XML that expands to a trillion characters', async () => {
    const { documents } = await hostile({ kind: 'xml-bomb' });
    const { text } = await service.send('GET', listPath(`/${documents[0].accessKey}/xml`));
    expect(text).toContain('<!ENTITY e11 "&e10;');
    expect(text.length).toBeLessThan(2_000);
  });

  it('has an endless body without Content-Length', async () => {
    const { documents } = await hostile({ kind: 'huge-body' });
    const { url, invoiceKey } = service.ready();
    const answer = await fetch(url + listPath(`/${documents[0].accessKey}/xml`), {
      headers: { authorization: invoiceKey },
    });
    const reader = answer.body?.getReader();
    let size = 0;
    while (size < 50_000_000) size += (await reader?.read())?.value?.byteLength ?? 50_000_000;
    await reader?.cancel();
    expect([answer.headers.get('content-length'), size]).toEqual([null, size]);
    expect((await service.send('GET', listPath())).status).toBe(200);
  });

  it('has a page that links to itself', async () => {
    await seed(3);
    await hostile({ kind: 'self-link' });
    const { json } = await service.send('GET', listPath('?$top=2'));
    expect(json['@odata.nextLink']).toBe(`${service.ready().url}${listPath('?%24top=2')}`);
  });

  it('has endless lists, in both forms of paging', async () => {
    await seed(3);
    await service.control('POST', 'seed', { documents: 3, family: 'nfse' });
    await hostile({ kind: 'endless-list' });
    const { json } = await service.send('GET', listPath('?$skip=1000'));
    expect([json.value.length, json['@odata.nextLink']]).toEqual([3, expect.stringContaining('skip=1050')]);
    expect((await service.send('GET', nfsePath('?pageIndex=900'))).json.documents).toHaveLength(3);
  });

  it('behaves normally after a reset', async () => {
    await seed(2);
    await hostile({ kind: 'endless-list' });
    await hostile({ kind: 'xml-bomb', count: 3 });
    expect(await service.control('DELETE', 'hostile')).toEqual({ removed: 3 });
    const { json } = await service.send('GET', listPath());
    expect([json.value.length, '@odata.nextLink' in json]).toEqual([2, false]);
  });
});
