import { afterEach, beforeEach, describe } from 'vitest';
import type { Actor } from '../../src/domain/actor.js';
import type { Snapshot } from '../../src/store/store-check.js';
import type { Store } from '../../src/store/store.js';
import { actorContract } from './contract-actor.js';
import { cursorContract, documentContract, eventContract } from './contract-documents.js';
import { checkContract } from './contract-check.js';
import { claimContract } from './contract-claims.js';
import { damageContract } from './contract-damage.js';
import { deliveryContract } from './contract-deliveries.js';
import { itemContract } from './contract-items.js';
import { jobContract } from './contract-jobs.js';
import { overviewContract } from './contract-overview.js';
import { recordContract } from './contract-records.js';

/** One fresh place for a store; each `open` is another connection to it, as another process would have. */
export interface Place {
  open(actor?: Actor): Promise<Store>;
  /** Puts a value into a column of every row, as somebody who knows the tables. */
  damage(table: string, column: string, value: number): Promise<void>;
  /** Changes the tables, by their own names. */
  run(sql: string): Promise<void>;
  snapshot<Result>(look: (snapshot: Snapshot) => Promise<Result>): Promise<Result>;
  remove(): Promise<void>;
}

/** What a part of the suite gets: the store under test, and a second connection to the same place. */
export interface Bench {
  readonly store: Store;
  readonly other: Store;
  readonly damage: Place['damage'];
  readonly run: Place['run'];
  readonly snapshot: Place['snapshot'];
  /** One more connection, of this machine and user. */
  openAs(actor: Actor): Promise<Store>;
}

/** What every implementation of `Store` must keep. `makePlace` gives an empty place for each test. */
export function storeContract(name: string, makePlace: () => Promise<Place>): void {
  describe(`${name} keeps the contract of the store`, () => {
    let place: Place;
    let bench: Bench;

    beforeEach(async () => {
      place = await makePlace();
      const { damage, run, snapshot } = place;
      bench = {
        store: await place.open(),
        other: await place.open(),
        ...{ damage, run, snapshot },
        openAs: (actor) => place.open(actor),
      };
    });

    afterEach(async () => {
      await bench.store.close();
      await bench.other.close();
      await place.remove();
    });

    overviewContract(() => bench);
    jobContract(() => bench);
    actorContract(() => bench);
    itemContract(() => bench);
    claimContract(() => bench);
    recordContract(() => bench);
    documentContract(() => bench);
    eventContract(() => bench);
    cursorContract(() => bench);
    deliveryContract(() => bench);
    damageContract(() => bench);
    checkContract(() => bench);
  });
}
