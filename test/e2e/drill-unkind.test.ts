import { describe, expect, it } from 'vitest';
import { drillImports } from '../../bench/drill/unkind-imports.js';
import { unkindKinds } from '../../bench/drill/unkind-kinds.js';

const KILLS = 3;
const kinds = ['manifestations', 'products', 'nfse'] as const;

describe.concurrent('two machines, kill -9, jumping clocks and every fault', () => {
  // `npm run drill -- manifestations|products|invoices` has many more of each.
  it.each(kinds)(
    '%s: nothing doubled, nothing lost, every claim true, and only unknowable outcomes uncertain',
    async (name) => {
      const found = await drillImports(unkindKinds[name], { items: 12, kills: KILLS, seed: 5 });
      // With so few items a life may end before its kill.
      expect(found.kills).toBeGreaterThanOrEqual(1);
      expect(found).toMatchObject({
        ...{ doubled: 0, lost: 0, falselyDone: 0, falselyFailed: 0, unfinished: 0 },
        ...{ knowable: [], guessed: [] },
      });
    },
  );
});
