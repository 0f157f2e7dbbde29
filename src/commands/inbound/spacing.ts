import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { momentInWords, parseUtc } from '../../domain/dates.js';
import { longWait } from '../../client/long-wait.js';
import type { Context } from '../../services/context.js';

/** The capture of one company and family. */
export interface Capture {
  readonly family: InboundFamily;
  readonly companyId: string;
}

/** §2: a wait longer than this is a mistake of the far side. */
const LONGEST_MS = 86_400_000;

/**
 * Until when the capture is spaced (§2), in milliseconds, if that is still to come. It is kept as a row of the pace that all
 * processes of this machine share, for this company alone: the others go on.
 */
export async function noteSpacing(context: Context, capture: Capture, settings: unknown): Promise<number | undefined> {
  const until = spacedUntil(settings);
  const now = context.clock.now();
  if (until === undefined || until <= now) return undefined;
  const [store, { storeNamespace }] = await Promise.all([context.store(), context.settings()]);
  await store.pace.block({ profile: storeNamespace, host: nameOf(capture) }, Math.min(until, now + LONGEST_MS));
  return until;
}

/**
 * Holds back what makes the service ask the national environment while it has asked for a pause. The settings are read
 * again first: a certificate may have been renewed since. Error: `service.rate_limited` beyond --max-retry-wait.
 */
export async function obeySpacing(context: Context, capture: Capture): Promise<void> {
  const [store, { storeNamespace, maxRetryWaitMs }] = await Promise.all([context.store(), context.settings()]);
  const row = await store.pace.get({ profile: storeNamespace, host: nameOf(capture) });
  if (row === undefined || row.blockedUntil <= context.clock.now()) return;
  const client = await context.client();
  const path = { companyId: capture.companyId };
  const how = { signal: context.interruption };
  const { body } = await client.call(`${capture.family}.inbound.settings`, { path }, how);
  const until = await noteSpacing(context, capture, body);
  const waitMs = (until ?? 0) - context.clock.now();
  if (until === undefined || waitMs <= 0) return;
  if (waitMs > maxRetryWaitMs)
    throw longWait(
      'service.rate_limited',
      { waitMs, now: context.clock.now() },
      { sent: 'no', retryable: true, hint: spacedNotice(until) },
    );
  await context.notice(spacedNotice(until));
  await context.clock.sleep(waitMs, context.interruption, spacedNotice(until));
}

/** The sentence with the causes that the document names. The service does not tell which of them it is. */
export function spacedNotice(until: number): Text {
  const at = momentInWords(until);
  return {
    en: `capture is spaced until ${at.en}: the national environment limits it, or the certificate is missing, expired or unusable; the company stays active`,
    pt: `a captura está bloqueada por consumo indevido até ${at.pt}: bloqueio por consumo indevido no ambiente nacional, ou certificado ausente, vencido ou inutilizável; a empresa continua ativa`,
  };
}

function spacedUntil(settings: unknown): number | undefined {
  if (typeof settings !== 'object' || settings === null || !('rateLimitedUntil' in settings)) return undefined;
  const { rateLimitedUntil } = settings;
  return typeof rateLimitedUntil === 'string' ? parseUtc(rateLimitedUntil) : undefined;
}

function nameOf({ family, companyId }: Capture): string {
  return `capture ${family} ${companyId}`;
}
