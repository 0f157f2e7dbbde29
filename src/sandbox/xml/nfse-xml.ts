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
  signable,
  taxOf,
  written,
  type Xml,
} from './layout.js';

const namespace = 'http://www.sped.fazenda.gov.br/nfse';
const issRate = 500;
const descriptionLines = 19;
const description = 'Consultoria contábil e fiscal prestada no mês, conforme contrato. Documento de teste do sandbox. ';

/** The national NFS-e, layout 1.01: the note around its declaration (DPS). */
export function nfseLayout(input: LayoutInput): Signable {
  const { accessKey, authorizedOn } = input.document;
  const { city } = businessPlace(input.parties.issuer.taxNumber);
  const service = 'Assessoria ou consultoria de qualquer natureza';
  const head = nfseHead(accessKey, { city, processedOn: authorizedOn, service });
  return nfseDocument(accessKey, [...head, issuerXml(input), values(input), declaration(input)]);
}

/** The note around the content of `infNFSe`. */
export function nfseDocument(accessKey: string, content: readonly Xml[]): Signable {
  return signable(
    { name: 'infNFSe', id: `NFS${accessKey}`, namespace, content },
    (signed, signature) => `<NFSe xmlns="${namespace}" versao="1.01">${signed}${signature}</NFSe>`,
  );
}

/** The part of a note before its parties, in the order of the layout; some fields come from the key. */
export function nfseHead(
  key: string,
  given: { readonly city: string; readonly processedOn: number; readonly service?: string },
): readonly Xml[] {
  return leaves({
    xLocEmi: given.city,
    xLocPrestacao: given.city,
    nNFSe: Number(key.slice(23, 36)),
    cLocIncid: key.slice(0, 7),
    xLocIncid: given.city,
    ...(given.service === undefined ? {} : { xTribNac: given.service }),
    verAplic: 'SANDBOX_1.0',
    ambGer: key.charAt(7),
    tpEmis: 1,
    procEmi: 1,
    cStat: 100,
    dhProc: localTime(given.processedOn),
    nDFSe: Number(key.slice(40, 49)),
  });
}

/** The declaration (DPS): who provides the service, and what else is declared. */
export function declarationXml(
  key: string,
  given: {
    readonly id: string;
    readonly serial: string;
    readonly number: string;
    readonly issuedOn: number;
    readonly provider: string;
  },
  declared: readonly Xml[],
): Xml {
  const content = [
    ...leaves({
      tpAmb: 2,
      dhEmi: localTime(given.issuedOn),
      verAplic: 'SANDBOX_1.0',
      serie: given.serial,
      nDPS: given.number,
      dCompet: localTime(given.issuedOn).slice(0, 10),
      tpEmit: 1,
      cLocEmi: key.slice(0, 7),
    }),
    element('prest', [element('CNPJ', given.provider), group('regTrib', { opSimpNac: 1, regEspTrib: 0 })]),
    ...declared,
  ];
  return { xml: `<DPS versao="1.01"><infDPS Id="${given.id}">${written(content)}</infDPS></DPS>` };
}

function issuerXml({ parties: { issuer } }: LayoutInput): Xml {
  return element('emit', [...leaves({ CNPJ: issuer.taxNumber, xNome: issuer.name }), address('enderNac', issuer)]);
}

function values({ document: { totalAmount } }: LayoutInput): Xml {
  const tax = amountText(taxOf(centsOf(totalAmount), issRate));
  return group('valores', { vBC: totalAmount, pAliqAplic: '5.00', vISSQN: tax, vTotalRet: '0.00', vLiq: totalAmount });
}

function address(name: string, { taxNumber }: Party): Xml {
  const location = businessPlace(taxNumber);
  return group(name, {
    xLgr: 'Rua do Comércio',
    nro: '300',
    xBairro: 'Centro',
    cMun: '3550308',
    UF: location.state,
    CEP: location.postalCode,
  });
}

function declaration(input: LayoutInput): Xml {
  const { accessKey: key, issuedOn } = input.document;
  const number = String(Number(key.slice(23, 36)));
  const id = `DPS${key.slice(0, 7)}${key.charAt(8)}${key.slice(9, 23)}00001${number.padStart(15, '0')}`;
  const provider = input.parties.issuer.taxNumber;
  const given = { id, serial: '1', number, issuedOn, provider };
  return declarationXml(key, given, [...declaredParties(input), ...declaredService(input)]);
}

function declaredParties({ document, parties: { recipient } }: LayoutInput): readonly Xml[] {
  const { intermediaryTaxNumber, intermediaryName } = document;
  const { postalCode } = businessPlace(recipient.taxNumber);
  return [
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
      element('trib', [group('tribMun', { tribISSQN: 1, tpRetISSQN: 1 }), group('totTrib', { indTotTrib: 0 })]),
    ]),
  ];
}
