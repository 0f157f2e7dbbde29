import { createHmac } from 'node:crypto';

/** One request to the receiver. Events are numbered within their resource, in the order of the service. */
export interface Shipment {
  readonly kind: 'genuine' | 'copy' | 'forged';
  readonly resource: string;
  readonly number: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface PlanSizes {
  readonly events: number;
  readonly resources: number;
  /** Of the events: sent a second time, and preceded by a forged one. */
  readonly doubled: number;
  readonly forged: number;
}

/**
 * What one sender after the other sends of its own resources: events out of their order and mixed with those of others, copies
 * some time after their originals, and forgeries of three kinds. Every lane is a repeatable chain of `next`.
 */
export function planLanes(
  sizes: PlanSizes,
  { lanes, secret, next }: { readonly lanes: number; readonly secret: string; next(): number },
): readonly (readonly Shipment[])[] {
  const planned = Array.from({ length: lanes }, (): Shipment[] => []);
  for (let index = 0; index < sizes.events; index += 1) {
    const resource = index % sizes.resources;
    const number = Math.floor(index / sizes.resources);
    planned[resource % lanes]?.push(genuine(`r-${resource}`, number, secret));
  }
  const all = planned.map((lane) => shuffled(lane, next));
  const each = (share: number, act: (lane: Shipment[], at: number) => void): void => {
    for (let count = 0; count < Math.round(sizes.events * share); count += 1) {
      const lane = all[Math.floor(next() * lanes)] ?? [];
      act(lane, Math.floor(next() * lane.length));
    }
  };
  each(sizes.doubled, (lane, at) => {
    const original = lane[at];
    if (original === undefined) return;
    const later = at + 1 + Math.floor(next() * 40);
    lane.splice(later, 0, { ...original, kind: original.kind === 'genuine' ? 'copy' : original.kind });
  });
  each(sizes.forged, (lane, at) => lane.splice(at, 0, forged(lane[at], Math.floor(next() * 3))));
  return all;
}

function genuine(resource: string, number: number, secret: string): Shipment {
  const body = JSON.stringify({ action: 'product.active', payload: { id: resource, number } });
  return { kind: 'genuine', resource, number, body, headers: signed(body, secret, number) };
}

/** Half of the signatures in capitals: both are allowed. */
function signed(body: string, secret: string, number: number): Readonly<Record<string, string>> {
  const hex = createHmac('sha1', secret).update(body).digest('hex');
  return {
    'x-hub-signature': `sha1=${number % 2 === 0 ? hex : hex.toUpperCase()}`,
    'x-hook-id': 'subscription-1',
    'x-hook-event': 'product.active',
  };
}

/** Signed with another secret, not signed at all, or changed after it was signed. */
function forged(like: Shipment | undefined, manner: number): Shipment {
  const { resource = 'r-0', headers = {} } = like ?? {};
  const body = JSON.stringify({ action: 'product.active', payload: { id: resource, number: -1, manner } });
  const { 'x-hub-signature': genuineSignature = '', ...others } = headers;
  const lies = [signed(body, 'another secret of the same length', 0), others];
  const changed = { ...others, 'x-hub-signature': genuineSignature };
  return { kind: 'forged', resource, number: -1, body, headers: lies[manner] ?? changed };
}

function shuffled<Item>(items: readonly Item[], next: () => number): Item[] {
  return items
    .map((item) => ({ item, at: next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
