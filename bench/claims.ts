import { claimCost } from '../test/support/claim-cost.js';
import { startPostgres } from '../test/support/postgres.js';

const sizes = [10_000, 100_000, 1_000_000];

/** What a claim reads in jobs of 10⁴, 10⁵ and 10⁶ items on PostgreSQL. */
export async function measureClaims(): Promise<void> {
  const server = await startPostgres();
  console.log('\none claim of 8 items and their end, on PostgreSQL, before the server has counted its rows');
  try {
    for (const items of sizes) {
      const { rows, pages } = await claimCost(server, items);
      console.log(`${items} items: ${Math.round(rows)} rows, ${Math.round(pages)} pages`);
    }
  } finally {
    await server.stop();
  }
}
