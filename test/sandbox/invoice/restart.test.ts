import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startSandbox } from '../../../src/sandbox/start.js';
import { sendTo } from '../../conformance/service.js';
import { general, generalPath, merchandise, productInvoicesPath } from '../../facts/invoice.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const file = () => join(temporaryFolder(), 'sandbox.db');

describe('invoices in the file of the sandbox', () => {
  it('are issued by the next process after the first one ends', async () => {
    const path = file();
    const first = await startSandbox({ path, validationDelayMs: 60_000 });
    const { companyId, invoiceKey: key } = first.ready;
    const { json } = await sendTo(first.url)('POST', productInvoicesPath(companyId), { key, body: merchandise });
    await first.close();
    const second = await startSandbox({ path, validationDelayMs: 60_000 });
    try {
      await sendTo(second.url)('POST', '/__sandbox/clock', { body: { advance: '2m' } });
      const one = `${productInvoicesPath(companyId)}/${json.id}`;
      expect((await sendTo(second.url)('GET', one, { key })).json.status).toBe('Issued');
    } finally {
      await second.close();
    }
  });

  it('keep the Idempotency-Key across a restart', async () => {
    const path = file();
    const ids: string[] = [];
    for (let times = 0; times < 2; times += 1) {
      const sandbox = await startSandbox({ path, idempotencyKeys: 'honoured' });
      const headers = { 'Idempotency-Key': 'k' };
      const sending = { key: sandbox.ready.invoiceKey, body: general, headers };
      ids.push((await sendTo(sandbox.url)('POST', generalPath, sending)).json.id);
      await sandbox.close();
    }
    expect(new Set(ids).size).toBe(1);
  });
});
