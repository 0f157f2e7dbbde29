import { createPrivateKey, X509Certificate } from 'node:crypto';
import forge from 'node-forge';
import { type Holder, makeCertificate } from '../xml/sign.js';

/** Why a file holds no certificate that can sign. */
export type PfxFault = 'not-pfx' | 'wrong-password' | 'no-key' | 'no-certificate';

/** The certificate of the private key in the file, or why there is none. */
export type PfxReading = { readonly certificate: X509Certificate } | { readonly fault: PfxFault };

/**
 * Opens a PKCS #12 file (RFC 7292) that is protected by a password, as old (RC2, 3DES) and new (AES) exporters write
 * it. Never throws.
 */
export function readPfx(file: Buffer, password: string): PfxReading {
  const encoded = forge.util.encodeUtf8(password);
  const first = openPfx(file, password);
  // The integrity check and the old encryptions take the password as UTF-16, PBES2 (RFC 8018) as UTF-8.
  const opened = first === 'unreadable' && encoded !== password ? openPfx(file, encoded, false) : first;
  if (opened === 'wrong-password') return { fault: opened };
  if (opened === 'unreadable') return { fault: 'not-pfx' };
  try {
    return signingCertificate(opened.safeContents.flatMap(({ safeBags }) => safeBags));
  } catch {
    // A key or a certificate of a kind that Node does not know.
    return { fault: 'not-pfx' };
  }
}

type Opened = forge.pkcs12.Pkcs12Pfx | 'unreadable' | 'wrong-password';

function openPfx(file: Buffer, password: string, checkIntegrity = true): Opened {
  try {
    const pfx = forge.asn1.fromDer(forge.util.createBuffer(file.toString('latin1')), false);
    const parts = Array.isArray(pfx.value) ? pfx.value : [];
    // Without its third part, the MAC, anybody could have written the file.
    if (parts.length !== 3) return 'unreadable';
    if (!checkIntegrity) parts.pop();
    return forge.pkcs12.pkcs12FromAsn1(pfx, false, password);
  } catch (error) {
    const isPassword = error instanceof Error && error.message.includes('MAC could not be verified');
    return isPassword ? 'wrong-password' : 'unreadable';
  }
}

function signingCertificate(bags: readonly forge.pkcs12.Bag[]): PfxReading {
  const { pkcs8ShroudedKeyBag, keyBag, certBag } = forge.pki.oids;
  const key = bags.find(({ type }) => type === keyBag || type === pkcs8ShroudedKeyBag);
  if (key === undefined) return { fault: 'no-key' };
  const privateKey = createPrivateKey({ key: derOf(keyInfo(key)), format: 'der', type: 'pkcs8' });
  const certificate = bags
    .filter(({ type }) => type === certBag)
    .map(({ cert, asn1 }) => new X509Certificate(derOf(cert ? forge.pki.certificateToAsn1(cert) : asn1)))
    .find((each) => each.checkPrivateKey(privateKey));
  return certificate === undefined ? { fault: 'no-certificate' } : { certificate };
}

/** forge parses RSA keys only, and hands every other one on as it stands. */
function keyInfo({ key, asn1 }: forge.pkcs12.Bag): forge.asn1.Asn1 {
  return key ? forge.pki.wrapRsaPrivateKey(forge.pki.privateKeyToAsn1(key)) : asn1;
}

function derOf(value: forge.asn1.Asn1): Buffer {
  return Buffer.from(forge.asn1.toDer(value).getBytes(), 'latin1');
}

interface MadePfx {
  readonly file: Buffer;
  /** SHA-1 of the certificate, 40 hexadecimal digits. */
  readonly thumbprint: string;
}

/** A self-signed PKCS #12 file for tests, worth nothing elsewhere. The key is encrypted by AES-256, or by 3DES as older exporters do. */
export function makePfx(holder: Holder, password: string, encryption: 'modern' | 'legacy'): MadePfx {
  const { certificate, privateKey } = makeCertificate(holder);
  const x509 = new X509Certificate(Buffer.from(certificate, 'base64'));
  const key = forge.pki.privateKeyFromPem(privateKey);
  const own = forge.pki.certificateFromPem(x509.toString());
  // PBES2 takes the password as UTF-8, the old encryption and the MAC take it as UTF-16.
  const pfx =
    encryption === 'legacy'
      ? forge.pkcs12.toPkcs12Asn1(key, own, password, { algorithm: '3des' })
      : withMac(
          forge.pkcs12.toPkcs12Asn1(key, own, forge.util.encodeUtf8(password), {
            algorithm: 'aes256',
            useMac: false,
          }),
          password,
        );
  return { file: derOf(pfx), thumbprint: x509.fingerprint.replaceAll(':', '') };
}

/** Adds the MAC (SHA-1) of a PFX that has none; forge takes one password for both parts. */
function withMac(pfx: forge.asn1.Asn1, password: string): forge.asn1.Asn1 {
  const [version, contentInfo] = partsOf(pfx);
  const [content] = partsOf(partsOf(contentInfo)[1]);
  if (version === undefined || contentInfo === undefined || typeof content?.value !== 'string') {
    throw new Error('the PFX without a MAC has another form');
  }
  const salt = forge.random.getBytesSync(8);
  const iterations = 2048;
  const mac = forge.hmac.create();
  const saltBuffer = forge.util.createBuffer(salt);
  const key = forge.pkcs12.generateKey(password, saltBuffer, 3, iterations, 20);
  mac.start(forge.md.sha1.create(), key);
  mac.update(content.value);
  const { create, Class, Type } = forge.asn1;
  const sequence = (parts: forge.asn1.Asn1[]) => create(Class.UNIVERSAL, Type.SEQUENCE, true, parts);
  const octets = (bytes: string) => create(Class.UNIVERSAL, Type.OCTETSTRING, false, bytes);
  const sha1 = forge.asn1.oidToDer(forge.pki.oids['sha1'] ?? '').getBytes();
  const algorithm = sequence([
    create(Class.UNIVERSAL, Type.OID, false, sha1),
    create(Class.UNIVERSAL, Type.NULL, false, ''),
  ]);
  const digest = sequence([algorithm, octets(mac.digest().getBytes())]);
  const count = create(Class.UNIVERSAL, Type.INTEGER, false, forge.asn1.integerToDer(iterations).getBytes());
  return sequence([version, contentInfo, sequence([digest, octets(salt), count])]);
}

function partsOf(value: forge.asn1.Asn1 | undefined): readonly forge.asn1.Asn1[] {
  return Array.isArray(value?.value) ? value.value : [];
}
