import { generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';

/** A certificate and its key, as text. */
export interface IssuedCertificate {
  readonly certificate: string;
  readonly key: string;
}

export interface CertificateAuthority {
  readonly certificate: string;
  /** For a server with these names; an address is one of them. `daysLeft`: below zero, it has expired. */
  issue(names: readonly string[], daysLeft?: number): IssuedCertificate;
}

const { pki } = forge;
const DAY_MS = 86_400_000;

/** An authority that nobody knows, with a key of its own. */
export function certificateAuthority(name: string): CertificateAuthority {
  const keys = newKeys();
  const subject = [{ name: 'commonName', value: name }];
  const make = (about: forge.pki.CertificateField[], publicKey: forge.pki.rsa.PublicKey, days: number) => {
    const certificate = pki.createCertificate();
    certificate.publicKey = publicKey;
    certificate.serialNumber = `01${forge.util.bytesToHex(forge.random.getBytesSync(8))}`;
    certificate.validity.notBefore = new Date(Date.now() - 10 * DAY_MS);
    certificate.validity.notAfter = new Date(Date.now() + days * DAY_MS);
    certificate.setSubject(about);
    certificate.setIssuer(subject);
    return certificate;
  };
  const own = make(subject, keys.publicKey, 1);
  own.setExtensions([{ name: 'basicConstraints', cA: true }]);
  own.sign(keys.privateKey, forge.md.sha256.create());
  return {
    certificate: pki.certificateToPem(own),
    issue(names, daysLeft = 1) {
      const server = newKeys();
      const certificate = make([{ name: 'commonName', value: names[0] ?? '' }], server.publicKey, daysLeft);
      const altNames = names.map((each) => (/^[\d.]+$/.test(each) ? { type: 7, ip: each } : { type: 2, value: each }));
      certificate.setExtensions([{ name: 'subjectAltName', altNames }]);
      certificate.sign(keys.privateKey, forge.md.sha256.create());
      return { certificate: pki.certificateToPem(certificate), key: pki.privateKeyToPem(server.privateKey) };
    },
  };
}

/** forge makes keys in JavaScript, which takes seconds. */
function newKeys(): forge.pki.rsa.KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    privateKey: pki.privateKeyFromPem(String(privateKey.export({ type: 'pkcs1', format: 'pem' }))),
    publicKey: pki.publicKeyFromPem(String(publicKey.export({ type: 'spki', format: 'pem' }))),
  };
}
