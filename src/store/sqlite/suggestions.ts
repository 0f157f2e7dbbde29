import { existsSync, readFileSync, statSync } from 'node:fs';
import Sqlite, { type Database } from 'better-sqlite3';
import { beside } from './beside.js';
import { requireRegularFiles } from './failures.js';
import { schemaVersion } from '../schema.js';
import { schemaOf } from './schema.js';

/** What a shell may offer for a word: the value, and what it is. */
export interface Suggestion {
  readonly value: string;
  readonly description: string | null;
}

export type SuggestedKind = 'jobs' | 'uncertain' | 'products' | 'companies';

const mostRows = 200;

const queries: Readonly<Record<SuggestedKind, string>> = {
  jobs: `SELECT id AS value, kind || ', ' || state AS description FROM jobs WHERE profile = ? ORDER BY seq DESC LIMIT ${mostRows}`,
  uncertain: `SELECT id AS value, label AS description FROM items WHERE profile = ? AND state = 'uncertain' ORDER BY seq DESC LIMIT ${mostRows}`,
  products: `SELECT label AS value, status AS description FROM known
    WHERE profile = ? AND kind = 'product' AND label IS NOT NULL ORDER BY seen_at DESC LIMIT ${mostRows}`,
  companies: `SELECT coalesce(json_extract(data, '$.taxNumber'), id) AS value, label AS description FROM known
    WHERE profile = ? AND kind = 'company' ORDER BY label LIMIT ${mostRows}`,
};

/** Rows of a profile for completion, without network. The store is not changed. Throws whatever is wrong with the file. */
export function suggestions(path: string, profile: string, kind: SuggestedKind): readonly Suggestion[] {
  requireRegularFiles(path);
  if (!existsSync(path)) return [];
  const database = openToRead(path);
  try {
    if (schemaOf(database) !== schemaVersion) return [];
    return database.prepare<[string], Suggestion>(queries[kind]).all(profile);
  } finally {
    database.close();
  }
}

const smallBytes = 32 * 1024 * 1024;

/**
 * A reader of a store that nobody has open makes an empty journal beside it; a small store is therefore read as bytes. While
 * another process has it open, the journal is there.
 */
function openToRead(path: string): Database {
  const { size } = statSync(path);
  if (existsSync(beside(path, '-wal')) || size > smallBytes)
    return new Sqlite(path, { readonly: true, fileMustExist: true, timeout: 10 });
  const bytes = readFileSync(path);
  // A database in memory has no journal: the header says so.
  bytes.fill(1, 18, 20);
  return new Sqlite(bytes);
}
