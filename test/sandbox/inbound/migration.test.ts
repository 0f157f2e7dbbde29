import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { migrations } from '../../../src/sandbox/core/schema.js';
import { startSandbox } from '../../../src/sandbox/start.js';
import { sendTo } from '../../conformance/service.js';
import { nfeListPath, nfePath } from '../../facts/inbound.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const key = '35260729538968000158550010000099611154707621';

/** A file as the sandbox left it before it listed what it had captured. */
function olderFile(): string {
  const path = join(temporaryFolder(), 'sandbox.db');
  const database = new Database(path);
  for (const migration of migrations.slice(0, 2)) database.exec(migration);
  database.exec(
    `INSERT INTO accounts VALUES ('t-1', 'c-1', 'secret');
     INSERT INTO keys VALUES ('sbx_i', 't-1', 'invoice', '["NFeDist"]', 1), ('sbx_d', 't-1', 'data', '[]', 1);
     INSERT INTO captures VALUES ('c-1', 'nfe', 1);
     INSERT INTO documents VALUES (1, 'nfe', '${key}', 'c-1', '29538968000158', 'Loja', '10.00', 1, 2, 0, 'incoming');`,
  );
  database.pragma('user_version = 2');
  database.close();
  return path;
}

describe('a file from before the inbound routes', () => {
  it('lists and serves its captured documents', async () => {
    const sandbox = await startSandbox({ path: olderFile() });
    try {
      const send = sendTo(sandbox.url);
      const { json } = await send('GET', nfeListPath('c-1'), { key: 'sbx_i' });
      expect(json.value).toMatchObject([
        { accessKey: key, status: 'Processed', nsu: null, createdOn: '1970-01-01T00:00:00.002Z' },
      ]);
      const xml = await send('GET', `${nfePath('c-1', key)}/xml`, { key: 'sbx_i' });
      expect([xml.status, xml.text.includes(`Id="NFe${key}"`)]).toEqual([200, true]);
    } finally {
      await sandbox.close();
    }
  });
});
