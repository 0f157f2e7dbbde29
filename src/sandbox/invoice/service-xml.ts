import { businessPlace } from '../core/identity.js';
import { isRecord } from '../product/read-product.js';
import { element, group, leaves, localTime, type Signable, type Xml, xmlHead } from '../xml/layout.js';
import { taxNumberText } from './checks.js';
import type { IssuedInvoice } from './issued-xml.js';
import { textOf } from './issue.js';

const space = 'http://www.sped.fazenda.gov.br/nfse';

/** The national NFS-e, layout 1.01, of an issued service invoice: the note around the declaration as it was sent. */
export function serviceLayout(issued: IssuedInvoice): Signable {
  const id = `NFS${issued.invoice.accessKey}`;
  const inner = [...head(issued), issuer(issued), values(issued), declaration(issued)]
    .map(({ xml }) => xml)
    .join('');
  return {
    id,
    signed: (asCanonical) =>
      `<infNFSe${asCanonical ? ` xmlns="${space}"` : ''} Id="${id}">${inner}</infNFSe>`,
    wrap(signature) {
      return `${xmlHead}<NFSe xmlns="${space}" versao="1.01">${this.signed(false)}${signature}</NFSe>`;
    },
  };
}

function head({ invoice, issuer: { taxNumber } }: IssuedInvoice): readonly Xml[] {
  const { accessKey: key, issuedAt } = invoice;
  const { city } = businessPlace(taxNumber);
  return leaves({
    xLocEmi: city,
    xLocPrestacao: city,
    nNFSe: Number(key.slice(23, 36)),
    cLocIncid: key.slice(0, 7),
    xLocIncid: city,
    verAplic: 'SANDBOX_1.0',
    ambGer: key.charAt(7),
    tpEmis: 1,
    procEmi: 1,
    cStat: 100,
    dhProc: localTime(issuedAt),
    nDFSe: Number(key.slice(40, 49)),
  });
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
    ...given('cTribMun', textOf(content['cityServiceCode'])),
    xDescServ: textOf(content['description']) ?? '',
    ...given('cNBS', textOf(content['nbsCode'])?.replaceAll('.', '')),
  };
  const inner = [
    ...leaves({
      tpAmb: 2,
      dhEmi: localTime(createdAt),
      verAplic: 'SANDBOX_1.0',
      serie: serial,
      nDPS: number,
      dCompet: localTime(createdAt).slice(0, 10),
      tpEmit: 1,
      cLocEmi: key.slice(0, 7),
    }),
    element('prest', [element('CNPJ', taxNumber), group('regTrib', { opSimpNac: 1, regEspTrib: 0 })]),
    ...taker(content['borrower']),
    element('serv', [group('locPrest', { cLocPrestacao: key.slice(0, 7) }), group('cServ', service)]),
    element('valores', [group('vServPrest', { vServ: totalAmount })]),
  ]
    .map(({ xml }) => xml)
    .join('');
  return { xml: `<DPS versao="1.01"><infDPS Id="${id}">${inner}</infDPS></DPS>` };
}

function taker(borrower: unknown): readonly Xml[] {
  if (!isRecord(borrower)) return [];
  const number = taxNumberText(borrower['federalTaxNumber']);
  return [
    group('toma', {
      ...(number === undefined ? {} : { [number.length === 11 ? 'CPF' : 'CNPJ']: number }),
      ...given('xNome', textOf(borrower['name'])),
    }),
  ];
}

function given(name: string, value: string | null | undefined): Readonly<Record<string, string>> {
  return value === null || value === undefined ? {} : { [name]: value };
}
