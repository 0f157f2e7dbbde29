import { X509Certificate, type KeyObject } from 'node:crypto';

/**
 * Copies a text. V8 keeps part of a long string as a view of the whole, so a cached certificate would hold its document in
 * memory.
 */
function ownText(text: string): string {
  return Buffer.from(text).toString();
}

/** The certificate in a signature. */
export interface SignatureCertificate {
  readonly subject: string;
  /** UTC ISO text. */
  readonly validFrom: string;
  readonly validTo: string;
}

interface ReadCertificate {
  readonly key: KeyObject;
  /** Whether this program can verify its signatures. */
  readonly isUsable: boolean;
  readonly facts: SignatureCertificate;
}

/** Fiscal certificates have smaller keys, and a larger one would only cost time. */
const MOST_KEY_BITS = 8192;

/** Cached certificates, of about 3 KB each. */
const MOST_KNOWN = 128;

/**
 * Reads and caches certificates: an issuer signs all documents of a year with the same one, and parsing it costs more than
 * verifying a signature.
 */
export class Certificates {
  readonly #known = new Map<string, ReadCertificate | undefined>();

  /** `undefined` if it is not a certificate. */
  read(encoded: string): ReadCertificate | undefined {
    if (this.#known.has(encoded)) return this.#known.get(encoded);
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    const certificate = readCertificate(encoded);
    this.#known.set(ownText(encoded), certificate);
    return certificate;
  }
}

function readCertificate(encoded: string): ReadCertificate | undefined {
  try {
    const certificate = new X509Certificate(Buffer.from(encoded, 'base64'));
    const facts = {
      subject: certificate.subject.replaceAll('\n', ', '),
      validFrom: new Date(certificate.validFrom).toISOString(),
      validTo: new Date(certificate.validTo).toISOString(),
    };
    const key = certificate.publicKey;
    return { key, isUsable: isUsable(key), facts };
  } catch {
    return undefined;
  }
}

function isUsable(key: KeyObject): boolean {
  return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) <= MOST_KEY_BITS;
}
