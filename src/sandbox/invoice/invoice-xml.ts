import { taxNumberText } from '../core/checks.js';
import { centsOf, centsText, fixedText, readDecimal } from '../core/decimal.js';
import { isRecord, textOf } from '../core/exact-json.js';
import { businessPlace } from '../core/identity.js';
import type { Fields } from '../core/records.js';
import { type Signable, type Xml, element, group, leaves, localTime } from '../xml/layout.js';
import { identification, nfeProc, totalXml } from '../xml/nfe-xml.js';
import { declarationXml, nfseDocument, nfseHead } from '../xml/nfse-xml.js';
import type { IssuedInvoice } from './invoices.js';
import { goodsCents, itemsOf } from './read-invoice.js';

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

/** The national NFS-e, layout 1.01, of an issued service invoice: the note around the declaration that was sent. */
export function serviceLayout(issued: IssuedInvoice): Signable {
  const { accessKey, issuedAt } = issued.invoice;
  const { city } = businessPlace(issued.issuer.taxNumber);
  const head = nfseHead(accessKey, { city, processedOn: issuedAt });
  return nfseDocument(accessKey, [...head, provider(issued), values(issued), declaration(issued)]);
}

function provider({ issuer: { taxNumber, name } }: IssuedInvoice): Xml {
  return group('emit', { CNPJ: taxNumber, xNome: name });
}

function values({ invoice: { totalAmount } }: IssuedInvoice): Xml {
  return group('valores', { vTotalRet: '0.00', vLiq: totalAmount });
}

function declaration({ invoice, issuer: { taxNumber } }: IssuedInvoice): Xml {
  const { accessKey: key, content, createdAt, totalAmount } = invoice;
  const serial = textOf(content['rpsSerialNumber']) ?? '1';
  const number = String(content['rpsNumber'] ?? Number(key.slice(23, 36)));
  const place = `${key.slice(0, 7)}2${key.slice(9, 23)}`;
  const id = `DPS${place}${serial.padStart(5, '0')}${number.padStart(15, '0')}`;
  const service = {
    cTribNac: (textOf(content['federalServiceCode']) ?? '010101').replaceAll('.', '').padEnd(6, '0'),
    ...optional('cTribMun', textOf(content['cityServiceCode'])),
    xDescServ: textOf(content['description']) ?? '',
    ...optional('cNBS', textOf(content['nbsCode'])?.replaceAll('.', '')),
  };
  const given = { id, serial, number, issuedOn: createdAt, provider: taxNumber };
  return declarationXml(key, given, [
    ...taker(content['borrower']),
    element('serv', [group('locPrest', { cLocPrestacao: key.slice(0, 7) }), group('cServ', service)]),
    element('valores', [group('vServPrest', { vServ: totalAmount })]),
  ]);
}

function taker(borrower: unknown): readonly Xml[] {
  if (!isRecord(borrower)) return [];
  const number = taxNumberText(borrower['federalTaxNumber']);
  return [
    group('toma', {
      ...(number === undefined ? {} : { [number.length === 11 ? 'CPF' : 'CNPJ']: number }),
      ...optional('xNome', textOf(borrower['name'])),
    }),
  ];
}

function optional(name: string, value: string | null | undefined): Readonly<Record<string, string>> {
  return value === null || value === undefined ? {} : { [name]: value };
}
