import { X509Certificate, type KeyObject } from 'node:crypto';

/**
 * A copy that stands by itself. The engine keeps a part of a long text as a view of the whole: remembered as it is, a name
 * would hold its document in memory.
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
  /** Whether a signature of it can be judged here. */
  readonly isUsable: boolean;
  readonly facts: SignatureCertificate;
}

/** Fiscal certificates have smaller keys, and a larger one would only cost time. */
const MOST_KEY_BITS = 8192;

/** Cached certificates, of about 3 KB each. */
const MOST_KNOWN = 128;

/**
 * Reads certificates, and each text once: an issuer signs all its documents of a year with the same one, and to read it
 * costs more than to verify a signature.
 */
export class Certificates {
  readonly #known = new Map<string, ReadCertificate | undefined>();

  /** `undefined` when it is no certificate. */
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
