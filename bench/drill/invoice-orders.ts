import { samples } from '../../src/commands/invoice/samples.js';

export const models = ['nfe', 'nfce', 'nfse'] as const;
/** `trusted` and `distrusted` are the short way, of a service that heeds the Idempotency-Key and of one that ignores it. */
export const ways = [...models, 'trusted', 'distrusted'] as const;
export type Way = (typeof ways)[number];

/** One invoice that somebody wants, once. */
export interface Order {
  readonly way: Way;
  /** Stands in the invoice: its externalId, its order number, or the client's name. */
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** How many orders go which way. */
export type Mix = Readonly<Partial<Record<Way, number>>>;

/** As an office has them: the short way is the exception. */
export function usualMix(count: number): Mix {
  const part = (share: number): number => Math.round(count * share);
  const others = { nfe: part(0.3), nfce: part(0.25), trusted: part(0.03), distrusted: part(0.02) };
  return { ...others, nfse: count - Object.values(others).reduce((sum, each) => sum + each, 0) };
}

export function inventOrders(mix: Mix): readonly Order[] {
  return ways.flatMap((way) =>
    Array.from({ length: mix[way] ?? 0 }, (_, index) => order(way, `PEDIDO-${way}-${index + 1}`)),
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
  if (way === 'nfse') return { way, name, body: { ...samples.nfse, externalId: name } };
  return { way, name, body: { ...samples[way], additionalInformation: { order: name } } };
}
