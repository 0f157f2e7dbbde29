import type { X509Certificate } from 'node:crypto';

/** OID 2.16.76.1.3.3 of the ICP-Brasil, the CNPJ of the holder, as DER writes it. */
const cnpjName = Buffer.from('0605604c010303', 'hex');

/** The CNPJ of the holder of an e-CNPJ: from its own extension, else from the end of the common name. */
export function cnpjOfHolder(certificate: X509Certificate): string | undefined {
  const at = certificate.raw.indexOf(cnpjName);
  // [0] with its length, then the text with its own: four bytes in all, for a text so short.
  const start = at + cnpjName.length + 4;
  const text = at < 0 ? '' : certificate.raw.subarray(start, start + 14).toString('latin1');
  if (/^[0-9A-Z]{12}\d{2}$/.test(text)) return text;
  return /^CN=.*:([0-9A-Z]{12}\d{2})$/m.exec(certificate.subject)?.[1];
}

export function commonNameOf(certificate: X509Certificate): string {
  return /^CN=(.*)$/m.exec(certificate.subject)?.[1] ?? certificate.subject.replaceAll('\n', ', ');
}
