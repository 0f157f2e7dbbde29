import type { Text } from '../../contract/text.js';

/** An event as a person, a row or a record writes it: nothing in it is trusted. */
export interface WrittenSubmission {
  readonly accessKey: unknown;
  readonly event: unknown;
  readonly sequence?: unknown;
  readonly justification?: unknown;
  readonly reason?: unknown;
  readonly detail?: unknown;
}

export interface Finding {
  readonly field: string;
  readonly message: Text;
}

export interface SubmissionRules {
  /** Whose event it is. Needed by NFS-e events, whose address names the company. */
  readonly companyId: string | undefined;
  /** `--company-unchecked`: sent without a proof that the company captured the note. */
  readonly companyUnchecked: boolean;
  /** `--detail-unchecked`: detail, justification and rule 594 are the user's own business. */
  readonly unchecked: boolean;
}

/** An empty cell or an absent field says nothing. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}
