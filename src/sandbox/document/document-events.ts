import { createHash } from 'node:crypto';
import { type SandboxDatabase, insertInto } from '../core/database.js';
import type { Family } from '../core/records.js';

/**
 * An event of a captured document, e.g. its cancellation or the recipient's awareness. Times are milliseconds since
 * the epoch.
 */
export interface StoredEvent {
  readonly family: Family;
  readonly accessKey: string;
  readonly companyId: string;
  /** The `Id` attribute of `infEvento`. */
  readonly eventKey: string;
  readonly type: string;
  readonly description: string;
  readonly sequence: number;
  readonly protocol: string;
  /** CNPJ of the recipient or the taker; null: the issuer of the document. */
  readonly author: string | null;
  /** The detail that the recipient or taker sent. */
  readonly detail: Readonly<Record<string, unknown>>;
  readonly nsu: number | null;
  readonly issuedOn: number;
  readonly createdOn: number;
}

export interface DocumentEvents {
  /** Keeps an existing event with the same key. */
  add(event: StoredEvent): void;
  get(companyId: string, eventKey: string): StoredEvent | undefined;
  /** The events of a document, as captured by its company. */
  ofDocument(companyId: string, accessKey: string): readonly StoredEvent[];
  /** The events of a document, each once, whichever companies hold it. */
  withKey(accessKey: string): readonly StoredEvent[];
  hasAny(companyId: string, family: Family): boolean;
  /** The next NSU for an event. */
  nextNsu(companyId: string, family: Family): number;
}

export type EventRow = Omit<StoredEvent, 'detail'> & { readonly detail: string };

/** The NSU of events starts above it, apart from those of documents. */
export const beforeEvents = 1_000_000_000;

export function openDocumentEvents(database: SandboxDatabase): DocumentEvents {
  const add = database.prepare(`${insertInto(database, 'documentEvents')} ON CONFLICT DO NOTHING`);
  const get = database.prepare<[string, string], EventRow>(
    'SELECT * FROM documentEvents WHERE companyId = ? AND eventKey = ?',
  );
  const withKey = database.prepare<[string], EventRow>(
    'SELECT * FROM documentEvents WHERE accessKey = ? GROUP BY eventKey ORDER BY issuedOn, eventKey',
  );
  const ofDocument = database.prepare<[string, string], EventRow>(
    'SELECT * FROM documentEvents WHERE companyId = ? AND accessKey = ? ORDER BY position',
  );
  const last = database.prepare<[string, string], { last: number | null }>(
    'SELECT max(nsu) AS last FROM documentEvents WHERE companyId = ? AND family = ?',
  );
  const any = database.prepare<[string, string], object>(
    'SELECT 1 FROM documentEvents WHERE companyId = ? AND family = ? LIMIT 1',
  );
  return {
    add: (event) => void add.run({ ...event, detail: JSON.stringify(event.detail) }),
    get(companyId, eventKey) {
      const row = get.get(companyId, eventKey);
      return row && toEvent(row);
    },
    ofDocument: (companyId, accessKey) => ofDocument.all(companyId, accessKey).map(toEvent),
    hasAny: (companyId, family) => any.get(companyId, family) !== undefined,
    nextNsu: (companyId, family) => Math.max(last.get(companyId, family)?.last ?? 0, beforeEvents) + 1,
    withKey: (accessKey) => withKey.all(accessKey).map(toEvent),
  };
}

export function toEvent(row: EventRow): StoredEvent {
  return { ...row, detail: JSON.parse(row.detail) };
}

/** An event registered after the capture of the note. `at`: milliseconds since the epoch. */
export interface RegisteredEvent {
  readonly family: 'nfe' | 'nfse';
  readonly accessKey: string;
  readonly eventCode: number;
  readonly sequence: number;
  /** CNPJ of the recipient or the taker; null: the issuer. */
  readonly author: string | null;
  readonly protocol: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly at: number;
}

/** Official names, spelled as in the layouts (facts §2 and §3). */
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
  [211150, 'Solicitação de Apropriação de Crédito para bens e serviços que dependem de atividade do adquirente'],
  [212110, 'Manifestação sobre Pedido de Transferência de Crédito de IBS em Operação de Sucessão'],
  [212120, 'Manifestação sobre Pedido de Transferência de Crédito de CBS em Operação de Sucessão'],
  [110001, 'Cancelamento de Evento'],
  [110110, 'Carta de Correcao'],
  [110111, 'Cancelamento'],
  [101101, 'Cancelamento de NFS-e'],
  [105102, 'Cancelamento de NFS-e por Substituição'],
  [203202, 'Confirmação do Tomador'],
  [203206, 'Rejeição do Tomador'],
]);

/** The official name, or `Evento` and the code. */
export function eventName(eventCode: number): string {
  return names.get(eventCode) ?? `Evento ${eventCode}`;
}

/** The key: `EVT` and a three-digit sequence for an NFS-e, `ID` and a two-digit one for an NF-e. */
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

/** The event as a company that holds the note captures it. */
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

/** The part of the document that a file is; the summary of one that is here in full is never served. */
export type GivenPart = 'full' | 'summary';

/** The file of a company's document or event. */
export interface GivenName {
  readonly companyId: string;
  readonly part: GivenPart;
  /** The key of a document or of an event, or the id of what has no key. */
  readonly of: string;
}

/** The XML that a user gave, as it is: the sandbox serves it instead of writing one. */
export interface GivenXml {
  put(name: GivenName, bytes: Uint8Array): void;
  get(name: GivenName): Buffer | undefined;
  /** `undefined`: there is none. */
  isSame(name: GivenName, bytes: Uint8Array): boolean | undefined;
}

export function openGivenXml(database: SandboxDatabase): GivenXml {
  const put = database.prepare(
    `INSERT INTO givenXml (companyId, name, digest, bytes) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET digest = excluded.digest, bytes = excluded.bytes`,
  );
  const get = database.prepare<[string, string], { bytes: Buffer }>(
    'SELECT bytes FROM givenXml WHERE companyId = ? AND name = ?',
  );
  const digest = database.prepare<[string, string], { digest: string }>(
    'SELECT digest FROM givenXml WHERE companyId = ? AND name = ?',
  );
  return {
    put: (name, bytes) => void put.run(name.companyId, nameOf(name), digestOf(bytes), bytes),
    get: (name) => get.get(name.companyId, nameOf(name))?.bytes,
    isSame(name, bytes) {
      const found = digest.get(name.companyId, nameOf(name));
      return found && found.digest === digestOf(bytes);
    },
  };
}

function nameOf({ part, of }: GivenName): string {
  return `${part}:${of}`;
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
