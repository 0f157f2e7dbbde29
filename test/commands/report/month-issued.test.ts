import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { firstMonth as month, invoiceSandbox, recordsOf, wait } from '../invoice/sandbox.js';

async function issuedMonth() {
  const sandbox = invoiceSandbox();
  const archive = join(sandbox.host.root, 'archive');
  const sold = await sandbox.issue('nfe', 'P-1', { serie: 1, number: 10 });
  const cancelled = await sandbox.issue('nfe', 'P-2', { serie: 1, number: 12 });
  await sandbox.issue('nfse', 'P-3');
  await sandbox.invoice('nfe', 'cancel', cancelled.id, '--reason', 'Pedido desfeito pelo cliente', '--yes', ...wait);
  await sandbox.monthEnds();
  await sandbox.invoice('sync', '--archive', archive);
  await sandbox.fiscal('inbound', 'close', month, '--archive', archive, '--direction', 'issued');
  const report = async (...words: string[]) => {
    const out = join(sandbox.host.root, 'out');
    const run = await sandbox.fiscal(
      'report',
      'month',
      month,
      '--archive',
      archive,
      '--out',
      out,
      '-o',
      'ndjson',
      ...words,
    );
    return { ...run, records: recordsOf(run.stdout), out };
  };
  return { report, sold };
}

test('the issued invoices of a month have a page of their own, and the received ones stay as they are', async () => {
  const { report, sold } = await issuedMonth();
  const { exitCode, records, out } = await report('--direction', 'issued');
  const [record, summary] = records;
  expect(exitCode).toBe(0);
  expect(record).toMatchObject({ direction: 'issued', verdict: 'not-provable', gaps: 0, documents: 3 });
  expect(summary).toMatchObject({ companies: 1, notProvable: 1, notClosed: 0 });
  const file = String(record?.['file']);
  expect(file).toMatch(new RegExp(`/\\d{14}-${month}-issued\\.html$`));
  const page = readFileSync(file, 'utf8');
  for (const text of [
    sold.accessKey,
    'Comércio Exemplo Ltda',
    '--serie 1 --from 11 --to 11',
    'inbound close',
    '--direction issued',
  ])
    expect([text, page.includes(text)]).toEqual([text, true]);
  expect(existsSync(join(out, 'index.html'))).toBe(false);
  const both = await report('--direction', 'both');
  expect(both.records.map(({ direction, verdict }) => [direction, verdict])).toEqual([
    ['received', 'not-closed'],
    ['issued', 'not-provable'],
    [undefined, undefined],
  ]);
  expect(both.records.at(-1)).toMatchObject({ companies: 1, notClosed: 1, notProvable: 1 });
  expect(readFileSync(join(out, 'index.html'), 'utf8')).toContain('-issued.html');
});
