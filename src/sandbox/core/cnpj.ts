const firstWeights = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
const secondWeights = [6, ...firstWeights];

/** Twelve digits or capitals and two check digits; letters only where the service has been told to know them. */
export function isCnpj(text: string, lettersAllowed: boolean): boolean {
  if (!(lettersAllowed ? /^[0-9A-Z]{12}[0-9]{2}$/ : /^[0-9]{14}$/).test(text)) return false;
  if (/^0{14}$/.test(text)) return false;
  return withCheckDigits(text.slice(0, 12)) === text;
}

/** The full number for twelve characters. */
export function withCheckDigits(base: string): string {
  const first = base + checkDigit(base, firstWeights);
  return first + checkDigit(first, secondWeights);
}

function checkDigit(text: string, weights: readonly number[]): string {
  const sum = weights.reduce((total, weight, index) => total + weight * (text.charCodeAt(index) - 48), 0);
  const rest = sum % 11;
  return rest < 2 ? '0' : String(11 - rest);
}
