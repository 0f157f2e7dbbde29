import type { ManifestationStatus } from '../../contract/manifestation.js';
import type { SandboxDatabase } from '../core/open-database.js';
import type { Ending } from './nfe-events.js';

export interface StoredNfseManifestation {
  readonly id: string;
  readonly companyId: string;
  readonly accessKey: string;
  readonly eventCode: number;
  readonly reasonCode: number | null;
  readonly justification: string | null;
  readonly status: ManifestationStatus;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly createdAt: number;
  readonly submittedAt: number | null;
  readonly acceptedAt: number | null;
}

export type NewNfseManifestation = Pick<
  StoredNfseManifestation,
  'id' | 'companyId' | 'accessKey' | 'eventCode' | 'reasonCode' | 'justification' | 'createdAt'
>;

/** The taker's manifestations. At most one per company, key and event is `Pending` or `Accepted` (assumed, as for NF-e). */
export interface NfseManifestations {
  /** Stores it as `Pending`. */
  insert(manifestation: NewNfseManifestation): void;
  get(id: string): StoredNfseManifestation | undefined;
  live(companyId: string, accessKey: string, eventCode: number): StoredNfseManifestation | undefined;
  /** Oldest first. */
  ofKey(companyId: string, accessKey: string): readonly StoredNfseManifestation[];
  end(id: string, ending: Ending, at: number): void;
  countByStatus(): Readonly<Record<string, number>>;
}

/** Named as the answers name them, so that a row is what is stored. */
const columns = `id, company_id AS companyId, access_key AS accessKey, event_code AS eventCode,
  reason_code AS reasonCode, justification, status, error_code AS errorCode, error_message AS errorMessage,
  created_at AS createdAt, submitted_at AS submittedAt, accepted_at AS acceptedAt`;

export function openNfseManifestations(database: SandboxDatabase): NfseManifestations {
  const insert = database.prepare(
    `INSERT INTO nfse_manifestations (id, company_id, access_key, event_code, reason_code, justification, status,
       created_at) VALUES (@id, @companyId, @accessKey, @eventCode, @reasonCode, @justification, 'Pending', @createdAt)`,
  );
  const get = database.prepare<[string], StoredNfseManifestation>(
    `SELECT ${columns} FROM nfse_manifestations WHERE id = ?`,
  );
  const live = database.prepare<[string, string, number], StoredNfseManifestation>(
    `SELECT ${columns} FROM nfse_manifestations WHERE company_id = ? AND access_key = ? AND event_code = ?
       AND status IN ('Pending', 'Accepted')`,
  );
  const ofKey = database.prepare<[string, string], StoredNfseManifestation>(
    `SELECT ${columns} FROM nfse_manifestations WHERE company_id = ? AND access_key = ? ORDER BY position`,
  );
  const end = database.prepare(
    `UPDATE nfse_manifestations SET status = @status, error_code = @errorCode, error_message = @errorMessage,
       submitted_at = CASE WHEN @status <> 'Failed' THEN @at END, accepted_at = CASE @status WHEN 'Accepted' THEN @at END
     WHERE id = @id AND status = 'Pending'`,
  );
  const count = database.prepare<[], { status: string; count: number }>(
    'SELECT status, count(*) AS count FROM nfse_manifestations GROUP BY status ORDER BY status',
  );
  return {
    insert: (manifestation) => void insert.run(manifestation),
    get: (id) => get.get(id),
    live: (companyId, accessKey, eventCode) => live.get(companyId, accessKey, eventCode),
    ofKey: (companyId, accessKey) => ofKey.all(companyId, accessKey),
    end: (id, { status, errorCode, errorMessage }, at) =>
      void end.run({ id, status, errorCode, errorMessage, at }),
    countByStatus: () => Object.fromEntries(count.all().map((row) => [row.status, row.count])),
  };
}
