import type { Client } from '../../../src/client/client.js';
import type { MerchandiseItem } from '../../../src/jobs/kinds/invoice-items.js';
import { noClient } from '../no-client.js';
import type { Effect, ModelService } from './service.js';

const COMPANY = 'c1';

interface Asked {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
}

/** The contents of the items, and the list of a service that shows contents and nothing of their keys. */
export class ModelContents {
  constructor(private readonly parts: { readonly items: number; readonly areEqual: boolean }) {}

  input(key: string): MerchandiseItem {
    const items = [{ description: 'X', quantity: 1, unitAmount: '10.00', totalAmount: '10.00' }];
    const buyer = { federalTaxNumber: this.#buyerOf(key) };
    return { model: 'nfe', companyId: COMPANY, externalId: key, invoice: { buyer, items } };
  }

  client(service: ModelService, store: string): Client {
    const keys = Array.from({ length: this.parts.items }, (_, index) => `key-${index + 1}`);
    const call = async (operation: string, { path, query = {} }: Asked) => {
      const effects = query['environment'] === 'Test' ? [] : service.list(keys, store);
      if (operation === 'nfe.get') {
        const effect = effects.find(({ id }) => id === path['invoiceId']);
        return Promise.resolve({ status: 200, body: effect && this.#shown(service, effect), attempts: 1 });
      }
      if (operation !== 'nfe.list') throw new Error(`${operation} is not needed`);
      const rows = effects.map((effect) => this.#shown(service, effect)).toReversed();
      return Promise.resolve({ status: 200, body: { productInvoices: rows, hasMore: false }, attempts: 1 });
    };
    return { ...noClient, call: call };
  }

  #buyerOf(key: string): number {
    return this.parts.areEqual ? 11222333000181 : 11222333000181 + Number(key.slice(4));
  }

  #shown(service: ModelService, { id, key, at }: Effect): object {
    return {
      ...{ id, status: service.statusOf(id), createdOn: new Date(at).toISOString() },
      buyer: { federalTaxNumber: this.#buyerOf(key) },
      totals: { icms: { invoiceAmount: 10 } },
    };
  }
}
