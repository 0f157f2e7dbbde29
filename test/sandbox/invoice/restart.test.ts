import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../../src/sandbox/core/schema.js';
import { startSandbox } from '../../../src/sandbox/start.js';
import { sendTo } from '../../conformance/service.js';
import {
  general,
  generalOnePath,
  generalPath,
  merchandise,
  productInvoicesPath,
} from '../../facts/invoice.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const file = () => join(temporaryFolder(), 'sandbox.db');

describe('invoices in the file of the sandbox', () => {
  it('are issued by the next process after the first one ends', async () => {
    const path = file();
    const first = await startSandbox({ path, validationDelayMs: 60_000 });
    const { companyId, invoiceKey: key } = first.ready;
    const { json } = await sendTo(first.url)('POST', productInvoicesPath(companyId), {
      key,
      body: merchandise,
    });
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

  it('can be issued in a file of a sandbox without invoices', async () => {
    const path = file();
    const database = new Database(path);
    for (const migration of migrations.slice(0, 3)) database.exec(migration);
    database.pragma('user_version = 3');
    database.close();
    const sandbox = await startSandbox({ path });
    try {
      const key = sandbox.ready.invoiceKey;
      const { json } = await sendTo(sandbox.url)('POST', generalPath, { key, body: general });
      const read = await sendTo(sandbox.url)('GET', generalOnePath(json.id), { key });
      expect([read.status, read.json.id]).toEqual([200, json.id]);
    } finally {
      await sandbox.close();
    }
  });
});
