/**
 * `received`: waits to be forwarded · `forwarding`: a process holds it · `delivered`: every target took it ·
 * `dead`: given up, for a person · `kept`: genuine, and nobody asked for its kind.
 */
export type DeliveryState = 'received' | 'forwarding' | 'delivered' | 'dead' | 'kept';

/** A webhook event that was received, found genuine and stored, without its body. */
export interface DeliveryRow {
  /** The order in which events were acknowledged. */
  readonly seq: number;
  readonly id: string;
  readonly profile: string;
  readonly receivedAt: number;
  readonly scheme: string;
  /** The sender's id of the delivery, or of the subscription; empty when it gave none. */
  readonly hookId: string;
  /** The name of the event as it came; empty when it has none. */
  readonly event: string;
  /** What the event is about; events of one resource are forwarded one after the other. Empty: of nothing known, so in no order. */
  readonly resource: string;
  /** SHA-256 of the body, hex. */
  readonly digest: string;
  readonly bytes: number;
  readonly state: DeliveryState;
  /** How often it was tried since it was stored, or since it was sent again by hand. */
  readonly attempts: number;
  /** How often the same delivery arrived, the first time included. */
  readonly copies: number;
  /** Not before this time. Absent: settled, or an earlier event of the resource comes first. */
  readonly dueAt?: number;
  readonly lastError?: string;
  /** The targets that took it already. */
  readonly doneBy: readonly string[];
  readonly settledAt?: number;
}

export interface HeldDelivery extends DeliveryRow {
  /** The bytes that were signed, exactly. */
  readonly body: Uint8Array;
}

export interface NewDelivery {
  readonly id: string;
  readonly profile: string;
  readonly at: number;
  readonly scheme: string;
  readonly hookId: string;
  readonly event: string;
  readonly resource: string;
  readonly body: Uint8Array;
  readonly digest: string;
  /** False: it is stored as `kept`. */
  readonly wanted: boolean;
}

/** How one try ended. `received` is tried again at `dueAt`. */
export type DeliveryPatch = {
  readonly attempts: number;
  readonly doneBy: readonly string[];
  readonly lastError?: string;
  readonly at: number;
} & ({ readonly state: 'delivered' | 'dead' } | { readonly state: 'received'; readonly dueAt: number });

export interface DeliveryFilter {
  readonly profile: string;
  readonly states?: readonly DeliveryState[];
  readonly event?: string;
  readonly resource?: string;
  /** Received at this time or later. */
  readonly since?: number;
  /** Older than this `seq`: where the page before ended. */
  readonly before?: number;
  readonly limit: number;
}

export type DeliveryCounts = Readonly<Record<DeliveryState, number>>;

export interface DeliveryRows {
  /**
   * Stores an event, unless the same was stored before (hook id and digest of the body): then its copies are counted.
   * Durable when it resolves: only then may it be acknowledged.
   */
  add(delivery: NewDelivery): Promise<{ readonly isNew: boolean; readonly id: string }>;
  get(profile: string, id: string): Promise<HeldDelivery | undefined>;
  /** When the newest event about a resource was received; quick, however many there are. */
  lastAt(profile: string, resource: string): Promise<number | undefined>;
  /** Newest first. */
  list(filter: DeliveryFilter): Promise<readonly DeliveryRow[]>;
  counts(profile: string): Promise<DeliveryCounts>;
  /**
   * Takes up to `limit` due events that no living worker holds, oldest due first, and of each resource only the first that
   * is not settled. Nothing for a worker without a lease.
   */
  claim(claim: {
    readonly workerId: string;
    readonly profile: string;
    readonly limit: number;
    readonly now: number;
  }): Promise<readonly HeldDelivery[]>;
  /**
   * The end of one try: false, and nothing written, unless the worker still holds the event. A settled one lets the next of
   * its resource go.
   */
  conclude(held: { readonly id: string; readonly workerId: string }, patch: DeliveryPatch): Promise<boolean>;
  /** Gives back unharmed what a worker that ends holds. */
  release(workerId: string): Promise<void>;
  /** The earliest time at which something is due and unclaimed by the living; `undefined`: nothing. */
  nextDue(profile: string, now: number): Promise<number | undefined>;
  /** Puts settled events (by id, or of these states since a time) back into the queue with no tries and no targets done; gives how many. */
  again(
    which: { readonly profile: string; readonly at: number } & (
      | { readonly id: string }
      | { readonly since: number; readonly states: readonly DeliveryState[] }
    ),
  ): Promise<number>;
  /** Deletes, of all profiles, the events that were delivered, or received and `kept`, before then; a later copy counts as new. */
  prune(before: number): Promise<number>;
  /** How many that would be. */
  prunable(before: number): Promise<number>;
}
