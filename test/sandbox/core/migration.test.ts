import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../../src/sandbox/core/schema.js';
import { startSandbox } from '../../../src/sandbox/start.js';
import { sendTo } from '../../conformance/service.js';
import { backfillPath, nfseListPath } from '../../facts/inbound.js';
import { certificatesPath, releasePath } from '../../facts/maintenance.js';
import { nfeKey, nfeSubmitPath } from '../../facts/manifestation.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** A file as an earlier version left it. */
function fileOfVersion(version: number, more = ''): string {
  const path = join(temporaryFolder(), 'sandbox.db');
  const database = new Database(path);
  for (const migration of migrations.slice(0, version)) database.exec(migration);
  if (more !== '') database.exec(more);
  database.pragma(`user_version = ${version}`);
  database.close();
  return path;
}

describe('the file of an earlier sandbox', () => {
  it('keeps its account and products, and gets the new tables', async () => {
    const path = fileOfVersion(
      1,
      `INSERT INTO accounts VALUES ('t-1', 'c-1', 'secret');
       INSERT INTO keys VALUES ('sbx_i', 't-1', 'invoice', '["NFeDist"]', 1), ('sbx_d', 't-1', 'data', '[]', 1);
       INSERT INTO products VALUES ('p-1', 't-1', '{"sku":"A"}', 'Active', NULL, 1);`,
    );
    const sandbox = await startSandbox({ path });
    try {
      const send = sendTo(sandbox.url);
      const product = await send('GET', '/t-1/products/p-1', { key: 'sbx_i' });
      expect(product.json).toEqual({ id: 'p-1', sku: 'A', status: 'Active' });
      const body = { eventCode: 210200, nSequencia: 1 };
      const event = await send('POST', nfeSubmitPath(nfeKey), { key: 'sbx_i', body });
      expect([event.status, event.json.companyId]).toEqual([202, 'c-1']);
    } finally {
      await sandbox.close();
    }
  });

  it('keeps its hidden documents, and gets a certificate and a history to release', async () => {
    const path = fileOfVersion(
      3,
      `INSERT INTO accounts VALUES ('t-1', 'c-1', 'secret');
       INSERT INTO keys VALUES ('sbx_i', 't-1', 'invoice', '["NFSeDist","Management"]', 1), ('sbx_d', 't-1', 'data', '[]', 1);
       INSERT INTO captures VALUES ('c-1', 'nfse', 1, '{"startFromDate":"2026-01-01"}', 1, 1, NULL);
       INSERT INTO documents (family, access_key, company_id, issuer_tax_number, issuer_name, total_amount, issued_on,
         authorized_on, cancelled, direction, id, webhook_status, visibility)
       VALUES ('nfse', 'k', 'c-1', '29538968000158', 'Loja', '10.00', 1, 2, 0, 'incoming', 'd-1', 'Skipped', 'hidden');`,
    );
    const sandbox = await startSandbox({ path });
    try {
      const send = sendTo(sandbox.url);
      const key = 'sbx_i';
      const summary = await send('GET', backfillPath('c-1'), { key });
      const startFromDate = '2026-01-01';
      expect(summary.json).toEqual({ startFromDate, released: false, hiddenDocumentsCount: 1 });
      await send('POST', releasePath('c-1'), { key, body: { released: true } });
      await send('POST', '/__sandbox/clock', { body: { advance: '1m' } });
      const list = await send('GET', nfseListPath('c-1'), { key });
      expect(list.json.documents).toMatchObject([{ accessKey: 'k', webhookStatus: 'Skipped' }]);
      const certificates = await send('GET', certificatesPath('c-1'), { key });
      expect(certificates.json.certificates).toMatchObject([{ status: 'Active' }]);
    } finally {
      await sandbox.close();
    }
  });

  it('of a later version is not changed', async () => {
    const path = fileOfVersion(migrations.length + 1);
    await expect(startSandbox({ path })).rejects.toThrow('newer version of the sandbox');
  });
});
