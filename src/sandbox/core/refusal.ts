import type { ApiErrorDetail } from '../../contract/error-body.js';

/** An answer that says no. Thrown by checks, turned into the error body of §7 in one place. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: string;
  readonly details: readonly ApiErrorDetail[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, extra: RefusalExtra = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = extra.details ?? [];
    this.headers = extra.headers ?? {};
  }
}

export interface RefusalExtra {
  readonly details?: readonly ApiErrorDetail[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** 400 for one field (§7: `validation_error` with details). */
export function invalid(field: string, message: string): Refusal {
  return new Refusal(400, 'validation_error', 'The request is not valid.', { details: [{ field, message }] });
}
