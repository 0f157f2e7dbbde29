import type { ProductInput } from '../../contract/product.js';
import type { Text } from '../../contract/text.js';
import { productCreate } from '../../jobs/kinds/product.js';
import type { Store } from '../../store/store.js';
import { problemOfExisting } from './existing.js';
import type { Place } from './find.js';
import { createKey, labelOf } from './identity.js';
import { findCreated } from './remember.js';

const SHOWN = 20;

/**
 * Records whose product exists already although no living item holds its key, because its job was pruned. To create it
 * again would make a second product; where it is not as the record says, it needs an update instead.
 */
export class LeftOut {
  count = 0;
  /** Those whose product is not as the record says. */
  problems = 0;
  readonly #store: Store;
  readonly #place: Place;
  readonly #shown: Text[] = [];

  constructor(store: Store, place: Place) {
    this.#store = store;
    this.#place = place;
  }

  async takes(line: number, wanted: ProductInput): Promise<boolean> {
    const { space, tenantId } = this.#place;
    const key = createKey(tenantId, wanted);
    const created = await findCreated(this.#store, { ...this.#place, key });
    if (created === undefined) return false;
    const holder = await this.#store.items.holder({
      profile: space,
      kind: productCreate.name,
      dedupeKey: key,
    });
    // A living item makes the engine skip this record with a link to it.
    if (holder !== undefined) return false;
    const { productId: id, status } = created;
    const name = labelOf(wanted);
    const problem = await problemOfExisting(this.#store, this.#place, { id, name, wanted, status });
    this.count += 1;
    if (problem !== undefined) this.problems += 1;
    if (this.#shown.length < SHOWN) this.#shown.push(sentence(line, name, id, problem?.error));
    return true;
  }

  notices(): readonly Text[] {
    return this.#shown;
  }
}

function sentence(line: number, label: string, productId: string, problem: string | undefined): Text {
  const why = problem === undefined ? '' : `: ${problem}`;
  return {
    en: `line ${line}: ${label} exists as ${productId} and is left out${why}`,
    pt: `linha ${line}: ${label} já existe como ${productId} e fica de fora${why}`,
  };
}
