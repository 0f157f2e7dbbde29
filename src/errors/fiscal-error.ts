import type { KeyKind } from '../contract/operation.js';
import type { Language, Text } from '../contract/text.js';
import { errorCatalogue, type CatalogueEntry, type ErrorCode } from './catalogue.js';
import type { ExitCode } from './exit-code.js';

/** Whether the request reached the service: the one thing that decides if it may be repeated. */
export type Sent = 'yes' | 'no' | 'unknown';

export interface ErrorDetail {
  /** Path of the field as the user wrote it, e.g. `customTax[0].intraState.cfop`, or `line 12: sku`. */
  readonly field: string;
  readonly message: string | Text;
}

export interface ErrorFacts {
  readonly details?: readonly ErrorDetail[];
  readonly httpStatus?: number;
  readonly requestId?: string;
  readonly operation?: string;
  readonly keyKind?: KeyKind;
  /** Where the key came from, e.g. `FISCAL_INVOICE_KEY`. Never the key. */
  readonly keySource?: string;
  readonly attempts?: number;
  readonly retryable?: boolean;
  readonly retryAfterSeconds?: number;
  readonly sent?: Sent;
  readonly jobId?: string;
  /** The command line that goes on where this one stopped. */
  readonly resume?: string;
  /** What to type or do next. */
  readonly hint?: Text;
  /** The company that an answer is about, instead of the one that was asked for. */
  readonly answeredCompany?: string;
  readonly cause?: unknown;
}

/** What fills the braces of an error's text; a part that a person reads comes in both languages. */
export type ErrorValues = Readonly<Record<string, string | number | Text>>;

/**
 * The one error that services throw. `code` is one of the closed list in `catalogue.ts`, which holds
 * its texts and its exit code; `values` fill the braces of the text.
 */
export class FiscalError extends Error {
  override readonly name = 'FiscalError';
  readonly code: ErrorCode;
  readonly text: Text;
  readonly facts: ErrorFacts;

  constructor(code: ErrorCode, values: ErrorValues = {}, facts: ErrorFacts = {}) {
    const entry = errorCatalogue[code];
    const text = { en: fill(entry.en, values, 'en'), pt: fill(entry.pt, values, 'pt') };
    super(text.en, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.text = text;
    this.facts = facts;
  }

  get exitCode(): ExitCode {
    const entry: CatalogueEntry = errorCatalogue[this.code];
    const later = this.facts.retryable === true ? entry.exitCodeWhenRetryable : undefined;
    return later ?? entry.exitCode;
  }

  /** The same error with more facts, for a floor that knows more (a job id, a hint). */
  with(facts: ErrorFacts): FiscalError {
    return Object.assign(Object.create(FiscalError.prototype) as FiscalError, this, {
      stack: this.stack,
      message: this.message,
      facts: { ...this.facts, ...facts },
    });
  }

  /** The same error in other words. */
  withText(text: Text): FiscalError {
    return Object.assign(this.with({}), { text, message: text.en });
  }
}

function fill(template: string, values: ErrorValues, language: Language): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === 'object' ? value[language] : String(value);
  });
}
