import type { ArchivedType } from '../../archive/manifest.js';
import type { InboundFamily } from '../../contract/inbound.js';
import { type Direction, directionsOf, type DirectionWord } from '../../domain/direction.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { DocumentGroup } from '../../store/documents.js';
import { issuedGroup, type IssuedModel } from '../issued/book.js';

/** The types of each direction, sorted like the manifest. */
const receivedTypes: readonly InboundFamily[] = ['cte', 'nfe', 'nfse'];
const issuedTypes: readonly IssuedModel[] = ['nfce', 'nfe', 'nfse'];
export const typesOf = { received: receivedTypes, issued: issuedTypes } as const;

export function isReceivedType(type: unknown): type is InboundFamily {
  return receivedTypes.some((known) => known === type);
}

export function isIssuedType(type: unknown): type is IssuedModel {
  return issuedTypes.some((known) => known === type);
}

/** Where the store has the documents of a company; of issued ones, those of production. */
export function groupOf(
  direction: Direction,
  { profile, companyId }: Pick<DocumentGroup, 'profile' | 'companyId'>,
  type: ArchivedType,
): DocumentGroup {
  if (direction === 'issued' && isIssuedType(type))
    return issuedGroup(profile, companyId, { model: type, environment: 'Production' });
  if (direction === 'received' && isReceivedType(type)) return { profile, companyId, family: type };
  throw new Error(`no ${direction} documents of type ${type}`);
}

/** One direction with the types that are wanted, sorted like the manifest; empty: all. */
export type Side =
  | { readonly direction: 'received'; readonly narrowedTo: readonly InboundFamily[] }
  | { readonly direction: 'issued'; readonly narrowedTo: readonly IssuedModel[] };

/**
 * The sides that `--direction` and `--type` name; one that has none of the types is left out. Errors: `usage.invalid_value` for
 * a type that none of the directions has.
 */
export function sidesOf(word: DirectionWord, types: readonly string[]): readonly Side[] {
  const directions = directionsOf(word);
  const known = new Set<string>(directions.flatMap((direction) => typesOf[direction]));
  const unknown = types.find((type) => !known.has(type));
  if (unknown !== undefined) {
    const expected = [...known].join(', ');
    throw invalidValue('--type', unknown, { en: expected, pt: expected });
  }
  const sides = directions.map((direction): Side => {
    if (direction === 'received')
      return { direction, narrowedTo: receivedTypes.filter((type) => types.includes(type)) };
    return { direction, narrowedTo: issuedTypes.filter((type) => types.includes(type)) };
  });
  return sides.filter(({ narrowedTo }) => types.length === 0 || narrowedTo.length > 0);
}
