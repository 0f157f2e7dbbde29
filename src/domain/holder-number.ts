/** OID 2.16.76.1.3.3 of ICP-Brasil, the CNPJ of the holder, with tag and length in DER. */
const cnpjName = [0x06, 0x05, 0x60, 0x4c, 0x01, 0x03, 0x03];

/**
 * Reads the CNPJ of an ICP-Brasil certificate from its alternative name (OID 2.16.76.1.3.3), else from the end of the
 * common name, `NAME:CNPJ` (DOC-ICP-04). `undefined`: it is not the certificate of a company.
 * @param certificate DER
 * @param subject one attribute per line, as Node returns it
 */
export function holderCnpj(certificate: Uint8Array, subject: string): string | undefined {
  return cnpjOfName(certificate) ?? /^CN=.*:([0-9A-Z]{12}\d{2})$/m.exec(subject)?.[1];
}

/** `[0] { text }` follows the OID; the text is an OCTET STRING, a UTF8String, a PrintableString or an IA5String. */
function cnpjOfName(certificate: Uint8Array): string | undefined {
  const at = certificate.findIndex((_, start) => cnpjName.every((byte, index) => certificate[start + index] === byte));
  if (at < 0) return undefined;
  const [wrap, , tag, length = 0, ...rest] = certificate.subarray(at + cnpjName.length, at + 128);
  const isText = wrap === 0xa0 && (tag === 0x04 || tag === 0x0c || tag === 0x13 || tag === 0x16);
  const text = String.fromCodePoint(...rest.slice(0, length));
  return isText && /^[0-9A-Z]{12}\d{2}$/.test(text) ? text : undefined;
}
