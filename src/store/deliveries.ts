/**
 * `received`: waits to be forwarded · `forwarding`: a process holds it · `delivered`: accepted by every target ·
 * `dead`: given up, left for a person · `kept`: genuine, but of a type that nobody asked for.
 */
export type DeliveryState = 'received' | 'forwarding' | 'delivered' | 'dead' | 'kept';

/** A genuine webhook event that was received and stored, without its body. */
export interface DeliveryRow {
  /** The order in which events were acknowledged. */
  readonly seq: number;
  readonly id: string;
  readonly profile: string;
  readonly receivedAt: number;
  readonly scheme: string;
  /** The sender's id for the delivery or the subscription; empty when missing. */
  readonly hookId: string;
  /** The name of the event, unchanged; empty when missing. */
  readonly event: string;
  /**
   * The resource of the event; events of one resource are forwarded one after another. Empty when unknown; then in no
   * order.
   */
  readonly resource: string;
  /** SHA-256 of the body, hex. */
  readonly digest: string;
  readonly bytes: number;
  readonly state: DeliveryState;
  /** Attempts since it was stored or last resent. */
  readonly attempts: number;
  /** How often the same delivery arrived, including the first time. */
  readonly copies: number;
  /** Not before this time. Absent: finished, or behind an earlier event of the resource. */
  readonly dueAt?: number;
  readonly lastError?: string;
  /** The targets that have already accepted it. */
  readonly doneBy: readonly string[];
  readonly settledAt?: number;
}

export interface HeldDelivery extends DeliveryRow {
  /** The exact bytes that were signed. */
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
  /** False: stored as `kept`. */
  readonly wanted: boolean;
}

/** The result of one attempt. `received` is tried again at `dueAt`. */
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
  /** Older than this `seq`: where the previous page ended. */
  readonly before?: number;
  readonly limit: number;
}

export type DeliveryCounts = Readonly<Record<DeliveryState, number>>;

export interface DeliveryRows {
  /**
   * Stores an event. When the same one (hook id and digest of the body) is already stored, only its copies are counted.
   * Durable when resolved: only then may it be acknowledged.
   */
  add(delivery: NewDelivery): Promise<{ readonly isNew: boolean; readonly id: string }>;
  get(profile: string, id: string): Promise<HeldDelivery | undefined>;
  /** When the newest event about a resource was received. Fast for any number of events. */
  lastAt(profile: string, resource: string): Promise<number | undefined>;
  /** Newest first. */
  list(filter: DeliveryFilter): Promise<readonly DeliveryRow[]>;
  counts(profile: string): Promise<DeliveryCounts>;
  /**
   * Claims up to `limit` due events that no living worker holds, oldest first, and of each resource only the first
   * unfinished one. Returns nothing for a worker without a lease.
   */
  claim(claim: {
    readonly workerId: string;
    readonly profile: string;
    readonly limit: number;
    readonly now: number;
  }): Promise<readonly HeldDelivery[]>;
  /**
   * Stores the result of one attempt. False, and nothing written, when the worker no longer holds the event. A finished
   * event releases the next one of its resource.
   */
  conclude(held: { readonly id: string; readonly workerId: string }, patch: DeliveryPatch): Promise<boolean>;
  /** Returns the events of a worker that ends to the queue, unchanged. */
  release(workerId: string): Promise<void>;
  /** The earliest time at which an unclaimed event is due; `undefined` when there is none. */
  nextDue(profile: string, now: number): Promise<number | undefined>;
  /**
   * Puts finished events (by id, or with these states since a time) back into the queue, with no attempts and no
   * targets done. Returns their number.
   */
  again(
    which: { readonly profile: string; readonly at: number } & (
      | { readonly id: string }
      | { readonly since: number; readonly states: readonly DeliveryState[] }
    ),
  ): Promise<number>;
  /**
   * Deletes events of all profiles that were delivered, or received as `kept`, before this time; a later copy counts as
   * new.
   */
  prune(before: number): Promise<number>;
  /** How many events `prune` would delete. */
  prunable(before: number): Promise<number>;
}
