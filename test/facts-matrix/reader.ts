import type { ServedDocument, ServedEvent, ServedWorld } from '../support/inbound-service.js';

/**
 * A second reader of the facts of received documents, written from the law and not from the program. It shares no code with
 * `src`: what both say the same of a world is said by two.
 */

export type State = 'standing' | 'cancelled' | 'substituted' | 'annulled' | 'denied' | 'disabled';
export type Kind = 'full' | 'summary' | 'missing';
export type EventClass = 'awareness' | 'conclusive';

export interface Term {
  readonly eventClass: EventClass;
  readonly lastDay: string;
}

export interface Judged {
  readonly company: string;
  readonly family: ServedDocument['family'];
  readonly key: string;
  readonly kind: Kind;
  /** `2026-10`, and where it comes from. */
  readonly month: string;
  readonly datedBy: 'document' | 'row' | 'key';
  /** Absent where only the key's month is known. */
  readonly day?: string;
  readonly state: State;
  /** In cents; absent: the document does not say it. */
  readonly cents?: bigint;
  /** `2026-09-30`, of an NFS-e. */
  readonly competence?: string;
  readonly issuer?: string;
  readonly recipient?: string;
  /** Every registered and every refused event, as the lists and files say. */
  readonly events: readonly JudgedEvent[];
  /** What the recipient owes: none where the document does not stand, or is not the company's to answer. */
  readonly terms: readonly Term[];
}

export interface JudgedEvent {
  readonly code: string;
  readonly isRegistered: boolean;
  readonly hasFile: boolean;
}

/** The year in which the NF-e began. */
const FIRST_YEAR = 2006;

/** The documents of a world, each once, with what its rows, its file and its events say. */
export function judge(world: ServedWorld): readonly Judged[] {
  const taxNumbers = new Map(world.companies.map((row) => [row['id'], String(row['federalTaxNumber'] ?? '')]));
  const events = new Map<string, JudgedEvent[]>();
  const add = (place: string, event: JudgedEvent): void => {
    events.set(place, [...(events.get(place) ?? []), event]);
  };
  for (const event of world.events)
    add(`${event.company} ${event.family} ${keyOfEvent(event)}`, judgedEvent(event, event.row['type']));
  const documents = world.documents.filter((document) => !isEvent(document));
  const known = new Set(documents.map(({ company, family, row }) => `${company} ${family} ${row['accessKey']}`));
  for (const document of world.documents) {
    if (!isEvent(document)) continue;
    const { company, family, row } = document;
    const related = documents.find(
      (note) => note.company === company && listOf(note.row['relatedEventIds']).includes(row['id']),
    );
    const key =
      field(textOf(document.xml), 'chNFSe') ?? row['parentAccessKey'] ?? row['accessKey'] ?? related?.row['accessKey'];
    const place = `${company} ${family} ${String(key)}`;
    if (known.has(place)) add(place, judgedEvent(document, row['eventCode']));
  }
  return documents.map((document) => {
    const place = `${document.company} ${document.family} ${document.row['accessKey']}`;
    return judged(document, events.get(place) ?? [], taxNumbers.get(document.company) ?? '');
  });
}

/** A row that tells of an event, in a list of documents. */
export function isEvent({ row }: Pick<ServedDocument, 'row'>): boolean {
  return /event/i.test(String(row['type'] ?? ''));
}

function judged(
  { company, family, row, xml }: ServedDocument,
  events: readonly JudgedEvent[],
  taxNumber: string,
): Judged {
  const text = textOf(xml);
  const key = String(row['accessKey']);
  const kind = kindOf(text);
  const written = writtenTime(text, family);
  const own = localDay(written);
  const listed = kind === 'missing' ? localDay(asText(row['issuedOn']), -3) : undefined;
  const day = own ?? listed;
  const amount = amountOf(text, family) ?? asText(row['totalInvoiceAmount'] ?? row['servicesAmount']);
  const competence = field(text, 'dCompet');
  const issuer = numberIn(block(text, 'emit')) ?? (kind === 'summary' ? numberIn(text) : undefined);
  const recipient = numberIn(block(text, 'dest')) ?? numberIn(block(text, 'toma'));
  const state = stateOf({ family, row, text, kind, events });
  const term = { family, kind, state, events, row, text, issuer, recipient, taxNumber, day };
  return {
    ...{ company, family, key, kind, state, events },
    month: day?.slice(0, 7) ?? monthOfKey(key),
    datedBy: datedBy(own, listed),
    ...(day === undefined ? {} : { day }),
    ...(isAmount(amount) ? { cents: centsOf(amount) } : {}),
    ...(competence === undefined ? {} : { competence }),
    ...(issuer === undefined ? {} : { issuer }),
    ...(recipient === undefined ? {} : { recipient }),
    terms: termsOf(term),
  };
}

function datedBy(own: string | undefined, listed: string | undefined): Judged['datedBy'] {
  if (own !== undefined) return 'document';
  return listed === undefined ? 'key' : 'row';
}

// What a document is

function kindOf(text: string): Kind {
  if (text === '') return 'missing';
  return text.includes('<resNFe') ? 'summary' : 'full';
}

function writtenTime(text: string, family: ServedDocument['family']): string | undefined {
  if (family === 'nfse') return field(block(text, 'infDPS'), 'dhEmi');
  return field(text, 'dhEmi') ?? field(text, 'dEmi');
}

function amountOf(text: string, family: ServedDocument['family']): string | undefined {
  if (family === 'nfe') return field(text, 'vNF');
  return field(text, family === 'cte' ? 'vTPrest' : 'vServ');
}

// When

/**
 * The local day of a time: the date that is written, with the offset that is written there. Without an offset the time is of
 * Brasília, so the date is the same. `shift`: hours from UTC of a reader that has nothing but a time in UTC.
 */
function localDay(written: string | undefined, shift?: number): string | undefined {
  const found = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/.exec(
    written ?? '',
  );
  if (found === null) return undefined;
  const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part ?? '0'));
  const at = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute, second));
  const isReal =
    at.getUTCMonth() + 1 === month &&
    at.getUTCDate() === day &&
    (hour ?? 0) < 24 &&
    (minute ?? 0) < 60 &&
    (second ?? 0) < 60;
  if (!isReal || (year ?? 0) < FIRST_YEAR) return undefined;
  if (shift === undefined || found[7] !== 'Z') return at.toISOString().slice(0, 10);
  return new Date(at.getTime() + shift * 3_600_000).toISOString().slice(0, 10);
}

/** Keys of 44 begin with state, year and month; those of 50 have them after the number of the note. */
function monthOfKey(key: string): string {
  const digits = key.length === 50 ? key.slice(36, 40) : key.slice(2, 6);
  return `20${digits.slice(0, 2)}-${digits.slice(2)}`;
}

// Whether it stands

const effects: Readonly<Record<ServedDocument['family'], Readonly<Record<string, State>>>> = {
  nfe: { '110111': 'cancelled', '110112': 'substituted' },
  cte: { '110111': 'cancelled', '240140': 'substituted', '240150': 'annulled' },
  // 101103 asks for an analysis, 105105 refuses it: neither cancels.
  nfse: { '101101': 'cancelled', '105102': 'substituted', '105104': 'cancelled', '305101': 'cancelled' },
};

/** Answers of the authority that refuse the use of a note (uso denegado). */
const denials = new Set(['110', '205', '301', '302', '303']);

const statusWords: readonly (readonly [RegExp, State])[] = [
  [/^cancel/i, 'cancelled'],
  [/^(?:substitu|replaced)/i, 'substituted'],
  [/^(?:annul|anulad)/i, 'annulled'],
  [/denied|denegad/i, 'denied'],
  [/^(?:disabled|inutilizad)/i, 'disabled'],
];

interface Evidence {
  readonly family: ServedDocument['family'];
  readonly row: ServedDocument['row'];
  readonly text: string;
  readonly kind: Kind;
  readonly events: readonly JudgedEvent[];
}

function stateOf({ family, row, text, kind, events }: Evidence): State {
  for (const { code, isRegistered } of events) {
    const effect = effects[family][code];
    if (isRegistered && effect !== undefined) return effect;
  }
  const situation = kind === 'summary' ? field(text, 'cSitNFe') : undefined;
  if (situation === '3') return 'cancelled';
  if (situation === '2' || denials.has(field(block(text, 'infProt'), 'cStat') ?? '')) return 'denied';
  const word = statusWords.find(([pattern]) => pattern.test(String(row['status'])));
  if (word !== undefined) return word[1];
  return typeof row['substituteAccessKey'] === 'string' ? 'substituted' : 'standing';
}

/** An event that the authority has registered: 135, 136 and 155; an event whose file gives no answer stands in its list. */
function judgedEvent({ xml }: Pick<ServedEvent, 'xml'>, listedCode: unknown): JudgedEvent {
  const text = textOf(xml);
  const national = /<e(\d{6})[\s>]/.exec(text)?.[1];
  const listed = /^e?(\d{6})$/i.exec(String(listedCode ?? ''))?.[1];
  const answer = field(/<retEvento.*/s.exec(text)?.[0] ?? '', 'cStat');
  return {
    code: national ?? field(text, 'tpEvento') ?? listed ?? '',
    isRegistered: answer === undefined || ['135', '136', '155'].includes(answer),
    hasFile: text !== '',
  };
}

function keyOfEvent({ xml, row }: ServedEvent): string {
  const text = textOf(xml);
  return field(text, 'chNFe') ?? field(text, 'chCTe') ?? String(row['accessKey']);
}

// What is owed

interface TermEvidence {
  readonly family: ServedDocument['family'];
  readonly kind: Kind;
  readonly state: State;
  readonly events: readonly JudgedEvent[];
  readonly row: ServedDocument['row'];
  readonly text: string;
  readonly issuer: string | undefined;
  readonly recipient: string | undefined;
  readonly taxNumber: string;
  readonly day: string | undefined;
}

const CONCLUSIVE = ['210200', '210220', '210240'];

/** Ciência 10 days, the conclusive event 90 or 180, from the day of the authorisation. */
function termsOf(document: TermEvidence): readonly Term[] {
  const { family, state, events, row, text, taxNumber } = document;
  if (family !== 'nfe' || state !== 'standing') return [];
  const root = (number: string | undefined): string | undefined => number?.slice(0, 8);
  const issuer = document.issuer ?? partyOf(row['issuer']);
  const recipient = document.recipient ?? partyOf(row['buyer']);
  if (root(issuer) === root(taxNumber)) return [];
  if (recipient !== undefined && root(recipient) !== root(taxNumber)) return [];
  const start = localDay(field(text, 'dhRecbto')) ?? document.day;
  if (start === undefined) return [];
  const said = events.filter(({ isRegistered }) => isRegistered).map(({ code }) => code);
  const isConcluded = CONCLUSIVE.some((code) => said.includes(code));
  const isSeen = isConcluded || said.includes('210210');
  return [
    ...(isSeen ? [] : [{ eventClass: 'awareness', lastDay: addDays(start, 10) } as const]),
    ...(isConcluded ? [] : [{ eventClass: 'conclusive', lastDay: lastConclusiveDay(start) } as const]),
  ];
}

/** Where the law changed before the term ended, the earlier day. */
function lastConclusiveDay(start: string): string {
  if (start < '2021-01-01') return addDays(start, 90);
  if (start >= '2026-06-01') return addDays(start, 90);
  const [before, since] = [addDays(start, 180), addDays(start, 90)];
  return before >= '2026-06-01' ? since : before;
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

// Reading

export function textOf(xml: string | Uint8Array | undefined): string {
  if (xml === undefined) return '';
  if (typeof xml === 'string') return xml;
  const head = Buffer.from(xml.subarray(0, 100)).toString('latin1');
  const encoding = /encoding=["'](?:iso-8859-1|windows-1252)/i.test(head) ? 'latin1' : 'utf8';
  return Buffer.from(xml).toString(encoding);
}

/** The first element of a local name, whatever its prefix. */
function field(text: string, name: string): string | undefined {
  const found = new RegExp(`<(?:\\w+:)?${name}(?:\\s[^>]*)?>\\s*([^<]*?)\\s*</`).exec(text)?.[1];
  return found === '' ? undefined : found;
}

function block(text: string, name: string): string {
  return new RegExp(`<(?:\\w+:)?${name}[\\s>].*?</(?:\\w+:)?${name}>`, 's').exec(text)?.[0] ?? '';
}

function numberIn(text: string): string | undefined {
  return field(text, 'CNPJ') ?? field(text, 'CPF');
}

function partyOf(value: unknown): string | undefined {
  return asText((value as { readonly federalTaxNumber?: unknown } | null | undefined)?.federalTaxNumber);
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isAmount(text: string | undefined): text is string {
  return /^\d+(?:\.\d+)?$/.test(text ?? '');
}

export function centsOf(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole) * 100n + BigInt(fraction.padEnd(2, '0').slice(0, 2));
}

/** `1234.50`. */
export function amountText(value: bigint): string {
  return `${value / 100n}.${String(value % 100n).padStart(2, '0')}`;
}
