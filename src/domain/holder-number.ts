import { looksLikeCnpj, looksLikeTaxNumber } from './tax-number.js';

/** OIDs of ICP-Brasil with tag and length in DER: 2.16.76.1.3.3, the CNPJ of the holder, and 2.16.76.1.3.1, the data of a person. */
const cnpjName = [0x06, 0x05, 0x60, 0x4c, 0x01, 0x03, 0x03];
const personName = [0x06, 0x05, 0x60, 0x4c, 0x01, 0x03, 0x01];

/**
 * Reads the CNPJ of the holder of an ICP-Brasil certificate (e-CNPJ), or the CPF (e-CPF), from its alternative names, else from the
 * end of the common name, `NAME:NUMBER` (DOC-ICP-04). `undefined`: it names neither.
 * @param certificate DER
 * @param subject one attribute per line, as Node returns it
 */
export function holderNumber(certificate: Uint8Array, subject: string): string | undefined {
  const ends = [...subject.matchAll(/^CN=.*:(\w+)$/gm)].map(([, end = '']) => end);
  const last = ends.find(looksLikeTaxNumber);
  const cnpj = textBehind(certificate, cnpjName);
  if (looksLikeCnpj(cnpj)) return cnpj;
  if (last?.length === 14) return last;
  // The day of birth stands before the CPF.
  const cpf = /^\d{8}(\d{11})/.exec(textBehind(certificate, personName))?.[1];
  return cpf === undefined || /^0+$/.test(cpf) ? last : cpf;
}

/** `[0] { text }` follows the OID; the text is an OCTET STRING, a UTF8String, a PrintableString or an IA5String. */
function textBehind(certificate: Uint8Array, oid: readonly number[]): string {
  const at = certificate.findIndex((_, start) => oid.every((byte, index) => certificate[start + index] === byte));
  if (at < 0) return '';
  const [wrap, , tag, length = 0, ...rest] = certificate.subarray(at + oid.length, at + 128);
  const isText = wrap === 0xa0 && (tag === 0x04 || tag === 0x0c || tag === 0x13 || tag === 0x16);
  return isText && rest.length >= length ? String.fromCodePoint(...rest.slice(0, length)) : '';
}
