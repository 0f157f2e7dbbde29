import type { X509Certificate } from 'node:crypto';
import type { Certificate, CertificateEnvelope } from '../../contract/certificate.js';
import type { OperationId } from '../../contract/operations.js';
import type { Core } from '../core/core.js';
import { type Family, type KnownCompany, type NoticeType, type StoredCertificate, families } from '../core/records.js';
import { Refusal, invalid } from '../core/refusal.js';
import type { Call, HandlersOf, Reply } from '../http/handler.js';
import { companyOf } from './find-company.js';
import type { CertificateUpload, PfxFault } from './pfx.js';

/** The certificates of a company (§1 names them; paths and bodies public). */
export const certificateHandlers: HandlersOf<Extract<OperationId, `certificate.${string}`>> = {
  'certificate.list': listCertificates,
  'certificate.get': getCertificate,
  'certificate.upload': uploadCertificate,
  'certificate.delete': removeCertificate,
};

function listCertificates(core: Core, call: Call<'certificate.list'>): Reply {
  const companyId = companyOf(core, call);
  const status = call.query.get('status')?.toLowerCase();
  const certificates = core.certificates
    .list(companyId)
    .map((each) => showCertificate(core, each))
    .filter((each) => status === undefined || each.status?.toLowerCase() === status);
  return { status: 200, body: { certificates } };
}

function getCertificate(core: Core, call: Call<'certificate.get'>): Reply {
  const body: CertificateEnvelope = { certificate: showCertificate(core, findCertificate(core, call)) };
  return { status: 200, body };
}

/** Stores neither the file nor its password. */
function uploadCertificate(core: Core, call: Call<'certificate.upload'>): Reply {
  const { companyId } = call.path;
  const company = core.companies.find(call.caller.tenantId, companyId);
  if (company === undefined) throw new Refusal('not_found', 'There is no company with this id.');
  const received = receiveCertificate(call.prepared.upload, company, core.clock.now());
  core.certificates.install({ companyId, ...received });
  const { thumbprint } = received;
  const certificate = showCertificate(core, { companyId, ...received, standing: 'installed' });
  const body: CertificateEnvelope = { certificate };
  return { status: 200, body, effect: { uploaded: 'certificate', companyId, thumbprint } };
}

/** Without a usable certificate every capture is spaced (§2). */
function removeCertificate(core: Core, call: Call<'certificate.delete'>): Reply {
  const found = findCertificate(core, call);
  const { companyId, thumbprint } = found;
  core.certificates.put({ ...found, standing: 'removed' });
  if (certificateTrouble(core, companyId) === 'CertificateMissing') noteMissing(core, companyId);
  return { status: 204, effect: { deleted: 'certificate', companyId, thumbprint } };
}

/** The case of the thumbprint does not matter. */
function findCertificate(core: Core, call: Call<'certificate.get'> | Call<'certificate.delete'>): StoredCertificate {
  const companyId = companyOf(core, call);
  const thumbprint = call.path.thumbprint.toUpperCase();
  const found = core.certificates.list(companyId).find((each) => each.thumbprint === thumbprint);
  if (found !== undefined) return found;
  throw new Refusal('not_found', 'The company has no certificate with this thumbprint.');
}

const hourMs = 3_600_000;

/** Why neither a capture (§2) nor an issue (§1) can use the certificate of a company. */
type CertificateTrouble = 'CertificateMissing' | 'CertificateExpired';

/** `undefined`: the certificate is valid. An inactive or pending one counts as missing. */
export function certificateTrouble(
  core: Core,
  companyId: string,
  at: number = core.clock.now(),
): CertificateTrouble | undefined {
  const certificate = core.certificates.of(companyId);
  if (certificate?.standing !== 'installed') return 'CertificateMissing';
  return isOver(core, certificate, at) ? 'CertificateExpired' : undefined;
}

function isOver(core: Core, { validUntil }: StoredCertificate, at: number = core.clock.now()): boolean {
  return validUntil <= at;
}

/**
 * §2: the end of the spacing of a capture, in milliseconds; `undefined` without spacing. Without a usable certificate
 * the capture retries at every full hour (assumed).
 */
export function spacedUntil(core: Core, companyId: string, family: Family): number | undefined {
  const now = core.clock.now();
  const limited = core.captures.settings(companyId, family)?.spacedUntil ?? 0;
  const retried = certificateTrouble(core, companyId) === undefined ? 0 : now - (now % hourMs) + hourMs;
  const until = Math.max(limited, retried);
  return until > now ? until : undefined;
}

/** Adds the notice of an expired certificate, once. */
export function noteExpiry(core: Core, companyId: string, family: Family): void {
  const certificate = core.certificates.of(companyId);
  if (certificate === undefined || certificateTrouble(core, companyId) !== 'CertificateExpired') return;
  const notice = { companyId, family, type: 'CertificateExpired', at: certificate.validUntil } as const;
  if (core.notices.has(notice)) return;
  core.notices.add({ ...notice, message: 'The certificate has expired: the capture is spaced.' });
}

/** Adds a notice to every active capture of a company without a usable certificate (§2). */
export function noteMissing(core: Core, companyId: string): void {
  const type: NoticeType = 'CertificateMissing';
  const message = 'The company has no usable certificate: the capture is spaced.';
  for (const family of families) {
    if (!core.captures.isActive(companyId, family)) continue;
    core.notices.add({ companyId, family, type, message, at: core.clock.now() });
  }
}

export function showCertificate(core: Core, certificate: StoredCertificate): Certificate {
  const { subject, thumbprint, validUntil } = certificate;
  return { subject, validUntil: new Date(validUntil).toISOString(), thumbprint, status: statusOf(core, certificate) };
}

function statusOf(core: Core, certificate: StoredCertificate): string {
  if (certificate.standing === 'pending') return 'Pending';
  if (certificate.standing === 'inactive') return 'Inactive';
  return isOver(core, certificate) ? 'Overdue' : 'Active';
}

/** What the service stores of a certificate: neither the file nor the password. */
interface ReceivedCertificate {
  /** SHA-1, 40 hexadecimal digits. */
  readonly thumbprint: string;
  readonly subject: string;
  readonly validUntil: number;
}

const faults: Readonly<Record<PfxFault, readonly [field: string, message: string]>> = {
  'not-pfx': ['file', 'Is not a PKCS #12 file (.pfx, .p12).'],
  'wrong-password': ['password', 'Does not open the file.'],
  'no-key': ['file', 'Has no private key.'],
  'no-certificate': ['file', 'Has no certificate for its private key.'],
  'too-many-iterations': ['file', 'Needs more than 2,000,000 iterations of key derivation.'],
};

/** Checks an upload form. Throws a 400 `Refusal` that names the field and the problem. */
export function receiveCertificate(
  upload: CertificateUpload | Refusal | undefined,
  company: KnownCompany,
  now: number,
): ReceivedCertificate {
  if (upload instanceof Refusal) throw upload;
  if (upload?.file === undefined || upload.file.length === 0) throw invalid('file', 'Is required.');
  if (upload.reading === undefined) throw invalid('password', 'Is required.');
  const { reading } = upload;
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

/**
 * The authority compares the root of the CNPJ (facts §7, rule 213), so a branch may use the certificate of its head
 * office.
 */
function ofAnother(certificate: X509Certificate, { federalTaxNumber }: KnownCompany): Refusal | undefined {
  const holder = cnpjOfHolder(certificate);
  if (holder === undefined) return invalid('file', 'The certificate has no CNPJ: it is not an e-CNPJ.');
  if (holder.slice(0, rootLength) === federalTaxNumber.slice(0, rootLength)) return undefined;
  return invalid('file', `The certificate is of another company: ${holder}.`);
}

/** OID 2.16.76.1.3.3 of ICP-Brasil, the CNPJ of the holder, in DER. */
const cnpjName = Buffer.from('0605604c010303', 'hex');

/** Reads the CNPJ of an e-CNPJ from its extension, else from the end of the common name. */
export function cnpjOfHolder(certificate: X509Certificate): string | undefined {
  const at = certificate.raw.indexOf(cnpjName);
  // `[0]` with its length, then the text with its length: four bytes, for a text this short.
  const start = at + cnpjName.length + 4;
  const text = at < 0 ? '' : certificate.raw.subarray(start, start + 14).toString('latin1');
  if (/^[0-9A-Z]{12}\d{2}$/.test(text)) return text;
  return /^CN=.*:([0-9A-Z]{12}\d{2})$/m.exec(certificate.subject)?.[1];
}
