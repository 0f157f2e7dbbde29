import { beforeEach, describe, expect, it } from 'vitest';
import { testService } from './service.js';

const service = testService();
const companyTaxNumber = '44555666000181';
let companyId = '';

interface GivenFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

const file = (name: string, text: string): GivenFile => ({ name, bytes: Buffer.from(text, 'utf8') });

const give = async (files: readonly GivenFile[], company?: string) =>
  await service.control('POST', 'files', {
    files: files.map(({ name, bytes }) => ({ name, content: Buffer.from(bytes).toString('base64') })),
    ...(company === undefined ? {} : { company }),
  });

const bytesAt = async (path: string): Promise<Buffer> => {
  const { url, invoiceKey } = service.ready();
  const answer = await fetch(url + path, { headers: { Authorization: invoiceKey } });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
};

const listed = async (path: string) => (await service.send('GET', `/v2/companies/${companyId}/inbound/${path}`)).json;

beforeEach(async () => {
  await service.control('POST', 'reset');
  const company = { name: 'Empresa Um Ltda', federalTaxNumber: Number(companyTaxNumber), taxRegime: 'LucroReal' };
  const address = {
    state: 'SP',
    city: { code: '3550308', name: 'São Paulo' },
    district: 'Centro',
    street: 'Rua A',
    number: '1',
    postalCode: '01310100',
    country: 'BRA',
  };
  const { json, text } = await service.send('POST', '/v2/companies', { body: { company: { ...company, address } } });
  expect(text).toContain(companyTaxNumber);
  companyId = json.company.id;
});

const nfeKey = '35261011222333000181550010000000771123456789';
const nfe = (key = nfeKey, issuer = '11222333000181', recipient = companyTaxNumber) =>
  `<?xml version="1.0" encoding="UTF-8"?><nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><NFe><infNFe versao="4.00" Id="NFe${key}"><ide><natOp>Venda</natOp><mod>${key.slice(20, 22)}</mod><serie>1</serie><nNF>77</nNF><dhEmi>2026-10-05T09:00:00-03:00</dhEmi><tpAmb>1</tpAmb></ide><emit><CNPJ>${issuer}</CNPJ><xNome>Açúcar &amp; Cia</xNome></emit><dest><CNPJ>${recipient}</CNPJ><xNome>Empresa Um</xNome></dest><total><ICMSTot><vNF>100.00</vNF></ICMSTot></total></infNFe></NFe><protNFe versao="4.00"><infProt><chNFe>${key}</chNFe><dhRecbto>2026-10-05T09:01:00-03:00</dhRecbto><nProt>135260000000001</nProt><cStat>100</cStat></infProt></protNFe></nfeProc>`;
const cancellation = (key = nfeKey) =>
  `<procEventoNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.00"><evento versao="1.00"><infEvento Id="ID110111${key}01"><cOrgao>35</cOrgao><CNPJ>11222333000181</CNPJ><chNFe>${key}</chNFe><dhEvento>2026-10-06T10:00:00-03:00</dhEvento><tpEvento>110111</tpEvento><nSeqEvento>1</nSeqEvento><detEvento versao="1.00"><descEvento>Cancelamento</descEvento><xJust>Pedido repetido no sistema</xJust></detEvento></infEvento></evento><retEvento versao="1.00"><infEvento><cStat>135</cStat><chNFe>${key}</chNFe><nProt>135260000000002</nProt></infEvento></retEvento></procEventoNFe>`;

describe('XML of a user, given to the sandbox', () => {
  it('is listed with what the XML says, and served byte for byte', async () => {
    const given = file('venda.xml', nfe());
    expect(await give([given])).toEqual({
      files: [
        {
          file: 'venda.xml',
          family: 'nfe',
          part: 'note',
          accessKey: nfeKey,
          companyId,
          outcome: 'added',
          side: 'received',
        },
      ],
    });
    const { value } = await listed('nfe');
    expect(value).toEqual([
      {
        accessKey: nfeKey,
        companyId,
        company: { id: companyId, federalTaxNumber: companyTaxNumber, name: 'Empresa Um Ltda' },
        type: 'productInvoice',
        status: 'Processed',
        webhookStatus: 'Skipped',
        nsu: '1',
        issuedOn: '2026-10-05T12:00:00.000Z',
        authorizedOn: '2026-10-05T12:01:00.000Z',
        createdOn: expect.stringMatching(/Z$/),
        modifiedOn: expect.stringMatching(/Z$/),
        issuer: { federalTaxNumber: '11222333000181', name: 'Açúcar & Cia' },
        buyer: { federalTaxNumber: companyTaxNumber, name: 'Empresa Um' },
        nfeNumber: '77',
        nfeSerialNumber: '1',
        totalInvoiceAmount: '100.00',
        operationType: 'Incoming',
        links: {
          xml: `/v2/companies/${companyId}/inbound/nfe/${nfeKey}/xml`,
          pdf: `/v2/companies/${companyId}/inbound/nfe/${nfeKey}/pdf`,
        },
      },
    ]);
    expect(await bytesAt(`/v2/companies/${companyId}/inbound/nfe/${nfeKey}/xml`)).toEqual(given.bytes);
    const settings = await listed('productinvoices');
    expect([settings.status, settings.rateLimitedUntil, settings.createdOn]).toEqual([
      'Active',
      undefined,
      '2026-09-24T03:00:00.000Z',
    ]);
  });

  it('is added once, however often it is given, and another XML of the same note is refused', async () => {
    await give([file('a.xml', nfe())]);
    expect(await give([file('again.xml', nfe()), file('other.xml', `${nfe()}\n`)])).toEqual({
      files: [
        { file: 'again.xml', family: 'nfe', part: 'note', accessKey: nfeKey, companyId, outcome: 'known' },
        {
          file: 'other.xml',
          family: 'nfe',
          part: 'note',
          accessKey: nfeKey,
          companyId,
          outcome: 'refused',
          reason: {
            en: 'the sandbox has another XML of the same document',
            pt: 'o sandbox já tem outro XML do mesmo documento',
          },
        },
      ],
    });
    expect((await service.control('GET', 'documents')).total).toBe(1);
  });

  it('with an event goes to the company that has the note', async () => {
    await give([file('a.xml', nfe()), file('b.xml', cancellation())]);
    const { value } = await listed(
      `odata/ProductInvoiceEvents?$filter=${encodeURIComponent(`accessKey eq '${nfeKey}'`)}`,
    );
    expect(value).toMatchObject([
      {
        eventKey: `ID110111${nfeKey}01`,
        accessKey: nfeKey,
        type: '110111',
        description: 'Cancelamento',
        protocol: '135260000000002',
        issuedOn: '2026-10-06T13:00:00.000Z',
      },
    ]);
    const path = `/v2/companies/${companyId}/inbound/${nfeKey}/events/ID110111${nfeKey}01/xml`;
    expect(String(await bytesAt(path))).toBe(cancellation());
  });

  it('of an event without its note waits for it, and says so', async () => {
    const { files } = await give([file('b.xml', cancellation())]);
    expect(files).toEqual([
      {
        file: 'b.xml',
        outcome: 'refused',
        isEarly: true,
        reason: {
          en: 'it does not name its recipient, and its note is not here: name the company with --company',
          pt: 'não traz o destinatário, e a sua nota não está aqui: informe a empresa com --company',
        },
      },
    ]);
  });

  it('in UTF-16, Windows-1252 or with a mark is read in its encoding and kept as it is', async () => {
    const keys = [1, 2, 3].map((digit) => `3526101122233300018155001000000077112345678${digit}`);
    const [marked = '', wide = '', narrow = ''] = keys;
    const given = [
      { name: 'mark.xml', bytes: Buffer.from(`\ufeff${nfe(marked)}`, 'utf8') },
      { name: 'wide.xml', bytes: Buffer.from(`\ufeff${nfe(wide).replace('UTF-8', 'UTF-16')}`, 'utf16le') },
      { name: 'narrow.xml', bytes: Buffer.from(nfe(narrow).replace('UTF-8', 'windows-1252'), 'latin1') },
    ];
    const { files } = await give(given);
    expect(files.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['added', 'added', 'added']);
    const { value } = await listed('nfe');
    expect(value.map(({ issuer }: { issuer: { name: string } }) => issuer.name)).toEqual(
      Array.from({ length: 3 }, () => 'Açúcar & Cia'),
    );
    for (const [index, key] of keys.entries())
      expect(await bytesAt(`/v2/companies/${companyId}/inbound/nfe/${key}/xml`)).toEqual(given[index]?.bytes);
  });

  it('of a summary needs the company, and gives way to the note itself', async () => {
    const summary = `<resNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.01"><chNFe>${nfeKey}</chNFe><CNPJ>11222333000181</CNPJ><xNome>E</xNome><dhEmi>2026-10-05T09:00:00-03:00</dhEmi><vNF>100.00</vNF><nProt>1</nProt><cSitNFe>3</cSitNFe></resNFe>`;
    expect((await give([file('r.xml', summary)])).files[0].outcome).toBe('refused');
    expect((await give([file('r.xml', summary)], companyTaxNumber)).files[0]).toMatchObject({
      outcome: 'added',
      companyId,
    });
    expect((await listed('nfe')).value).toMatchObject([{ type: 'productInvoiceSummary', accessKey: nfeKey }]);
    expect(String(await bytesAt(`/v2/companies/${companyId}/inbound/nfe/${nfeKey}/xml`))).toBe(summary);
    await give([file('n.xml', nfe())]);
    expect((await listed('nfe')).value).toMatchObject([{ type: 'productInvoice', nsu: '2' }]);
    expect(String(await bytesAt(`/v2/companies/${companyId}/inbound/nfe/${nfeKey}/xml`))).toBe(nfe());
    expect((await give([file('r.xml', summary)])).files[0].outcome).toBe('known');
  });

  it('of a note that the company issued is one of its issued notes, cancelled by its event', async () => {
    const key = `352610${companyTaxNumber}550010000000771123456780`;
    const own = nfe(key, companyTaxNumber, '11222333000181');
    const { files } = await give([file('own.xml', own), file('own-event.xml', cancellation(key))]);
    expect(files.map(({ outcome, side }: Record<string, string>) => [outcome, side])).toEqual([
      ['added', 'issued'],
      ['added', 'issued'],
    ]);
    expect((await listed('nfe')).value).toEqual([]);
    const path = `/v2/companies/${companyId}/productinvoices`;
    const { json } = await service.send('GET', `${path}?environment=Production`);
    expect(json.productInvoices).toMatchObject([
      {
        status: 'Cancelled',
        number: 77,
        serie: 1,
        buyer: { federalTaxNumber: '11222333000181' },
        authorization: { accessKey: key },
      },
    ]);
    const { json: address } = await service.send('GET', `${path}/${json.productInvoices[0].id}/xml`);
    expect(await (await fetch(address.uri)).text()).toBe(own);
  });

  it('of a CT-e that carries several notes is one CT-e, of the one who pays', async () => {
    const key = '35261011222333000181570010000000111123456784';
    const cte = `<cteProc xmlns="http://www.portalfiscal.inf.br/cte" versao="4.00"><CTe><infCte versao="4.00" Id="CTe${key}"><ide><mod>57</mod><nCT>11</nCT><dhEmi>2026-10-05T09:00:00-04:00</dhEmi><toma3><toma>3</toma></toma3></ide><emit><CNPJ>11222333000181</CNPJ><xNome>E</xNome></emit><rem><CNPJ>77888999000100</CNPJ></rem><dest><CNPJ>${companyTaxNumber}</CNPJ><xNome>D</xNome></dest><vPrest><vTPrest>50.5</vTPrest></vPrest><infCTeNorm><infDoc><infNFe><chave>${nfeKey}</chave></infNFe><infNFe><chave>${nfeKey}</chave></infNFe></infDoc></infCTeNorm></infCte></CTe></cteProc>`;
    expect((await give([file('c.xml', cte)])).files).toMatchObject([{ family: 'cte', outcome: 'added' }]);
    const filter = encodeURIComponent('issuedOn ge 2026-10-01');
    const { value } = await listed(`odata/TransportationInvoices?$filter=${filter}`);
    expect(value).toMatchObject([
      {
        accessKey: key,
        issuedOn: '2026-10-05T13:00:00.000Z',
        taker: { federalTaxNumber: companyTaxNumber, name: 'D' },
        totalInvoiceAmount: '50.50',
      },
    ]);
    expect(String(await bytesAt(`/v2/companies/${companyId}/inbound/${key}/xml`))).toBe(cte);
  });

  it('with a substitution of an NFS-e is a row of its own, among the notes and alone', async () => {
    const keys = [1, 2].map((number) =>
      `3550308221122233300018100000000000${number}0261012345678${number}`.padEnd(50, '0').slice(0, 50),
    );
    const [old = '', substitute = ''] = keys;
    const note = (key: string) =>
      `<NFSe xmlns="http://www.sped.fazenda.gov.br/nfse" versao="1.01"><infNFSe Id="NFS${key}"><nNFSe>1</nNFSe><dhProc>2026-10-05T10:00:00-03:00</dhProc><emit><CNPJ>11222333000181</CNPJ><xNome>P</xNome></emit><DPS versao="1.01"><infDPS Id="d"><dhEmi>2026-10-05T09:59:00-03:00</dhEmi><toma><CNPJ>${companyTaxNumber}</CNPJ><xNome>T</xNome></toma><valores><vServPrest><vServ>100.00</vServ></vServPrest></valores></infDPS></DPS></infNFSe></NFSe>`;
    const event = `<evento xmlns="http://www.sped.fazenda.gov.br/nfse" versao="1.01"><infEvento Id="EVT${old}105102001"><nSeqEvento>001</nSeqEvento><dhProc>2026-10-06T10:00:00-03:00</dhProc><nDFSe>1</nDFSe><pedRegEvento versao="1.01"><infPedReg Id="PRE${old}105102"><dhEvento>2026-10-06T09:59:00-03:00</dhEvento><CNPJAutor>11222333000181</CNPJAutor><chNFSe>${old}</chNFSe><e105102><xDesc>Cancelamento de NFS-e por Substituicao</xDesc><cMotivo>01</cMotivo><chSubstituta>${substitute}</chSubstituta></e105102></infPedReg></pedRegEvento></infEvento></evento>`;
    await give([file('1.xml', note(old)), file('2.xml', event), file('3.xml', note(substitute))]);
    const row = {
      id: `EVT${old}105102001`,
      accessKey: old,
      companyId,
      company: { id: companyId, federalTaxNumber: companyTaxNumber, name: 'Empresa Um Ltda' },
      type: 'serviceInvoiceEvent',
      eventType: 'E105102',
      eventCode: '105102',
      substituteAccessKey: substitute,
      description: 'Cancelamento de NFS-e por Substituicao',
      status: 'Processed',
      webhookStatus: 'Skipped',
      nsu: 1_000_000_001,
      issuedOn: '2026-10-06T12:59:00.000Z',
      ...Object.fromEntries(
        ['createdOn', 'modifiedOn', 'createdAt', 'updatedAt'].map((name) => [name, expect.any(String)]),
      ),
      provider: { federalTaxNumber: '11222333000181', name: 'P' },
      borrower: { federalTaxNumber: companyTaxNumber, name: 'T' },
    };
    const { documents, totalResults } = await listed('nfse?hasTotals=true');
    const event2 = documents.filter(({ type }: { type: string }) => type === 'serviceInvoiceEvent');
    expect([totalResults, documents.length, event2]).toEqual([3, 3, [row]]);
    expect((await listed('nfse?type=Event')).documents).toEqual([row]);
    expect((await listed('nfse?eventType=E105102')).documents).toEqual([row]);
    const filter = encodeURIComponent("type eq 'serviceInvoiceEvent'");
    expect((await listed(`nfse?$filter=${filter}`)).value).toEqual([row]);
    const related = documents.map((each: Record<string, unknown>) => [each['accessKey'], each['relatedEventIds']]);
    expect(related).toContainEqual([old, [row.id]]);
    expect(related).toContainEqual([substitute, []]);
    expect(String(await bytesAt(`/v2/companies/${companyId}/inbound/nfse/${row.id}/xml`))).toBe(event);
    await service.control('POST', 'events', { nfse: 'apart' });
    expect((await listed('nfse?hasTotals=true')).totalResults).toBe(2);
    expect((await listed('nfse?type=Event')).documents).toEqual([row]);
  });

  it('with an event of an NF-e has a row among the notes where the sandbox lists them so', async () => {
    await give([file('a.xml', nfe()), file('b.xml', cancellation())]);
    expect((await listed('nfe')).value).toMatchObject([{ type: 'productInvoice' }]);
    await service.control('POST', 'events', { nfe: 'mixed' });
    const { value } = await listed('nfe?$count=true&$orderby=issuedOn desc');
    expect(value).toMatchObject([
      {
        type: 'productInvoiceEvent',
        accessKey: nfeKey,
        parentAccessKey: nfeKey,
        description: 'Cancelamento',
        issuedOn: '2026-10-06T13:00:00.000Z',
        links: { xml: `/v2/companies/${companyId}/inbound/${nfeKey}/events/ID110111${nfeKey}01/xml` },
      },
      { type: 'productInvoice', accessKey: nfeKey, issuedOn: '2026-10-05T12:00:00.000Z' },
    ]);
  });

  it('of a municipal layout has no key, and is served under its id', async () => {
    const note = `<CompNfse xmlns="http://www.abrasf.org.br/nfse.xsd"><Nfse><InfNfse Id="n1"><Numero>1234</Numero><CodigoVerificacao>ABC</CodigoVerificacao><DataEmissao>2026-10-05T09:00:00</DataEmissao><ValoresNfse><ValorLiquidoNfse>250.00</ValorLiquidoNfse></ValoresNfse><PrestadorServico><IdentificacaoPrestador><CpfCnpj><Cnpj>11222333000181</Cnpj></CpfCnpj></IdentificacaoPrestador><RazaoSocial>Prestadora</RazaoSocial></PrestadorServico><DeclaracaoPrestacaoServico><Servico><Valores><ValorServicos>300.00</ValorServicos></Valores><Discriminacao>Consultoria</Discriminacao></Servico><TomadorServico><IdentificacaoTomador><CpfCnpj><Cnpj>${companyTaxNumber}</Cnpj></CpfCnpj></IdentificacaoTomador></TomadorServico></DeclaracaoPrestacaoServico></InfNfse></Nfse></CompNfse>`;
    expect((await give([file('m.xml', note)])).files).toEqual([
      { file: 'm.xml', family: 'nfse', part: 'note', companyId, outcome: 'added', side: 'received' },
    ]);
    const { documents } = await listed('nfse');
    const [row] = documents;
    expect([documents.length, row.accessKey, row.number, row.servicesAmount, row.issuedOn]).toEqual([
      1,
      undefined,
      '1234',
      300,
      '2026-10-05T12:00:00.000Z',
    ]);
    expect(String(await bytesAt(`/v2/companies/${companyId}/inbound/nfse/${row.id}/xml`))).toBe(note);
    expect((await give([file('m2.xml', note)])).files[0].outcome).toBe('known');
  });

  it.each([
    ['no XML', 'hello', 'it is not readable as XML: it has no element'],
    ['half an XML', nfe().slice(0, 300), 'it is not readable as XML: it ends too early'],
    [
      'another document',
      '<html><body/></html>',
      'it is no note, summary or event that the sandbox knows: its first element is html',
    ],
    [
      'a request to a city',
      `<GerarNfseEnvio xmlns="http://www.abrasf.org.br/nfse.xsd"><Rps><InfRps Id="r1"><IdentificacaoRps><Numero>1</Numero></IdentificacaoRps><DataEmissao>2026-10-05T09:00:00</DataEmissao><Prestador><Cnpj>11222333000181</Cnpj></Prestador><Tomador><Cnpj>${companyTaxNumber}</Cnpj></Tomador></InfRps></Rps></GerarNfseEnvio>`,
      'it is a request to a city, such as an RPS, and not the note that the city issued',
    ],
    ['another model', nfe(nfeKey.replace('55001', '58001')), 'the service captures no documents of model 58'],
    [
      'another company',
      nfe(nfeKey, '11222333000181', '77888999000100'),
      'none of its tax numbers (11222333000181, 77888999000100) is that of a company of the sandbox: create the company, or name one with --company',
    ],
    [
      'a bomb',
      `<!DOCTYPE a [<!ENTITY b "b">]>${'<a>'.repeat(200)}`,
      'it is not readable as XML: its elements are nested more than 100 deep',
    ],
  ])('is refused in one sentence: %s', async (_what, text, reason) => {
    const { files } = await give([file('x.xml', text)]);
    expect([files.length, files[0].outcome, files[0].reason.en]).toEqual([1, 'refused', reason]);
  });
});
