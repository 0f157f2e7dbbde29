import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { nfeListPath, nfePath } from '../facts/inbound.js';
import { acceptedStatus, legacyPath, nfeSubmitPath } from '../facts/manifestation.js';
import { testService } from './service.js';

const service = testService();
const companyId = () => service.ready().companyId;
const read = async (key: string) => (await service.send('GET', nfePath(companyId(), key))).json;
const xmlOf = async (key: string) => (await service.send('GET', `${nfePath(companyId(), key)}/xml`)).text;
const wait = () => service.control('POST', 'clock', { advance: '3m' });

async function summaries(count = 1): Promise<string[]> {
  const { captured } = await service.control('POST', 'seed', { documents: count, stage: 'summary' });
  return captured.map(({ accessKey }: { accessKey: string }) => accessKey);
}

async function oneSummary(): Promise<string> {
  const [key = ''] = await summaries();
  return key;
}

async function manifest(key: string, eventCode: number, detail: object = {}): Promise<void> {
  const body = { eventCode, nSequencia: 1, detail };
  expect((await service.send('POST', nfeSubmitPath(key), { body })).status).toBe(acceptedStatus);
  await wait();
}

beforeEach(() => service.control('POST', 'reset'));

/** facts §3; `type` as published. */
describe('an NF-e before the recipient manifests', () => {
  it('is listed and read as a summary', async () => {
    const key = await oneSummary();
    const { json } = await service.send('GET', nfeListPath(companyId()));
    expect([json.value[0].accessKey, json.value[0].type]).toEqual([key, 'productInvoiceSummary']);
    const filter = encodeURIComponent("type eq 'productInvoiceSummary'");
    const found = await service.send('GET', `${nfeListPath(companyId())}?$filter=${filter}`);
    expect(found.json.value.length).toBe(1);
    const document = await read(key);
    expect([document.type, Object.keys(document.links)]).toEqual(['productInvoiceSummary', ['xml']]);
  });

  it('has an unsigned resNFe XML with the digest of the note', async () => {
    const key = await oneSummary();
    const summary = await xmlOf(key);
    expect(summary).toMatch(
      new RegExp(
        `^<\\?xml version="1.0" encoding="UTF-8"\\?><resNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.01">` +
          `<chNFe>${key}</chNFe><CNPJ>${key.slice(6, 20)}</CNPJ><xNome>[^<]+</xNome><IE>\\d+</IE><dhEmi>[^<]+</dhEmi>` +
          `<tpNF>1</tpNF><vNF>\\d+\\.\\d\\d</vNF><digVal>[^<]+</digVal><dhRecbto>[^<]+</dhRecbto>` +
          `<nProt>\\d{15}</nProt><cSitNFe>1</cSitNFe></resNFe>$`,
      ),
    );
    const digest = /<digVal>(.+)<\/digVal>/.exec(summary)?.[1];
    await manifest(key, 210210);
    const [signed = ''] = /<infNFe .*<\/infNFe>/s.exec(await xmlOf(key)) ?? [];
    const canonical = signed.replace('<infNFe ', '<infNFe xmlns="http://www.portalfiscal.inf.br/nfe" ');
    expect(createHash('sha1').update(canonical).digest('base64')).toBe(digest);
  });

  it('has no PDF: 204', async () => {
    const { status, text } = await service.send('GET', `${nfePath(companyId(), await oneSummary())}/pdf`);
    expect([status, text]).toEqual([204, '']);
  });
});

describe('the full note', () => {
  it.each([
    [210210, {}],
    [210200, {}],
    [210240, { justification: 'Mercadoria devolvida ao fornecedor' }],
  ])('arrives after an accepted %i, with a new NSU', async (eventCode, detail) => {
    const [key = '', other = ''] = await summaries(2);
    const before = await read(key);
    await manifest(key, eventCode, detail);
    const after = await read(key);
    expect([after.type, after.status]).toEqual(['productInvoice', 'Processed']);
    expect(Number(after.nsu)).toBeGreaterThan(Number((await read(other)).nsu));
    expect(Number(after.nsu)).toBeGreaterThan(Number(before.nsu));
    expect(after.modifiedOn > before.modifiedOn).toBe(true);
    expect(after.createdOn).toBe(before.createdOn);
    expect(await xmlOf(key)).toContain('<nfeProc ');
    expect((await service.send('GET', `${nfePath(companyId(), key)}/pdf`)).status).toBe(200);
    expect((await read(other)).type).toBe('productInvoiceSummary');
  });

  it('does not arrive after 210220', async () => {
    const key = await oneSummary();
    await manifest(key, 210220);
    expect((await read(key)).type).toBe('productInvoiceSummary');
  });

  it('does not arrive after an event that the authority rejects', async () => {
    const key = await oneSummary();
    await service.control('POST', 'authority', { accessKey: key, outcome: 'reject' });
    await manifest(key, 210210);
    expect((await read(key)).type).toBe('productInvoiceSummary');
  });

  it('arrives after an event of the replaced route too', async () => {
    const key = await oneSummary();
    await service.send('POST', `${legacyPath(companyId(), key)}?tpEvent=210210`);
    expect((await read(key)).type).toBe('productInvoiceSummary');
    await wait();
    expect((await read(key)).type).toBe('productInvoice');
  });

  it('waits while the capture is spaced (§2), and arrives afterwards', async () => {
    const key = await oneSummary();
    await service.control('POST', 'certificates', { state: 'missing' });
    await manifest(key, 210210);
    expect((await read(key)).type).toBe('productInvoiceSummary');
    await service.control('POST', 'certificates', { state: 'valid' });
    await service.control('POST', 'clock', { advance: '2h' });
    expect((await read(key)).type).toBe('productInvoice');
  });
});

describe('summaries in the sandbox', () => {
  it('are seeded only on request', async () => {
    const { captured } = await service.control('POST', 'seed', { documents: 1 });
    expect((await read(captured[0].accessKey)).type).toBe('productInvoice');
  });

  it('replace every received NF-e of a seeded month', async () => {
    const month = { scenario: 'month', documents: 30, companies: 1, stage: 'summary' };
    await service.control('POST', 'seed', month);
    const { json } = await service.send('GET', nfeListPath(companyId()));
    const types = new Set(json.value.map(({ type }: { type: string }) => type));
    expect([...types]).toEqual(['productInvoiceSummary']);
  });

  it.each([
    { family: 'cte', documents: 1, stage: 'summary' },
    { scenario: 'history', documents: 1, stage: 'summary' },
    { documents: 1, stage: 'half' },
  ])('are refused as %j', async (body) => {
    const { error } = await service.control('POST', 'seed', body);
    expect([error.code, error.details[0].field]).toEqual(['validation_error', 'stage']);
  });

  it('can be added one by one, but not for issued notes', async () => {
    const { accessKey } = await service.control('POST', 'documents', { stage: 'summary' });
    expect((await read(accessKey)).type).toBe('productInvoiceSummary');
    const own = await service.control('POST', 'documents', { stage: 'summary', direction: 'outgoing' });
    expect(own.error.details[0].field).toBe('stage');
  });

  it('can arrive while a list is read', async () => {
    await service.control('POST', 'arrivals', { everyRequests: 1, count: 1, stage: 'summary' });
    const { json } = await service.send('GET', nfeListPath(companyId()));
    expect(json.value.map(({ type }: { type: string }) => type)).toEqual(['productInvoiceSummary']);
  });
});
