import { drillArchive } from './drill/archive-s3.js';

/**
 * `drill-archive-s3 [documents runners kills seed]`: runners with a store each sync one company to one bucket, whose server fails
 * and forgets to answer, while they are killed with SIGKILL. Ends 0 only if every document is one object with the bytes of the
 * service, no copy was set aside, and the proofs list and verify all of them.
 */
async function drill(): Promise<void> {
  const [documents = 5_000, runners = 3, kills = 30, seed = 1] = process.argv.slice(2).map(Number);
  const { right, ...lived } = await drillArchive({ documents, runners, kills, seed });
  console.log(`${documents} documents by ${runners} runners: ${JSON.stringify(lived)}`);
  console.log(JSON.stringify(right));
  const { exitCodes, ...sums } = right;
  const isRight = [...Object.values(sums), ...exitCodes].every((figure) => figure === 0);
  if (!isRight || lived.kills < kills) process.exitCode = 1;
}

await drill();
