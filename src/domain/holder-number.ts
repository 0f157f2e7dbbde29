/** OID 2.16.76.1.3.3 of the ICP-Brasil, the CNPJ of the holder, with its tag and its length in DER. */
const cnpjName = [0x06, 0x05, 0x60, 0x4c, 0x01, 0x03, 0x03];

/**
 * The CNPJ that a certificate of the ICP-Brasil names: in its own name of the alternative names, else at the end of the common
 * name, `NAME:CNPJ` (DOC-ICP-04). `undefined`: it is no certificate of a company.
 * @param certificate DER @param subject one attribute a line, as Node gives it
 */
export function holderCnpj(certificate: Uint8Array, subject: string): string | undefined {
  return cnpjOfName(certificate) ?? /^CN=.*:([0-9A-Z]{12}\d{2})$/m.exec(subject)?.[1];
}

/** Behind the OID stands `[0] { text }`, where the text is an OCTET STRING, a UTF8String or a PrintableString. */
function cnpjOfName(certificate: Uint8Array): string | undefined {
  const at = certificate.findIndex((_, start) =>
    cnpjName.every((byte, index) => certificate[start + index] === byte),
  );
  if (at < 0) return undefined;
  const [wrap, , tag, length = 0, ...rest] = certificate.subarray(at + cnpjName.length, at + 128);
  const isText = wrap === 0xa0 && (tag === 0x04 || tag === 0x0c || tag === 0x13 || tag === 0x16);
  const text = String.fromCodePoint(...rest.slice(0, length));
  return isText && /^[0-9A-Z]{12}\d{2}$/.test(text) ? text : undefined;
}
