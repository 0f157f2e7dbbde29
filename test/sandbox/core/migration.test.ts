import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../../src/sandbox/core/schema.js';
import { startSandbox } from '../../../src/sandbox/start.js';
import { sendTo } from '../../conformance/service.js';
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
  it('keeps its account and its products, and learns what is new', async () => {
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

  it('of a later version is left as it is', async () => {
    const path = fileOfVersion(migrations.length + 1);
    await expect(startSandbox({ path })).rejects.toThrow('newer version of the sandbox');
  });
});
