import type { Text } from '../contract/text.js';

const MIN = 15;
const MAX = 255;

/**
 * Checks a justification (§2, facts §3): 15 to 255 characters of U+0020..U+00FF, without a space at either end. Each
 * of these characters is one code unit, so `length` counts them. `undefined`: it is valid.
 */
export function justificationProblem(text: unknown): Text | undefined {
  if (typeof text !== 'string') return { en: 'must be text', pt: 'deve ser um texto' };
  if (/[\r\n\u2028\u2029]/.test(text)) {
    return { en: 'may not have a line break', pt: 'não pode ter quebra de linha' };
  }
  const strange = /[^\u0020-\u00ff]/u.exec(text)?.[0];
  if (strange !== undefined) return strangeCharacter(strange);
  if (text.trim() !== text) {
    return { en: 'may not begin or end with a space', pt: 'não pode começar nem terminar com espaço' };
  }
  if (text.length >= MIN && text.length <= MAX) return undefined;
  return {
    en: `needs ${MIN} to ${MAX} characters and has ${text.length}`,
    pt: `precisa de ${MIN} a ${MAX} caracteres e tem ${text.length}`,
  };
}

function strangeCharacter(character: string): Text {
  const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return {
    en: `has the character U+${point}, which the official layout does not allow`,
    pt: `tem o caractere U+${point}, que o leiaute oficial não aceita`,
  };
}
