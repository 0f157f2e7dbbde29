import { rowsOf } from '../../client/read-answer.js';
import type { InboundFamily } from '../../contract/inbound.js';
import { captureState, type CaptureOn } from '../../services/capture-state.js';
import type { Context } from '../../services/context.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import type { CompanyReading } from './reading.js';
import type { CertificateState } from '../../services/certificate-state.js';
import { unknownFamily, type FamilyState, type SpacingCause } from './row.js';

const DAY_MS = 86_400_000;

/** Causes by the service's own notices. */
const causeOfNotice: Readonly<Record<string, SpacingCause>> = {
  RateLimited: 'source_limit',
  CertificateMissing: 'certificate_missing',
  CertificateExpired: 'certificate_expired',
};

export interface FamilySubject {
  readonly companyId: string;
  readonly family: InboundFamily;
  readonly certificate: CertificateState;
}

/** Capture, last document and spacing of one family of a company. */
export async function readFamily(
  context: Context,
  reading: CompanyReading,
  subject: FamilySubject,
): Promise<FamilyState> {
  const { companyId, family } = subject;
  const capture = await reading.read(() => captureState(context, companyId, family));
  if (capture === undefined) return unknownFamily;
  if (capture.kind === 'off') {
    return { ...unknownFamily, capture: capture.why === 'inactive' ? 'inactive' : 'off' };
  }
  const last = await reading.read(() => lastCapture(context, companyId, family));
  const lastDocumentOn = last?.on ?? null;
  // Without an answer nothing is known; without a document the time counts from the beginning.
  const since = last === undefined ? null : (lastDocumentOn ?? capture.createdOn ?? null);
  return {
    capture: 'on',
    startFromDate: capture.startFromDate ?? null,
    rateLimitedUntil: capture.spacedUntil ?? null,
    rateLimitedCause: await causeOf(context, reading, { ...subject, capture }),
    lastDocumentOn,
    idleDays: since === null ? null : Math.floor((context.clock.now() - Date.parse(since)) / DAY_MS),
  };
}

/** One page of one document, the newest capture first. */
async function lastCapture(
  context: Context,
  companyId: string,
  family: InboundFamily,
): Promise<{ readonly on: string | undefined }> {
  const client = await context.client();
  const query = { $orderby: 'createdOn desc', $top: 1 };
  const { body } = await client.call(
    `${family}.inbound.list`,
    { path: { companyId }, query },
    { signal: context.interruption },
  );
  const times = rowsOf(`${family}.inbound.list`, body)
    .map((row) => Date.parse(textField(row, 'createdOn') ?? ''))
    .filter((ms) => !Number.isNaN(ms));
  return { on: times.length === 0 ? undefined : new Date(Math.max(...times)).toISOString() };
}

/** The service does not tell the cause of a spacing: its certificates do, or the notices that it keeps of NFS-e. */
async function causeOf(
  context: Context,
  reading: CompanyReading,
  { companyId, family, certificate, capture }: FamilySubject & { readonly capture: CaptureOn },
): Promise<SpacingCause | null> {
  if (capture.spacedUntil === undefined) return null;
  if (certificate.state === 'missing') return 'certificate_missing';
  if (certificate.state === 'expired') return 'certificate_expired';
  if (family !== 'nfse') return 'unknown';
  const client = await context.client();
  const how = { signal: context.interruption };
  const answer = await reading.read(() => client.call('nfse.notifications', { path: { companyId } }, how));
  const newest = rowsOf('nfse.notifications', answer?.body).toSorted((one, other) =>
    (textField(one, 'createdOn') ?? '') < (textField(other, 'createdOn') ?? '') ? 1 : -1,
  );
  const known = newest.map((notice) => causeOfNotice[textField(notice, 'type') ?? '']);
  return known.find((cause) => cause !== undefined) ?? 'unknown';
}
