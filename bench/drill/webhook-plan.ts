import { createHmac } from 'node:crypto';
import { shuffled } from './life.js';

export type Scheme = 'hub-sha1' | 'standard-webhooks';
type Headers = Readonly<Record<string, string>>;

/** One request to a receiver. Events are numbered within their resource, in the order of the service. */
export interface Shipment {
  readonly kind: 'genuine' | 'copy' | 'forged';
  /** Of the receiver that gets it: a copy may go to another one than its original. */
  readonly machine: number;
  readonly resource: string;
  readonly number: number;
  readonly body: string;
  /** Made anew for each try: a signature may have a time. */
  readonly headers: () => Headers;
}

export interface PlanSizes {
  readonly events: number;
  readonly resources: number;
  /** Of the events: sent a second time, and preceded by a forged one. */
  readonly doubled: number;
  readonly forged: number;
}

export interface PlanParts {
  readonly queues: number;
  readonly machines: number;
  /** Events of one resource come to any machine, as from a balancer. */
  readonly anyMachine: boolean;
  readonly scheme: Scheme;
  readonly secret: string;
  next(): number;
}

/**
 * What one sender after the other sends of its own resources: events out of their order and mixed with those of others, copies
 * some time after their originals, and forgeries of three kinds. Every queue is a repeatable chain of `next`.
 */
export function planLanes(sizes: PlanSizes, parts: PlanParts): readonly (readonly Shipment[])[] {
  const { queues, machines, anyMachine, next } = parts;
  const planned = Array.from({ length: queues }, (): Shipment[] => []);
  for (let index = 0; index < sizes.events; index += 1) {
    const resource = index % sizes.resources;
    const number = Math.floor(index / sizes.resources);
    const machine = anyMachine ? Math.floor(next() * machines) : resource % machines;
    planned[resource % queues]?.push(genuine({ resource, number, machine }, parts));
  }
  const all = planned.map((queue) => shuffled(queue, next));
  const each = (share: number, act: (queue: Shipment[], at: number) => void): void => {
    for (let count = 0; count < Math.round(sizes.events * share); count += 1) {
      const queue = all[Math.floor(next() * queues)] ?? [];
      act(queue, Math.floor(next() * queue.length));
    }
  };
  each(sizes.doubled, (queue, at) => {
    const original = queue[at];
    if (original === undefined) return;
    const later = at + 1 + Math.floor(next() * 40);
    const machine = Math.floor(next() * machines);
    queue.splice(later, 0, { ...original, machine, kind: original.kind === 'genuine' ? 'copy' : original.kind });
  });
  each(sizes.forged, (queue, at) => queue.splice(at, 0, forged(queue[at], Math.floor(next() * 3), parts)));
  return all;
}

interface Place {
  readonly resource: number;
  readonly number: number;
  readonly machine: number;
}

function genuine({ resource, number, machine }: Place, { scheme, secret }: PlanParts): Shipment {
  const name = `r-${resource}`;
  const body = JSON.stringify({ action: 'product.active', payload: { id: name, number } });
  const headers = () => signed({ body, id: `${name}-${number}`, number }, scheme, secret);
  return { kind: 'genuine', machine, resource: name, number, body, headers };
}

interface Signed {
  readonly body: string;
  readonly id: string;
  readonly number: number;
}

function signed({ body, id, number }: Signed, scheme: Scheme, secret: string): Headers {
  if (scheme === 'standard-webhooks') {
    const at = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', secret).update(`${id}.${at}.${body}`).digest('base64');
    return { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${signature}` };
  }
  const hex = createHmac('sha1', secret).update(body).digest('hex');
  return {
    // Half of the signatures in capitals: both are allowed.
    'x-hub-signature': `sha1=${number % 2 === 0 ? hex : hex.toUpperCase()}`,
    'x-hook-id': 'subscription-1',
    'x-hook-event': 'product.active',
  };
}

/** Signed with another secret, not signed at all, or changed after it was signed. */
function forged(like: Shipment | undefined, manner: number, { scheme }: PlanParts): Shipment {
  const { resource = 'r-0', machine = 0, headers: genuineHeaders = () => ({}) } = like ?? {};
  const body = JSON.stringify({ action: 'product.active', payload: { id: resource, number: -1, manner } });
  const headers = (): Headers => {
    if (manner === 0) return signed({ body, id: 'forged', number: 0 }, scheme, 'another secret of the same length');
    const all: Headers = genuineHeaders();
    return manner === 1 ? withoutSignature(all) : all;
  };
  return { kind: 'forged', machine, resource, number: -1, body, headers };
}

function withoutSignature(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.endsWith('signature')));
}
