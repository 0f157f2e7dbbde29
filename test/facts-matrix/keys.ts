/** Keys and numbers with the check digits of the manuals. */

/** Sum of the values times 2 to 9 from the right, modulo 11; a remainder below 2 is 0. */
function digit(text: string, highest = 9): number {
  let sum = 0;
  for (let at = text.length - 1, weight = 2; at >= 0; at -= 1, weight = weight === highest ? 2 : weight + 1)
    sum += ((text.codePointAt(at) ?? 48) - 48) * weight;
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}

/** A CNPJ from its first twelve characters. */
export function taxNumber(twelve: string): string {
  const thirteen = twelve + String(digit(twelve));
  return thirteen + String(digit(thirteen));
}

interface KeyParts {
  readonly issuer: string;
  readonly aamm: string;
  readonly number: number;
}

export function accessKey({
  state,
  aamm,
  issuer,
  model,
  number,
}: KeyParts & { readonly state: string; readonly model: string }): string {
  const first = `${state}${aamm}${issuer}${model}001${String(number).padStart(9, '0')}112345678`;
  return first + String(digit(first));
}

export function serviceKey({ issuer, aamm, number }: KeyParts): string {
  const first = `355030822${issuer}${String(number).padStart(13, '0')}${aamm}123456789`;
  return first + String(digit(first));
}
