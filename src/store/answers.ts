import { exactJson } from '../domain/json-numbers.js';
import { fromJson } from './row.js';
import { type Db, sql, t } from './sql.js';

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

export function createAnswerRows(db: Db): AnswerRows {
  return {
    put: async ({ profile, kind, digest, fetchedAt, answer }) =>
      void (await db.run(sql`INSERT INTO ${t.answers} (profile, kind, digest, fetched_at, answer)
        VALUES (${profile}, ${kind}, ${digest}, ${fetchedAt}, ${exactJson(answer)})
        ON CONFLICT (profile, kind, digest) DO UPDATE SET fetched_at = excluded.fetched_at, answer = excluded.answer`)),
    get: ({ profile, kind, digest }) =>
      db.get(
        sql`SELECT profile, kind, digest, fetched_at AS "fetchedAt", answer FROM ${t.answers}
          WHERE profile = ${profile} AND kind = ${kind} AND digest = ${digest}`,
        ({ answer, ...row }: Omit<AnswerRow, 'answer'> & { readonly answer: string }) => ({
          ...row,
          answer: fromJson(answer),
        }),
      ),
  };
}
