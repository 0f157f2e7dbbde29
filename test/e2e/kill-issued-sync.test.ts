import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { samples } from '../../src/commands/invoice/samples.js';
import { clearFaults, control, fiscal, holdAnswers, killWhenHeld, newWorld, start, withSandbox } from './program.js';

const INVOICES = 60;
/** Answers before the one that is on its way when the program dies. */
const ANSWERED = 24;

const xmlIn = (archive: string) =>
  existsSync(archive)
    ? readdirSync(archive, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.xml'))
    : [];

test('kill -9 during invoice sync: the same command brings every invoice, once and intact', async () => {
  const { world, ready, stop } = await withSandbox(newWorld());
  onTestFinished(stop);
  const rows = Array.from({ length: INVOICES }, (_, at) => JSON.stringify({ ...samples.nfe, externalId: `P-${at}` }));
  writeFileSync(join(world.root, 'orders.ndjson'), rows.join('\n'));
  const issued = await fiscal(world, 'invoice', 'apply', '--model', 'nfe', join(world.root, 'orders.ndjson'), '--yes');
  expect(issued.exitCode).toBe(0);
  // Each is issued by then.
  await control(ready, 'clock', { advance: '2m' });
  const archive = join(world.root, 'archive');
  const words = ['invoice', 'sync', '--type', 'nfe', '--archive', archive, '-o', 'ndjson'];
  await holdAnswers(ready, 'nfe.xml', { skip: ANSWERED });
  expect((await killWhenHeld(ready, start(world, words))).signal).toBe('SIGKILL');
  expect(xmlIn(archive).length).toBeLessThan(INVOICES);
  await clearFaults(ready);
  const { exitCode, stderr } = await fiscal(world, ...words);
  expect([exitCode, stderr.includes('defect')]).toEqual([0, false]);
  const files = xmlIn(archive);
  expect(new Set(files.map((name) => basename(name))).size).toBe(INVOICES);
  expect(files).toHaveLength(INVOICES);
  expect(readdirSync(archive)).not.toContain('.fiscal');
  for (const name of files) {
    const text = readFileSync(join(archive, name), 'utf8');
    expect([text.includes(`NFe${basename(name, '.xml')}`), text.endsWith('</nfeProc>')]).toEqual([true, true]);
  }
});
