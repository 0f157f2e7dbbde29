/**
 * The webhook events that were received. `due_at` is set for the first unsettled event of a resource only: what waits behind it
 * costs nothing to skip, however long the queue is. The last index finds the item of a job that an event is about.
 */
export const deliverySchema = `
  CREATE TABLE webhook_events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    profile TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    scheme TEXT NOT NULL,
    hook_id TEXT NOT NULL,
    event TEXT NOT NULL,
    resource TEXT NOT NULL,
    body BLOB NOT NULL,
    digest TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('received', 'forwarding', 'delivered', 'dead', 'kept')),
    attempts INTEGER NOT NULL DEFAULT 0,
    copies INTEGER NOT NULL DEFAULT 1,
    due_at INTEGER,
    last_error TEXT,
    done_by TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(done_by)),
    settled_at INTEGER,
    worker_id TEXT,
    UNIQUE (profile, digest, hook_id)
  ) STRICT;
  CREATE INDEX webhook_events_due ON webhook_events (profile, due_at, seq) WHERE due_at IS NOT NULL;
  CREATE INDEX webhook_events_waiting ON webhook_events (profile, resource, seq) WHERE state IN ('received', 'forwarding');
  CREATE INDEX webhook_events_by_resource ON webhook_events (profile, resource, seq);
  CREATE INDEX webhook_events_dead ON webhook_events (profile, seq) WHERE state = 'dead';
  CREATE INDEX items_pending_by_resource ON items (profile, resource_id) WHERE state = 'pending';
`;
