import type { X509Certificate } from 'node:crypto';
import type { Company } from '../../contract/company.js';
import { invalid, type Refusal } from '../core/refusal.js';
import { cnpjOfHolder } from './holder.js';
import { type PfxFault, readPfx } from './read-pfx.js';

/** What is kept of a certificate: neither the file nor the password. */
export interface ReceivedCertificate {
  /** SHA-1, 40 hexadecimal digits. */
  readonly thumbprint: string;
  readonly subject: string;
  readonly validUntil: number;
}

const faults: Readonly<Record<PfxFault, readonly [field: string, message: string]>> = {
  'not-pfx': ['file', 'Is no PKCS #12 file (.pfx, .p12).'],
  'wrong-password': ['password', 'Does not open the file.'],
  'no-key': ['file', 'Has no private key.'],
  'no-certificate': ['file', 'Has no certificate of its private key.'],
};

/** Checks an uploaded form (public: parts `file` and `password`). Throws 400 that names the part and what is wrong. */
export function receiveCertificate(form: unknown, company: Company, now: number): ReceivedCertificate {
  const file = partOf(form, 'file');
  if (file === undefined || file.length === 0) throw invalid('file', 'Is required.');
  const password = partOf(form, 'password');
  if (password === undefined) throw invalid('password', 'Is required.');
  const reading = readPfx(file, password.toString('utf8'));
  if ('fault' in reading) throw invalid(...faults[reading.fault]);
  const { certificate } = reading;
  const refusal = outOfTime(certificate, now) ?? ofAnother(certificate, company);
  if (refusal !== undefined) throw refusal;
  return {
    thumbprint: certificate.fingerprint.replaceAll(':', ''),
    subject: certificate.subject.replaceAll('\n', ', '),
    validUntil: Date.parse(certificate.validTo),
  };
}

function outOfTime({ validFrom, validTo }: X509Certificate, now: number): Refusal | undefined {
  if (Date.parse(validTo) <= now) {
    return invalid('file', `The certificate has expired: ${new Date(validTo).toISOString()}.`);
  }
  if (Date.parse(validFrom) <= now) return undefined;
  return invalid('file', `The certificate is not valid before ${new Date(validFrom).toISOString()}.`);
}

const rootLength = 8;

/** The authority compares the root of the CNPJ (facts §7, rule 213): a branch may use the certificate of its head office. */
function ofAnother(certificate: X509Certificate, { federalTaxNumber }: Company): Refusal | undefined {
  const holder = cnpjOfHolder(certificate);
  if (holder === undefined) return invalid('file', 'The certificate names no CNPJ: it is no e-CNPJ.');
  if (holder.slice(0, rootLength) === federalTaxNumber.slice(0, rootLength)) return undefined;
  return invalid('file', `The certificate is of another company: ${holder}.`);
}

/** The bytes of a part, whatever else the form may be. */
function partOf(form: unknown, name: string): Buffer | undefined {
  const part: unknown = form instanceof Map ? form.get(name) : undefined;
  const isPart = typeof part === 'object' && part !== null && 'bytes' in part;
  return isPart && Buffer.isBuffer(part.bytes) ? part.bytes : undefined;
}
