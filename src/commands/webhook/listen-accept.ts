import { matchesEvent } from '../../domain/webhook-event.js';
import type { Random } from '../../domain/world.js';
import type { GenuineDelivery } from '../../receiver/delivery.js';
import type { Store } from '../../store/store.js';

export interface Acceptance {
  readonly store: Store;
  readonly profile: string;
  /** Names of events, `*` for any part; empty: all. */
  readonly events: readonly string[];
  /** Told of every genuine delivery, copies included; it is acknowledged after this has resolved too. */
  heard?(delivery: GenuineDelivery): Promise<void>;
  stored(isNew: boolean): void;
}

export interface Accepting {
  /** Stores a genuine delivery; resolves when it is on the disk. Another copy of a stored one changes nothing but a count. */
  accept(delivery: GenuineDelivery): Promise<void>;
  /** True while many senders wait for the disk at once, and a moment longer. */
  isBusy(): boolean;
}

const manyWaiting = 32;

/** Right after a commit nobody waits, and the next senders are already on their way. */
const busyForMs = 100;

export function acceptInto(random: Random, { store, profile, events, heard, stored }: Acceptance): Accepting {
  const { clock } = store;
  let waiting = 0;
  let busyAt = Number.NEGATIVE_INFINITY;
  return {
    isBusy: () => clock.now() - busyAt < busyForMs,
    async accept(delivery) {
      const wanted = events.length === 0 || matchesEvent(events, delivery.event);
      const at = clock.now();
      const event = { ...delivery, id: eventId(at, random), profile, at, wanted };
      waiting += 1;
      if (waiting >= manyWaiting) busyAt = at;
      try {
        const [{ isNew }] = await Promise.all([store.deliveries.add(event), heard?.(delivery)]);
        stored(isNew);
      } finally {
        waiting -= 1;
      }
    },
  };
}

/** Begins with the time, as version 7 of the UUID does, so that the index of a long queue grows at its end. */
function eventId(at: number, random: Random): string {
  const time = at.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.uuid().slice(15)}`;
}
