import { parseForeignJson } from '../../domain/json-numbers.js';
import type { DataRecord } from '../../domain/outcome.js';
import { isRecord } from '../../domain/record.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { parseMonth } from '../../domain/typed-dates.js';
import type { Context } from '../../services/context.js';
import { askSandbox, type ControlAnswer } from './ask.js';
import { withSandbox } from './attach.js';

export interface SeedInput {
  /**
   * `month`: a month of an accounting office; `history`: companies that have only hidden NFS-e from before that
   * month. The other fields are then the numbers of companies and documents of the scenario.
   */
  readonly scenario: 'month' | 'history' | undefined;
  /** `2026-10`; `undefined`: the last complete one. */
  readonly month: string | undefined;
  readonly companies: number;
  readonly products: number;
  /** Captured documents of the company of the account. */
  readonly documents: number;
  readonly family: 'nfe' | 'cte' | 'nfse';
  /** Of the NF-e; `undefined`: `full`. */
  readonly stage: 'summary' | 'full' | undefined;
  /** From the newest document to the oldest; `undefined` leaves it to the sandbox. */
  readonly spreadMs: number | undefined;
  readonly seed: number | undefined;
}

const baseTimeoutMs = 60_000;
/** A busy machine needs some 0.2 ms. */
const timeoutPerDocumentMs = 3;

/**
 * Adds invented companies, products and captured documents. The same seed on an empty sandbox creates the same ones.
 * Returns the documents if some were requested, else the counts.
 */
export async function seedSandbox(
  context: Context,
  { spreadMs, ...input }: SeedInput,
): Promise<ControlAnswer | readonly DataRecord[]> {
  const { month } = input;
  const body = {
    ...input,
    ...(month === undefined ? {} : { month: parseMonth(month) ?? month }),
    ...(spreadMs === undefined ? {} : { spread: `${spreadMs}ms` }),
  };
  const timeoutMs = baseTimeoutMs + input.documents * timeoutPerDocumentMs;
  const added = await withSandbox(context, (url) =>
    askSandbox({ url, method: 'POST', path: 'seed', body, timeoutMs }),
  );
  const { captured } = added;
  return Array.isArray(captured) ? captured.filter(isRecord).map(toRecord) : added;
}

function toRecord({ family, ...document }: ControlAnswer): DataRecord {
  return { type: String(family), ...document };
}

export interface DeliverInput {
  /** Name of the event, e.g. `product.active`. */
  readonly event: string;
  /** Id of the resource of the event; `undefined` invents one. */
  readonly resource: string | undefined;
  /** JSON, whose fields go into the payload. */
  readonly payload: string | undefined;
  readonly count: number;
  /** The number of invented ids. */
  readonly resources: number;
}

/**
 * Has the sandbox send an event to its webhooks, and waits until it is sent. Returns the deliveries of one
 * event, or counts of many. Throws `usage.invalid_value`, and `service.refused` if no webhook subscribes to the event.
 */
export async function deliverFromSandbox(
  context: Context,
  { payload, ...input }: DeliverInput,
): Promise<ControlAnswer | readonly DataRecord[]> {
  const body = { ...input, payload: payload === undefined ? undefined : readPayload(payload) };
  const timeoutMs = baseTimeoutMs + input.count;
  const answer = await withSandbox(context, (url) =>
    askSandbox({ url, method: 'POST', path: 'deliveries', body, timeoutMs }),
  );
  const { deliveries, after: _after, ...counts } = answer;
  if (input.count > 1 || !Array.isArray(deliveries)) return counts;
  return deliveries.filter(isRecord).map((delivery) => ({ type: 'delivery', ...delivery }));
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
