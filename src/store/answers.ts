/** A cached answer of a registry and its time. Contains no full CPF. */
export interface AnswerRow {
  readonly profile: string;
  readonly kind: string;
  /** Digest of the number that was looked up; the number itself is not stored. */
  readonly digest: string;
  readonly fetchedAt: number;
  readonly answer: unknown;
}

export interface AnswerRows {
  /** Replaces an earlier answer. */
  put(row: AnswerRow): Promise<void>;
  get(key: Pick<AnswerRow, 'profile' | 'kind' | 'digest'>): Promise<AnswerRow | undefined>;
}
