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

const space = 'http://www.sped.fazenda.gov.br/nfse';
const issRate = 500;
const descriptionLines = 19;
const description =
  'Consultoria contábil e fiscal prestada no mês, conforme contrato. Documento de teste do sandbox. ';

/** The national NFS-e, layout 1.01: the note around the declaration (DPS) that it was made from. */
export function nfseLayout(input: LayoutInput): Signable {
  const id = `NFS${input.document.accessKey}`;
  const content = [...head(input), issuerXml(input), values(input), declaration(input)]
    .map(({ xml }) => xml)
    .join('');
  return {
    id,
    signed: (asCanonical) =>
      `<infNFSe${asCanonical ? ` xmlns="${space}"` : ''} Id="${id}">${content}</infNFSe>`,
    wrap(signature) {
      return `${xmlHead}<NFSe xmlns="${space}" versao="1.01">${this.signed(false)}${signature}</NFSe>`;
    },
  };
}

function head({ document, parties }: LayoutInput): readonly Xml[] {
  const { accessKey: key, authorizedOn } = document;
  const { city } = businessPlace(parties.issuer.taxNumber);
  return leaves({
    xLocEmi: city,
    xLocPrestacao: city,
    nNFSe: Number(key.slice(23, 36)),
    cLocIncid: key.slice(0, 7),
    xLocIncid: city,
    xTribNac: 'Assessoria ou consultoria de qualquer natureza',
    verAplic: 'SANDBOX_1.0',
    ambGer: key.charAt(7),
    tpEmis: 1,
    procEmi: 1,
    cStat: 100,
    dhProc: localTime(authorizedOn),
    nDFSe: Number(key.slice(40, 49)),
  });
}

function issuerXml({ parties: { issuer } }: LayoutInput): Xml {
  return element('emit', [
    ...leaves({ CNPJ: issuer.taxNumber, xNome: issuer.name }),
    address('enderNac', issuer),
  ]);
}

function values({ document: { totalAmount } }: LayoutInput): Xml {
  const tax = amountText(taxOf(centsOf(totalAmount), issRate));
  return group('valores', {
    vBC: totalAmount,
    pAliqAplic: '5.00',
    vISSQN: tax,
    vTotalRet: '0.00',
    vLiq: totalAmount,
  });
}

function address(name: string, { taxNumber }: Party): Xml {
  const place = businessPlace(taxNumber);
  return group(name, {
    xLgr: 'Rua do Comércio',
    nro: '300',
    xBairro: 'Centro',
    cMun: '3550308',
    UF: place.state,
    CEP: place.postalCode,
  });
}

function declaration(input: LayoutInput): Xml {
  const { accessKey: key, issuedOn } = input.document;
  const number = String(Number(key.slice(23, 36)));
  const id = `DPS${key.slice(0, 7)}${key.charAt(8)}${key.slice(9, 23)}00001${number.padStart(15, '0')}`;
  const content = [
    ...leaves({
      tpAmb: 2,
      dhEmi: localTime(issuedOn),
      verAplic: 'SANDBOX_1.0',
      serie: '1',
      nDPS: number,
      dCompet: localTime(issuedOn).slice(0, 10),
      tpEmit: 1,
      cLocEmi: key.slice(0, 7),
    }),
    ...declaredParties(input),
    ...declaredService(input),
  ];
  const inner = content.map(({ xml }) => xml).join('');
  return { xml: `<DPS versao="1.01"><infDPS Id="${id}">${inner}</infDPS></DPS>` };
}

function declaredParties({ document, parties: { issuer, recipient } }: LayoutInput): readonly Xml[] {
  const { intermediaryTaxNumber, intermediaryName } = document;
  const { postalCode } = businessPlace(recipient.taxNumber);
  return [
    element('prest', [element('CNPJ', issuer.taxNumber), group('regTrib', { opSimpNac: 1, regEspTrib: 0 })]),
    element('toma', [
      ...leaves({ CNPJ: recipient.taxNumber, xNome: recipient.name }),
      element('end', [
        group('endNac', { cMun: '3550308', CEP: postalCode }),
        ...leaves({ xLgr: 'Rua das Acácias', nro: '100', xBairro: 'Centro' }),
      ]),
    ]),
    ...(intermediaryTaxNumber === null
      ? []
      : [group('interm', { CNPJ: intermediaryTaxNumber, xNome: intermediaryName ?? intermediaryTaxNumber })]),
  ];
}

function declaredService({ document: { accessKey, totalAmount } }: LayoutInput): readonly Xml[] {
  return [
    element('serv', [
      group('locPrest', { cLocPrestacao: accessKey.slice(0, 7) }),
      group('cServ', { cTribNac: '170101', xDescServ: description.repeat(descriptionLines).trim() }),
    ]),
    element('valores', [
      group('vServPrest', { vServ: totalAmount }),
      element('trib', [
        group('tribMun', { tribISSQN: 1, tpRetISSQN: 1 }),
        group('totTrib', { indTotTrib: 0 }),
      ]),
    ]),
  ];
}
