import type { Text } from '../contract/text.js';

/** The kind of document of an event, known by the length of its key: 44 or 50. */
export type EventFamily = 'nfe' | 'nfse';

/**
 * awareness: seen, without a decision · conclusive: the final event of the recipient · tax: credits of the tax reform
 * · successor: transfers of credit · cancellation: cancels an earlier event · taker: NFS-e.
 */
type EventGroup = 'awareness' | 'conclusive' | 'tax' | 'successor' | 'cancellation' | 'taker';

export interface EventType {
  readonly code: number;
  readonly family: EventFamily;
  /** The value of `--event`. */
  readonly name: string;
  /** Other accepted values, mostly Portuguese. */
  readonly aliases: readonly string[];
  /** The name in the official layout (facts §2, §3); never translated. */
  readonly officialName: string;
  readonly label: Text;
  readonly author: 'recipient' | 'successor' | 'author-of-the-event' | 'taker';
  readonly group: EventGroup;
}

type Entry = Omit<EventType, 'family' | 'author' | 'group'>;

const recipient: readonly (Entry & Pick<EventType, 'group'>)[] = [
  {
    code: 210200,
    group: 'conclusive',
    name: 'confirmation',
    aliases: ['confirmacao', 'confirmacao-da-operacao'],
    officialName: 'Confirmacao da Operacao',
    label: { en: 'The operation took place', pt: 'A operação ocorreu' },
  },
  {
    code: 210210,
    group: 'awareness',
    name: 'awareness',
    aliases: ['ciencia', 'ciencia-da-operacao'],
    officialName: 'Ciencia da Operacao',
    label: {
      en: 'The recipient knows of the document; no decision yet',
      pt: 'A empresa tomou ciência do documento, sem manifestação conclusiva',
    },
  },
  {
    code: 210220,
    group: 'conclusive',
    name: 'disavowal',
    aliases: ['desconhecimento', 'desconhecimento-da-operacao', 'unknown'],
    officialName: 'Desconhecimento da Operacao',
    label: { en: 'The company does not recognise the operation', pt: 'A empresa desconhece a operação' },
  },
  {
    code: 210240,
    group: 'conclusive',
    name: 'not-performed',
    aliases: ['nao-realizada', 'operacao-nao-realizada'],
    officialName: 'Operacao nao Realizada',
    label: { en: 'The operation was not carried out', pt: 'A operação não foi realizada' },
  },
  {
    code: 211110,
    group: 'tax',
    name: 'presumed-credit',
    aliases: ['credito-presumido'],
    officialName: 'Solicitação de Apropriação de crédito presumido',
    label: { en: 'Request for presumed credit', pt: 'Pedido de crédito presumido' },
  },
  {
    code: 211124,
    group: 'tax',
    name: 'transport-loss',
    aliases: ['perecimento'],
    officialName: 'Perecimento, perda, roubo ou furto durante o transporte contratado pelo adquirente',
    label: {
      en: 'Loss or theft in transport hired by the buyer',
      pt: 'Perda ou roubo no transporte contratado pelo adquirente',
    },
  },
  {
    code: 211128,
    group: 'tax',
    name: 'debit-acceptance',
    aliases: ['aceite-de-debito'],
    officialName: 'Aceite de débito na apuração por emissão de nota de crédito',
    label: { en: 'Acceptance of a debit by credit note', pt: 'Aceite de débito por nota de crédito' },
  },
  {
    code: 211130,
    group: 'tax',
    name: 'fixed-asset',
    aliases: ['imobilizacao'],
    officialName: 'Imobilização de Item',
    label: { en: 'Item became a fixed asset', pt: 'Item passou ao ativo imobilizado' },
  },
  {
    code: 211140,
    group: 'tax',
    name: 'fuel-credit',
    aliases: ['credito-de-combustivel'],
    officialName: 'Solicitação de Apropriação de Crédito de Combustível',
    label: { en: 'Request for fuel credit', pt: 'Pedido de crédito de combustível' },
  },
  {
    code: 211150,
    group: 'tax',
    name: 'activity-credit',
    aliases: ['credito-por-atividade'],
    officialName: 'Solicitação de Apropriação de Crédito para bens e serviços que dependem de atividade do adquirente',
    label: {
      en: 'Request for credit that depends on the buyer’s activity',
      pt: 'Pedido de crédito que depende da atividade do adquirente',
    },
  },
];

const successor: readonly Entry[] = [
  {
    code: 212110,
    name: 'succession-ibs',
    aliases: ['sucessao-ibs'],
    officialName: 'Manifestação sobre Pedido de Transferência de Crédito de IBS em Operação de Sucessão',
    label: { en: 'Answer to a transfer of IBS credit', pt: 'Resposta à transferência de crédito de IBS' },
  },
  {
    code: 212120,
    name: 'succession-cbs',
    aliases: ['sucessao-cbs'],
    officialName: 'Manifestação sobre Pedido de Transferência de Crédito de CBS em Operação de Sucessão',
    label: { en: 'Answer to a transfer of CBS credit', pt: 'Resposta à transferência de crédito de CBS' },
  },
];

const cancellation: Entry = {
  code: 110001,
  name: 'event-cancellation',
  aliases: ['cancelamento-de-evento'],
  officialName: 'Cancelamento de Evento',
  label: { en: 'Cancels an earlier event', pt: 'Cancela um evento anterior' },
};

const taker: readonly Entry[] = [
  {
    code: 203202,
    name: 'confirm',
    aliases: ['confirmar', 'confirmacao-do-tomador'],
    officialName: 'Confirmação do Tomador',
    label: { en: 'The service was taken', pt: 'O serviço foi tomado' },
  },
  {
    code: 203206,
    name: 'reject',
    aliases: ['rejeitar', 'rejeicao', 'rejeicao-do-tomador'],
    officialName: 'Rejeição do Tomador',
    label: { en: 'The note is rejected, with a reason', pt: 'A nota é rejeitada, com um motivo' },
  },
];

/** The events that the service accepts (§4), in the order of its tables. */
export const eventTypes: readonly EventType[] = [
  ...recipient.map((event) => ({ ...event, family: 'nfe', author: 'recipient' }) as const),
  ...successor.map((event) => ({ ...event, family: 'nfe', author: 'successor', group: 'successor' }) as const),
  { ...cancellation, family: 'nfe', author: 'author-of-the-event', group: 'cancellation' },
  ...taker.map((event) => ({ ...event, family: 'nfse', author: 'taker', group: 'taker' }) as const),
];

const ofTheTaxOffice: Text = {
  en: 'only the tax authority sends this event; it can only be read',
  pt: 'só o fisco envia este evento; ele só pode ser lido',
};

/** Official events that the service rejects (§4). */
const refusedEvents: Readonly<Record<string, Text>> = {
  211120: {
    en: 'it was removed by technical note 2025.002-RTC v1.40 (personal consumption)',
    pt: 'foi retirado pela nota técnica 2025.002-RTC v1.40 (consumo pessoal)',
  },
  412120: ofTheTaxOffice,
  412130: ofTheTaxOffice,
};

/** Reasons for a rejection by the taker (facts §2). */
export const rejectionReasons: readonly { readonly code: number; readonly label: Text }[] = [
  { code: 1, label: { en: 'issued twice', pt: 'NFS-e em duplicidade' } },
  { code: 2, label: { en: 'already issued by the taker', pt: 'NFS-e já emitida pelo tomador' } },
  { code: 3, label: { en: 'the taxable event did not occur', pt: 'não ocorrência do fato gerador' } },
  { code: 4, label: { en: 'error about tax responsibility', pt: 'erro quanto à responsabilidade tributária' } },
  {
    code: 5,
    label: {
      en: 'error in value, deductions, service or date',
      pt: 'erro quanto ao valor, às deduções, ao serviço ou à data',
    },
  },
  { code: 9, label: { en: 'other', pt: 'outros' } },
];

/** Finds an event by its code or its name, in any letter case, with or without accents. */
export function findEvent(text: string): EventType | undefined {
  const word = plain(text);
  return eventTypes.find(({ code, name, aliases }) => String(code) === word || name === word || aliases.includes(word));
}

export function eventOfCode(code: number): EventType | undefined {
  return eventTypes.find((event) => event.code === code);
}

/** Why an official event can never be sent (§4). `undefined` for other text. */
export function refusalOf(text: string): Text | undefined {
  return refusedEvents[plain(text)];
}

/** The highest sequence that the authority accepts (rule 594). `undefined`: no rule is known. */
export function highestSequence({ group }: Pick<EventType, 'group'>): number | undefined {
  if (group === 'awareness' || group === 'taker') return 1;
  return group === 'conclusive' ? 2 : undefined;
}

/** Events that deny a document. In bulk they need the company's id besides the confirmation. */
export function isDenial(code: number): boolean {
  return code === 210220 || code === 210240 || code === 203206;
}

/** An event in a list of the service, as it arrives. */
export interface ListedEvent {
  readonly eventKey: string;
  readonly type?: string;
  readonly description?: string;
}

/** The legal form of the Id of an event: `ID`, code, key and sequence; of an NFS-e `EVT`, key, code and sequence. */
const eventIds = [/^ID(\d{6})[0-9A-Z]{44}(\d{2,3})$/, /^EVT[0-9A-Z]{50}(\d{6})(\d{3})$/];

/**
 * Reads code and sequence of a listed event from its key and from its type, if that is a code. `undefined`: neither contains a code,
 * or they contradict each other.
 */
export function codeOfListed({ eventKey, type = '' }: ListedEvent): EventNumber | undefined {
  const match = eventIds.map((pattern) => pattern.exec(eventKey)).find((found) => found !== null);
  const [, inKey, sequence] = match ?? [];
  const inType = /^e?(\d{6})$/i.exec(type)?.[1];
  if (inKey !== undefined && inType !== undefined && inKey !== inType) return undefined;
  const code = inKey ?? inType;
  return code === undefined ? undefined : { code: Number(code), sequence: Number(sequence ?? '1') };
}

/** The Id that the law gives to an event of a document; `undefined`: its key has another length. */
export function eventIdOf(accessKey: string, { code, sequence }: EventNumber): string | undefined {
  if (accessKey.length === 44) return `ID${code}${accessKey}${String(sequence).padStart(2, '0')}`;
  return accessKey.length === 50 ? `EVT${accessKey}${code}${String(sequence).padStart(3, '0')}` : undefined;
}

/** Names by which lists tell the events of an issuer: of NF-e and CT-e, without the words that some add. */
const issuerWords: readonly (readonly [RegExp, number])[] = [
  [/^cancelamento por substituicao/, 110112],
  [/^cancelamento(?: de (?:nf-e|ct-e))?(?: homologado)?$/, 110111],
  [/^cancellation$/, 110111],
  [/^(?:correction|carta)/, 110110],
  [/^(?:autorizado )?ct-e de substituicao$/, 240140],
  [/^(?:autorizado )?ct-e de anulacao$/, 240150],
];

/** Finds the code of a listed event by its official name: `Ciencia da Operacao`. */
export function codeInWords({ description = '' }: Pick<ListedEvent, 'description'>): EventNumber | undefined {
  const words = plain(description)
    .replaceAll('-', ' ')
    .replaceAll(/\b(nf|ct) e\b/g, '$1-e');
  const code = issuerWords.find(([pattern]) => pattern.test(words))?.[1] ?? findEvent(description)?.code;
  return code === undefined ? undefined : { code, sequence: 1 };
}

export interface EventNumber {
  readonly code: number;
  readonly sequence: number;
}

function plain(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[\s_]+/g, '-');
}
