import type { KeyKind } from '../contract/operation.js';
import type { Text } from '../contract/text.js';
import { errorCatalogue, type CatalogueEntry, type ErrorCode } from './catalogue.js';
import { type ExitCode, exitOfSignal } from './exit-code.js';
import { filled, type TextValues } from './text-template.js';

/** Whether the request reached the service, which decides if it may be repeated. */
export type Sent = 'yes' | 'no' | 'unknown';

export interface ErrorDetail {
  /** The path of the field as the user wrote it, such as `customTax[0].intraState.cfop` or `line 12: sku`. */
  readonly field: string;
  readonly message: string | Text;
}

/** A place in a file, `line 4: sku`, is data in JSON; people read it in their language. */
export function placeText(field: string): Text {
  return { en: field, pt: field.replace(/^line (?=\d)/, 'linha ') };
}

export interface ErrorFacts {
  readonly details?: readonly ErrorDetail[];
  readonly httpStatus?: number;
  /** What the service says in its answer. */
  readonly said?: string;
  readonly requestId?: string;
  readonly operation?: string;
  readonly keyKind?: KeyKind;
  /** The source of the key, such as `FISCAL_INVOICE_KEY`; never the key. */
  readonly keySource?: string;
  readonly attempts?: number;
  readonly retryable?: boolean;
  readonly retryAfterSeconds?: number;
  readonly sent?: Sent;
  /** A billed call was not sent: its budget does not allow it, or it could not be counted. */
  readonly uncounted?: true;
  readonly jobId?: string;
  /** The command that continues where this one stopped. */
  readonly resume?: string;
  /** The next step for the user. */
  readonly hint?: Text;
  /** The company in the answer, when it is not the one requested. */
  readonly answeredCompany?: string;
  /** What a person at a terminal may choose to complete the command. */
  readonly pick?: PickName;
  readonly cause?: unknown;
}

/** What a command line may lack, and a list can offer. */
export type PickName =
  | 'company'
  | 'companies'
  | 'companyArgument'
  | 'event'
  | 'plannedEvent'
  | 'item'
  | 'job'
  | 'failedJob'
  | 'product';

/**
 * The only error that services throw. `code` is one of the closed list in `catalogue.ts`, which defines its text and
 * exit code; `values` fill the placeholders of the text.
 */
export class FiscalError extends Error {
  override readonly name = 'FiscalError';
  readonly code: ErrorCode;
  readonly values: TextValues;
  readonly text: Text;
  readonly facts: ErrorFacts;

  constructor(code: ErrorCode, values: TextValues = {}, facts: ErrorFacts = {}) {
    const entry = errorCatalogue()[code];
    const text = filled(entry, values);
    super(text.en, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.values = values;
    this.text = text;
    this.facts = facts.details === undefined ? facts : { ...facts, details: firstOf(facts.details) };
  }

  get exitCode(): ExitCode {
    if (this.code === 'job.interrupted') return exitOfSignal(this.facts.cause);
    const entry: CatalogueEntry = errorCatalogue()[this.code];
    const later = this.facts.retryable === true ? entry.exitCodeWhenRetryable : undefined;
    const after = this.facts.sent === 'yes' ? entry.exitCodeWhenSent : undefined;
    return later ?? after ?? entry.exitCode;
  }

  /** A copy with more facts, such as a job id or a hint. */
  with(facts: ErrorFacts): FiscalError {
    return Object.assign(Object.create(FiscalError.prototype) as FiscalError, this, {
      stack: this.stack,
      message: this.message,
      facts: { ...this.facts, ...facts },
    });
  }

  /** A copy with another text. */
  withText(text: Text): FiscalError {
    return Object.assign(this.with({}), { text, message: text.en });
  }
}

/** What is wrong with a file may be wrong with each of its fields. */
const MOST_DETAILS = 100;

function firstOf(details: readonly ErrorDetail[]): readonly ErrorDetail[] {
  if (details.length <= MOST_DETAILS) return details;
  const left = details.length - (MOST_DETAILS - 1);
  const message = { en: `and ${left} more`, pt: `e mais ${left}` };
  return [...details.slice(0, MOST_DETAILS - 1), { field: '…', message }];
}
