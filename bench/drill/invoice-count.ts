import { clearFaults, ledger } from './ledger.js';
import { isShort, type Order } from './invoice-orders.js';

/** What the service did, by its own ledger. */
export interface Counted {
  /** The ids that were issued for each order. */
  readonly issued: ReadonlyMap<string, readonly string[]>;
  readonly requests: number;
  /** Reads of a list or by externalId. */
  readonly lookUps: number;
  readonly faults: ReadonlyMap<string, number>;
}

const lookUps = new Set(['nfe.list', 'nfce.list', 'nfse.getByExternalId']);

/** Takes the faults away, and reads the whole ledger. */
export async function countInvoices(url: string, key: string): Promise<Counted> {
  await clearFaults(url);
  const issued = new Map<string, string[]>();
  const faults = new Map<string, number>();
  const counts = { requests: 0, lookUps: 0 };
  for await (const { operation, effect, fault } of ledger(url)) {
    counts.requests += 1;
    if (operation !== null && lookUps.has(operation)) counts.lookUps += 1;
    if (fault !== null) faults.set(fault, (faults.get(fault) ?? 0) + 1);
    if (effect?.['issued'] === undefined) continue;
    const id = String(effect['id']);
    const name = String(effect['externalId'] ?? effect['order'] ?? (await clientOf(url, key, id)));
    issued.set(name, [...(issued.get(name) ?? []), id]);
  }
  return { issued, faults, ...counts };
}

/** How many of the orders stand at the service never, once, more than once; and the invoices that are too many. */
export function compare(orders: readonly Order[], { issued }: Counted) {
  const times = orders.map(({ name }) => issued.get(name)?.length ?? 0);
  return {
    lost: times.filter((count) => count === 0).length,
    once: times.filter((count) => count === 1).length,
    twice: times.filter((count) => count > 1).length,
    tooMany: times.reduce((sum, count) => sum + Math.max(0, count - 1), 0),
  };
}

/** The id of what stands at the service for an order of the short way: what a person sees who looks there. */
export async function lookAsAPerson(url: string, key: string, order: Order): Promise<string | undefined> {
  if (!isShort(order.way)) throw new Error(`${order.way} has look-ups of its own`);
  for await (const { effect } of ledger(url)) {
    if (effect?.['issued'] !== 'invoice') continue;
    const id = String(effect['id']);
    if ((await clientOf(url, key, id)) === order.name) return id;
  }
  return undefined;
}

async function clientOf(url: string, key: string, id: string): Promise<string> {
  for (;;) {
    const answer = await fetch(`${url}/v2/nota-fiscal/${id}`, { headers: { authorization: key } }).catch(
      () => undefined,
    );
    // A fault may strike this reader as well.
    const body: unknown = await answer?.json().catch(() => undefined);
    const name: unknown = Object(Object(body)['cliente'])['nome'];
    if (typeof name === 'string') return name;
  }
}
