import { asksForAnotherWay } from '../../client/list-reading.js';
import { nextLinkIn, rowsOf, totalIn } from '../../client/read-answer.js';
import type { InboundFamily } from '../../contract/inbound.js';
import type { Operation } from '../../contract/operation.js';
import { operations } from '../../contract/operations.js';
import type { Text } from '../../contract/text.js';
import { requiredFilter } from '../../domain/odata.js';
import { createdTime } from '../../domain/row-times.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { listField, textField } from '../../jobs/kinds/answer-fields.js';
import type { Health } from '../../jobs/health.js';
import { type CaptureOn, captureState } from '../../services/company/capture.js';
import {
  bestOf,
  type CertificateState,
  keepCertificates,
  unknownCertificate,
} from '../../services/company/certificate.js';
import type { Context } from '../../services/context.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { nameOfDocument } from '../../services/documents/unreadable-rows.js';
import { type FamilyState, type SpacingCause, unknownFamily } from './row.js';
import { DAY_MS } from '../../domain/dates.js';

/** What could not be read of a company, and why. */
export interface Unread {
  readonly code: 'forbidden' | 'not_found' | 'unreachable' | 'unreadable' | 'other_company';
  readonly message: Text;
}

/**
 * The reads of one company. A failed read is recorded and the next one runs, but once the service does not answer, the company
 * is skipped. Throws what affects every company: a refused key, an exhausted retry limit, a defect, an interruption.
 */
export class CompanyReading {
  readonly unread: Unread[] = [];
  #isLost = false;

  constructor(
    private readonly context: Pick<Context, 'clock' | 'interruption'>,
    private readonly health: Health,
  ) {}

  async read<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    if (this.#isLost) return undefined;
    const { clock } = this.context;
    try {
      const value = await work();
      this.health.answered(clock.now(), undefined);
      return value;
    } catch (error) {
      const failure = this.#ofCompany(error);
      this.#isLost = failure.exitCode === ExitCode.temporary || failure.exitCode === ExitCode.rateLimited;
      this.#keep({ code: codeOf(failure), message: messageOf(failure) });
      return undefined;
    }
  }

  /** The same refusal of several reads is reported once. */
  #keep(unread: Unread): void {
    const isKnown = this.unread.some(({ code, message }) => code === unread.code && message.en === unread.message.en);
    if (!isKnown) this.unread.push(unread);
  }

  #ofCompany(error: unknown): FiscalError {
    const { clock, interruption } = this.context;
    if (interruption.aborted || !(error instanceof FiscalError)) throw error;
    const [area] = error.code.split('.');
    if (area !== 'service' && area !== 'network') throw error;
    if (error.code === 'service.rate_limited') throw error;
    this.health.answered(clock.now(), error);
    if (this.health.isGivenUp(clock.now())) throw error;
    return error;
  }
}

function codeOf({ code }: FiscalError): Unread['code'] {
  if (code === 'service.forbidden') return 'forbidden';
  if (code === 'service.other_company') return 'other_company';
  if (code === 'service.unreadable' || code === 'service.list_cut') return 'unreadable';
  return code === 'service.not_found' ? 'not_found' : 'unreachable';
}

/** The error names the missing role when the catalogue knows it. */
function messageOf({ code, text, facts }: FiscalError): Text {
  const rows: Readonly<Record<string, Operation>> = operations;
  const role = rows[facts.operation ?? '']?.role ?? null;
  if (code !== 'service.forbidden' || role === null) return text;
  return {
    en: `the key lacks the role ${role} for this company (HTTP 403)`,
    pt: `falta à chave o papel ${role} nesta empresa (HTTP 403)`,
  };
}

/** The certificate of a company that expires last, or expired last. */
export async function readCertificate(
  context: Context,
  reading: CompanyReading,
  { id: companyId, taxNumber }: AccountCompany,
): Promise<CertificateState> {
  const client = await context.client();
  const how = { signal: context.interruption };
  const answer = await reading.read(() => client.call('certificate.list', { path: { companyId } }, how));
  const list = listField(answer?.body, 'certificates');
  if (list === undefined) return unknownCertificate;
  await keepCertificates(context, companyId, list);
  return bestOf(list, { now: context.clock.now(), taxNumber });
}

/** Causes by the notices of the service. */
const causeOfNotice: Readonly<Record<string, SpacingCause>> = {
  RateLimited: 'source_limit',
  CertificateMissing: 'certificate_missing',
  CertificateExpired: 'certificate_expired',
};

interface FamilySubject {
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
  const { storeNamespace: profile } = await context.settings();
  const capture = await reading.read(() => captureState(context, { profile, companyId, family }));
  if (capture === undefined) return unknownFamily;
  if (capture.kind === 'off') {
    return { ...unknownFamily, capture: capture.why === 'inactive' ? 'inactive' : 'off' };
  }
  const last = await reading.read(() => lastCapture(context, companyId, family));
  const lastDocumentOn = last?.on ?? null;
  // Without an answer, or a time in its rows, the age is unknown; without a document it counts from the start of the capture.
  const start = last?.isEmpty === true ? (capture.createdOn ?? null) : null;
  const since = last === undefined ? null : (lastDocumentOn ?? start);
  return {
    capture: capture.kind,
    environment: capture.environment ?? null,
    startFromDate: capture.startFromDate ?? null,
    rateLimitedUntil: capture.spacedUntil ?? null,
    rateLimitedCause: await causeOf(context, reading, { ...subject, capture }),
    lastDocumentOn,
    lastDocumentIsNewest: lastDocumentOn === null ? null : (last?.isNewest ?? null),
    idleDays: since === null ? null : Math.floor((context.clock.now() - Date.parse(since)) / DAY_MS),
  };
}

/** Enough rows to see in which order they come. */
const FIRST_ROWS = 10;

/**
 * The newest capture on the first page, which is asked for newest first. Error: `service.unreadable` for a row that names no
 * document.
 */
async function lastCapture(
  context: Context,
  companyId: string,
  family: InboundFamily,
): Promise<{ readonly on: string | undefined; readonly isNewest: boolean; readonly isEmpty: boolean }> {
  const client = await context.client();
  const operation = `${family}.inbound.list` as const;
  const path = { companyId };
  const { url } = await client.preview(operation, { path });
  const $filter = requiredFilter(new URL(url));
  const query = { $top: FIRST_ROWS, $filter };
  const ask = async (order: { readonly $orderby?: string }) =>
    await client.call(operation, { path, query: { ...order, ...query } }, { signal: context.interruption });
  const { body } = await ask({ $orderby: 'createdOn desc' }).catch(async (error: unknown) => {
    if (!asksForAnotherWay(error)) throw error;
    return await ask({});
  });
  const rows = rowsOf(operation, body);
  if (rows.some((row) => nameOfDocument(row) === undefined))
    throw new FiscalError(
      'service.unreadable',
      { operation, status: 200, reason: noDocument },
      { operation, httpStatus: 200, sent: 'yes', retryable: false },
    );
  const times = rows.map((row) => Date.parse(createdTime(row) ?? ''));
  const known = times.filter((ms) => !Number.isNaN(ms));
  const isCounted = (totalIn(body) ?? 0) <= rows.length;
  const isAll = rows.length < FIRST_ROWS && isCounted && (nextLinkIn(body) ?? undefined) === undefined;
  return {
    on: known.length === 0 ? undefined : new Date(Math.max(...known)).toISOString(),
    isNewest: isAll || isNewestFirst(times),
    isEmpty: rows.length === 0,
  };
}

/** A service may ignore the order that was asked for: only rows that descend show that it did not. */
function isNewestFirst(times: readonly number[]): boolean {
  const steps = times.slice(1).map((time, index) => (times[index] ?? Number.NaN) - time);
  return steps.every((step) => step >= 0) && steps.some((step) => step > 0);
}

const noDocument: Text = {
  en: 'a row of the list is not a document with a key',
  pt: 'uma linha da lista não é documento com chave',
};

/** The service does not report why a capture is spaced: the cause comes from the certificates, or from the notices of NFS-e. */
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
    (createdTime(one) ?? '') < (createdTime(other) ?? '') ? 1 : -1,
  );
  const known = newest.map((notice) => causeOfNotice[textField(notice, 'type') ?? '']);
  return known.find((cause) => cause !== undefined) ?? 'unknown';
}
