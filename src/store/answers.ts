/** The kept answer of a query: what a registry said, and when. Holds no full CPF. */
export interface AnswerRow {
  readonly profile: string;
  readonly kind: string;
  /** Of what was asked about; the number itself is not kept. */
  readonly digest: string;
  readonly fetchedAt: number;
  readonly answer: unknown;
}

export interface AnswerRows {
  /** In the place of an earlier answer. */
  put(row: AnswerRow): Promise<void>;
  get(key: Pick<AnswerRow, 'profile' | 'kind' | 'digest'>): Promise<AnswerRow | undefined>;
}
