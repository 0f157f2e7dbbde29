import { expect, it } from 'vitest';
import { startSandbox } from '../../../src/sandbox/start.js';
import { sendTo } from '../../conformance/service.js';
import { nfeSettingsPath } from '../../facts/inbound.js';

const dayMs = 86_400_000;

it('a sandbox that starts in the past has captured since then', async () => {
  const sandbox = await startSandbox({ path: ':memory:', clockOffsetMs: -60 * dayMs });
  try {
    const { invoiceKey: key, companyId } = sandbox.ready;
    const { json } = await sendTo(sandbox.url)('GET', nfeSettingsPath(companyId), { key });
    const daysAgo = (Date.now() - Date.parse(json.createdOn)) / dayMs;
    expect(daysAgo).toBeCloseTo(60, 2);
  } finally {
    await sandbox.close();
  }
});
