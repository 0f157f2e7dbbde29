import type { X509Certificate } from 'node:crypto';
import { Duplex } from 'node:stream';
import { createSecureContext, TLSSocket } from 'node:tls';

/** Why a file is no certificate that can be used. */
export type PfxFault = 'pdf' | 'pem' | 'not-pfx' | 'wrong-password' | 'no-key' | 'old-encryption';

/** The certificate that belongs to the private key of a PKCS #12 file, or why there is none. */
export type PfxReading = { readonly certificate: X509Certificate } | { readonly fault: PfxFault };

/**
 * Opens a PKCS #12 file as TLS would: Node's own OpenSSL checks the password and that the key belongs to the certificate, and
 * a socket that is never connected tells which one it is. The key goes nowhere. RC2, which old exporters use, is not known to
 * that OpenSSL: `old-encryption`.
 */
export function openPfx(file: Uint8Array, passphrase: string): PfxReading {
  const beginning = Buffer.from(file.subarray(0, 1_024)).toString('latin1');
  if (beginning.includes('%PDF-')) return { fault: 'pdf' };
  if (beginning.includes('-----BEGIN ')) return { fault: 'pem' };
  // The tag of a SEQUENCE begins every PKCS #12 file.
  if (file[0] !== 0x30) return { fault: 'not-pfx' };
  try {
    const certificate = leafOf(Buffer.from(file), passphrase);
    return certificate === undefined ? { fault: 'no-key' } : { certificate };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

function leafOf(pfx: Buffer, passphrase: string): X509Certificate | undefined {
  // The level of TLS handshakes would refuse short keys of tests; what is fit for signing, the authority decides.
  const secureContext = createSecureContext({ pfx, passphrase, ciphers: 'DEFAULT:@SECLEVEL=0' });
  const socket = new TLSSocket(new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() }), {
    isServer: true,
    secureContext,
  });
  try {
    return socket.getX509Certificate();
  } finally {
    socket.destroy();
  }
}

/** OpenSSL's words; one that is not known means that the content is of no use. */
function faultOf(error: unknown): PfxFault {
  const words = error instanceof Error ? error.message : String(error);
  if (/mac verify failure/i.test(words)) return 'wrong-password';
  if (/unsupported/i.test(words)) return 'old-encryption';
  if (/private key|key values mismatch|certificate/i.test(words)) return 'no-key';
  return 'not-pfx';
}
