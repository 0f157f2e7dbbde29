import { actorColumns, type ActorRecord } from './actor-columns.js';
import { fromJson, presentColumns } from './row.js';
import type { ItemCounts, JobRow } from './store.js';

export type JobRecord = Omit<JobRow, 'scope' | 'finishedAt' | keyof ActorRecord> &
  ActorRecord & {
    readonly scope: string;
    readonly finishedAt: number | null;
  };

export type Digest = { readonly operation: string; readonly profile: string; readonly inputDigest: string };

export const jobColumns = `id, kind, operation, profile, input_digest AS "inputDigest", command_line AS "commandLine", scope,
  loader_id AS "loaderId", state, created_at AS "createdAt", updated_at AS "updatedAt", finished_at AS "finishedAt",
  ${actorColumns}`;

export const noItems: ItemCounts = {
  prepared: 0,
  sending: 0,
  pending: 0,
  succeeded: 0,
  rejected: 0,
  failed: 0,
  skipped: 0,
  uncertain: 0,
  cancelled: 0,
};

export function digestOf({ operation, profile, inputDigest }: Digest): Digest {
  return { operation, profile, inputDigest };
}

export function toOptionalJob(record: JobRecord | undefined): JobRow | undefined {
  return record === undefined ? undefined : toJob(record);
}

export function toJob(record: JobRecord): JobRow {
  return presentColumns({ ...record, scope: toScope(fromJson(record.scope)) });
}

export function toScope(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]));
}
