import type { Core } from '../core/core.js';
import { invalid } from '../core/refusal.js';
import type { Pace } from '../webhook/sender.js';

/** Handles a control request. Returns the body of the answer. */
type Control = (core: Core, request: ControlRequest) => object;

/** Waits for the webhook deliveries that become due, for at most `waitMs` of real time. */
export interface WaitingControl {
  readonly begin: Control;
  readonly waitMs: number;
  readonly pace: Pace;
  /** Builds the answer from the result of `begin`. */
  finish(core: Core, begun: object): object;
}

/** Continues after its transaction, with what `prepare` read inside it. */
export interface AsyncControl {
  readonly prepare: (core: Core, request: ControlRequest) => () => Promise<object>;
}

/** The handlers of a route, by method. */
export type ControlRoute = Readonly<Record<string, Control | WaitingControl | AsyncControl>>;

export interface ControlRequest {
  readonly query: URLSearchParams;
  /** Parsed JSON; `undefined` without a body. */
  readonly body: unknown;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Reads the body as fields with these names. A misspelt name is an error, not an absent field. */
export function fieldsOf(body: unknown, names: readonly string[]): Fields {
  if (body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid('', 'Must be an object.');
  }
  for (const name of Object.keys(body)) {
    if (!names.includes(name)) throw invalid(name, `Is unknown; the known fields are: ${names.join(', ')}.`);
  }
  return { ...body };
}

export function numberField(
  fields: Fields,
  name: string,
  range: { readonly from: number; readonly to: number; readonly whole: boolean },
): number | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  if (
    typeof value === 'number' &&
    value >= range.from &&
    value <= range.to &&
    (!range.whole || Number.isInteger(value))
  ) {
    return value;
  }
  throw invalid(name, `Must be ${range.whole ? 'a whole number' : 'a number'} from ${range.from} to ${range.to}.`);
}

export function textField(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || typeof value === 'string') return value;
  throw invalid(name, 'Must be text.');
}

export function choiceField<Choice extends string>(
  fields: Fields,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const value = textField(fields, name);
  if (value === undefined) return undefined;
  const choice = choices.find((each) => each === value);
  if (choice === undefined) throw invalid(name, `Must be one of: ${choices.join(', ')}.`);
  return choice;
}

export function booleanField(fields: Fields, name: string): boolean | undefined {
  const value = fields[name];
  if (value === undefined || typeof value === 'boolean') return value;
  throw invalid(name, 'Must be true or false.');
}
