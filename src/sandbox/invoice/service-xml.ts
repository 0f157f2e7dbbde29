import { businessPlace } from '../core/identity.js';
import { isRecord } from '../product/read-product.js';
import { element, group, type Signable, type Xml } from '../xml/layout.js';
import type { IssuedInvoice } from './invoices.js';
import { declarationXml, nfseDocument, nfseHead } from '../xml/nfse-xml.js';
import { taxNumberText } from './checks.js';
import { textOf } from './issue.js';

/** The national NFS-e, layout 1.01, of an issued service invoice: the note around the declaration that was sent. */
export function serviceLayout(issued: IssuedInvoice): Signable {
  const { accessKey, issuedAt } = issued.invoice;
  const { city } = businessPlace(issued.issuer.taxNumber);
  const head = nfseHead(accessKey, { city, processedOn: issuedAt });
  return nfseDocument(accessKey, [...head, issuer(issued), values(issued), declaration(issued)]);
}

function issuer({ issuer: { taxNumber, name } }: IssuedInvoice): Xml {
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
