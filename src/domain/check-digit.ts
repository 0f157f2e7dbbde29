/**
 * Modulo 11 as the tax offices use it: the value of a character is its code point − 48, so that letters
 * count too (alphanumeric CNPJ); a remainder below 2 gives 0. `weights` are repeated from the right.
 */
export function mod11(text: string, weights: readonly number[]): string {
  let sum = 0;
  for (let fromRight = 0; fromRight < text.length; fromRight += 1) {
    const value = text.charCodeAt(text.length - 1 - fromRight) - 48;
    sum += value * (weights[fromRight % weights.length] ?? 0);
  }
  const remainder = sum % 11;
  return remainder < 2 ? '0' : String(11 - remainder);
}

/** Weights 2 to 9, repeating: access keys (MOC CT-e 4.00 §2.1.4) and CNPJ. */
export const weights2To9: readonly number[] = [2, 3, 4, 5, 6, 7, 8, 9];

/** Weights 2 to 11: CPF. */
export const weights2To11: readonly number[] = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
