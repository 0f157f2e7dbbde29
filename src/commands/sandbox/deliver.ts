import type { DataRecord } from '../../domain/outcome.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import { isRecord } from '../../domain/record.js';
import { askSandbox, type Fields } from './ask.js';
import { withSandbox } from './target.js';

export interface DeliverInput {
  /** Name of the event, e.g. `product.active`. */
  readonly event: string;
  /** Id of what the event is about; `undefined` invents one. */
  readonly resource: string | undefined;
  /** JSON, whose fields go into the payload. */
  readonly payload: string | undefined;
  readonly count: number;
  /** Over how many invented ids the events are spread. */
  readonly resources: number;
}

const baseTimeoutMs = 60_000;

/**
 * Lets something happen of which the webhooks of the sandbox tell, and waits until it is sent. Gives the deliveries of one
 * event, or counts of many. Throws `usage.invalid_value`, and `service.refused` when no webhook wants the event.
 */
export async function deliverFromSandbox(
  context: Context,
  { payload, ...input }: DeliverInput,
): Promise<Fields | readonly DataRecord[]> {
  const body = { ...input, payload: payload === undefined ? undefined : readPayload(payload) };
  const timeoutMs = baseTimeoutMs + input.count;
  const answer = await withSandbox(context, (url) =>
    askSandbox({ url, method: 'POST', path: 'deliveries', body, timeoutMs }),
  );
  const { deliveries, after: _after, ...counts } = answer;
  if (input.count > 1 || !Array.isArray(deliveries)) return counts;
  return deliveries.filter(isRecord).map((delivery) => ({ type: 'delivery', ...delivery }));
}

function readPayload(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Told below, with what was expected.
  }
  throw invalidValue('--payload', text, { en: 'a JSON object', pt: 'um objeto JSON' });
}
