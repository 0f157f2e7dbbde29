import { distance } from 'fastest-levenshtein';

/** The closest known word, when it is close enough to be a typing error. */
export function closestWord(typed: string, known: readonly string[]): string | undefined {
  // Typed words are short; a megabyte of arguments is not compared.
  if (typed.length > 64) return undefined;
  const bare = bareWord(typed);
  const [nearest] = known
    .map((word) => ({ word, edits: editsBetween(bare, bareWord(word)) }))
    .filter(({ word, edits }) => {
      const length = Math.max(bare.length, bareWord(word).length);
      const isLike = edits <= 3 && edits * 2 < length;
      return isLike || (typed.length >= 3 && word.startsWith(typed));
    })
    .sort((left, right) => left.edits - right.edits);
  return nearest?.word;
}

/** Dashes make every two flags look alike. */
function bareWord(word: string): string {
  return word.toLowerCase().replace(/^-+/, '');
}

/** Edit distance: insertions, deletions, replacements, and swapped neighbours as one. */
function editsBetween(typed: string, word: string): number {
  const isSwap = [...typed].sort().join('') === [...word].sort().join('');
  const edits = distance(typed, word);
  return isSwap && edits === 2 ? 1 : edits;
}
