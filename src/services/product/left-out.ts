import type { Text } from '../../contract/text.js';
import { productCreate } from '../../jobs/kinds/product.js';
import type { Store } from '../../store/store.js';
import { findCreated } from './remember.js';

const SHOWN = 20;

/**
 * Records whose product exists already although no living item holds its key: its validation ended as Error, or its job
 * was pruned. To create it again would make a second product; it needs an update instead.
 */
export class LeftOut {
  count = 0;
  readonly #store: Store;
  readonly #place: { readonly space: string; readonly tenantId: string };
  readonly #shown: Text[] = [];

  constructor(store: Store, place: { readonly space: string; readonly tenantId: string }) {
    this.#store = store;
    this.#place = place;
  }

  async takes(line: number, label: string, key: string): Promise<boolean> {
    const created = await findCreated(this.#store, { ...this.#place, key });
    if (created === undefined) return false;
    const { space } = this.#place;
    const holder = await this.#store.items.holder({
      profile: space,
      kind: productCreate.name,
      dedupeKey: key,
    });
    // A living item makes the engine skip this record with a link to it.
    if (holder !== undefined) return false;
    this.count += 1;
    if (this.#shown.length < SHOWN) this.#shown.push(sentence(line, label, created.productId));
    return true;
  }

  notices(): readonly Text[] {
    return this.#shown;
  }
}

function sentence(line: number, label: string, productId: string): Text {
  return {
    en: `line ${line}: ${label} exists as ${productId} and is left out; to change it: fiscal product update ${productId} --file <file>`,
    pt: `linha ${line}: ${label} já existe como ${productId} e fica de fora; para mudar: fiscal product update ${productId} --file <arquivo>`,
  };
}
