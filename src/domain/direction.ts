/** Which side of the books: the documents that a company receives, or those that it issues. */
export type Direction = 'received' | 'issued';

/** What `--direction` takes. */
export type DirectionWord = Direction | 'both';

/** Received documents first. */
export function directionsOf(word: DirectionWord): readonly Direction[] {
  return word === 'both' ? ['received', 'issued'] : [word];
}
