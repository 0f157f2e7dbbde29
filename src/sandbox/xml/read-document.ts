import type { Text } from '../../contract/text.js';
import type { Family } from '../core/records.js';
import type { Party } from './layout.js';
import { XmlFault, type XmlNode, nodeAt, nodesOf, readXml, textAt } from './read-xml.js';

/** Times are milliseconds since the epoch, amounts text. A name or number that the XML leaves out is empty. */
interface GivenFacts {
  readonly family: Family;
  /** `null`: a note of a municipality, which has no national key. */
  readonly accessKey: string | null;
  readonly issuer: Party;
  /** Every tax number of a party, the issuer's included. */
  readonly taxNumbers: readonly string[];
  readonly issuedOn: number;
}

/** A note as its issuer signed it, with or without the answer of the authority. */
export interface GivenNote extends GivenFacts {
  readonly part: 'note';
  readonly model: 'nfe' | 'nfce' | 'cte' | 'nfse';
  readonly recipient: Party;
  readonly intermediary: Party | undefined;
  readonly amount: string;
  readonly number: string;
  readonly serie: string;
  readonly authorizedOn: number;
  readonly protocol: string | null;
  /** The authority refused it (`cStat` 110, 205, 301 to 303). */
  readonly isDenied: boolean;
  readonly environment: 'Production' | 'Test';
  readonly description: string;
}

/** `resNFe`: what a recipient sees before its awareness. */
export interface GivenSummary extends GivenFacts {
  readonly part: 'summary';
  readonly family: 'nfe';
  readonly accessKey: string;
  readonly amount: string;
  readonly authorizedOn: number;
}

export interface GivenEvent extends GivenFacts {
  readonly part: 'event';
  /** `resEvento` is the summary of an event. */
  readonly form: 'full' | 'summary';
  readonly accessKey: string;
  readonly eventKey: string;
  readonly type: string;
  readonly description: string;
  readonly sequence: number;
  readonly protocol: string;
  readonly author: string | null;
  readonly reason: string | null;
  /** Of a substitution of an NFS-e: the note that replaces it. */
  readonly substituteAccessKey: string | null;
}

export type GivenDocument = GivenNote | GivenSummary | GivenEvent;

export const nobody: Party = { taxNumber: '', name: '' };

/** Each tax number of the parties once. */
export function numbersOf(parties: readonly (Party | undefined)[]): readonly string[] {
  const numbers = parties.map((party) => party?.taxNumber ?? '').filter((taxNumber) => taxNumber !== '');
  return [...new Set(numbers)];
}

/** Two decimals; empty without a number. */
export function amountOf(text: string | undefined): string {
  const plain = /^\d{1,13}(?:\.\d{1,10})?$/.exec(text ?? '')?.[0];
  return plain === undefined ? '' : Number(plain).toFixed(2);
}

/** A time without an offset, or a day, is in Brasília. `undefined`: no time of a calendar. */
export function timeOf(text: string | undefined): number | undefined {
  const [, day, time = '12:00:00', offset = '-03:00'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(text ?? '') ?? [];
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T${time}${offset}`);
  return Number.isFinite(at) && at >= 0 ? at : undefined;
}

/** What a fiscal XML is, or why it is none that the sandbox takes. */
export function readDocument(bytes: Uint8Array): GivenDocument | { readonly refused: Text } {
  try {
    return factsOf(readXml(bytes));
  } catch (error) {
    if (error instanceof XmlFault) return { refused: notXml(error.message) };
    throw error;
  }
}

function factsOf(root: XmlNode): GivenDocument | { readonly refused: Text } {
  if (root.name === 'resNFe') return summaryOf(root);
  if (root.name === 'resEvento') return eventOf(root, root);
  const signed = [...nodesOf(root)].filter(({ name }) => signedNames.has(name.toLowerCase()));
  // A CT-e names its notes in elements of the same name, without an id.
  const [first, ...others] = signed.filter(
    ({ name, attributes }) => name.toLowerCase() !== 'infevento' && attributes.has('Id'),
  );
  if (first !== undefined) return others.length > 0 ? { refused: several } : noteOf(root, first);
  const event = signed.find((node) => textAt(node, 'tpEvento') !== undefined && node.attributes.has('Id'));
  const national = nodeAt(root, 'infEvento/pedRegEvento/infPedReg');
  if (national !== undefined) return nfseEventOf(root, national);
  if (event !== undefined && root.name !== 'infEvento') {
    const answer = signed.find((node) => node !== event && textAt(node, 'cStat', 'nProt') !== undefined);
    return eventOf(event, answer ?? event);
  }
  if (requests.test(root.name)) return { refused: isRequest };
  return readMunicipalNote(root) ?? { refused: unknown(root.name) };
}

/** What a company sends to a city for a note: a receipt of services (RPS) is none yet. */
const requests = /^(?:lote)?rps$|^pedido|envio$/i;

const signedNames = new Set(['infnfe', 'infcte', 'infnfse', 'infevento']);

function noteOf(root: XmlNode, signed: XmlNode): GivenDocument | { readonly refused: Text } {
  const id = signed.attributes.get('Id') ?? '';
  if (signed.name.toLowerCase() === 'infnfse') {
    const key = /^NFS([0-9A-Z]{50})$/.exec(id)?.[1];
    // A city may name its element alike, with an id of its own.
    return key === undefined ? (readMunicipalNote(root) ?? { refused: noKey }) : nfseOf(signed, key);
  }
  const key = /([0-9A-Z]{44})$/.exec(id)?.[1];
  if (key === undefined) return { refused: noKey };
  const model = models.get(key.slice(20, 22));
  if (model === undefined) return { refused: otherModel(key.slice(20, 22)) };
  return model === 'cte' ? cteOf(root, signed, key) : nfeOf(root, signed, { key, model });
}

const models: ReadonlyMap<string, 'nfe' | 'nfce' | 'cte'> = new Map([
  ['55', 'nfe'],
  ['65', 'nfce'],
  ['57', 'cte'],
  ['64', 'cte'],
  ['67', 'cte'],
]);

function nfeOf(
  root: XmlNode,
  signed: XmlNode,
  { key, model }: { readonly key: string; readonly model: 'nfe' | 'nfce' },
): GivenNote {
  const issuer = partyAt(signed, 'emit') ?? issuerIn(key);
  const recipient = partyAt(signed, 'dest');
  return {
    part: 'note',
    model,
    family: 'nfe',
    ...merchandise(root, signed, key),
    ...{ issuer, recipient: recipient ?? nobody, intermediary: undefined },
    taxNumbers: numbersOf([issuer, recipient]),
    amount: amountAt(signed, 'total/ICMSTot/vNF', 'total/vNFTot'),
    number: textAt(signed, 'ide/nNF') ?? String(Number(key.slice(25, 34))),
    description: textAt(signed, 'ide/natOp') ?? '',
  };
}

/** Who pays, by `toma` of `toma3`: sender, dispatcher, receiver or recipient. */
const payers: readonly string[] = ['rem', 'exped', 'receb', 'dest'];

function cteOf(root: XmlNode, signed: XmlNode, key: string): GivenNote {
  const issuer = partyAt(signed, 'emit') ?? issuerIn(key);
  const code = textAt(signed, 'ide/toma3/toma', 'ide/toma03/toma');
  const payer = payers[Number(code ?? Number.NaN)];
  const taker = [
    partyAt(signed, 'ide/toma4'),
    partyAt(signed, 'toma'),
    payer === undefined ? undefined : partyAt(signed, payer),
  ].find((party) => party !== undefined);
  const parties = [...payers.map((name) => partyAt(signed, name)), partyAt(signed, 'ide/toma4')];
  return {
    part: 'note',
    model: 'cte',
    family: 'cte',
    ...merchandise(root, signed, key),
    ...{ issuer, recipient: taker ?? nobody, intermediary: undefined },
    taxNumbers: numbersOf([issuer, partyAt(signed, 'toma'), ...parties]),
    amount: amountAt(signed, 'vPrest/vTPrest', 'total/vTPrest'),
    number: textAt(signed, 'ide/nCT') ?? String(Number(key.slice(25, 34))),
    description: textAt(signed, 'ide/natOp') ?? '',
  };
}

/** What NF-e, NFC-e and CT-e have alike. */
function merchandise(root: XmlNode, signed: XmlNode, key: string) {
  const issuedOn = timeOf(textAt(signed, 'ide/dhEmi', 'ide/dEmi')) ?? monthOf(key.slice(2, 6));
  const answer = [...nodesOf(root)].find(({ name }) => name === 'infProt');
  const status = answer && textAt(answer, 'cStat');
  return {
    accessKey: key,
    issuedOn,
    authorizedOn: timeOf(answer && textAt(answer, 'dhRecbto')) ?? issuedOn,
    protocol: (answer && textAt(answer, 'nProt')) ?? null,
    isDenied: ['110', '205', '301', '302', '303'].includes(status ?? ''),
    environment: environmentOf(textAt(signed, 'ide/tpAmb')),
    serie: textAt(signed, 'ide/serie') ?? String(Number(key.slice(22, 25))),
  } as const;
}

function nfseOf(signed: XmlNode, key: string): GivenNote {
  const declared = nodeAt(signed, 'DPS/infDPS') ?? signed;
  const issuer = partyAt(signed, 'emit') ?? partyAt(declared, 'prest') ?? issuerIn(key);
  const [recipient, intermediary] = [partyAt(declared, 'toma'), partyAt(declared, 'interm')];
  const processedOn = timeOf(textAt(signed, 'dhProc'));
  const issuedOn = timeOf(textAt(declared, 'dhEmi')) ?? processedOn ?? monthOf(key.slice(36, 40));
  return {
    part: 'note',
    model: 'nfse',
    family: 'nfse',
    accessKey: key,
    ...{ issuer, recipient: recipient ?? nobody, intermediary },
    taxNumbers: numbersOf([issuer, partyAt(declared, 'prest'), recipient, intermediary]),
    issuedOn,
    authorizedOn: processedOn ?? issuedOn,
    amount: amountAt(declared, 'valores/vServPrest/vServ') || amountAt(signed, 'valores/vLiq'),
    number: textAt(signed, 'nNFSe') ?? String(Number(key.slice(23, 36))),
    serie: textAt(declared, 'serie') ?? '',
    protocol: null,
    isDenied: false,
    environment: environmentOf(textAt(declared, 'tpAmb')),
    description: textAt(declared, 'serv/cServ/xDescServ') ?? '',
  };
}

function summaryOf(root: XmlNode): GivenSummary | { readonly refused: Text } {
  const accessKey = textAt(root, 'chNFe') ?? '';
  if (!/^[0-9A-Z]{44}$/.test(accessKey)) return { refused: noKey };
  const issuedOn = timeOf(textAt(root, 'dhEmi')) ?? monthOf(accessKey.slice(2, 6));
  const taxNumber = textAt(root, 'CNPJ', 'CPF') ?? accessKey.slice(6, 20);
  return {
    part: 'summary',
    family: 'nfe',
    accessKey,
    issuer: { taxNumber, name: textAt(root, 'xNome') ?? taxNumber },
    taxNumbers: [taxNumber],
    issuedOn,
    authorizedOn: timeOf(textAt(root, 'dhRecbto')) ?? issuedOn,
    amount: amountAt(root, 'vNF'),
  };
}

/** An event of NF-e or CT-e with the answer of the authority, or its summary. */
function eventOf(node: XmlNode, answer: XmlNode): GivenEvent | { readonly refused: Text } {
  const accessKey = textAt(node, 'chNFe', 'chCTe') ?? '';
  const type = textAt(node, 'tpEvento') ?? '';
  const family = textAt(node, 'chNFe') === undefined ? 'cte' : 'nfe';
  if (!/^[0-9A-Z]{44}$/.test(accessKey) || !/^\d{6}$/.test(type)) return { refused: noKey };
  const sequence = Number(textAt(node, 'nSeqEvento') ?? 1) || 1;
  const id = node.attributes.get('Id') ?? '';
  const width = family === 'cte' ? 3 : 2;
  const issuer = issuerIn(accessKey);
  const author = textAt(node, 'CNPJ', 'CPF') ?? issuer.taxNumber;
  return {
    part: 'event',
    form: node.name === 'resEvento' ? 'summary' : 'full',
    family,
    accessKey,
    issuer,
    taxNumbers: numbersOf([issuer, { taxNumber: author, name: '' }, partyAt(answer, '.')]),
    eventKey: /^ID[0-9A-Z]{52,53}$/.test(id) ? id : `ID${type}${accessKey}${String(sequence).padStart(width, '0')}`,
    type,
    description: textAt(node, 'detEvento/descEvento', 'detEvento/*/descEvento', 'xEvento') ?? `Evento ${type}`,
    sequence,
    protocol: textAt(answer, 'nProt') ?? '',
    author: issuer.taxNumber.endsWith(author) ? null : author,
    reason: textAt(node, 'detEvento/xJust', 'detEvento/*/xJust', 'detEvento/xCorrecao') ?? null,
    substituteAccessKey: null,
    issuedOn:
      timeOf(textAt(node, 'dhEvento')) ??
      timeOf(textAt(answer, 'dhRegEvento', 'dhRecbto')) ??
      monthOf(accessKey.slice(2, 6)),
  };
}

/** The national event of an NFS-e. */
function nfseEventOf(root: XmlNode, request: XmlNode): GivenEvent | { readonly refused: Text } {
  const accessKey = textAt(request, 'chNFSe') ?? '';
  const detail = request.children.find(({ name }) => /^e\d{6}$/i.test(name));
  if (!/^[0-9A-Z]{50}$/.test(accessKey) || detail === undefined) return { refused: noKey };
  const type = detail.name.slice(1);
  const sequence = Number(textAt(root, 'infEvento/nSeqEvento') ?? 1) || 1;
  const id = nodeAt(root, 'infEvento')?.attributes.get('Id') ?? '';
  const issuer = issuerIn(accessKey);
  const author = textAt(request, 'CNPJAutor', 'CPFAutor') ?? issuer.taxNumber;
  return {
    part: 'event',
    form: 'full',
    family: 'nfse',
    accessKey,
    issuer,
    taxNumbers: numbersOf([issuer, { taxNumber: author, name: '' }]),
    eventKey: /^EVT[0-9A-Z]{56,62}$/.test(id) ? id : `EVT${accessKey}${type}${String(sequence).padStart(3, '0')}`,
    type,
    description: textAt(detail, 'xDesc') ?? `Evento ${type}`,
    sequence,
    protocol: textAt(root, 'infEvento/nDFSe', 'infEvento/nDFe') ?? '',
    author: issuer.taxNumber.endsWith(author) ? null : author,
    reason: textAt(detail, 'xMotivo', 'infRej/xMotivo') ?? null,
    substituteAccessKey: textAt(detail, 'chSubstituta') ?? null,
    issuedOn:
      timeOf(textAt(request, 'dhEvento')) ??
      timeOf(textAt(root, 'infEvento/dhProc')) ??
      monthOf(accessKey.slice(36, 40)),
  };
}

/** The party in the group at this path; `undefined` without a tax number. `.` is the node itself. */
function partyAt(node: XmlNode, path: string): Party | undefined {
  const group = path === '.' ? node : nodeAt(node, path);
  const taxNumber = group && textAt(group, 'CNPJ', 'CPF', 'CNPJDest', 'CPFDest');
  return taxNumber === undefined || !/^[0-9A-Z]{11,14}$/.test(taxNumber)
    ? undefined
    : { taxNumber, name: textAt(group ?? node, 'xNome') ?? '' };
}

/** The issuer as the key names it, when nothing else does. */
function issuerIn(key: string): Party {
  const taxNumber = key.length === 50 ? key.slice(9, 23) : key.slice(6, 20);
  return { taxNumber, name: '' };
}

function amountAt(node: XmlNode, ...paths: readonly string[]): string {
  return amountOf(textAt(node, ...paths));
}

/** The first noon of the year and month in a key, for a document without a readable date. */
function monthOf(yearAndMonth: string): number {
  return timeOf(`20${yearAndMonth.slice(0, 2)}-${yearAndMonth.slice(2)}-01`) ?? 0;
}

function environmentOf(code: string | undefined): 'Production' | 'Test' {
  return code === '2' ? 'Test' : 'Production';
}

function notXml(reason: string): Text {
  return { en: `it is not readable as XML: ${reason}`, pt: `não pode ser lido como XML: ${reason}` };
}

function unknown(root: string): Text {
  const name = root.slice(0, 60);
  return {
    en: `it is no note, summary or event that the sandbox knows: its first element is ${name}`,
    pt: `não é nota, resumo nem evento que o sandbox conheça: o primeiro elemento é ${name}`,
  };
}

function otherModel(model: string): Text {
  return {
    en: `the service captures no documents of model ${model}`,
    pt: `o serviço não captura documentos do modelo ${model}`,
  };
}

const isRequest: Text = {
  en: 'it is a request to a city, such as an RPS, and not the note that the city issued',
  pt: 'é um pedido à prefeitura, como um RPS, e não a nota que ela emitiu',
};
const noKey: Text = { en: 'it has no access key', pt: 'não tem chave de acesso' };
const several: Text = {
  en: 'it holds several notes; give each one in a file of its own',
  pt: 'contém várias notas; informe cada uma em um arquivo próprio',
};

/**
 * A note of a municipal layout, of which there are hundreds: the names that they share are looked for, in any spelling. `undefined`:
 * no provider with a number and a date.
 */
export function readMunicipalNote(root: XmlNode): GivenNote | undefined {
  const names = fieldsOf(root);
  const number = names.first(/^(?:nfse?)?(?:numero|num|nr)(?:(?:da)?(?:nfs?e?|notafiscal|nota))?$/);
  const issuedOn = timeOf(localTimeOf(names.first(/^(?:data|dt|dh)(?:hora)?(?:da)?(?:emissao|emi)/)));
  const issuer = names.party(/prestador|^emit/);
  if (number === undefined || issuedOn === undefined || issuer === undefined) return undefined;
  const recipient = names.party(/tomador|^toma$/);
  const intermediary = names.party(/intermediario/);
  return {
    part: 'note',
    model: 'nfse',
    family: 'nfse',
    accessKey: null,
    ...{ issuer, recipient: recipient ?? nobody, intermediary },
    taxNumbers: numbersOf([issuer, recipient, intermediary]),
    ...{ issuedOn, authorizedOn: issuedOn, number },
    amount: amountOf(
      decimalOf(
        names.first(/^(?:valor|vl)(?:total)?(?:dos?)?servicos?/) ??
          names.first(/^(?:valor|vl)(?:total)?(?:da)?(?:nota|liquido)/),
      ),
    ),
    serie: names.first(/^codigoverificacao|^codverificacao|^chaveacesso/) ?? '',
    protocol: null,
    isDenied: false,
    environment: 'Production',
    description: names.first(/^discriminacao|^descricaoservico/) ?? '',
  };
}

interface Field {
  /** The names above it and its own, in small letters and digits only. */
  readonly path: readonly string[];
  readonly name: string;
  readonly text: string;
}

function fieldsOf(root: XmlNode) {
  const fields = [...leavesOf(root)];
  return {
    first: (pattern: RegExp) => fields.find(({ name }) => pattern.test(name))?.text,
    party(pattern: RegExp): Party | undefined {
      const own = fields.filter(({ path }) => path.some((name) => pattern.test(name)));
      const taxNumber = own.find(({ name, text }) => /cnpj|cpf/.test(name) && digitsOf(text) !== undefined);
      if (taxNumber === undefined) return undefined;
      const name = own.find((field) => /^(?:razaosocial|nomerazao|nome|xnome)/.test(field.name))?.text;
      return { taxNumber: digitsOf(taxNumber.text) ?? '', name: name ?? '' };
    },
  };
}

function* leavesOf(node: XmlNode, above: readonly string[] = []): Generator<Field> {
  const name = node.name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const path = [...above, name];
  if (node.text !== '') yield { path, name, text: node.text };
  for (const child of node.children) yield* leavesOf(child, path);
}

/** A CNPJ or CPF, with or without its punctuation. */
function digitsOf(text: string): string | undefined {
  const plain = text.replaceAll(/[./\-\s]/g, '').toUpperCase();
  return /^(?:[0-9A-Z]{12}\d\d|\d{11})$/.test(plain) ? plain : undefined;
}

/** `05/10/2026 09:00:00` as `2026-10-05T09:00:00`. */
function localTimeOf(text: string | undefined): string | undefined {
  const [, day, month, year, time] = /^(\d\d)\/(\d\d)\/(\d{4})(?:\s+(\d\d:\d\d(?::\d\d)?))?/.exec(text ?? '') ?? [];
  if (day === undefined) return text;
  return `${year}-${month}-${day}${time === undefined ? '' : `T${time}`}`;
}

/** `1.234,56` as `1234.56`. */
function decimalOf(text: string | undefined): string | undefined {
  return text?.includes(',') === true ? text.replaceAll('.', '').replace(',', '.') : text;
}
