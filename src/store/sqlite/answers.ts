import type { AnswerRow, AnswerRows } from '../answers.js';
import type { Connection } from './connection.js';
import { fromJson, sound } from '../row.js';
import { exactJson } from '../../domain/json-numbers.js';

/** Migration: cached query answers. */
export const answerSchema = `
  CREATE TABLE answers (
    profile TEXT NOT NULL,
    kind TEXT NOT NULL,
    digest TEXT NOT NULL,
    fetched_at INTEGER NOT NULL,
    answer TEXT NOT NULL,
    PRIMARY KEY (profile, kind, digest)
  ) STRICT;
  `;

type AnswerRecord = Omit<AnswerRow, 'answer'> & { readonly answer: string };

export function createAnswerRows({ statement, read, write }: Connection): AnswerRows {
  const upsert = statement<[Record<string, unknown>]>(
    `INSERT INTO answers (profile, kind, digest, fetched_at, answer)
     VALUES (@profile, @kind, @digest, @fetchedAt, @answer)
     ON CONFLICT (profile, kind, digest) DO UPDATE SET
       fetched_at = excluded.fetched_at, answer = excluded.answer`,
  );
  const byKey = statement<[string, string, string], AnswerRecord>(
    `SELECT profile, kind, digest, fetched_at AS fetchedAt, answer FROM answers
     WHERE profile = ? AND kind = ? AND digest = ?`,
  );
  return {
    put: (row) => write(() => void upsert().run({ ...row, answer: exactJson(row.answer) })),
    get: ({ profile, kind, digest }) =>
      read(() => {
        const record = byKey().get(profile, kind, digest);
        return record === undefined ? undefined : { ...sound(record), answer: fromJson(record.answer) };
      }),
  };
}
