import { exactJson } from '../../domain/json-numbers.js';
import type { AnswerRow, AnswerRows } from '../answers.js';
import { fromJson } from '../row.js';
import type { Connection } from './connection.js';

type AnswerRecord = Omit<AnswerRow, 'answer'> & { readonly answer: string };

export function createAnswerRows({ get, run }: Connection): AnswerRows {
  return {
    async put(row) {
      await run(
        `INSERT INTO fiscal.answers (profile, kind, digest, fetched_at, answer)
         VALUES (@profile, @kind, @digest, @fetchedAt, @answer)
         ON CONFLICT (profile, kind, digest) DO UPDATE SET
           fetched_at = excluded.fetched_at, answer = excluded.answer`,
        { ...row, answer: exactJson(row.answer) },
      );
    },
    async get(key) {
      const record = await get<AnswerRecord>(
        `SELECT profile, kind, digest, fetched_at AS "fetchedAt", answer FROM fiscal.answers
         WHERE profile = @profile AND kind = @kind AND digest = @digest`,
        { ...key },
      );
      return record === undefined ? undefined : { ...record, answer: fromJson(record.answer) };
    },
  };
}
