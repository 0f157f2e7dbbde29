import { beforeEach, describe, expect, it } from 'vitest';
import {
  eventXmlPath,
  nfeEventsPath,
  nfeListPath,
  nfePath,
  nfeSettingsPath,
  nfseListPath,
  nfsePath,
  nfseSettingsPath,
  whole,
} from '../facts/inbound.js';
import { cpf, merchandise, productInvoicesPath, serviceInvoicesPath, services } from '../facts/invoice.js';
import { nfeSubmitPath } from '../facts/manifestation.js';
import { testService } from './service.js';

const service = testService({ validationDelayMs: 1_000 });
const companyId = () => service.ready().companyId;
const wait = () => service.control('POST', 'clock', { advance: '5m' });
const inboundNfe = async () => (await service.send('GET', nfeListPath(companyId()))).json.value;

async function enable(path: string, body: object = { outboundEnabled: true }): Promise<void> {
  expect((await service.send('PUT', path, { body })).status).toBe(200);
}

async function issue(path: string, body: object) {
  const { json } = await service.send('POST', path, { body });
  await wait();
  return (await service.send('GET', `${path}/${json.id}`)).json;
}

beforeEach(() => service.control('POST', 'reset'));

/** §2: "Also delivers invoices issued by the company itself." */
describe('outboundEnabled', () => {
  it('adds an issued NF-e to the list of its issuer', async () => {
    await enable(nfeSettingsPath(companyId()));
    const issued = await issue(productInvoicesPath(companyId()), merchandise);
    const [document, ...others] = await inboundNfe();
    expect(others).toEqual([]);
    expect(document).toMatchObject({
      accessKey: issued.authorization.accessKey,
      type: 'productInvoice',
      operationType: 'Outgoing',
      totalInvoiceAmount: '21.00',
      issuer: { federalTaxNumber: issued.authorization.accessKey.slice(6, 20) },
      buyer: { name: 'Maria da Silva', federalTaxNumber: cpf },
      nsu: '1',
    });
  });

  it('returns the XML that was issued', async () => {
    await enable(nfeSettingsPath(companyId()));
    const issued = await issue(productInvoicesPath(companyId()), merchandise);
    await service.control('POST', 'bytes', { mode: 'bytes' });
    const own = await service.send('GET', `${productInvoicesPath(companyId())}/${issued.id}/xml`);
    const inbound = await service.send('GET', `${nfePath(companyId(), issued.authorization.accessKey)}/xml`);
    expect([inbound.status, inbound.text]).toEqual([200, own.text]);
    expect(inbound.text).toContain('<xProd>Café torrado</xProd>');
  });

  it('adds nothing if it is off, and nothing from another environment', async () => {
    await issue(productInvoicesPath(companyId()), merchandise);
    await enable(nfeSettingsPath(companyId()), { outboundEnabled: true, environmentSEFAZ: 'Production' });
    await service.control('POST', 'mode', { lenient: true });
    await issue(productInvoicesPath(companyId()), { ...merchandise, environment: 'Test' });
    await service.control('DELETE', 'mode');
    expect(await inboundNfe()).toEqual([]);
  });

  it('adds an issued NFS-e too', async () => {
    await enable(nfseSettingsPath(companyId()));
    const borrower = { name: 'Maria da Silva', federalTaxNumber: Number(cpf) };
    const issued = await issue(serviceInvoicesPath(companyId()), { ...services, borrower });
    const { documents } = (await service.send('GET', nfseListPath(companyId()))).json;
    expect(documents.length).toBe(1);
    expect([documents[0].accessKey, documents[0].borrower]).toEqual([
      issued.accessKey,
      { ...borrower, federalTaxNumber: cpf },
    ]);
    const { text } = await service.send('GET', `${nfsePath(companyId(), issued.accessKey)}/xml`);
    expect(text).toContain(`Id="NFS${issued.accessKey}"`);
  });

  it('adds its cancellation as an event of the issuer', async () => {
    await enable(nfeSettingsPath(companyId()));
    const issued = await issue(productInvoicesPath(companyId()), merchandise);
    const reason = 'Pedido cancelado pelo cliente';
    const path = `${productInvoicesPath(companyId())}/${issued.id}?reason=${encodeURIComponent(reason)}`;
    expect((await service.send('DELETE', path)).status).toBe(204);
    await wait();
    const key = issued.authorization.accessKey;
    const { value } = (await service.send('GET', whole(nfeEventsPath(companyId())))).json;
    expect(value.map(({ type, accessKey }: Record<string, string>) => [type, accessKey])).toEqual([['110111', key]]);
    const { text } = await service.send('GET', eventXmlPath(companyId(), key, `ID110111${key}01`));
    expect(text).toContain(`<CNPJ>${key.slice(6, 20)}</CNPJ>`);
    expect(text).toContain(`<xJust>${reason}</xJust>`);
  });

  it('adds nothing that the company may manifest: the authority answers 575', async () => {
    await enable(nfeSettingsPath(companyId()));
    const issued = await issue(productInvoicesPath(companyId()), merchandise);
    const body = { eventCode: 210200, nSequencia: 1 };
    const { headers } = await service.send('POST', nfeSubmitPath(issued.authorization.accessKey), { body });
    await wait();
    const { json } = await service.send('GET', new URL(headers.get('location') ?? '').pathname);
    expect([json.status, json.errorCode]).toEqual(['Rejected', '575']);
  });
});
