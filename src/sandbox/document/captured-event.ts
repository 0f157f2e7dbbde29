import type { StoredEvent } from './document-events.js';

/** An event that the authority has registered after the capture of the note. `at` in milliseconds since the epoch. */
export interface RegisteredEvent {
  readonly family: 'nfe' | 'nfse';
  readonly accessKey: string;
  readonly eventCode: number;
  readonly sequence: number;
  /** CNPJ of the recipient or the taker; null: the issuer. */
  readonly author: string | null;
  readonly protocol: string;
  /** As it was submitted. */
  readonly detail: Readonly<Record<string, unknown>>;
  readonly at: number;
}

/** facts §2 and §3, written as the layouts write them. */
const names: ReadonlyMap<number, string> = new Map([
  [210200, 'Confirmacao da Operacao'],
  [210210, 'Ciencia da Operacao'],
  [210220, 'Desconhecimento da Operacao'],
  [210240, 'Operacao nao Realizada'],
  [211110, 'Solicitação de Apropriação de crédito presumido'],
  [211124, 'Perecimento, perda, roubo ou furto durante o transporte contratado pelo adquirente'],
  [211128, 'Aceite de débito na apuração por emissão de nota de crédito'],
  [211130, 'Imobilização de Item'],
  [211140, 'Solicitação de Apropriação de Crédito de Combustível'],
  [
    211150,
    'Solicitação de Apropriação de Crédito para bens e serviços que dependem de atividade do adquirente',
  ],
  [212110, 'Manifestação sobre Pedido de Transferência de Crédito de IBS em Operação de Sucessão'],
  [212120, 'Manifestação sobre Pedido de Transferência de Crédito de CBS em Operação de Sucessão'],
  [110001, 'Cancelamento de Evento'],
  [110110, 'Carta de Correcao'],
  [110111, 'Cancelamento'],
  [203202, 'Confirmação do Tomador'],
  [203206, 'Rejeição do Tomador'],
]);

/** A code that is not here is told by its number. */
export function eventName(eventCode: number): string {
  return names.get(eventCode) ?? `Evento ${eventCode}`;
}

/** `EVT` and three digits of sequence for an NFS-e, `ID` and two for an NF-e. */
export function eventKeyOf({
  family,
  accessKey,
  eventCode,
  sequence,
}: Pick<RegisteredEvent, 'family' | 'accessKey' | 'eventCode' | 'sequence'>): string {
  return family === 'nfse'
    ? `EVT${accessKey}${eventCode}${String(sequence).padStart(3, '0')}`
    : `ID${eventCode}${accessKey}${String(sequence).padStart(2, '0')}`;
}

/** As a company that holds the note captures it. */
export function capturedEvent(
  event: RegisteredEvent,
  { companyId, nsu, createdOn }: Pick<StoredEvent, 'companyId' | 'nsu' | 'createdOn'>,
): StoredEvent {
  const { family, accessKey, eventCode, sequence, author, protocol, detail } = event;
  return {
    ...{ family, accessKey, companyId, eventKey: eventKeyOf(event), type: String(eventCode) },
    ...{ description: eventName(eventCode), sequence, protocol, author, detail },
    nsu,
    issuedOn: event.at,
    createdOn,
  };
}
