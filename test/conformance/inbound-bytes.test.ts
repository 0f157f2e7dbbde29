import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  cteEventsPath,
  cteListPath,
  ctePath,
  eventPath,
  eventXmlPath,
  nfeJsonPath,
  nfeEventsPath,
  nfeListPath,
  nfePath,
  nfsePath,
  skipped,
  webhookAgainPath,
  whole,
} from '../facts/inbound.js';
import { keyHeader } from '../facts/authentication.js';
import { testService } from './service.js';

const service = testService();
const companyId = () => service.ready().companyId;

async function oneOf(family: string): Promise<string> {
  const { captured } = await service.control('POST', 'seed', { documents: 1, family });
  return captured[0].accessKey;
}

beforeEach(() => service.control('POST', 'reset'));
afterEach(() => service.control('POST', 'bytes', { mode: 'bytes' }));

describe('the three ways in which bytes are delivered', () => {
  it('sends the bytes in the response', async () => {
    const key = await oneOf('nfe');
    const { status, headers, text } = await service.send('GET', `${nfePath(companyId(), key)}/xml`);
    expect([status, headers.get('content-type')]).toEqual([200, 'application/xml']);
    expect(text).toContain(`<chNFe>${key}</chNFe>`);
    expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(text));
  });

  it.each([
    ['nfe', (key: string) => `${nfePath(companyId(), key)}/xml`, 'uri'],
    ['cte', (key: string) => `${ctePath(companyId(), key)}/xml`, 'url'],
    ['nfse', (key: string) => `${nfsePath(companyId(), key)}/xml`, 'publicTemporaryUri'],
  ])('points to the same bytes of a %s by a redirect or in JSON, on another port', async (family, pathOf, name) => {
    const path = pathOf(await oneOf(family));
    const plain = await service.send('GET', path);
    await service.control('POST', 'bytes', { mode: 'redirect' });
    const redirect = await service.send('GET', path);
    await service.control('POST', 'bytes', { mode: 'json' });
    const { json } = await service.send('GET', path);
    const location = redirect.headers.get('location') ?? '';
    expect([redirect.status, Object.keys(json)]).toEqual([302, [name]]);
    expect(new URL(location).port).not.toBe(new URL(service.ready().url).port);
    for (const address of [location, json[name]]) {
      const answer = await fetch(address);
      expect([answer.status, await answer.text()]).toEqual([200, plain.text]);
    }
  });

  it('records in the ledger whether a key was sent to the other port', async () => {
    const key = await oneOf('nfe');
    await service.control('POST', 'bytes', { mode: 'redirect' });
    const { headers } = await service.send('GET', `${nfePath(companyId(), key)}/xml`);
    const location = headers.get('location') ?? '';
    await fetch(location);
    await fetch(location, { headers: { [keyHeader]: service.ready().invoiceKey } });
    const { entries } = await service.control('GET', 'ledger');
    const kinds = entries
      .filter(({ path }: { path: string }) => path.startsWith('/temporary/'))
      .map(({ keyKind }: { keyKind: string | null }) => keyKind);
    expect(kinds).toEqual([null, 'invoice']);
  });

  it('answers 403 on the other port for an address that it did not issue', async () => {
    const key = await oneOf('nfe');
    await service.control('POST', 'bytes', { mode: 'redirect' });
    const { headers } = await service.send('GET', `${nfePath(companyId(), key)}/xml`);
    const address = new URL(headers.get('location') ?? '');
    address.searchParams.set('proof', '0'.repeat(64));
    expect((await fetch(address)).status).toBe(403);
  });
});

describe('the paths that NF-e and CT-e share (published)', () => {
  it.each([
    ['55', 'nfe'],
    ['57', 'cte'],
  ])('serve the document whose model is %s', async (model, family) => {
    const key = await oneOf(family);
    expect(key.slice(20, 22)).toBe(model);
    const path = `/v2/companies/${companyId()}/inbound/${key}`;
    const { status, json } = await service.send('GET', path);
    expect([status, json.accessKey]).toEqual([200, key]);
    const xml = await service.send('GET', `${path}/xml`);
    expect([xml.status, xml.headers.get('content-type'), xml.text.includes(key)]).toEqual([
      200,
      'application/xml',
      true,
    ]);
  });

  it('return the same NF-e as its own paths, with its PDF and the XML of its events', async () => {
    const key = await oneOf('nfe');
    const shared = `/v2/companies/${companyId()}/inbound/${key}`;
    const own = `/v2/companies/${companyId()}/inbound/nfe/${key}`;
    for (const tail of ['', '/xml', '/pdf']) {
      const answers = [await service.send('GET', shared + tail), await service.send('GET', own + tail)];
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(answers[0]?.text).toBe(answers[1]?.text);
    }
    await service.control('POST', 'documents', { family: 'nfe', accessKey: key, cancelled: true });
    const { json } = await service.send('GET', whole(nfeEventsPath(companyId())));
    const event = await service.send('GET', `${shared}/events/${json.value[0].eventKey}/xml`);
    expect([event.status, event.headers.get('content-type')]).toEqual([200, 'application/xml']);
    const { entries } = await service.control('GET', 'ledger?operation=nfe.inbound.pdf');
    expect(entries.map(({ path }: { path: string }) => path)).toContain(`${shared}/pdf`);
  });

  it('answer 404 for a key of either model that was not captured', async () => {
    const missing = ['55', '57'].map((model) => `3526031122233300018${'1'}${model}0010000000011000000017`);
    const answers = await Promise.all(
      missing.map((key) => service.send('GET', `/v2/companies/${companyId()}/inbound/${key}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });
});

describe('PDF', () => {
  it('is a PDF whose table of contents leads to its objects', async () => {
    const key = await oneOf('nfe');
    const { status, headers, text } = await service.send('GET', `${nfePath(companyId(), key)}/pdf`);
    expect([status, headers.get('content-type'), text.slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-']);
    const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1]);
    expect(text.slice(start, start + 4)).toBe('xref');
    const offsets = [...text.slice(start).matchAll(/^(\d{10}) 00000 n/gm)].map(([, offset]) => Number(offset));
    expect(offsets.map((offset) => text.slice(offset).split('\n')[0])).toEqual(
      offsets.map((_, index) => `${index + 1} 0 obj`),
    );
  });

  it('answers 202 while it is rendered, then the PDF', async () => {
    await service.control('POST', 'seed', { scenario: 'month', month: '2026-03', documents: 500, companies: 1 });
    const { json } = await service.send('GET', `${nfeListPath(companyId())}?$filter=status%20eq%20'PdfPending'`);
    const path = `${nfePath(companyId(), json.value[0].accessKey)}/pdf`;
    const statuses = [(await service.send('GET', path)).status, (await service.send('GET', path)).status];
    expect(statuses).toEqual([202, 200]);
  });

  it('exists for an NFS-e', async () => {
    const path = `${nfsePath(companyId(), await oneOf('nfse'))}/pdf`;
    const { status, headers, text } = await service.send('GET', path);
    expect([status, headers.get('content-type'), text.slice(0, 5)]).toEqual([200, 'application/pdf', '%PDF-']);
  });

  it('does not exist for a CT-e: 204', async () => {
    const { status, text } = await service.send('GET', `${ctePath(companyId(), await oneOf('cte'))}/pdf`);
    expect([status, text]).toEqual([204, '']);
  });
});

describe('events of captured documents', () => {
  it('are found by the key of the document, with their XML', async () => {
    await service.control('POST', 'seed', { scenario: 'month', month: '2026-03', documents: 300, companies: 1 });
    const { json: all } = await service.send('GET', `${whole(nfeEventsPath(companyId()))}&$count=true`);
    const { accessKey, eventKey, type } = all.value[0];
    const filter = encodeURIComponent(`accessKey eq '${accessKey}'`);
    const { json } = await service.send('GET', `${nfeEventsPath(companyId())}?$filter=${filter}`);
    expect(json.value).toEqual([all.value[0]]);
    expect(eventKey).toBe(`ID${type}${accessKey}01`);
    const { status, text } = await service.send('GET', eventXmlPath(companyId(), accessKey, eventKey));
    expect(status).toBe(200);
    expect(text).toContain('<procEventoNFe ');
    expect(text).toContain(`<tpEvento>${type}</tpEvento>`);
    const one = await service.send('GET', eventPath(companyId(), accessKey, eventKey));
    expect([one.status, one.json]).toEqual([200, all.value[0]]);
    const missing = await service.send('GET', eventPath(companyId(), accessKey, 'ID1'));
    expect(missing.status).toBe(404);
  });

  it('show the NF-e itself as JSON (public)', async () => {
    const accessKey = await oneOf('nfe');
    const { status, json } = await service.send('GET', nfeJsonPath(companyId(), accessKey));
    expect([status, json.accessKey]).toEqual([200, accessKey]);
    expect((await service.send('GET', nfeJsonPath(companyId(), await oneOf('cte')))).status).toBe(404);
  });

  it('appear when a captured NF-e is cancelled, which updates its modifiedOn', async () => {
    const accessKey = await oneOf('nfe');
    const read = async () => (await service.send('GET', nfePath(companyId(), accessKey))).json;
    const before = await read();
    await service.control('POST', 'clock', { advance: '1h' });
    await service.control('POST', 'documents', { accessKey, cancelled: true });
    const { json } = await service.send('GET', whole(nfeEventsPath(companyId())));
    expect(json.value.map((event: { type: string; accessKey: string }) => [event.type, event.accessKey])).toEqual([
      ['110111', accessKey],
    ]);
    expect(Date.parse((await read()).modifiedOn) - Date.parse(before.modifiedOn)).toBeGreaterThanOrEqual(3_500_000);
  });

  it('of a CT-e are listed with the CT-e', async () => {
    const accessKey = await oneOf('cte');
    await service.control('POST', 'documents', { family: 'cte', accessKey, cancelled: true });
    const { json } = await service.send('GET', whole(cteEventsPath(companyId())));
    const { text } = await service.send('GET', eventXmlPath(companyId(), accessKey, json.value[0].eventKey));
    expect([json.value.length, json.value[0].accessKey]).toEqual([1, accessKey]);
    expect(text).toContain(`<chCTe>${accessKey}</chCTe>`);
    expect(text).toMatch(/<retEventoCTe versao="4.00"><infEvento>.*<\/infEvento><\/retEventoCTe>/);
    expect(text).toMatch(
      /<detEvento versaoEvento="4.00"><evCancCTe><descEvento>.+<\/descEvento><nProt>\d{15}<\/nProt><xJust>/,
    );
    expect(text).not.toContain('verEvento>');
    const one = await service.send('GET', eventPath(companyId(), accessKey, json.value[0].eventKey));
    expect([one.status, one.json]).toEqual([200, json.value[0]]);
    expect((await service.send('GET', whole(nfeEventsPath(companyId())))).json.value).toEqual([]);
  });

  it('of a corrected CT-e name the field that changed', async () => {
    await service.control('POST', 'seed', { scenario: 'month', month: '2026-03', documents: 300, companies: 1 });
    const { json } = await service.send('GET', whole(cteEventsPath(companyId())));
    const letter = json.value.find(({ type }: { type: string }) => type === '110110');
    const { text } = await service.send('GET', eventXmlPath(companyId(), letter.accessKey, letter.eventKey));
    expect(text).toMatch(
      /<evCCeCTe><descEvento>[^<]+<\/descEvento><infCorrecao><grupoAlterado>\w+<\/grupoAlterado><campoAlterado>/,
    );
    expect(text).toMatch(/<xCondUso>A Carta de Correção é disciplinada pelo Art\. 58-B .*<\/xCondUso><\/evCCeCTe>/);
  });

  it('of CT-e and NF-e share an address, and each requires its own role', async () => {
    const { key } = await service.control('POST', 'keys', { kind: 'invoice', roles: ['CTeDist'] });
    const read = async (accessKey: string) =>
      (await service.send('GET', eventXmlPath(companyId(), accessKey, 'ID1'), { key })).status;
    expect([await read(await oneOf('cte')), await read(await oneOf('nfe'))]).toEqual([404, 403]);
  });
});

describe('missing documents', () => {
  it.each([
    ['NF-e', (key: string) => nfePath(companyId(), key)],
    ['XML', (key: string) => `${nfePath(companyId(), key)}/xml`],
    ['PDF', (key: string) => `${nfePath(companyId(), key)}/pdf`],
    ['CT-e', (key: string) => ctePath(companyId(), key)],
    ['NFS-e', (key: string) => nfsePath(companyId(), key)],
  ])('answer 404 for the %s of an unknown key', async (_name, pathOf) => {
    expect((await service.send('GET', pathOf('9'.repeat(44)))).status).toBe(404);
  });

  it('include a CT-e that is requested as an NF-e', async () => {
    const key = await oneOf('cte');
    const statuses = [
      (await service.send('GET', nfePath(companyId(), key))).status,
      (await service.send('GET', ctePath(companyId(), key))).status,
      (await service.send('GET', whole(cteListPath(companyId())))).status,
    ];
    expect(statuses).toEqual([404, 200, 200]);
  });
});

describe('resending webhooks', () => {
  it('accepts the key or the NSU of an NF-e, and skips it if no webhook wants it', async () => {
    const key = await oneOf('nfe');
    const { json: before } = await service.send('GET', nfePath(companyId(), key));
    const answers = [
      await service.send('POST', webhookAgainPath(companyId(), key)),
      await service.send('POST', webhookAgainPath(companyId(), before.nsu)),
      await service.send('POST', webhookAgainPath(companyId(), '999999999')),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404]);
    expect((await service.send('GET', nfePath(companyId(), key))).json.webhookStatus).toBe(skipped);
  });

  it('accepts the reprocess of an NFS-e with the body of a 202 (§2)', async () => {
    const path = nfsePath(companyId(), await oneOf('nfse'));
    const { json: document } = await service.send('GET', path);
    const { status, json } = await service.send('POST', `${nfsePath(companyId(), document.id)}/reprocess`);
    expect([status, json]).toEqual([
      202,
      { documentId: document.id, companyId: companyId(), message: expect.any(String) },
    ]);
    expect((await service.send('GET', path)).json.status).toBe('Reprocessed');
  });
});
