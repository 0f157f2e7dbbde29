import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Service } from '../../bench/sync/service.js';
import { clearFaults, ended, fiscal, holdAnswers, newWorld, start, withSandbox } from './program.js';

const DOCUMENTS = 1_500;
/** More than the first documents, which are written without the second thread. */
const KILLED_AT = 260;

const xmlIn = (archive: string) =>
  existsSync(archive)
    ? readdirSync(archive, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.xml'))
    : [];

test('kill -9 while the second thread of a long sync writes: the same command fetches every document, once and intact', async () => {
  const { world, ready, stop } = await withSandbox(newWorld());
  onTestFinished(stop);
  const service = new Service(ready.url, ready.invoiceKey);
  await service.control('seed', { documents: DOCUMENTS, family: 'nfe', seed: 3 });
  const archive = join(world.root, 'archive');
  const words = ['inbound', 'sync', '--type', 'nfe', '--archive', archive, '-o', 'ndjson'];
  // However late the kill is, the sync is not at its end then.
  await holdAnswers(ready, 'nfe.inbound.xml', { skip: 2 * KILLED_AT });
  const first = start(world, words);
  const end = ended(first);
  while (first.exitCode === null && xmlIn(archive).length < KILLED_AT) await pause(2);
  first.kill('SIGKILL');
  expect((await end).signal).toBe('SIGKILL');
  expect(xmlIn(archive).length).toBeLessThan(DOCUMENTS);
  await clearFaults(ready);

  const { exitCode, stderr } = await fiscal(world, ...words);
  expect([exitCode, stderr.includes('defect')]).toEqual([0, false]);
  const files = xmlIn(archive);
  const keys = files.map((name) => basename(name, '.xml'));
  expect(keys.toSorted()).toEqual([...(await service.keys(ready.companyId))].toSorted());
  expect(readdirSync(archive)).not.toContain('.fiscal');
  for (const name of files.filter((_, at) => at % 50 === 0)) {
    const given = { companyId: ready.companyId, family: 'nfe', accessKey: basename(name, '.xml') };
    const sha256 = createHash('sha256')
      .update(readFileSync(join(archive, name)))
      .digest('hex');
    expect(sha256).toBe(await service.xmlHash(given));
  }
});
