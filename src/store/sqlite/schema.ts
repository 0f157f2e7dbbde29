import type { Database } from 'better-sqlite3';
import { creationOf, schemaVersion } from '../schema.js';
import { openDocumentTriggers } from './document-terms.js';

/** Creates the tables in one transaction; another process may be doing the same. Returns the version that it found. */
export function create(database: Database): number {
  if (schemaOf(database) === schemaVersion) return schemaVersion;
  return database
    .transaction(() => {
      const found = schemaOf(database);
      if (found === schemaVersion) return found;
      database.exec(creationOf('sqlite') + openDocumentTriggers);
      database.exec('INSERT INTO identity (one, id) VALUES (1, lower(hex(randomblob(16))))');
      database.pragma(`user_version = ${schemaVersion}`);
      return found;
    })
    .immediate();
}

/** The version of the tables, 0 where there are none. */
export function schemaOf(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}
