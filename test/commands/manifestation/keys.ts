/** Real keys from public documents: an NF-e, another, an NFS-e. */
export const nfeKey = '35250530057049000141550010000280181030656857';
export const otherNfeKey = '35150268252816000146570010000016161002008472';
export const nfseKey = '21113002200574753000100000000000146726037032711025';
export const otherNfseKey = '33045572211905971000105000000000014625124504258429';

/** An NF-e key with its own number, and the right check digit (facts §1). */
export function nfeKeyOf(number: number): string {
  const base = `352505300570490001415500100${String(number).padStart(7, '0')}1030656850`.slice(0, 43);
  let sum = 0;
  for (let index = 0; index < 43; index += 1) sum += Number(base[42 - index]) * (2 + (index % 8));
  const rest = sum % 11;
  return `${base}${rest < 2 ? 0 : 11 - rest}`;
}
