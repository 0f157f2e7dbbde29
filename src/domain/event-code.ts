import type { Text } from '../contract/text.js';
import { eventTypes, refusedEvents, type EventType } from './event-code-list.js';

/** The event that a number or a word names, in any letter case, with or without accents. */
export function findEvent(text: string): EventType | undefined {
  const word = plain(text);
  return eventTypes.find(
    ({ code, name, aliases }) => String(code) === word || name === word || aliases.includes(word),
  );
}

export function eventOfCode(code: number): EventType | undefined {
  return eventTypes.find((event) => event.code === code);
}

/** Why an event that exists can never be sent (§4); `undefined` for every other text. */
export function refusalOf(text: string): Text | undefined {
  return refusedEvents[plain(text)];
}

/** The highest sequence that the authority takes (rule 594); `undefined`: no rule is known. */
export function highestSequence({ group }: Pick<EventType, 'group'>): number | undefined {
  if (group === 'awareness' || group === 'taker') return 1;
  return group === 'conclusive' ? 2 : undefined;
}

/** Events with which a company denies a document: in bulk they ask for the company's id besides the consent. */
export function isDenial(code: number): boolean {
  return code === 210220 || code === 210240 || code === 203206;
}

/** A note that its issuer took back needs no event: 110111, and 110112 where another note takes its place. */
export function isIssuerCancellation(code: number): boolean {
  return code === 110111 || code === 110112;
}

/** What a list of the service says about an event. Texts as they came. */
export interface ListedEvent {
  readonly eventKey: string;
  readonly type?: string;
  readonly description?: string;
}

/**
 * Code and sequence of a listed event: of its key (`ID`, code, access key, sequence) and its type, where that is a code.
 * `undefined`: neither says it, or they contradict each other.
 */
export function codeOfListed({ eventKey, type = '' }: ListedEvent): EventNumber | undefined {
  const [, inKey, sequence] = /^ID(\d{6})[0-9A-Z]{44}(\d{2,3})$/.exec(eventKey) ?? [];
  const inType = /^\d{6}$/.test(type) ? type : undefined;
  if (inKey !== undefined && inType !== undefined && inKey !== inType) return undefined;
  const code = inKey ?? inType;
  return code === undefined ? undefined : { code: Number(code), sequence: Number(sequence ?? '1') };
}

/** Of a listed event that says it in words alone, by its official name: `Ciencia da Operacao`. */
export function codeInWords({ description = '' }: Pick<ListedEvent, 'description'>): EventNumber | undefined {
  if (/^cancelamento(?: por substitui[cç][aã]o)?$/i.test(description.trim()))
    return { code: 110111, sequence: 1 };
  const found = findEvent(description);
  return found === undefined ? undefined : { code: found.code, sequence: 1 };
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
