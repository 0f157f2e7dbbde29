import type { ServedDocument, ServedEvent, ServedWorld } from '../support/inbound-service.js';
import { accessKey, serviceKey, taxNumber } from './keys.js';
import { Dice } from './dice.js';
import * as xml from './xml.js';

/** What a document was made to show, for the list of differences. */
export type Tags = readonly string[];

export interface MadeWorld extends ServedWorld {
  /** By company and key: `c1 3526…`. */
  readonly tags: ReadonlyMap<string, Tags>;
}

export const now = Date.UTC(2026, 10, 20, 15);

export interface Company {
  readonly id: string;
  readonly number: string;
  /** Another establishment of it, which the account does not have. */
  readonly branch: string;
}

function company(index: number): Company {
  const root = String(44_000_101 + index * 1_013);
  return { id: `c${index + 1}`, number: taxNumber(`${root}0001`), branch: taxNumber(`${root}0002`) };
}

const suppliers = Array.from({ length: 40 }, (_, index) => taxNumber(`11${String(222000 + index * 37)}0001`));
const strangers = Array.from({ length: 10 }, (_, index) => taxNumber(`66${String(500100 + index * 53)}0001`));

// Moments

interface Moment {
  /** As the document writes it; `undefined`: it has no such element. */
  readonly written: string | undefined;
  /** As the list of the service gives it. */
  readonly row: unknown;
  /** `2610`, of the key. */
  readonly aamm: string;
  /** When the authority took it, as it writes it. */
  readonly received: string;
  readonly tag: string;
}

const offsets = ['-03:00', '-03:00', '-03:00', '-02:00', '-04:00', '-05:00', '+00:00', 'Z', ''] as const;
const months = ['2026-04', '2026-05', '2026-06', '2026-07', '2026-08', '2026-09', '2026-10', '2026-10', '2026-11'];

type Edge = readonly [name: string, clock: (dice: Dice, month: string) => string];

const firstMinute: Edge = ['first minute', (_, month) => `${month}-01T00:00:00`];

/** Edges of the local month, and days within. */
const edges: readonly Edge[] = [
  ['last minute', (dice, month) => `${lastDay(month)}T23:59:${dice.pick(['00', '59'])}`],
  ['last evening', (dice, month) => `${lastDay(month)}T${dice.pick(['18', '19', '20', '21', '22', '23'])}:30:00`],
  firstMinute,
  ['first night', (dice, month) => `${month}-01T0${dice.pick(['0', '1', '2', '3', '4'])}:15:00`],
  ['within', (dice, month) => `${month}-${dice.pick(['05', '11', '17', '18'])}T${dice.pick(['09', '13', '23'])}:20:00`],
];

/** Texts that are no date of an electronic document. */
const noDates = [
  '2026-02-30T10:00:00-03:00',
  '2026-13-01T10:00:00-03:00',
  '2026-10-31T25:10:00-03:00',
  '0001-01-01T00:00:00',
  '1970-01-01T00:00:00-03:00',
  '1999-12-31T23:59:59-03:00',
  '2005-12-31T23:59:59-03:00',
  'ontem',
  undefined,
];

function moment(dice: Dice): Moment {
  const month = dice.pick(months);
  if (dice.chance(0.06)) {
    const written = dice.pick(noDates);
    const row = dice.pick<unknown>([`${month}-15T12:00:00Z`, '0001-01-01T00:00:00Z', '', null, undefined, written]);
    return { written, row, aamm: aammOf(month), received: `${month}-15T09:00:05-03:00`, tag: 'no date' };
  }
  // Summer time ended in 2019: −02:00 is today the time of Fernando de Noronha.
  const offset = dice.pick(offsets);
  const [edge, clock] = month === '2026-11' ? firstMinute : dice.pick(edges);
  const local = clock(dice, month);
  const at = Date.parse(`${local}${offset === '' ? '-03:00' : offset}`);
  const row = dice.pick<unknown>([utc(at), utc(at), utc(at), local, `${local}${offset}`]);
  const received = dice.chance(0.1) ? at + 86_400_000 : at + 5_000;
  return {
    ...{ written: `${local}${offset}`, row, aamm: aammOf(month), tag: `${edge} ${offset || 'without offset'}` },
    received: `${new Date(received + hours(offset)).toISOString().slice(0, 19)}${offset === '' ? '-03:00' : offset}`,
  };
}

function hours(offset: string): number {
  if (offset === '') return -3 * 3_600_000;
  return offset === 'Z' ? 0 : Number(offset.slice(0, 3)) * 3_600_000;
}

function utc(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}

function lastDay(month: string): string {
  const [year, number] = month.split('-');
  return new Date(Date.UTC(Number(year), Number(number), 0)).toISOString().slice(0, 10);
}

function aammOf(month: string): string {
  return month.slice(2, 4) + month.slice(5, 7);
}

// Parties

interface Parties {
  readonly issuer: string;
  readonly recipient: string;
  readonly carrier?: string;
  readonly tag: string;
}

function parties({ dice, own }: Making): Parties {
  const supplier = dice.pick(suppliers);
  return dice.weighted<() => Parties>([
    [70, () => ({ issuer: supplier, recipient: own.number, tag: 'recipient' })],
    [8, () => ({ issuer: own.number, recipient: dice.pick(strangers), tag: 'issuer' })],
    [8, () => ({ issuer: own.branch, recipient: own.number, tag: 'issued by a branch' })],
    [6, () => ({ issuer: supplier, recipient: own.branch, tag: 'sent to a branch' })],
    [8, () => ({ issuer: supplier, recipient: dice.pick(strangers), carrier: own.number, tag: 'carrier' })],
  ])();
}

// States

interface Fate {
  readonly tag: string;
  readonly status?: string;
  readonly substitute?: boolean;
  /** cStat of the protocol. */
  readonly answer?: string;
  /** cSitNFe of a summary. */
  readonly situation?: string;
  readonly event?: {
    readonly code: string;
    readonly form?: 'summary';
    readonly answer?: string;
    readonly hasFile?: false;
    /** `type` of the row says its kind, not its code. */
    readonly isNamed?: boolean;
  };
}

type Fates = readonly (readonly [number, Fate])[];

const nfeFates: Fates = [
  [60, { tag: 'standing' }],
  [4, { tag: '110111 with 135', event: { code: '110111', answer: '135' } }],
  [3, { tag: '110111 with 136', event: { code: '110111', answer: '136', isNamed: true } }],
  [3, { tag: '110111 with 155', event: { code: '110111', answer: '155', isNamed: true } }],
  [2, { tag: '110111 without answer', event: { code: '110111' } }],
  [3, { tag: '110111 as resEvento', event: { code: '110111', form: 'summary', isNamed: true } }],
  [3, { tag: '110112', event: { code: '110112', answer: '135' } }],
  [2, { tag: '110111 refused', event: { code: '110111', answer: '501', isNamed: true } }],
  [1, { tag: '110112 refused', event: { code: '110112', answer: '573' } }],
  [2, { tag: '110110', event: { code: '110110', answer: '135', isNamed: true } }],
  [1, { tag: '610600', event: { code: '610600', answer: '135' } }],
  [1, { tag: '412120', event: { code: '412120', answer: '135' } }],
  [4, { tag: '210210', event: { code: '210210', answer: '135' } }],
  [3, { tag: '210200', event: { code: '210200', answer: '135', isNamed: true } }],
  [2, { tag: '210240 as resEvento', event: { code: '210240', form: 'summary', isNamed: true } }],
  [1, { tag: '210220 refused', event: { code: '210220', answer: '596' } }],
  [2, { tag: 'protocol 110', answer: '110' }],
  [2, { tag: 'protocol 302', answer: '302' }],
  [1, { tag: 'status Cancelled', status: 'Cancelled' }],
  [1, { tag: 'status Denied', status: 'Denied' }],
];

const summaryFates: Fates = [
  [10, { tag: 'cSitNFe 1', situation: '1' }],
  [4, { tag: 'cSitNFe 2', situation: '2' }],
  [4, { tag: 'cSitNFe 3', situation: '3' }],
  [2, { tag: 'cSitNFe 1, 110111', situation: '1', event: { code: '110111', form: 'summary', isNamed: true } }],
  [2, { tag: 'cSitNFe 1, 210210', situation: '1', event: { code: '210210', answer: '135' } }],
];

const cteFates: Fates = [
  [60, { tag: 'standing' }],
  [8, { tag: '110111 with 135', event: { code: '110111', answer: '135' } }],
  [4, { tag: '110111 without answer', event: { code: '110111', isNamed: true } }],
  [5, { tag: '240140', event: { code: '240140', answer: '135' } }],
  [3, { tag: '240140 named', event: { code: '240140', isNamed: true } }],
  [5, { tag: '240150', event: { code: '240150', answer: '135', isNamed: true } }],
  [4, { tag: '610110', event: { code: '610110', answer: '135' } }],
  [3, { tag: '110111 refused', event: { code: '110111', answer: '493', isNamed: true } }],
  [2, { tag: 'protocol 110', answer: '110' }],
];

const nfseFates: Fates = [
  [60, { tag: 'standing' }],
  [8, { tag: '101101', event: { code: '101101' } }],
  [5, { tag: '101101 named', event: { code: '101101', isNamed: true } }],
  [6, { tag: '105102', event: { code: '105102' } }],
  [4, { tag: '101103', event: { code: '101103' } }],
  [4, { tag: '105104', event: { code: '105104' } }],
  [3, { tag: '105105', event: { code: '105105' } }],
  [4, { tag: '305101', event: { code: '305101', isNamed: true } }],
  [3, { tag: '203202', event: { code: '203202' } }],
  [1, { tag: 'status Cancelled', status: 'Cancelled' }],
];

// The world

interface Making {
  readonly own: Company;
  readonly dice: Dice;
  readonly documents: ServedDocument[];
  readonly events: ServedEvent[];
  readonly tags: Map<string, Tags>;
}

/** Fewer documents of one company than those that begin a second thread, which only the built program has. */
const MOST_OF_A_COMPANY = 125;

/** A world of so many documents; the same seed makes the same world. */
export function makeWorld({ seed, documents }: { readonly seed: number; readonly documents: number }): MadeWorld {
  const dice = new Dice(seed);
  const all = { documents: [], events: [], tags: new Map<string, Tags>() };
  const companies = Array.from({ length: Math.ceil(documents / MOST_OF_A_COMPANY) }, (_, index) =>
    // An account may have one company twice.
    index === 1 ? { ...company(0), id: 'c2' } : company(index),
  );
  for (let number = 1; number <= documents; number += 1) {
    const own = companies[(number - 1) % companies.length] as Company;
    const making: Making = { own, dice, ...all };
    dice.weighted<(number: number) => void>([
      [55, (at) => addNfe(making, at)],
      [12, (at) => addSummary(making, at)],
      [15, (at) => addCte(making, at)],
      [18, (at) => addNfse(making, at)],
    ])(number);
  }
  return {
    companies: companies.map(({ id, number }) => ({ id, name: `Empresa ${id}`, federalTaxNumber: number })),
    ...all,
  };
}

type Common = Pick<Made, 'key' | 'when' | 'fate'>;

/** When the service captured the document: in order, in the last days of the world. */
function captured(number: number): string {
  return utc(Date.UTC(2026, 10, 2) + number * 60_000);
}

function commonRow({ own }: Making, number: number, { key, when: { row }, fate }: Common) {
  const at = captured(number);
  return {
    ...{ accessKey: key, companyId: own.id, nsu: String(number), status: fate.status ?? 'Received' },
    ...(row === undefined ? {} : { issuedOn: row }),
    ...{ createdOn: at, modifiedOn: at },
  };
}

function amountOf(dice: Dice): string {
  return `${dice.below(9_000) + 1}.${String(dice.below(100)).padStart(2, '0')}`;
}

function addNfe(making: Making, number: number): void {
  const { dice } = making;
  const when = moment(dice);
  const who = parties(making);
  const fate = dice.weighted(nfeFates);
  const key = accessKey({
    state: dice.pick(['35', '13', '12', '26', '52']),
    aamm: when.aamm,
    issuer: who.issuer,
    model: '55',
    number,
  });
  const amount = amountOf(dice);
  const isMissing = dice.chance(0.03);
  push(
    making,
    number,
    { family: 'nfe', key, when, who, fate, isMissing },
    {
      row: {
        ...commonRow(making, number, { key, when, fate }),
        ...{
          type: 'productInvoice',
          issuer: { federalTaxNumber: who.issuer, name: `Fornecedor ${who.issuer.slice(0, 8)}` },
        },
        ...{ buyer: { federalTaxNumber: who.recipient }, totalInvoiceAmount: amount },
      },
      xml: xml.nfe({
        key,
        written: when.written,
        received: when.received,
        answer: fate.answer ?? '100',
        amount,
        ...who,
      }),
    },
  );
  const isTwice = making.own.id === 'c1' && who.tag === 'recipient' && fate.tag === 'standing';
  if (isTwice && dice.chance(0.4)) addSecondView(making, number, { key, when, who, fate, amount });
}

/** The second company of one CNPJ has the summary of what the first one has whole. */
function addSecondView(
  making: Making,
  number: number,
  { amount, ...note }: Common & { readonly who: Parties; readonly amount: string },
): void {
  const { key, when, who } = note;
  const second = { ...making, own: { ...making.own, id: 'c2' } };
  push(
    second,
    number,
    { ...note, family: 'nfe', isMissing: false },
    {
      row: {
        ...commonRow(second, number, note),
        ...{ type: 'productInvoiceSummary', issuer: { federalTaxNumber: who.issuer, name: 'Fornecedor' } },
        ...{ buyer: { federalTaxNumber: who.recipient }, totalInvoiceAmount: amount },
      },
      xml: xml.summary({ key, written: when.written, received: when.received, situation: '1', amount, ...who }),
    },
  );
}

function addSummary(making: Making, number: number): void {
  const { dice, own } = making;
  const when = moment(dice);
  const who = { issuer: dice.pick(suppliers), recipient: own.number, tag: 'recipient' };
  const fate = dice.weighted(summaryFates);
  const key = accessKey({ state: '35', aamm: when.aamm, issuer: who.issuer, model: '55', number });
  const amount = amountOf(dice);
  push(
    making,
    number,
    { family: 'nfe', key, when, who, fate, isMissing: false },
    {
      row: {
        ...commonRow(making, number, { key, when, fate }),
        ...{ type: 'productInvoiceSummary', issuer: { federalTaxNumber: who.issuer, name: 'Fornecedor' } },
        ...{ buyer: { federalTaxNumber: who.recipient }, totalInvoiceAmount: amount },
      },
      xml: xml.summary({
        key,
        written: when.written,
        received: when.received,
        situation: fate.situation ?? '1',
        amount,
        ...who,
      }),
    },
  );
}

function addCte(making: Making, number: number): void {
  const { dice, own } = making;
  const when = moment(dice);
  const who = { issuer: dice.pick(suppliers), recipient: own.number, tag: 'recipient' };
  const fate = dice.weighted(cteFates);
  const key = accessKey({ state: '35', aamm: when.aamm, issuer: who.issuer, model: '57', number });
  const amount = amountOf(dice);
  push(
    making,
    number,
    { family: 'cte', key, when, who, fate, isMissing: dice.chance(0.03) },
    {
      row: {
        ...commonRow(making, number, { key, when, fate }),
        ...{ type: 'transportationInvoice', issuer: { federalTaxNumber: who.issuer, name: 'Transportadora' } },
        totalInvoiceAmount: amount,
      },
      xml: xml.cte({
        key,
        written: when.written,
        received: when.received,
        answer: fate.answer ?? '100',
        amount,
        ...who,
      }),
    },
  );
}

function addNfse(making: Making, number: number): void {
  const { dice, own } = making;
  const when = moment(dice);
  const who = dice.chance(0.9)
    ? { issuer: dice.pick(suppliers), recipient: own.number, tag: 'taker' }
    : { issuer: own.number, recipient: dice.pick(strangers), tag: 'provider' };
  const fate = dice.weighted(nfseFates);
  const key = serviceKey({ issuer: who.issuer, aamm: when.aamm, number });
  const amount = amountOf(dice);
  const month = `20${when.aamm.slice(0, 2)}-${when.aamm.slice(2)}`;
  const competence = dice.chance(0.25) ? `${monthBefore(month)}-28` : `${month}-01`;
  const id = hexId(number, 'a');
  const at = captured(number);
  push(
    making,
    number,
    { family: 'nfse', key, when, who, fate, isMissing: dice.chance(0.03), id },
    {
      row: {
        ...{ ...commonRow(making, number, { key, when, fate }), id, nsu: number, webhookStatus: 'Delivered' },
        ...{ createdAt: at, updatedAt: at, type: 'serviceInvoice', environment: 'Production' },
        ...{ provider: { federalTaxNumber: who.issuer, name: 'Prestador' } },
        ...{ borrower: { federalTaxNumber: who.recipient }, servicesAmount: Number(amount) },
        ...(fate.event === undefined ? {} : { relatedEventIds: [hexId(number, 'b')] }),
      },
      xml: xml.nfse({ key, written: when.written, competence, amount, ...who }),
    },
  );
}

function monthBefore(month: string): string {
  const [year, number] = month.split('-');
  return new Date(Date.UTC(Number(year), Number(number) - 2, 1)).toISOString().slice(0, 7);
}

function hexId(number: number, kind: string): string {
  return `65${kind}${number.toString(16).padStart(21, '0')}`;
}

interface Made {
  readonly family: ServedDocument['family'];
  readonly key: string;
  readonly when: Moment;
  readonly who: Parties;
  readonly fate: Fate;
  readonly isMissing: boolean;
  readonly id?: string;
}

function push(
  { own, dice, documents, events, tags }: Making,
  number: number,
  made: Made,
  { row, xml: text }: { readonly row: ServedDocument['row']; readonly xml: string },
): void {
  const { family, key, when, who, fate, isMissing, id } = made;
  // The list of what never came has a day of its own: nothing else tells it.
  const isDated = typeof row['issuedOn'] === 'string' && row['issuedOn'].startsWith('2026');
  const isGone = isMissing && isDated && when.tag.startsWith('within');
  const names = [key, ...(id === undefined ? [] : [id])];
  documents.push({ company: own.id, family, row, names, ...(isGone ? {} : { xml: text }) });
  const held = isGone ? 'no file' : 'full';
  const kind = row['type'] === 'productInvoiceSummary' ? 'summary' : held;
  tags.set(`${own.id} ${key}`, [family, kind, `${family} ${fate.tag}`, when.tag, who.tag]);
  const { event } = fate;
  if (event === undefined) return;
  const at = captured(number + 10_000);
  const author = event.code.startsWith('2') ? own.number : who.issuer;
  if (family === 'nfse') {
    const isAlone = dice.chance(0.3);
    const eventId = hexId(number, 'b');
    documents.push({
      ...{ company: own.id, family, names: [eventId] },
      row: {
        ...{ id: eventId, companyId: own.id, nsu: number + 10_000, status: 'Received', webhookStatus: 'Delivered' },
        ...(isAlone ? {} : { accessKey: key }),
        ...{ issuedOn: '2026-11-03T12:00:00Z', createdOn: at, modifiedOn: at, createdAt: at, updatedAt: at },
        type: event.isNamed === true ? 'Event' : 'serviceInvoiceEvent',
        ...{
          eventCode: event.isNamed === true ? `e${event.code}` : event.code,
          servicesAmount: null,
          environment: 'Production',
        },
      },
      xml: xml.nationalEvent({ key, code: event.code, author }),
    });
    return;
  }
  const eventKey = `ID${event.code}${key}01`;
  const kindOfRow = family === 'nfe' ? 'productInvoiceEvent' : 'transportationInvoiceEvent';
  events.push({
    ...{ company: own.id, family },
    // A list that does not name the code gives the event a name of its own, too.
    eventKey: event.isNamed === true ? `ek${number}` : eventKey,
    row: {
      ...{ eventKey: event.isNamed === true ? `ek${number}` : eventKey, accessKey: key, companyId: own.id },
      ...{ id: `ek${number}`, nsu: String(number + 10_000), issuedOn: at, receiptOn: at, createdOn: at },
      type: event.isNamed === true ? `${kindOfRow}${event.form === 'summary' ? 'Summary' : ''}` : event.code,
      description: '',
    },
    xml:
      event.form === 'summary'
        ? xml.eventSummary({ key, code: event.code, author })
        : xml.event({ family, key, code: event.code, author, answer: event.answer }),
  });
}
