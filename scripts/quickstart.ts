import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Stage, stageLanguage } from './quickstart/stage.js';
import { backfillLife } from './quickstart/backfill-life.js';
import { issuanceLife } from './quickstart/issuance-life.js';
import { inboundLife } from './quickstart/inbound-life.js';
import { manifestationLife } from './quickstart/manifestation-life.js';
import { productLife } from './quickstart/product-life.js';
import { webhookLife } from './quickstart/webhook-life.js';

/**
 * The main job on the embedded sandbox, step by step, with the real program: a line a step; with --verbose what is typed, what is
 * sent and what comes back. Ends 0 only when the service itself, by its ledger, is in the right state. Leaves nothing behind.
 */
async function quickstart(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-quickstart-'));
  const isVerbose = process.argv.includes('--verbose');
  const stage = new Stage(folder, { language: stageLanguage(process.env), isVerbose });
  try {
    await productLife(stage);
    await manifestationLife(stage);
    await inboundLife(stage);
    await backfillLife(stage);
    await issuanceLife(stage);
    await webhookLife(stage);
    stage.conclude();
    process.exitCode = stage.failures === 0 ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

quickstart().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
