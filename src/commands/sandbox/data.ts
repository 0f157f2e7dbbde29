import type { Given } from '../../cli/command.js';
import { parseForeignJson } from '../../domain/json-numbers.js';
import type { Outcome } from '../../domain/outcome.js';
import { isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { parseMonth } from '../../domain/typed-dates.js';
import type { Context } from '../../services/context.js';
import { type ControlAnswer, controlSandbox } from './attach.js';
import type { deliver, seed } from './data-commands.js';

const baseTimeoutMs = 60_000;
/** A busy machine needs some 0.2 ms. */
const timeoutPerDocumentMs = 3;

/**
 * Adds invented companies, products and captured documents. The same seed on an empty sandbox creates the same ones.
 * Returns the documents if some were requested, else the counts.
 */
export async function seedSandbox(context: Context, { spread, month, ...given }: Given<typeof seed>): Promise<Outcome> {
  if (context.flags['company'] !== undefined)
    throw new FiscalError('usage.invalid', { message: onlyWithFrom }, { sent: 'no' });
  const body = {
    ...given,
    ...(month === undefined ? {} : { month: parseMonth(month) ?? month }),
    ...(spread === undefined ? {} : { spread: `${spread}ms` }),
  };
  const timeoutMs = baseTimeoutMs + given.documents * timeoutPerDocumentMs;
  const added = await controlSandbox(context, { method: 'POST', path: 'seed', body, timeoutMs });
  const { captured } = added;
  if (!Array.isArray(captured)) return { data: added };
  const documents = captured.filter(isRecord);
  return { data: documents.map(({ family, ...document }) => ({ type: String(family), ...document })) };
}

const onlyWithFrom = { en: '--company goes with --from', pt: '--company vale com --from' };

/**
 * Has the sandbox send an event to its webhooks, and waits until it is sent. Returns the deliveries of one
 * event, or counts of many. Throws `usage.invalid_value`, and `service.refused` if no webhook subscribes to the event.
 */
export async function deliverFromSandbox(
  context: Context,
  { payload, ...given }: Given<typeof deliver>,
): Promise<Outcome> {
  const body = { ...given, payload: payload === undefined ? undefined : readPayload(payload) };
  const timeoutMs = baseTimeoutMs + given.count;
  const answer = await controlSandbox(context, { method: 'POST', path: 'deliveries', body, timeoutMs });
  const { deliveries, after: _after, ...counts } = answer;
  if (given.count > 1 || !Array.isArray(deliveries)) return { data: counts };
  return { data: deliveries.filter(isRecord).map((delivery) => ({ type: 'delivery', ...delivery })) };
}

function readPayload(text: string): ControlAnswer {
  try {
    const value: unknown = parseForeignJson(text);
    if (isRecord(value)) return value;
  } catch {
    // Refused below, like JSON that is not an object.
  }
  throw invalidValue('--payload', text, { en: 'a JSON object', pt: 'um objeto JSON' });
}
