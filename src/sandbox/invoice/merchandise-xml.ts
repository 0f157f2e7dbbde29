import type { Fields } from '../core/records.js';
import { businessPlace } from '../core/identity.js';
import { isRecord } from '../product/read-product.js';
import { element, group, leaves, localTime, type Signable, type Xml } from '../xml/layout.js';
import type { IssuedInvoice } from './invoices.js';
import { identification, nfeProc, totalXml } from '../xml/nfe-xml.js';
import { taxNumberText } from './checks.js';
import { goodsCents, itemsOf } from './read-invoice.js';
import { centsOf, centsText, fixedText, readDecimal } from './decimal.js';
import { textOf } from './issue.js';

const none = '0.00';

/** `nfeProc` 4.00 of an issued NF-e or NFC-e: the items as sent, without taxes. */
export function merchandiseLayout(issued: IssuedInvoice): Signable {
  const { accessKey, content, kind, issuedAt, protocol, totalAmount } = issued.invoice;
  const items = itemsOf(content, 'items');
  const note = [
    ide(issued),
    issuer(issued),
    ...recipient(content['buyer']),
    ...items.map(item),
    total(items, totalAmount),
    element('transp', [element('modFrete', 9)]),
    element('pag', [group('detPag', { tPag: '01', vPag: totalAmount })]),
    group('infAdic', { infCpl: 'Documento emitido pelo sandbox de teste. Sem valor fiscal.' }),
  ];
  const authorization = { accessKey, authorizedOn: issuedAt, protocol: protocol ?? '' };
  return nfeProc(note, authorization, kind === 'nfce' ? consumerSupplement(accessKey) : '');
}

function ide({ invoice: { accessKey, content, createdAt, kind } }: IssuedInvoice): Xml {
  return identification(accessKey, {
    natOp: textOf(content['operationNature']) ?? 'VENDA DE MERCADORIA',
    dhEmi: localTime(createdAt),
    tpNF: content['operationType'] === 'Incoming' ? 0 : 1,
    idDest: 1,
    tpImp: kind === 'nfce' ? 4 : 1,
    indFinal: kind === 'nfce' ? 1 : 0,
    indPres: kind === 'nfce' ? 1 : 9,
  });
}

function issuer({ issuer: { taxNumber, name }, stateTaxNumber }: IssuedInvoice): Xml {
  const address = businessPlace(taxNumber);
  return element('emit', [
    ...leaves({ CNPJ: taxNumber, xNome: name }),
    group('enderEmit', {
      xLgr: 'Rua das Acácias',
      nro: '100',
      xBairro: 'Centro',
      cMun: '3550308',
      xMun: address.city,
      UF: address.state,
      CEP: address.postalCode,
    }),
    ...leaves({ IE: stateTaxNumber?.replaceAll(/[^0-9A-Z]/gi, '') ?? taxNumber.slice(0, 12), CRT: 3 }),
  ]);
}

function recipient(buyer: unknown): readonly Xml[] {
  if (!isRecord(buyer)) return [];
  const number = taxNumberText(buyer['federalTaxNumber']);
  const document = number === undefined ? {} : { [number.length === 11 ? 'CPF' : 'CNPJ']: number };
  const name = textOf(buyer['name']);
  const fields = { ...document, ...(name === null ? {} : { xNome: name }), indIEDest: 9 };
  return [group('dest', fields)];
}

function item(fields: Fields, index: number): Xml {
  const cents = goodsCents(fields);
  const untaxed = element('imposto', [
    element('ICMS', [group('ICMS40', { orig: 0, CST: '41' })]),
    element('PIS', [group('PISNT', { CST: '07' })]),
    element('COFINS', [group('COFINSNT', { CST: '07' })]),
  ]);
  return { xml: `<det nItem="${index + 1}">${product(fields, centsText(cents)).xml}${untaxed.xml}</det>` };
}

function product(fields: Fields, value: string): Xml {
  const decimals = (name: string, places: number) => {
    const read = readDecimal(fields[name]);
    return read === undefined ? none : fixedText(read, places);
  };
  const unit = textOf(fields['unit']) ?? 'UN';
  const barcode = textOf(fields['codeGTIN']) ?? 'SEM GTIN';
  return group('prod', {
    cProd: textOf(fields['code']) ?? '1',
    cEAN: barcode,
    xProd: textOf(fields['description']) ?? 'Mercadoria',
    NCM: textOf(fields['ncm']) ?? '00',
    CFOP: String(fields['cfop'] ?? 5102),
    uCom: unit,
    qCom: decimals('quantity', 4),
    vUnCom: decimals('unitAmount', 10),
    vProd: value,
    cEANTrib: barcode,
    uTrib: unit,
    qTrib: decimals('quantity', 4),
    vUnTrib: decimals('unitAmount', 10),
    ...Object.fromEntries(
      extras.flatMap(([name, tag]) => (fields[name] === undefined ? [] : [[tag, amountOf(fields, name)]])),
    ),
    indTot: 1,
  });
}

/** In the order of the layout. */
const extras = [
  ['freightAmount', 'vFrete'],
  ['insuranceAmount', 'vSeg'],
  ['discountAmount', 'vDesc'],
  ['othersAmount', 'vOutro'],
] as const;

function amountOf(fields: Fields, name: string): string {
  const read = readDecimal(fields[name]);
  return read === undefined ? none : fixedText(read, 2);
}

function total(items: readonly Fields[], totalAmount: string): Xml {
  const sum = (name: string) => {
    const cents = items.map((fields) => readDecimal(fields[name]));
    return centsText(cents.reduce((all, each) => all + (each === undefined ? 0n : centsOf(each)), 0n));
  };
  return totalXml({
    vProd: centsText(items.reduce((all, fields) => all + goodsCents(fields), 0n)),
    vFrete: sum('freightAmount'),
    vSeg: sum('insuranceAmount'),
    vDesc: sum('discountAmount'),
    vOutro: sum('othersAmount'),
    vNF: totalAmount,
  });
}

/** Model 65 contains the address of its QR code; here it does not resolve. */
function consumerSupplement(accessKey: string): string {
  const address = 'https://sandbox.invalid/nfce';
  return group('infNFeSupl', { qrCode: `${address}/qrcode?p=${accessKey}|2|2|1`, urlChave: address }).xml;
}
