import { beforeEach, expect, test } from 'vitest';
import { samples } from '../../../src/commands/invoice/samples.js';
import { errorOf, invoiceSandbox, recordsOf, wait, type InvoiceSandbox } from './sandbox.js';

let sandbox: InvoiceSandbox;

beforeEach(() => {
  sandbox = invoiceSandbox();
});

const operation = 'nfe.disableInvoice';

async function issue(outcome: 'issued' | 'failed'): Promise<string> {
  // The number of a registration is used up by a failed invoice, too.
  await sandbox.fiscal(
    ...['company', 'registration', 'create', '--state', 'SP', '--tax-number', '110042490114', '--type', 'NFe'],
    ...['--environment', 'Production', '--serie', '1', '--number', '50'],
  );
  await sandbox.outcome('--outcome', outcome);
  const file = sandbox.put('nota.json', samples.nfe);
  await sandbox.invoice('issue', '--model', 'nfe', '--file', file, ...wait);
  const { stdout } = await sandbox.invoice('list', '--model', 'nfe', '-o', 'id');
  return stdout.trim();
}

async function disable(id: string, ...more: string[]) {
  const reason = ['--reason', 'Nota recusada, venda desfeita'];
  return await sandbox.invoice(...['disable', '--model', 'nfe', id, ...reason, '--yes', '-o', 'json', ...more]);
}

async function effects(): Promise<number> {
  const { stdout } = await sandbox.fiscal('sandbox', 'ledger', '--operation', operation, '-o', 'ndjson');
  return recordsOf(stdout).filter(({ effect }) => effect !== null && effect !== undefined).length;
}

test('the number of a failed NF-e is disabled, and its status is the evidence', async () => {
  const run = await disable(await issue('failed'), ...wait);
  expect([run.exitCode, JSON.parse(run.stdout)]).toMatchObject([0, { status: 'Disabled' }]);
  expect(await effects()).toBe(1);
});

test('an answer that is lost is looked up in the invoice, and nothing is sent twice', async () => {
  const id = await issue('failed');
  await sandbox.fault('cut-after', operation, '--count', '1');
  const run = await disable(id, ...wait);
  expect([run.exitCode, JSON.parse(run.stdout)]).toMatchObject([0, { status: 'Disabled' }]);
  expect(await effects()).toBe(1);
});

test('an issued NF-e is refused with its status, also a second time', async () => {
  const id = await issue('issued');
  for (const run of [await disable(id), await disable(id)]) {
    expect([run.exitCode, run.stdout]).toEqual([13, '']);
    expect(errorOf(run)['message']).toBe(
      `the disablement of NF-e ${id} ended as Issued: the invoice was issued; only the number of a failed one can be disabled`,
    );
  }
  expect(await effects()).toBe(0);
});

test("a conflict that is no duplicate shows the service's own words", async () => {
  await sandbox.outcome('--outcome', 'failed');
  const file = sandbox.put('nota.json', samples.nfe);
  await sandbox.invoice('issue', '--model', 'nfe', '--file', file, ...wait);
  const id = (await sandbox.invoice('list', '--model', 'nfe', '-o', 'id')).stdout.trim();
  const run = await disable(id, ...wait, '--settle-time', '0s');
  expect([run.exitCode, run.stdout, await effects()]).toEqual([10, '', 0]);
  expect(errorOf(run)['message']).toContain(
    'how it ended cannot be read; it says: conflict: The invoice has no number.',
  );
  const text = ['--settle-time', '0s', '--error-format', 'text', '--lang', 'pt-BR'];
  const { exitCode, stderr } = await disable(id, ...wait, ...text);
  expect([exitCode, stderr]).toEqual([
    10,
    expect.stringContaining('não é possível ler como ela terminou; ele diz: conflict: The invoice has no number.'),
  ]);
});
