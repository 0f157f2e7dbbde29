import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { samples } from '../../../src/commands/invoice/samples.js';
import { issuedGroup } from '../../../src/services/issued/book.js';
import { runFiscal, testHost } from '../../support/host.js';
import { seed } from '../seed.js';
import { invoiceSandbox, recordsOf, wait, type InvoiceSandbox } from './sandbox.js';

let sandbox: InvoiceSandbox;

beforeEach(() => {
  sandbox = invoiceSandbox();
});

async function issued(externalId: string, change: object = {}): Promise<string> {
  const file = sandbox.put('nfe.json', { ...samples.nfe, ...change });
  const words = ['issue', '--model', 'nfe', '--file', file, '--external-id', externalId, ...wait];
  return String(JSON.parse((await sandbox.invoice(...words)).stdout).id);
}

async function list(...words: string[]) {
  const run = await sandbox.invoice('list', '--model', 'nfe', '-o', 'ndjson', ...words);
  return { ...run, ids: recordsOf(run.stdout).map(({ id }) => id) };
}

test('issued invoices are filtered by date, state and text, and it is said where', async () => {
  const buyer = { ...(samples.nfe['buyer'] as object), name: 'Oficina São João' };
  const [one, other] = [await issued('P-1'), await issued('P-2', { buyer })];
  await sandbox.invoice('cancel', '--model', 'nfe', one, '--reason', 'Pedido desfeito pelo cliente', '--yes', ...wait);
  expect((await list('--status', 'Cancelled')).ids).toEqual([one]);
  expect((await list('--status', 'issued')).ids).toEqual([other]);
  expect((await list('--text', 'sao joao')).ids).toEqual([other]);
  expect((await list('--text', one)).ids).toEqual([one]);
  expect((await list('--since', '1d')).ids).toHaveLength(2);
  const { ids, exitCode, stderr } = await list('--until', '2020-01-01');
  expect([ids, exitCode]).toEqual([[], 0]);
  expect(stderr).toContain('--until: applied here');
});

test('a limit counts the invoices that match, and the sum is said to be of those shown', async () => {
  for (const id of ['P-1', 'P-2', 'P-3']) await issued(id);
  const cut = await list('--text', 'exemplo', '--limit', '2');
  expect(cut.ids).toHaveLength(2);
  const shown = async (...words: string[]) => {
    const terminal = testHost({ isTerminal: true, env: sandbox.host.env, cwd: sandbox.host.cwd });
    const argv = ['--profile', 'sandbox', 'invoice', 'list', '--model', 'nfe', '--color', 'never', ...words];
    return (await runFiscal(argv, terminal)).stdout;
  };
  expect(await shown()).toContain('3 invoices, 113.40 in total');
  expect(await shown('--limit', '2')).toContain('2 invoices shown, 75.60 together');
});

test('--local shows what invoice sync has stored, without network', async () => {
  const id = await issued('P-1');
  const before = await list('--local');
  expect([before.exitCode, before.ids]).toEqual([3, []]);
  expect(before.stderr).toContain('no sync of this machine has read this list to its end');
  expect(before.stderr).not.toContain('last sync');
  await sandbox.invoice('sync', '--type', 'nfe', '--archive', join(sandbox.host.root, 'archive'));
  await issued('P-2');
  const { stdout, ids, stderr } = await list('--local', '--status', 'Issued');
  expect([ids, recordsOf(stdout)[0]]).toMatchObject([[id], { archive: { state: 'archived' } }]);
  expect(stderr).toContain('last sync on this machine (fiscal invoice sync');
  // The list of NFC-e is another one.
  expect((await sandbox.invoice('list', '--model', 'nfce', '--local')).exitCode).toBe(3);
});

test('--local takes an invoice that its events have cancelled out of the sum, whatever its list says', async () => {
  const [one] = [await issued('P-1'), await issued('P-2')];
  await sandbox.invoice('sync', '--type', 'nfe', '--archive', join(sandbox.host.root, 'archive'));
  const { profile } = issuedGroup('sandbox', '', { model: 'nfe', environment: 'Production' });
  await seed(sandbox.host, async ({ documents, events }) => {
    const [companyId = ''] = await documents.companies(profile);
    const event = { eventKey: 'e-1', documentId: one, facts: { code: 110_111, sequence: 1 } };
    await events.see({ profile, companyId, family: 'nfe' }, [event], 1);
  });
  const terminal = testHost({ isTerminal: true, env: sandbox.host.env, cwd: sandbox.host.cwd });
  const argv = ['--profile', 'sandbox', 'invoice', 'list', '--model', 'nfe', '--local', '--color', 'never'];
  const { stdout } = await runFiscal(argv, terminal);
  expect(stdout).toContain('1 invoice, 37.80 in total; left out: 1 cancelled');
});

test('a date that is none ends 2, and nothing is sent', async () => {
  const { exitCode, stderr } = await list('--since', 'soon');
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('"sent":"no"')]);
});
