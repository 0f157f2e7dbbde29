import type { CopyMark } from '../copy-mark.js';
import type { BlockedHost } from '../store.js';
import { createConnection, type Server } from './connection.js';
import { openFailure, requireRow } from './failures.js';
import { createIdentity } from './identity.js';
import { blockedHosts } from '../pace.js';
import { schemaVersion } from '../schema.js';
import { serverMs, sql, writtenFor } from '../sql.js';
import { schemaOf } from './schema.js';
import { isSynchronous } from './server-history.js';

interface Inspection {
  /** The version of the server, as it says it. */
  readonly version: string;
  /** 0: there are no tables yet. `known` is the one that this program reads and writes. */
  readonly schema: number;
  readonly known: number;
  /** The hosts of the profile that are blocked now. */
  readonly waits: readonly BlockedHost[];
  /** Standbys that may lag: no commit waits for one. */
  readonly laggingStandbys: number;
  /** Its rows were copied, or were to be. */
  readonly copy?: CopyMark;
  /** It was put back to an earlier state, and no person has let it send again. */
  readonly wentBack: boolean;
}

/** Looks at the store of a server without writing. Throws `store.…` when it cannot be reached or read. */
export async function inspectServer(server: Server, profile: string): Promise<Inspection> {
  const connection = createConnection(server);
  try {
    const found = await connection.get<{ version: string; laggingStandbys: number }>(
      `SELECT current_setting('server_version') AS version, CASE WHEN ${isSynchronous} THEN 0
         ELSE (SELECT count(*) FROM pg_stat_replication) END AS "laggingStandbys"`,
    );
    const schema = await schemaOf(connection, server.name);
    const blocked = writtenFor('postgres', blockedHosts(profile, sql`${serverMs}`));
    const waits = schema === schemaVersion ? await connection.all<BlockedHost>(blocked) : [];
    const identity = schema === schemaVersion ? await createIdentity(connection, server.name) : undefined;
    const copy = identity?.copy;
    return {
      ...requireRow(found, 'version', 'laggingStandbys'),
      schema,
      known: schemaVersion,
      waits,
      wentBack: identity?.wentBack !== undefined,
      ...(copy && { copy }),
    };
  } catch (error) {
    throw openFailure(error, server.name);
  } finally {
    await connection.close();
  }
}
