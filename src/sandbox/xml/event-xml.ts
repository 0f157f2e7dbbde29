import type { StoredEvent } from '../document/document-events.js';
import { element, leaves, localTime, type Signable, signable, written, type Xml } from './layout.js';

const layouts = {
  nfe: {
    namespace: 'http://www.portalfiscal.inf.br/nfe',
    root: 'procEventoNFe',
    event: 'evento',
    answer: 'retEvento',
    version: '1.00',
    key: 'chNFe',
  },
  cte: {
    namespace: 'http://www.portalfiscal.inf.br/cte',
    root: 'procEventoCTe',
    event: 'eventoCTe',
    answer: 'retEventoCTe',
    version: '4.00',
    key: 'chCTe',
  },
} as const;

/** The national environment registers events of recipients; the issuer's state, those of issuers. */
const national = '91';

/** The signed event with the answer of the authority: `procEventoNFe`, or its equivalent. */
export function eventLayout(event: StoredEvent, author: string): Signable {
  if (event.family === 'nfse') return nfseEventLayout(event, author);
  const layout = layouts[event.family];
  const id = event.eventKey;
  const { version } = layout;
  const content = eventContent(event, author, layout.key);
  return signable({ name: 'infEvento', id, namespace: layout.namespace, content }, (inner, signature) => {
    const signed = `<${layout.event} versao="${version}">${inner}${signature}</${layout.event}>`;
    const answer = `<${layout.answer} versao="${version}">${answered(event, layout.key)}</${layout.answer}>`;
    return `<${layout.root} xmlns="${layout.namespace}" versao="${version}">${signed}${answer}</${layout.root}>`;
  });
}

function organOf({ accessKey, author }: StoredEvent): string {
  return author === null ? accessKey.slice(0, 2) : national;
}

function eventContent(event: StoredEvent, author: string, keyName: string): readonly Xml[] {
  const head = leaves({
    cOrgao: organOf(event),
    tpAmb: 2,
    CNPJ: author,
    [keyName]: event.accessKey,
    dhEvento: localTime(event.issuedOn),
    tpEvento: event.type,
    nSeqEvento: event.sequence,
    ...(event.family === 'cte' ? {} : { verEvento: '1.00' }),
  });
  if (event.family === 'cte')
    return [...head, { xml: `<detEvento versaoEvento="4.00">${written([cteDetail(event)])}</detEvento>` }];
  const detail = event.author === null ? issuerDetail(event) : recipientDetail(event);
  return [...head, { xml: `<detEvento versao="1.00">${written(detail)}</detEvento>` }];
}

const correctionLetter = '110110';

/** The issuer's detail of a CT-e: a group with a name of its own for each event (MOC CT-e 4.00). */
function cteDetail({ type, description, protocol, detail }: StoredEvent): Xml {
  const reason = String(detail['justification'] ?? 'Evento de teste do sandbox, sem valor fiscal');
  if (type !== correctionLetter)
    return element('evCancCTe', leaves({ descEvento: description, nProt: protocol, xJust: reason }));
  const corrected = { grupoAlterado: 'compl', campoAlterado: 'xObs', valorAlterado: reason };
  return element('evCCeCTe', [
    ...leaves({ descEvento: description }),
    element('infCorrecao', leaves(corrected)),
    ...leaves({ xCondUso: conditionsOfUseOfCte }),
  ]);
}

const conditionsOfUseOfCte =
  'A Carta de Correção é disciplinada pelo Art. 58-B do CONVÊNIO/SINIEF 06/89: Fica permitida a utilização de carta de ' +
  'correção, para regularização de erro ocorrido na emissão de documentos fiscais relativos à prestação de serviço de ' +
  'transporte, desde que o erro não esteja relacionado com: I - as variáveis que determinam o valor do imposto tais ' +
  'como: base de cálculo, alíquota, diferença de preço, quantidade, valor da prestação; II - a correção de dados ' +
  'cadastrais que implique mudança do emitente, tomador, remetente ou do destinatário; III - a data de emissão ou de ' +
  'saída.';

/** What a correction letter may correct: the national schema prescribes the text. */
const conditionsOfUse =
  'A Carta de Correção é disciplinada pelo § 1º-A do art. 7º do Convênio S/N, de 15 de dezembro de 1970 e pode ser ' +
  'utilizada para regularização de erro ocorrido na emissão de documento fiscal, desde que o erro não esteja ' +
  'relacionado com: I - as variáveis que determinam o valor do imposto tais como: base de cálculo, alíquota, diferença ' +
  'de preço, quantidade, valor da operação ou da prestação; II - a correção de dados cadastrais que implique mudança ' +
  'do remetente ou do destinatário; III - a data de emissão ou de saída.';

/** The issuer's detail under the names of the national schema. */
function issuerDetail({ type, description, protocol, detail }: StoredEvent): readonly Xml[] {
  const reason = String(detail['justification'] ?? 'Evento de teste do sandbox, sem valor fiscal');
  return type === correctionLetter
    ? leaves({ descEvento: description, xCorrecao: reason, xCondUso: conditionsOfUse })
    : leaves({ descEvento: description, nProt: protocol, xJust: reason });
}

/** The recipient's detail, under the names of the layout: only the justification has another name in the service. */
function recipientDetail({ description, detail }: StoredEvent): readonly Xml[] {
  const { justification, ...groups } = detail;
  const reason = typeof justification === 'string' ? leaves({ xJust: justification }) : [];
  return [
    ...leaves({ descEvento: description }),
    ...reason,
    ...Object.entries(groups).flatMap(([name, value]) => groupXml(name, value)),
  ];
}

/** A list is a repeated element; the number of an item is an attribute. */
function groupXml(name: string, value: unknown): readonly Xml[] {
  if (Array.isArray(value)) return value.flatMap((each: unknown) => groupXml(name, each));
  if (typeof value !== 'object' || value === null) return [element(name, String(value))];
  const fields = Object.entries(value);
  const item: unknown = fields.find(([field]) => field === 'nItem')?.[1];
  const inner = fields.filter(([field]) => field !== 'nItem').flatMap(([field, each]) => groupXml(field, each));
  const attribute = item === undefined ? '' : ` nItem="${Number(item)}"`;
  return [{ xml: `<${name}${attribute}>${written(inner)}</${name}>` }];
}

function answered(event: StoredEvent, keyName: string): string {
  const content = leaves({
    tpAmb: 2,
    verAplic: 'SANDBOX',
    cOrgao: organOf(event),
    cStat: 135,
    xMotivo: 'Evento registrado e vinculado',
    [keyName]: event.accessKey,
    tpEvento: event.type,
    nSeqEvento: event.sequence,
    dhRegEvento: localTime(event.issuedOn + 1_000),
    nProt: event.protocol,
  });
  return element('infEvento', content).xml;
}

const nfseNamespace = 'http://www.sped.fazenda.gov.br/nfse';

/** The national event of an NFS-e, layout 1.01: the environment's event around the taker's request. */
function nfseEventLayout(event: StoredEvent, author: string): Signable {
  const id = event.eventKey;
  const content = [
    ...leaves({
      verAplic: 'SANDBOX_1.0',
      ambGer: 2,
      nSeqEvento: event.sequence,
      dhProc: localTime(event.issuedOn + 1_000),
      nDFe: Number(event.protocol.slice(-9)),
    }),
    nfseRequest(event, author),
  ];
  return signable(
    { name: 'infEvento', id, namespace: nfseNamespace, content },
    (signed, signature) => `<evento xmlns="${nfseNamespace}" versao="1.01">${signed}${signature}</evento>`,
  );
}

function nfseRequest({ eventKey, accessKey, issuedOn, type, description, detail }: StoredEvent, author: string) {
  const inner = [
    ...leaves({
      tpAmb: 2,
      verAplic: 'SANDBOX_1.0',
      dhEvento: localTime(issuedOn),
      CNPJAutor: author,
      chNFSe: accessKey,
    }),
    element(`e${type}`, [
      ...leaves({ xDesc: description }),
      ...(author === accessKey.slice(9, 23) ? issuerReason(detail) : takerReason(detail)),
    ]),
  ];
  const id = `PRE${eventKey.slice(3, -3)}`;
  return { xml: `<pedRegEvento versao="1.01"><infPedReg Id="${id}">${written(inner)}</infPedReg></pedRegEvento>` };
}

function takerReason({ reasonCode, justification }: StoredEvent['detail']): readonly Xml[] {
  if (reasonCode === undefined) return [];
  const reason = typeof justification === 'string' ? { xMotivo: justification } : {};
  return [element('infRej', leaves({ cMotivo: Number(reasonCode), ...reason }))];
}

/** Of a cancellation (code 9: another reason), or of a substitution, which names the note that takes the place. */
function issuerReason({ justification, substituteAccessKey }: StoredEvent['detail']): readonly Xml[] {
  const isSubstitution = typeof substituteAccessKey === 'string';
  return leaves({
    cMotivo: isSubstitution ? '99' : '9',
    xMotivo: String(justification ?? 'Evento de teste do sandbox, sem valor fiscal'),
    ...(isSubstitution ? { chSubstituta: substituteAccessKey } : {}),
  });
}
