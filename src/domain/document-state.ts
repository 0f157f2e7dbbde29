import type { Text } from '../contract/text.js';

/**
 * Whether a document stands. cancelled: taken back · substituted: another document stands in its place · annulled: a CT-e with the
 * opposite value took its effect · denied: the authority refused its use · disabled: its number was given up · unknown: an event of
 * it is of a kind that could not be told.
 */
export type DocumentState = 'standing' | 'cancelled' | 'substituted' | 'annulled' | 'denied' | 'disabled' | 'unknown';

export const documentStates: readonly DocumentState[] = [
  ...(['standing', 'cancelled', 'substituted', 'annulled', 'denied', 'disabled', 'unknown'] as const),
];

/** What a state rests on. none: nothing says that the document does not stand. */
export type StateSource = 'event' | 'summary' | 'protocol' | 'status' | 'substitute' | 'answer' | 'none';

export interface KnownState {
  readonly state: DocumentState;
  readonly source: StateSource;
  /** The code of the event, the status, the key of the substitute. */
  readonly detail?: string;
}

export interface StateEvidence {
  readonly accessKey?: string | undefined;
  /** Codes of the registered events, whoever listed or sent them. */
  readonly eventCodes: readonly number[];
  /** So many events are of a kind that could not be told. */
  readonly unreadEvents?: number;
  /** Of a list. */
  readonly status?: string | undefined;
  readonly substituteAccessKey?: string | undefined;
  /** `cSitNFe` of a summary: 1 authorised, 2 denied, 3 cancelled. */
  readonly situation?: string | undefined;
  /** `cStat` of the protocol in the XML. */
  readonly protocolCode?: string | undefined;
  /** The authority has refused an event with one of `refusalsOfCancelled`. */
  readonly isRefusedAsCancelled?: boolean | undefined;
}

/** Answers of the authority to an event of the recipient of a document that is cancelled or denied. */
export const refusalsOfCancelled: readonly string[] = ['650', '651'];

/**
 * Events that take a document its effect. 110111 and 110112 of NF-e (and 110111 of CT-e); 240140 and 240150: a CT-e of substitution or
 * annulment was authorised; of NFS-e (national layout): 101101 cancellation, 105102 by substitution, 105104 granted by the
 * municipality, 305101 by the municipality itself.
 */
const eventStates: ReadonlyMap<number, DocumentState> = new Map([
  [110111, 'cancelled'],
  [110112, 'substituted'],
  [240140, 'substituted'],
  [240150, 'annulled'],
  [101101, 'cancelled'],
  [105102, 'substituted'],
  [105104, 'cancelled'],
  [305101, 'cancelled'],
]);

/** An event after which the document does not stand. */
export function endsDocument(eventCode: number): boolean {
  return eventStates.has(eventCode);
}

const situationStates: ReadonlyMap<string, DocumentState> = new Map([
  ['1', 'standing'],
  ['2', 'denied'],
  ['3', 'cancelled'],
]);

/** `cStat` of a protocol: use denied; cancelled, also late. */
const protocolStates: ReadonlyMap<string, DocumentState> = new Map([
  ...(['110', '205', '301', '302', '303'] as const).map((code) => [code, 'denied'] as const),
  ...(['101', '151', '155'] as const).map((code) => [code, 'cancelled'] as const),
]);

/** Words of lists, in both languages of the services. Any other status says nothing of the state. */
const statusStates: readonly (readonly [RegExp, DocumentState])[] = [
  [/^cancel(?:l?ed|ad[ao])$/i, 'cancelled'],
  [/^(?:substitu(?:ted|[i\u00ed]d[ao])|replaced)$/i, 'substituted'],
  [/^(?:annul?led|anulad[ao])$/i, 'annulled'],
  [/^(?:denied|issuedenied|denegad[ao])$/i, 'denied'],
  [/^(?:disabled|inutilizad[ao])$/i, 'disabled'],
];

export function stateOfStatus(status: string | undefined): DocumentState | undefined {
  return statusStates.find(([words]) => words.test(status ?? ''))?.[1];
}

/** The state, and what it rests on. Evidence that a document does not stand outweighs the absence of such evidence. */
export function stateOf(evidence: StateEvidence): KnownState {
  const { eventCodes, unreadEvents = 0, status, situation, protocolCode, substituteAccessKey } = evidence;
  const found: KnownState[] = eventCodes.flatMap((code) => {
    const state = eventStates.get(code);
    return state === undefined ? [] : [{ state, source: 'event', detail: String(code) }];
  });
  const [byEvent] = found.toSorted((one, other) => Number(isReplaced(other)) - Number(isReplaced(one)));
  if (byEvent !== undefined) return byEvent;
  const ofProtocol = protocolStates.get(protocolCode ?? '');
  if (ofProtocol !== undefined) return known(ofProtocol, 'protocol', protocolCode);
  const ofStatus = stateOfStatus(status);
  if (ofStatus !== undefined) return known(ofStatus, 'status', status);
  if (substituteAccessKey !== undefined && substituteAccessKey !== evidence.accessKey)
    return known('substituted', 'substitute', substituteAccessKey);
  if (situation !== undefined && situation !== '1')
    return known(situationStates.get(situation) ?? 'unknown', 'summary', situation);
  if (evidence.isRefusedAsCancelled === true) return known('cancelled', 'answer', undefined);
  return { state: unreadEvents > 0 ? 'unknown' : 'standing', source: unreadEvents > 0 ? 'event' : 'none' };
}

function isReplaced({ state }: KnownState): boolean {
  return state !== 'cancelled';
}

function known(state: DocumentState, source: StateSource, detail: string | undefined): KnownState {
  return { state, source, ...(detail === undefined ? {} : { detail }) };
}

/** Whether a document counts: it stands, or nothing that could be read says otherwise. */
export function mayStand(state: DocumentState): boolean {
  return state === 'standing' || state === 'unknown';
}

/** As lists and reports write it. */
export const stateWords: Readonly<Record<DocumentState, Text>> = {
  standing: { en: 'standing', pt: 'ativa' },
  cancelled: { en: 'cancelled', pt: 'cancelada' },
  substituted: { en: 'substituted', pt: 'substituída' },
  annulled: { en: 'annulled', pt: 'anulada' },
  denied: { en: 'denied', pt: 'denegada' },
  disabled: { en: 'disabled', pt: 'inutilizada' },
  unknown: { en: 'unknown', pt: 'não conhecida' },
};
