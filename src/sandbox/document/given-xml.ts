import { createHash } from 'node:crypto';
import type { SandboxDatabase } from '../core/database.js';

/** The part of the document that a file is; the summary of one that is here in full is never served. */
export type GivenPart = 'full' | 'summary';

/** The file of a company's document or event. */
export interface GivenName {
  readonly companyId: string;
  readonly part: GivenPart;
  /** The key of a document or of an event, or the id of what has no key. */
  readonly of: string;
}

/** The XML that a user gave, as it is: the sandbox serves it instead of writing one. */
export interface GivenXml {
  put(name: GivenName, bytes: Uint8Array): void;
  get(name: GivenName): Buffer | undefined;
  /** `undefined`: there is none. */
  isSame(name: GivenName, bytes: Uint8Array): boolean | undefined;
}

export function openGivenXml(database: SandboxDatabase): GivenXml {
  const put = database.prepare(
    `INSERT INTO givenXml (companyId, name, digest, bytes) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET digest = excluded.digest, bytes = excluded.bytes`,
  );
  const get = database.prepare<[string, string], { bytes: Buffer }>(
    'SELECT bytes FROM givenXml WHERE companyId = ? AND name = ?',
  );
  const digest = database.prepare<[string, string], { digest: string }>(
    'SELECT digest FROM givenXml WHERE companyId = ? AND name = ?',
  );
  return {
    put: (name, bytes) => void put.run(name.companyId, nameOf(name), digestOf(bytes), bytes),
    get: (name) => get.get(name.companyId, nameOf(name))?.bytes,
    isSame(name, bytes) {
      const found = digest.get(name.companyId, nameOf(name));
      return found && found.digest === digestOf(bytes);
    },
  };
}

function nameOf({ part, of }: GivenName): string {
  return `${part}:${of}`;
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
