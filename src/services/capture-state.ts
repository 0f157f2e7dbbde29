import type { InboundFamily } from '../contract/inbound.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Context } from './context.js';

/** Whether a family of a company is captured. `spacedUntil`: capture is held back until then (§2), reading is not. */
export type CaptureState = { readonly kind: 'off' } | { readonly kind: 'on'; readonly spacedUntil?: string };

/** Asks for the settings. Errors: those of a call, but 404, which means that nothing is captured. */
export async function captureState(
  context: Pick<Context, 'client' | 'interruption' | 'clock'>,
  company: string,
  family: InboundFamily,
): Promise<CaptureState> {
  const client = await context.client();
  try {
    const { body } = await client.call(
      `${family}.inbound.settings`,
      { path: { companyId: company } },
      { signal: context.interruption },
    );
    return stateOf(body, context.clock.now());
  } catch (error) {
    if (error instanceof FiscalError && error.code === 'service.not_found') return { kind: 'off' };
    throw error;
  }
}

function stateOf(body: unknown, now: number): CaptureState {
  const fields = new Map<string, unknown>(
    typeof body === 'object' && body !== null ? Object.entries(body) : [],
  );
  if (fields.get('isActive') === false) return { kind: 'off' };
  const until = fields.get('rateLimitedUntil');
  if (typeof until !== 'string' || !(Date.parse(until) > now)) return { kind: 'on' };
  return { kind: 'on', spacedUntil: new Date(until).toISOString() };
}
