import { createHash } from 'node:crypto';
import { businessPlace } from '../core/identity.js';
import {
  amountText,
  centsOf,
  element,
  group,
  type LayoutInput,
  leaves,
  localTime,
  type Party,
  type Signable,
  taxOf,
  type Xml,
  xmlHead,
} from './layout.js';

const space = 'http://www.portalfiscal.inf.br/nfe';
const icmsRate = 1_800;
const pisRate = 165;
const cofinsRate = 760;
const itemCount = 5;
const goods = [
  'Arroz tipo 1 pacote 5 kg',
  'Feijão carioca 1 kg',
  'Café torrado e moído 500 g',
  'Óleo de soja 900 ml',
];

/** nfeProc 4.00: the note (layout of the MOC) with the protocol of its authorization. */
export function nfeLayout(input: LayoutInput): Signable {
  const { document } = input;
  const id = `NFe${document.accessKey}`;
  const content = [
    ide(input),
    issuerXml(input.parties.issuer),
    recipientXml(input.parties.recipient),
    ...itemAmounts(centsOf(document.totalAmount)).map(item),
    total(centsOf(document.totalAmount)),
    element('transp', [
      element('modFrete', 0),
      element('vol', leaves({ qVol: 1, esp: 'CAIXA', pesoL: '12.000' })),
    ]),
    element('pag', [group('detPag', { tPag: '15', vPag: document.totalAmount })]),
    group('infAdic', {
      infCpl: 'Documento gerado pelo sandbox de teste. Sem valor fiscal. '.repeat(4).trim(),
    }),
  ]
    .map(({ xml }) => xml)
    .join('');
  return {
    id,
    signed: (asCanonical) =>
      `<infNFe${asCanonical ? ` xmlns="${space}"` : ''} Id="${id}" versao="4.00">${content}</infNFe>`,
    wrap(signature, digest) {
      const note = `<NFe xmlns="${space}">${this.signed(false)}${signature}</NFe>`;
      return `${xmlHead}<nfeProc xmlns="${space}" versao="4.00">${note}${protocol(input, digest)}</nfeProc>`;
    },
  };
}

/**
 * resNFe 1.01 (NT 2014.002): what the authority shows the recipient before it manifests. Nobody signs it. `digVal` is the
 * digest of the note itself.
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
    nProt: protocolOf(document),
    // As it stood when the note was authorized; a cancellation comes as an event.
    cSitNFe: 1,
  });
  const inner = content.map(({ xml }) => xml).join('');
  return `${xmlHead}<resNFe xmlns="${space}" versao="1.01">${inner}</resNFe>`;
}

function ide({ document }: LayoutInput): Xml {
  const { accessKey: key, issuedOn, direction } = document;
  return group('ide', {
    cUF: key.slice(0, 2),
    cNF: key.slice(35, 43),
    natOp: 'VENDA DE MERCADORIA',
    mod: key.slice(20, 22),
    serie: Number(key.slice(22, 25)),
    nNF: Number(key.slice(25, 34)),
    dhEmi: localTime(issuedOn),
    tpNF: 1,
    idDest: direction === 'incoming' ? 1 : 2,
    cMunFG: '3550308',
    tpImp: 1,
    tpEmis: key.charAt(34),
    cDV: key.charAt(43),
    tpAmb: 2,
    finNFe: 1,
    indFinal: 0,
    indPres: 9,
    procEmi: 0,
    verProc: 'fiscal sandbox',
  });
}

function issuerXml({ taxNumber, name }: Party): Xml {
  const ids = leaves({ CNPJ: taxNumber, xNome: name });
  return element('emit', [
    ...ids,
    address('enderEmit', taxNumber),
    ...leaves({ IE: taxNumber.slice(0, 12), CRT: 3 }),
  ]);
}

function recipientXml({ taxNumber, name }: Party): Xml {
  const ids = leaves({ CNPJ: taxNumber, xNome: name });
  const registration = leaves({ indIEDest: 1, IE: taxNumber.slice(0, 12) });
  return element('dest', [...ids, address('enderDest', taxNumber), ...registration]);
}

function address(name: string, taxNumber: string): Xml {
  const place = businessPlace(taxNumber);
  return group(name, {
    xLgr: 'Rua das Acácias',
    nro: '100',
    xBairro: 'Centro',
    cMun: '3550308',
    xMun: place.city,
    UF: place.state,
    CEP: place.postalCode,
    cPais: '1058',
    xPais: 'BRASIL',
  });
}

/** The whole in equal parts; the last takes what is left. */
function itemAmounts(cents: number): readonly number[] {
  const each = Math.floor(cents / itemCount);
  return Array.from({ length: itemCount }, (_, index) =>
    index === itemCount - 1 ? cents - each * (itemCount - 1) : each,
  );
}

function item(cents: number, index: number): Xml {
  return {
    xml: `<det nItem="${index + 1}">${product(amountText(cents), index).xml}${taxes(cents).xml}</det>`,
  };
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
    element('ICMS', [
      group('ICMS00', { orig: 0, CST: '00', modBC: 3, vBC, pICMS: '18.0000', vICMS: tax(icmsRate) }),
    ]),
    element('PIS', [group('PISAliq', { CST: '01', vBC, pPIS: '1.6500', vPIS: tax(pisRate) })]),
    element('COFINS', [group('COFINSAliq', { CST: '01', vBC, pCOFINS: '7.6000', vCOFINS: tax(cofinsRate) })]),
  ]);
}

function total(cents: number): Xml {
  const parts = itemAmounts(cents);
  const sum = (rate: number) => amountText(parts.reduce((all, each) => all + taxOf(each, rate), 0));
  return element('total', [
    group('ICMSTot', {
      vBC: amountText(cents),
      vICMS: sum(icmsRate),
      vICMSDeson: '0.00',
      vFCP: '0.00',
      vBCST: '0.00',
      vST: '0.00',
      vFCPST: '0.00',
      vFCPSTRet: '0.00',
      vProd: amountText(cents),
      vFrete: '0.00',
      vSeg: '0.00',
      vDesc: '0.00',
      vII: '0.00',
      vIPI: '0.00',
      vIPIDevol: '0.00',
      vPIS: sum(pisRate),
      vCOFINS: sum(cofinsRate),
      vOutro: '0.00',
      vNF: amountText(cents),
    }),
  ]);
}

function protocolOf({ accessKey }: LayoutInput['document']): string {
  return `1${accessKey.slice(0, 4)}${accessKey.slice(25, 35)}`;
}

function protocol({ document }: LayoutInput, digest: string): string {
  const { accessKey, authorizedOn } = document;
  const content = group('infProt', {
    tpAmb: 2,
    verAplic: 'SANDBOX',
    chNFe: accessKey,
    dhRecbto: localTime(authorizedOn),
    nProt: protocolOf(document),
    digVal: digest,
    cStat: 100,
    xMotivo: 'Autorizado o uso da NF-e',
  });
  return `<protNFe versao="4.00">${content.xml}</protNFe>`;
}
