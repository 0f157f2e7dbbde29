import { samples } from '../../src/services/invoice/samples.js';

export const models = ['nfe', 'nfce', 'nfse'] as const;
/** `trusted` and `distrusted` are the short way, of a service that heeds the Idempotency-Key and of one that ignores it. */
export const ways = [...models, 'trusted', 'distrusted'] as const;
export type Way = (typeof ways)[number];

/** One invoice that somebody wants, once. */
export interface Order {
  readonly way: Way;
  /** Stands in the invoice: its externalId, or the client's name. */
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const shares: Readonly<Record<Way, number>> = {
  nfe: 0.3,
  nfce: 0.25,
  nfse: 0.4,
  trusted: 0.03,
  distrusted: 0.02,
};

export function inventOrders(count: number): readonly Order[] {
  return ways.flatMap((way) =>
    Array.from({ length: Math.round(count * shares[way]) }, (_, index) =>
      order(way, `PEDIDO-${way}-${index + 1}`),
    ),
  );
}

export function isShort(way: Way): boolean {
  return way === 'trusted' || way === 'distrusted';
}

/** Where an order is sent, at the sandbox's one address. */
export function pathOf(way: Way, companyId: string): string {
  switch (way) {
    case 'nfe':
      return `/v2/companies/${companyId}/productinvoices`;
    case 'nfce':
      return `/v2/companies/${companyId}/consumerinvoices`;
    case 'nfse':
      return `/v1/companies/${companyId}/serviceinvoices`;
    case 'trusted':
    case 'distrusted':
      return '/v2/nota-fiscal';
  }
}

function order(way: Way, name: string): Order {
  if (way === 'trusted' || way === 'distrusted') {
    const { cliente } = samples.general;
    return { way, name, body: { ...samples.general, cliente: { ...Object(cliente), nome: name } } };
  }
  return { way, name, body: { ...samples[way], externalId: name } };
}
