import type { InboundFamily } from '../../contract/inbound.js';
import { formatUtc } from '../../domain/dates.js';
import { fieldOf } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { DocumentGroup } from '../../store/documents.js';
import type { Store } from '../../store/store.js';
import type { Context } from '../context.js';

/** Whether a family of a company is captured. */
export type CaptureState = CaptureOff | CaptureOn;

interface CaptureOff {
  readonly kind: 'off';
  /** inactive: registered, and no longer captured. */
  readonly why: 'absent' | 'inactive';
}

/** `unclear`: the settings have a status that is published nowhere. */
export type Activity = 'active' | 'inactive' | 'unclear';

/** Times are UTC, ISO 8601. */
export interface CaptureOn {
  readonly kind: 'on';
  /** Capture is held back until then (§2), reading is not. */
  readonly spacedUntil?: string;
  /** The cut-off. */
  readonly startFromDate?: string;
  /** When the capture was enabled. */
  readonly createdOn?: string;
  /** The status of the settings, where it is unclear whether it means that the capture is active. */
  readonly unclearStatus?: string;
  /** The environment of the tax authority that is captured, where the settings say one. */
  readonly environment?: string;
  /** The service's clock when it said so, in milliseconds. */
  readonly servedAt?: number;
}

/** Asks for the settings. Errors: those of a call, but 404, which means that nothing is captured. */
export async function captureState(
  context: Pick<Context, 'client' | 'interruption' | 'clock'>,
  company: string,
  family: InboundFamily,
): Promise<CaptureState> {
  const client = await context.client();
  try {
    const { body, servedAt } = await client.call(
      `${family}.inbound.settings`,
      { path: { companyId: company } },
      { signal: context.interruption },
    );
    // The pause is a time of the service's clock, which this machine's may be far from.
    const state = stateOf(body, servedAt ?? context.clock.now());
    return state.kind === 'on' && servedAt !== undefined ? { ...state, servedAt } : state;
  } catch (error) {
    if (error instanceof FiscalError && error.code === 'service.not_found')
      return { kind: 'off', why: 'absent' };
    throw error;
  }
}

function stateOf(body: unknown, now: number): CaptureState {
  const activity = activityOf(body);
  if (activity === 'inactive') return { kind: 'off', why: 'inactive' };
  const [spacedUntil, startFromDate] = ['rateLimitedUntil', 'startFromDate'].map((name) =>
    timeIn(fieldOf(body, name)),
  );
  // The settings of NFS-e are published with another name for it.
  const createdOn = timeIn(fieldOf(body, 'createdOn')) ?? timeIn(fieldOf(body, 'createdAt'));
  const environment = [fieldOf(body, 'environmentSEFAZ'), fieldOf(body, 'environment')].find(isGiven);
  const isSpaced = spacedUntil !== undefined && Date.parse(spacedUntil) > now;
  return {
    kind: 'on',
    ...(activity === 'unclear' ? { unclearStatus: String(fieldOf(body, 'status')).slice(0, 60) } : {}),
    ...(environment === undefined ? {} : { environment: wordOf(environment) }),
    ...(isSpaced ? { spacedUntil } : {}),
    ...(startFromDate === undefined ? {} : { startFromDate }),
    ...(createdOn === undefined ? {} : { createdOn }),
  };
}

/**
 * Whether settings say that the capture is active: `isActive`, `deactivatedAt` and `deactivationReason` (NFS-e), or `status` as a
 * word (NF-e, CT-e), which a deactivation overrules. A status as a number is published without what the numbers mean.
 */
export function activityOf(settings: unknown): Activity {
  const [isActive, status] = [fieldOf(settings, 'isActive'), fieldOf(settings, 'status')];
  const word = typeof status === 'string' ? status.trim().toLowerCase() : status;
  if (isActive === false || inactiveWords.has(word)) return 'inactive';
  if (isActive === true) return 'active';
  if (['deactivatedAt', 'deactivationReason'].some((name) => isGiven(fieldOf(settings, name))))
    return 'inactive';
  return isGiven(word) && word !== 'active' ? 'unclear' : 'active';
}

const inactiveWords: ReadonlySet<unknown> = new Set(['inactive', 'none', 'disabled', 'deactivated']);

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function wordOf(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 60);
}

function timeIn(value: unknown): string | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

/** Settings of a capture as this machine has seen them, from the first time to the last. Times are UTC, ISO 8601. */
export interface SeenCapture {
  readonly state: 'on' | 'inactive' | 'absent';
  readonly createdOn: string | null;
  readonly startFromDate: string | null;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
}

const KIND = 'capture';

/** Remembers the settings that were just read: the service tells those of today only. */
export async function noteCapture(
  { known }: Pick<Store, 'known'>,
  { profile, companyId, family }: DocumentGroup,
  seen: { readonly capture: CaptureState; readonly at: number },
): Promise<void> {
  const { capture, at } = seen;
  const on = capture.kind === 'on' ? capture : undefined;
  const facts = {
    state: capture.kind === 'on' ? 'on' : capture.why,
    createdOn: on?.createdOn ?? null,
    startFromDate: on?.startFromDate ?? null,
  };
  const id = [facts.state, facts.createdOn, facts.startFromDate].join(' ');
  const scope = scopeOf({ companyId, family });
  await known.put({ profile, kind: KIND, scope, id, status: facts.state, data: facts, seenAt: at });
}

/** What was seen so far, the oldest first. */
export async function captureHistory(
  { known }: Pick<Store, 'known'>,
  { profile, companyId, family }: DocumentGroup,
): Promise<readonly SeenCapture[]> {
  const rows = await known.list({ profile, kind: KIND, scope: scopeOf({ companyId, family }) });
  return rows.toReversed().map(({ id, firstSeenAt, seenAt }) => {
    const [state = '', createdOn = '', startFromDate = ''] = id.split(' ');
    return {
      state: state === 'on' || state === 'inactive' ? state : 'absent',
      createdOn: createdOn === '' ? null : createdOn,
      startFromDate: startFromDate === '' ? null : startFromDate,
      firstSeenAt: formatUtc(firstSeenAt),
      lastSeenAt: formatUtc(seenAt),
    };
  });
}

function scopeOf({ companyId, family }: Pick<DocumentGroup, 'companyId' | 'family'>): string {
  return `${companyId} ${family}`;
}
