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

function plain(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll(/[\s_]+/g, '-');
}
