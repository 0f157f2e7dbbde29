import { beforeEach, describe, expect, it } from 'vitest';
import { sendTo, testService } from './service.js';
import {
  consumerInvoicesPath,
  cpf,
  merchandise,
  productInvoicesPath,
  services,
  serviceInvoicesPath,
} from '../facts/invoice.js';
import { verifySignature } from '../sandbox/inbound/verify-signature.js';

const service = testService();
const [item] = merchandise.items;
const goods = {
  ...merchandise,
  items: [item, { ...item, description: 'Açúcar & <mel>', quantity: 3, unitAmount: 0.3333333333 }],
};

const families = [
  ['nfe', productInvoicesPath, goods],
  ['nfce', consumerInvoicesPath, goods],
  ['nfse', serviceInvoicesPath, { ...services, borrower: { name: 'Maria', federalTaxNumber: Number(cpf) } }],
] as const;

beforeEach(() => service.control('POST', 'reset'));

describe.each(families)('the bytes of an issued invoice: %s', (family, pathOf, body) => {
  const path = (tail = '') => pathOf(service.ready().companyId) + tail;
  const get = (tail: string) => service.send('GET', path(tail));

  async function issue(): Promise<string> {
    return (await service.send('POST', path(), { body })).json.id;
  }

  async function issued(): Promise<string> {
    const id = await issue();
    await service.control('POST', 'clock', { advance: '2m' });
    return id;
  }

  async function bytesOf(id: string, kind: 'xml' | 'pdf'): Promise<string> {
    const { text, json } = await get(`/${id}/${kind}`);
    return family === 'nfse' ? text : (await sendTo('')('GET', json.uri)).text;
  }

  it('have the official layout, a signature over the element of the key, and never change', async () => {
    const id = await issued();
    const { json } = await get(`/${id}`);
    const key = json.accessKey ?? json.authorization.accessKey;
    const xml = await bytesOf(id, 'xml');
    const prefix = family === 'nfse' ? 'NFS' : 'NFe';
    expect(verifySignature(xml)).toEqual({ isValid: true, covers: [`#${prefix}${key}`] });
    expect(await bytesOf(id, 'xml')).toBe(xml);
  });

  it('contain the data that was sent', async () => {
    const xml = await bytesOf(await issued(), 'xml');
    const expected =
      family === 'nfse'
        ? ['<xDescServ>Consultoria</xDescServ>', '<vServ>100.00</vServ>', `<CPF>${cpf}</CPF>`]
        : [
            '<xProd>Açúcar &amp; &lt;mel&gt;</xProd>',
            '<qCom>3.0000</qCom><vUnCom>0.3333333333</vUnCom><vProd>1.00</vProd>',
            '<vNF>22.00</vNF>',
            `<CPF>${cpf}</CPF>`,
          ];
    expect(expected.filter((text) => !xml.includes(text))).toEqual([]);
  });

  it('are 202 while the issue is pending, and 404 after it failed', async () => {
    await service.control('POST', 'outcomes', { outcome: 'failed' });
    const id = await issue();
    const before = await get(`/${id}/pdf`);
    await service.control('POST', 'clock', { advance: '2m' });
    const after = await get(`/${id}/pdf`);
    expect([before.status, before.json.documentId, after.status]).toEqual([202, id, 404]);
  });

  it('are 202 while the PDF of an issued invoice is being made', async () => {
    const id = await issued();
    await service.control('POST', 'bytes', { pendingPdfs: 2 });
    const statuses: number[] = [];
    for (let read = 0; read < 3; read += 1) statuses.push((await get(`/${id}/pdf`)).status);
    expect([statuses, (await get(`/${id}/xml`)).status]).toEqual([[202, 202, 200], 200]);
  });

  it('include a PDF', async () => {
    const id = await issued();
    expect((await bytesOf(id, 'pdf')).slice(0, 8)).toBe('%PDF-1.4');
  });

  it.each([
    ['bytes', 200],
    ['redirect', 302],
    ['json', 200],
  ])('are delivered by %s when a test chooses so, without a key at the other address', async (mode, status) => {
    const id = await issued();
    await service.control('POST', 'bytes', { mode });
    const answer = await get(`/${id}/xml`);
    const address = answer.headers.get('location') ?? answer.json?.uri;
    const xml = mode === 'bytes' ? answer.text : (await sendTo('')('GET', address)).text;
    expect([answer.status, xml.startsWith('<?xml')]).toEqual([status, true]);
  });
});

describe('the XML of the cancellation of an NFS-e (public)', () => {
  it('is the signed national event, 404 before the cancellation and 202 while it is pending', async () => {
    const path = (tail = '') => serviceInvoicesPath(service.ready().companyId) + tail;
    const id = (await service.send('POST', path(), { body: services })).json.id as string;
    const read = () => service.send('GET', path(`/${id}/cancellation-xml`));
    await service.control('POST', 'clock', { advance: '2m' });
    expect((await read()).status).toBe(404);
    await service.send('DELETE', path(`/${id}`));
    expect((await read()).status).toBe(202);
    await service.control('POST', 'clock', { advance: '2m' });
    const { accessKey } = (await service.send('GET', path(`/${id}`))).json;
    const covers = [`#EVT${accessKey}101101001`];
    expect(verifySignature((await read()).text)).toEqual({ isValid: true, covers });
  });
});
