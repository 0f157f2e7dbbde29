import type { ApiErrorDetail } from '../../contract/error-body.js';

/** Error codes with their status. §7 names only `validation_error`; the other codes are assumed. */
const statuses = {
  validation_error: 400,
  malformed_request: 400,
  malformed_json: 400,
  unsupported_content_type: 400,
  body_too_large: 400,
  unauthorized: 401,
  wrong_key_type: 401,
  forbidden: 403,
  fiscal_secrecy: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  semantic_error: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
  source_unavailable: 503,
} as const;

export type RefusalCode = keyof typeof statuses;

/** An error answer. Thrown by checks and turned into the error body of §7 in one place. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: RefusalCode;
  readonly details: readonly ApiErrorDetail[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: RefusalCode, message: string, extra: RefusalExtra = {}) {
    super(message);
    this.status = statuses[code];
    this.code = code;
    this.details = extra.details ?? [];
    this.headers = extra.headers ?? {};
  }
}

interface RefusalExtra {
  readonly details?: readonly ApiErrorDetail[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A 400 for one field (§7: `validation_error` with details). */
export function invalid(field: string, message: string): Refusal {
  return new Refusal('validation_error', 'The request is not valid.', { details: [{ field, message }] });
}

/** A 422 for one field: well-formed, but not allowed by law (§7). */
export function unacceptable(field: string, message: string): Refusal {
  return new Refusal('semantic_error', 'The request cannot be carried out.', { details: [{ field, message }] });
}
