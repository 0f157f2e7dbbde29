import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { DataRecord } from '../../../src/domain/outcome.js';
import { ReportFile } from '../../../src/services/batch/files.js';
import type { Context } from '../../../src/services/context.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { Prose } from '../../../src/domain/prose.js';

/** The files of the folder that this process holds open. */
function openFilesIn(folder: string): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.startsWith(folder) ? [path] : [];
    } catch {
      return [];
    }
  });
}

/** As the record of an item has the words of the service. */
const formula = new Prose({ en: '=HYPERLINK("x")', pt: '=HYPERLINK("x")' });

test('a reason that a spreadsheet would run is escaped, and a negative number is not', async () => {
  const folder = temporaryFolder();
  const context = { cwd: folder, random: { unit: () => 0, uuid: () => 'one' } } as unknown as Context;
  const report = await ReportFile.open(context, 'report.csv');
  async function* records(): AsyncGenerator<DataRecord> {
    yield { type: 'item', line: 1, label: '-12.5', state: 'failed', error: formula };
    await Promise.resolve();
  }
  await report.write(records(), { idField: 'productId' });
  const [, row] = readFileSync(`${folder}/report.csv`, 'utf8').split('\n');
  expect(row).toBe('1,-12.5,failed,,,,"\'=HYPERLINK(""x"")"');
});

test.skipIf(process.platform !== 'linux')('a report that breaks off leaves no open file', async () => {
  const folder = temporaryFolder();
  const context = { cwd: folder, random: { unit: () => 0, uuid: () => 'one' } } as unknown as Context;
  const report = await ReportFile.open(context, 'report.csv');
  const during: string[] = [];
  async function* records(): AsyncGenerator<DataRecord> {
    yield { type: 'item', line: 1, label: 'A', state: 'succeeded' };
    during.push(...openFilesIn(folder));
    throw new Error('the records end early');
  }
  await expect(report.write(records(), { idField: 'productId' })).rejects.toThrow('the records end early');
  expect([during.length, openFilesIn(folder), readdirSync(folder)]).toEqual([1, [], []]);
});
