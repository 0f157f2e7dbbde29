import type { CopyMark } from '../copy-mark.js';
import type { BlockedHost } from '../store.js';
import { createConnection, type Server } from './connection.js';
import { createIdentity } from './identity.js';
import { knownSchema, schemaOf } from './migrations.js';
import { blockedHostsQuery } from './pace.js';
import { serverNow } from './store-clock.js';

interface Inspection {
  /** The version of the server, as it says it. */
  readonly version: string;
  /** 0: there are no tables yet. `known` is the one that this program reads and writes. */
  readonly schema: number;
  readonly known: number;
  /** The hosts of the profile that are blocked now. */
  readonly waits: readonly BlockedHost[];
  /** Its rows were copied, or were to be. */
  readonly copy?: CopyMark;
}

/** Looks at the store of a server without writing. Throws `store.…` when it cannot be reached or read. */
export async function inspectServer(server: Server, profile: string): Promise<Inspection> {
  const connection = createConnection(server);
  try {
    const version = (
      await connection.get<{ version: string }>("SELECT current_setting('server_version') AS version")
    )?.version;
    const schema = await schemaOf(connection, server.name);
    const query = blockedHostsQuery.replace('@now', serverNow);
    const waits = schema === knownSchema ? await connection.all<BlockedHost>(query, { profile }) : [];
    const copy = schema === knownSchema ? (await createIdentity(connection, server.name)).copy : undefined;
    return { version: version ?? '', schema, known: knownSchema, waits, ...(copy && { copy }) };
  } finally {
    await connection.close();
  }
}
