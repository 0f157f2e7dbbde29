import { beforeEach, describe, expect, it } from 'vitest';
import { eventXmlPath, fetchByKeyPath, nfeEventsPath, nfePath, nfseListPath, nfsePath } from '../facts/inbound.js';
import { acceptedStatus, nfeSubmitPath, nfseSubmitPath } from '../facts/manifestation.js';
import { verifySignature } from '../sandbox/inbound/verify-signature.js';
import { testService } from './service.js';

const service = testService();
const companyId = () => service.ready().companyId;
const wait = () => service.control('POST', 'clock', { advance: '3m' });

async function oneOf(family: string): Promise<string> {
  const { captured } = await service.control('POST', 'seed', { documents: 1, family });
  return captured[0].accessKey;
}

async function ownTaxNumber(): Promise<string> {
  const { json } = await service.send('GET', '/v2/companies');
  return String(json.companies[0].federalTaxNumber).padStart(14, '0');
}

async function manifest(path: string, body: object): Promise<void> {
  expect((await service.send('POST', path, { body })).status).toBe(acceptedStatus);
  await wait();
}

async function nfeEventsOf(key: string) {
  const filter = encodeURIComponent(`accessKey eq '${key}'`);
  return (await service.send('GET', `${nfeEventsPath(companyId())}?$filter=${filter}`)).json.value;
}

beforeEach(() => service.control('POST', 'reset'));

/** §1: events can be read; §4: the recipient submits them. */
describe('the own accepted event of a recipient of an NF-e', () => {
  it('is in the list of events of the company', async () => {
    const key = await oneOf('nfe');
    await manifest(nfeSubmitPath(key), { eventCode: 210210, nSequencia: 1 });
    expect(await nfeEventsOf(key)).toEqual([
      {
        eventKey: `ID210210${key}01`,
        accessKey: key,
        companyId: companyId(),
        type: '210210',
        description: 'Ciencia da Operacao',
        sequence: 1,
        protocol: expect.stringMatching(/^891\d{12}$/),
        nsu: expect.any(Number),
        issuedOn: expect.stringMatching(/Z$/),
        receiptOn: expect.stringMatching(/Z$/),
        createdOn: expect.stringMatching(/Z$/),
      },
    ]);
  });

  it('has an XML of the national environment, signed, with the CNPJ of the company and its detail', async () => {
    const key = await oneOf('nfe');
    const detail = { justification: 'Mercadoria <devolvida> ao fornecedor' };
    await manifest(nfeSubmitPath(key), { eventCode: 210240, nSequencia: 2, detail });
    const path = eventXmlPath(companyId(), key, `ID210240${key}02`);
    const { status, text } = await service.send('GET', path);
    expect(status).toBe(200);
    expect(text).toContain(
      `<infEvento Id="ID210240${key}02"><cOrgao>91</cOrgao><tpAmb>2</tpAmb><CNPJ>${await ownTaxNumber()}</CNPJ>` +
        `<chNFe>${key}</chNFe>`,
    );
    expect(text).toContain(
      '<detEvento versao="1.00"><descEvento>Operacao nao Realizada</descEvento>' +
        '<xJust>Mercadoria &lt;devolvida&gt; ao fornecedor</xJust></detEvento>',
    );
    expect(verifySignature(text)).toEqual({ isValid: true, covers: [`#ID210240${key}02`] });
  });

  it('numbers the items of its detail', async () => {
    const key = await oneOf('nfe');
    const item = { nItem: 3, vCredIBS: '1.00', vCredCBS: '2.00' };
    await manifest(nfeSubmitPath(key), { eventCode: 211150, nSequencia: 1, detail: { gCredito: [item] } });
    const { text } = await service.send('GET', eventXmlPath(companyId(), key, `ID211150${key}01`));
    expect(text).toContain(
      '<gCredito nItem="3"><vCredIBS>1.00</vCredIBS><vCredCBS>2.00</vCredCBS></gCredito></detEvento>',
    );
  });

  it.each(['reject', 'fail', 'never'])('is absent when the authority answers %s', async (outcome) => {
    const key = await oneOf('nfe');
    await service.control('POST', 'authority', { accessKey: key, outcome });
    await manifest(nfeSubmitPath(key), { eventCode: 210210, nSequencia: 1 });
    expect(await nfeEventsOf(key)).toEqual([]);
  });

  it('is present when the authority registered it and the answer was lost', async () => {
    const key = await oneOf('nfe');
    await service.control('POST', 'authority', { accessKey: key, outcome: 'fail-after' });
    await manifest(nfeSubmitPath(key), { eventCode: 210210, nSequencia: 1 });
    expect((await nfeEventsOf(key)).length).toBe(1);
  });

  it('appears once among the events that the authority has for the note', async () => {
    const key = await oneOf('nfe');
    await manifest(nfeSubmitPath(key), { eventCode: 210210, nSequencia: 1 });
    const path = `/v2/productinvoices/events/${key}`;
    const { json } = await service.send('GET', path, { key: service.ready().dataKey });
    expect(json.events.map(({ type }: { type: number }) => type)).toEqual([210210]);
    expect((await service.send('GET', nfePath(companyId(), key))).status).toBe(200);
  });
});

describe('the own accepted event of a taker of an NFS-e', () => {
  const eventsOf = async (query = '') =>
    (await service.send('GET', `${nfseListPath(companyId())}?type=Event${query}`)).json;

  it('is in the list of NFS-e when events are requested, and is read by its id', async () => {
    const key = await oneOf('nfse');
    const rejection = { eventCode: 203206, reasonCode: 9, justification: 'Serviço que não foi prestado' };
    await manifest(nfseSubmitPath(companyId(), key), rejection);
    const { documents, totalResults } = await eventsOf('&hasTotals=true');
    const [event] = documents;
    expect([documents.length, totalResults]).toEqual([1, 1]);
    expect(event).toMatchObject({
      id: `EVT${key}203206001`,
      accessKey: key,
      companyId: companyId(),
      type: 'serviceInvoiceEvent',
      eventCode: '203206',
    });
    const read = await service.send('GET', nfsePath(companyId(), event.id));
    expect([read.status, read.json]).toEqual([200, event]);
    const { text } = await service.send('GET', `${nfsePath(companyId(), event.id)}/xml`);
    expect(verifySignature(text)).toEqual({ isValid: true, covers: [`#EVT${key}203206001`] });
    expect(text).toContain(
      `<CNPJAutor>${await ownTaxNumber()}</CNPJAutor><chNFSe>${key}</chNFSe><e203206><xDesc>Rejeição do Tomador</xDesc>` +
        '<infRej><cMotivo>9</cMotivo><xMotivo>Serviço que não foi prestado</xMotivo></infRej></e203206>',
    );
  });

  it('is referenced by its note, and is not listed as a note', async () => {
    const key = await oneOf('nfse');
    await manifest(nfseSubmitPath(companyId(), key), { eventCode: 203202 });
    const { json } = await service.send('GET', nfsePath(companyId(), key));
    expect(json.relatedEventIds).toEqual([`EVT${key}203202001`]);
    const typesOf = async (query: string) => {
      const { documents } = (await service.send('GET', `${nfseListPath(companyId())}${query}`)).json;
      return documents.map(({ type }: { type: string }) => type);
    };
    expect(await typesOf('?type=Nfse')).toEqual(['serviceInvoice']);
    expect(await typesOf('?type=Event')).toEqual(['serviceInvoiceEvent']);
    expect(await typesOf('')).toEqual(['serviceInvoiceEvent', 'serviceInvoice']);
    await service.control('POST', 'events', { nfse: 'apart' });
    expect(await typesOf('')).toEqual(['serviceInvoice']);
    await service.control('DELETE', 'events');
    expect(await typesOf('?type=None')).toEqual(['serviceInvoiceEvent', 'serviceInvoice']);
  });

  it.each(['constructor=x', '__proto__=x', 'toString=1'])('ignores a parameter such as %s', async (query) => {
    await oneOf('nfse');
    const { status, json } = await service.send('GET', `${nfseListPath(companyId())}?${query}`);
    expect([status, json.documents.length]).toEqual([200, 1]);
  });

  it('answers 400 for an unknown type', async () => {
    expect((await service.send('GET', `${nfseListPath(companyId())}?type=Everything`)).status).toBe(400);
  });
});

describe('the events of the issuer of an NFS-e', () => {
  const eventsOf = async () => (await service.send('GET', `${nfseListPath(companyId())}?type=Event`)).json.documents;

  it('cancels a captured note, with the event of the national layout', async () => {
    const key = await oneOf('nfse');
    await service.control('POST', 'documents', { family: 'nfse', accessKey: key, cancelled: true });
    const [event] = await eventsOf();
    expect(event).toMatchObject({ id: `EVT${key}101101001`, eventType: 'E101101', eventCode: '101101' });
    const { text } = await service.send('GET', `${nfsePath(companyId(), event.id)}/xml`);
    expect(text).toContain(
      '<e101101><xDesc>Cancelamento de NFS-e</xDesc><cMotivo>9</cMotivo>' +
        '<xMotivo>Evento de teste do sandbox, sem valor fiscal</xMotivo></e101101>',
    );
    expect(verifySignature(text)).toEqual({ isValid: true, covers: [`#EVT${key}101101001`] });
  });

  it('are listed among the notes also without an NSU, which those of a note fetched by its key do not have', async () => {
    const accessKey = `355030822${await ownTaxNumber()}${'0'.repeat(12)}12603${'1'.repeat(10)}`;
    const { status } = await service.send('POST', fetchByKeyPath(companyId()), { body: { accessKey } });
    await service.control('POST', 'documents', { family: 'nfse', accessKey, direction: 'outgoing', cancelled: true });
    const { documents } = (await service.send('GET', nfseListPath(companyId()))).json;
    expect([status, documents.map(({ type, nsu }: { type: string; nsu: number | null }) => [type, nsu])]).toEqual([
      200,
      [
        ['serviceInvoiceEvent', null],
        ['serviceInvoice', null],
      ],
    ]);
  });

  it('substitutes a captured note, and names the one that takes its place', async () => {
    const [key, other] = [await oneOf('nfse'), await oneOf('nfse')];
    await service.control('POST', 'documents', { family: 'nfse', accessKey: key, substitutedBy: other });
    const [event] = await eventsOf();
    expect(event).toMatchObject({ eventCode: '105102', accessKey: key, substituteAccessKey: other });
    const { text } = await service.send('GET', `${nfsePath(companyId(), event.id)}/xml`);
    expect(text).toContain(`<chSubstituta>${other}</chSubstituta></e105102>`);
    const refused = await service.control('POST', 'documents', { family: 'nfe', substitutedBy: other });
    expect(refused.error.details[0].field).toBe('substitutedBy');
  });
});
