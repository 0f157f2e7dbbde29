import { createHash } from 'node:crypto';
import { businessPlace } from '../core/identity.js';
import {
  amountText,
  type Authorization,
  authorizationProtocol,
  centsOf,
  element,
  group,
  type LayoutInput,
  leaves,
  localTime,
  type Party,
  protocolOf,
  type Signable,
  signable,
  taxOf,
  written,
  type Xml,
  xmlHead,
} from './layout.js';

const namespace = 'http://www.portalfiscal.inf.br/nfe';
const icmsRate = 1_800;
const pisRate = 165;
const cofinsRate = 760;
const itemCount = 5;
const goods = ['Arroz tipo 1 pacote 5 kg', 'Feijão carioca 1 kg', 'Café torrado e moído 500 g', 'Óleo de soja 900 ml'];

/** `nfeProc` 4.00: the note (MOC layout) with the protocol of its authorisation. */
export function nfeLayout({ document, parties }: LayoutInput): Signable {
  const { accessKey, authorizedOn, totalAmount } = document;
  const content = [
    ide(document),
    issuerXml(parties.issuer),
    recipientXml(parties.recipient),
    ...itemAmounts(centsOf(totalAmount)).map(item),
    total(centsOf(totalAmount)),
    element('transp', [element('modFrete', 0), element('vol', leaves({ qVol: 1, esp: 'CAIXA', pesoL: '12.000' }))]),
    element('pag', [group('detPag', { tPag: '15', vPag: totalAmount })]),
    group('infAdic', { infCpl: 'Documento gerado pelo sandbox de teste. Sem valor fiscal. '.repeat(4).trim() }),
  ];
  return nfeProc(content, { accessKey, authorizedOn, protocol: protocolOf(accessKey) });
}

/** `nfeProc` 4.00 around the content of `infNFe`. A note of model 65 also has a supplement. */
export function nfeProc(content: readonly Xml[], authorization: Authorization, supplement = ''): Signable {
  const id = `NFe${authorization.accessKey}`;
  return signable({ name: 'infNFe', id, namespace, version: '4.00', content }, (signed, signature, digest) => {
    const note = `<NFe xmlns="${namespace}">${signed}${supplement}${signature}</NFe>`;
    const answer = authorizationProtocol('NFe', authorization, digest);
    return `<nfeProc xmlns="${namespace}" versao="4.00">${note}${answer}</nfeProc>`;
  });
}

/**
 * `resNFe` 1.01 (NT 2014.002): the summary before the recipient's manifestation. It has no signature. `digVal` is the
 * digest of the note.
 */
export function nfeSummary(input: LayoutInput): string {
  const { document, parties } = input;
  const canonical = nfeLayout(input).signed(true);
  const content = leaves({
    chNFe: document.accessKey,
    CNPJ: parties.issuer.taxNumber,
    xNome: parties.issuer.name,
    IE: parties.issuer.taxNumber.slice(0, 12),
    dhEmi: localTime(document.issuedOn),
    tpNF: 1,
    vNF: document.totalAmount,
    digVal: createHash('sha1').update(canonical, 'utf8').digest('base64'),
    dhRecbto: localTime(document.authorizedOn),
    nProt: protocolOf(document.accessKey),
    // The status at the authorisation; a cancellation is an event.
    cSitNFe: 1,
  });
  return `${xmlHead}<resNFe xmlns="${namespace}" versao="1.01">${written(content)}</resNFe>`;
}

/** `retConsReciNFe` 4.00: what the authority answers about a note that it refuses. */
export function rejectionXml(rejection: {
  readonly code: string;
  readonly message: string;
  readonly at: number;
}): string {
  const version = { tpAmb: 2, verAplic: 'fiscal sandbox' };
  const content = [
    ...leaves({ ...version, cStat: 104, xMotivo: 'Lote processado' }),
    element('protNFe', [
      group('infProt', {
        ...version,
        dhRecbto: localTime(rejection.at),
        cStat: rejection.code,
        xMotivo: rejection.message,
      }),
    ]),
  ];
  return `${xmlHead}<retConsReciNFe xmlns="${namespace}" versao="4.00">${written(content)}</retConsReciNFe>`;
}

function ide({ accessKey, issuedOn, direction }: LayoutInput['document']): Xml {
  return identification(accessKey, {
    natOp: 'VENDA DE MERCADORIA',
    dhEmi: localTime(issuedOn),
    tpNF: 1,
    idDest: direction === 'incoming' ? 1 : 2,
    tpImp: 1,
    indFinal: 0,
    indPres: 9,
  });
}

/** The variable fields of `ide`, under the names of the layout. */
interface Identification {
  readonly natOp: string;
  readonly dhEmi: string;
  readonly tpNF: 0 | 1;
  readonly idDest: 1 | 2;
  readonly tpImp: 1 | 4;
  readonly indFinal: 0 | 1;
  readonly indPres: 1 | 9;
}

/** `ide`, in the order of the layout; some fields come from the key. */
export function identification(key: string, given: Identification): Xml {
  return group('ide', {
    cUF: key.slice(0, 2),
    cNF: key.slice(35, 43),
    natOp: given.natOp,
    mod: key.slice(20, 22),
    serie: Number(key.slice(22, 25)),
    nNF: Number(key.slice(25, 34)),
    dhEmi: given.dhEmi,
    tpNF: given.tpNF,
    idDest: given.idDest,
    cMunFG: '3550308',
    tpImp: given.tpImp,
    tpEmis: key.charAt(34),
    cDV: key.charAt(43),
    tpAmb: 2,
    finNFe: 1,
    indFinal: given.indFinal,
    indPres: given.indPres,
    procEmi: 0,
    verProc: 'fiscal sandbox',
  });
}

function issuerXml({ taxNumber, name }: Party): Xml {
  const ids = leaves({ CNPJ: taxNumber, xNome: name });
  return element('emit', [...ids, address('enderEmit', taxNumber), ...leaves({ IE: taxNumber.slice(0, 12), CRT: 3 })]);
}

function recipientXml({ taxNumber, name }: Party): Xml {
  const ids = leaves({ CNPJ: taxNumber, xNome: name });
  const registration = leaves({ indIEDest: 1, IE: taxNumber.slice(0, 12) });
  return element('dest', [...ids, address('enderDest', taxNumber), ...registration]);
}

function address(name: string, taxNumber: string): Xml {
  const location = businessPlace(taxNumber);
  return group(name, {
    xLgr: 'Rua das Acácias',
    nro: '100',
    xBairro: 'Centro',
    cMun: '3550308',
    xMun: location.city,
    UF: location.state,
    CEP: location.postalCode,
    cPais: '1058',
    xPais: 'BRASIL',
  });
}

/** Splits an amount into equal parts; the last part gets the remainder. */
function itemAmounts(cents: number): readonly number[] {
  const each = Math.floor(cents / itemCount);
  return Array.from({ length: itemCount }, (_, index) =>
    index === itemCount - 1 ? cents - each * (itemCount - 1) : each,
  );
}

function item(cents: number, index: number): Xml {
  return { xml: `<det nItem="${index + 1}">${product(amountText(cents), index).xml}${taxes(cents).xml}</det>` };
}

function product(value: string, index: number): Xml {
  return group('prod', {
    cProd: String(1_000 + index),
    cEAN: 'SEM GTIN',
    xProd: goods[index % goods.length] ?? 'Mercadoria',
    NCM: '22030000',
    CFOP: '5102',
    uCom: 'UN',
    qCom: '1.0000',
    vUnCom: `${value}00000000`,
    vProd: value,
    cEANTrib: 'SEM GTIN',
    uTrib: 'UN',
    qTrib: '1.0000',
    vUnTrib: `${value}00000000`,
    indTot: 1,
  });
}

function taxes(cents: number): Xml {
  const vBC = amountText(cents);
  const tax = (rate: number) => amountText(taxOf(cents, rate));
  return element('imposto', [
    element('ICMS', [group('ICMS00', { orig: 0, CST: '00', modBC: 3, vBC, pICMS: '18.0000', vICMS: tax(icmsRate) })]),
    element('PIS', [group('PISAliq', { CST: '01', vBC, pPIS: '1.6500', vPIS: tax(pisRate) })]),
    element('COFINS', [group('COFINSAliq', { CST: '01', vBC, pCOFINS: '7.6000', vCOFINS: tax(cofinsRate) })]),
  ]);
}

function total(cents: number): Xml {
  const amounts = itemAmounts(cents);
  const sum = (rate: number) => amountText(amounts.reduce((all, each) => all + taxOf(each, rate), 0));
  const amount = amountText(cents);
  return totalXml({
    vBC: amount,
    vICMS: sum(icmsRate),
    vProd: amount,
    vPIS: sum(pisRate),
    vCOFINS: sum(cofinsRate),
    vNF: amount,
  });
}

/** The fields of `ICMSTot` in the order of the layout. */
const totalFields = [
  ...['vBC', 'vICMS', 'vICMSDeson', 'vFCP', 'vBCST', 'vST', 'vFCPST', 'vFCPSTRet', 'vProd', 'vFrete', 'vSeg'],
  ...['vDesc', 'vII', 'vIPI', 'vIPIDevol', 'vPIS', 'vCOFINS', 'vOutro', 'vNF'],
];

/** `total` with these amounts, and zero for all others. */
export function totalXml(amounts: Readonly<Record<string, string>>): Xml {
  const fields = Object.fromEntries(totalFields.map((name) => [name, amounts[name] ?? '0.00']));
  return element('total', [group('ICMSTot', fields)]);
}
