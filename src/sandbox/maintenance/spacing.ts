import { type Family, type NoticeType, type StoredCertificate, families } from '../core/records.js';
import type { Certificate } from '../../contract/certificate.js';
import type { Core } from '../core/core.js';

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
  return {
    subject,
    validUntil: new Date(validUntil).toISOString(),
    thumbprint,
    status: statusOf(core, certificate),
  };
}

function statusOf(core: Core, certificate: StoredCertificate): string {
  if (certificate.standing === 'pending') return 'Pending';
  if (certificate.standing === 'inactive') return 'Inactive';
  return isOver(core, certificate) ? 'Overdue' : 'Active';
}
