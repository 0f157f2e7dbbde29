import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { samples } from '../../../src/commands/invoice/samples.js';
import { sendTo } from '../../conformance/service.js';
import { newWorld, inProcess, withSandbox, type World } from '../../e2e/program.js';
import { recordsOf } from './sandbox.js';

type Model = 'nfe' | 'nfse';

/** More than two pages of the list. */
const INVOICES = 103;

let world: World;
let control: (method: string, path: string, body?: object) => Promise<unknown>;
let archive: string;

beforeEach(async () => {
  const sandbox = await withSandbox(newWorld());
  ({ world } = sandbox);
  const send = sendTo(sandbox.ready.url);
  control = async (method, path, body) => (await send(method, `/__sandbox/${path}`, { body })).json;
  archive = join(world.root, 'archive');
  return () => sandbox.stop();
});

async function issueAll(model: Model, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, at) => JSON.stringify({ ...samples[model], externalId: `P-${at}` }));
  const file = join(world.root, 'orders.ndjson');
  writeFileSync(file, rows.join('\n'));
  const { exitCode } = await inProcess(world, 'invoice', 'apply', '--model', model, file, '--yes');
  expect(exitCode).toBe(0);
  // Each is issued by then.
  await control('POST', 'clock', { advance: '2m' });
}

async function sync(model: Model, ...words: string[]) {
  const argv = ['invoice', 'sync', '--type', model, '--archive', archive, '-o', 'ndjson', ...words];
  const { exitCode, stdout } = await inProcess(world, ...argv);
  const names = existsSync(archive) ? readdirSync(archive, { recursive: true, encoding: 'utf8' }) : [];
  const filesOf = (form: string) => names.filter((name) => name.endsWith(form)).length;
  return { exitCode, records: recordsOf(stdout), xml: filesOf('.xml'), pdf: filesOf('.pdf') };
}

test('a list by cursor whose rows move, and come twice, is read whole', async () => {
  await issueAll('nfe', INVOICES);
  await control('POST', 'pages', { byChange: true, stirred: true, doubled: true });
  const { exitCode, records, xml } = await sync('nfe');
  expect([exitCode, records.at(-1), xml]).toMatchObject([0, { added: INVOICES, outstanding: 0 }, INVOICES]);
});

test('a list by number that has fewer rows than it counts in each reading is not said to be complete', async () => {
  await issueAll('nfse', INVOICES);
  await control('POST', 'pages', { byChange: true, stirred: true });
  const moving = await sync('nfse');
  expect([moving.exitCode, moving.records[0]]).toMatchObject([3, { errorCode: 'service.list_cut' }]);
  await control('POST', 'pages', { byChange: true, doubled: true, reordered: true });
  const { exitCode, records, xml } = await sync('nfse');
  expect([exitCode, records.at(-1), xml]).toMatchObject([0, { outstanding: 0 }, INVOICES]);
});

test.each(['endless-list', 'self-link'])('a list without an end (%s) is not said to be complete', async (kind) => {
  await issueAll('nfe', INVOICES);
  await control('POST', 'hostile', { kind });
  const { exitCode, records, xml } = await sync('nfe');
  expect([exitCode, records[0]]).toMatchObject([3, { state: 'failed', errorCode: 'service.list_cut' }]);
  expect(xml).toBeGreaterThan(0);
});

test('a PDF that is being made, and then not found, is outstanding until it comes', async () => {
  await issueAll('nfe', 2);
  await control('POST', 'bytes', { pendingPdfs: 2 });
  const making = await sync('nfe', '--pdf');
  expect([making.exitCode, making.xml, making.pdf]).toEqual([3, 2, 0]);
  await control('POST', 'faults', { kind: '404', operation: 'nfe.pdf', count: 2 });
  const missing = await sync('nfe', '--pdf', '--full');
  expect([missing.exitCode, missing.records.at(-1), missing.pdf]).toMatchObject([3, { outstanding: 2 }, 0]);
  const there = await sync('nfe', '--pdf', '--full');
  expect([there.exitCode, there.records.at(-1), there.pdf]).toMatchObject([0, { outstanding: 0, pdfs: 2 }, 2]);
});
