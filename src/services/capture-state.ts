import { fieldOf } from '../domain/record.js';
import type { InboundFamily } from '../contract/inbound.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Context } from './context.js';

/** Whether a family of a company is captured. */
export type CaptureState = CaptureOff | CaptureOn;

interface CaptureOff {
  readonly kind: 'off';
  /** inactive: registered, and no longer captured. */
  readonly why: 'absent' | 'inactive';
}

/** Times are UTC, ISO 8601. */
export interface CaptureOn {
  readonly kind: 'on';
  /** Capture is held back until then (§2), reading is not. */
  readonly spacedUntil?: string;
  /** The cut-off. */
  readonly startFromDate?: string;
  /** When the capture was enabled. */
  readonly createdOn?: string;
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
  if (fieldOf(body, 'isActive') === false) return { kind: 'off', why: 'inactive' };
  const [spacedUntil, startFromDate] = ['rateLimitedUntil', 'startFromDate'].map((name) =>
    timeIn(fieldOf(body, name)),
  );
  // The settings of NFS-e are published with another name for it.
  const createdOn = timeIn(fieldOf(body, 'createdOn')) ?? timeIn(fieldOf(body, 'createdAt'));
  const isSpaced = spacedUntil !== undefined && Date.parse(spacedUntil) > now;
  return {
    kind: 'on',
    ...(isSpaced ? { spacedUntil } : {}),
    ...(startFromDate === undefined ? {} : { startFromDate }),
    ...(createdOn === undefined ? {} : { createdOn }),
  };
}

function timeIn(value: unknown): string | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
