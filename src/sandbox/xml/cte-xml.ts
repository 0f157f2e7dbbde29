import { businessPlace } from '../core/identity.js';
import {
  amountText,
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
  type Xml,
} from './layout.js';

const namespace = 'http://www.portalfiscal.inf.br/cte';
const icmsRate = 1_200;
const noteLines = 40;

/** `cteProc` 4.00: the CT-e with the protocol of its authorisation. */
export function cteLayout(input: LayoutInput): Signable {
  const { document, parties } = input;
  const { accessKey, authorizedOn } = document;
  const authorization = { accessKey, authorizedOn, protocol: protocolOf(accessKey) };
  const cents = centsOf(document.totalAmount);
  const content = [
    ide(input),
    element('compl', [element('xObs', 'Transporte de teste do sandbox, sem valor fiscal. '.repeat(noteLines).trim())]),
    party('emit', 'enderEmit', parties.issuer),
    party('rem', 'enderReme', parties.recipient),
    party('dest', 'enderDest', parties.recipient),
    element('vPrest', [
      ...leaves({ vTPrest: document.totalAmount, vRec: document.totalAmount }),
      group('Comp', { xNome: 'FRETE PESO', vComp: document.totalAmount }),
    ]),
    element('imp', [
      element('ICMS', [
        group('ICMS00', {
          CST: '00',
          vBC: document.totalAmount,
          pICMS: '12.00',
          vICMS: amountText(taxOf(cents, icmsRate)),
        }),
      ]),
    ]),
    cargo(cents),
  ];
  return signable(
    { name: 'infCte', id: `CTe${accessKey}`, namespace, version: '4.00', content },
    (signed, signature, digest) => {
      const note = `<CTe xmlns="${namespace}">${signed}${signature}</CTe>`;
      const answer = authorizationProtocol('CTe', authorization, digest);
      return `<cteProc xmlns="${namespace}" versao="4.00">${note}${answer}</cteProc>`;
    },
  );
}

function ide({ document }: LayoutInput): Xml {
  const { accessKey: key, issuedOn } = document;
  return element('ide', [
    ...leaves({
      cUF: key.slice(0, 2),
      cCT: key.slice(35, 43),
      CFOP: '5353',
      natOp: 'PRESTACAO DE SERVICO DE TRANSPORTE',
      mod: key.slice(20, 22),
      serie: Number(key.slice(22, 25)),
      nCT: Number(key.slice(25, 34)),
      dhEmi: localTime(issuedOn),
      tpImp: 1,
      tpEmis: key.charAt(34),
      cDV: key.charAt(43),
      tpAmb: 2,
      tpCTe: 0,
      procEmi: 0,
      verProc: 'fiscal sandbox',
      cMunEnv: '3550308',
      xMunEnv: 'São Paulo',
      UFEnv: 'SP',
      modal: '01',
      tpServ: 0,
      cMunIni: '3550308',
      xMunIni: 'São Paulo',
      UFIni: 'SP',
      cMunFim: '3304557',
      xMunFim: 'Rio de Janeiro',
      UFFim: 'RJ',
      retira: 1,
      indIEToma: 1,
    }),
    // 3: the recipient pays for the transport.
    group('toma3', { toma: 3 }),
  ]);
}

function party(name: string, address: string, { taxNumber, name: title }: Party): Xml {
  const location = businessPlace(taxNumber);
  return element(name, [
    ...leaves({ CNPJ: taxNumber, IE: taxNumber.slice(0, 12), xNome: title }),
    group(address, {
      xLgr: 'Avenida dos Transportes',
      nro: '200',
      xBairro: 'Distrito Industrial',
      cMun: '3550308',
      xMun: location.city,
      CEP: location.postalCode,
      UF: location.state,
    }),
  ]);
}

function cargo(cents: number): Xml {
  const road = group('rodo', { RNTRC: '12345678' }).xml;
  return element('infCTeNorm', [
    element('infCarga', [
      ...leaves({ vCarga: amountText(cents * 20), proPred: 'MERCADORIAS DIVERSAS' }),
      group('infQ', { cUnid: '01', tpMed: 'PESO BRUTO', qCarga: '1200.0000' }),
    ]),
    { xml: `<infModal versaoModal="4.00">${road}</infModal>` },
  ]);
}
