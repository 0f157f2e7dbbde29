import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { samples } from '../../../src/commands/invoice/samples.js';
import { errorOf, invoiceSandbox, wait, type InvoiceSandbox } from './sandbox.js';

let sandbox: InvoiceSandbox;

beforeEach(() => {
  sandbox = invoiceSandbox();
});

/** An invoice that the authority refuses. */
async function refused(model: 'nfe' | 'nfce', more: object = {}): Promise<string> {
  const rule = ['--family', model, '--outcome', 'failed', '--code', '204', '--external-id', 'P-1'];
  await sandbox.fiscal('sandbox', 'mode', '--lenient');
  await sandbox.outcome(...rule);
  const file = sandbox.put('nota.json', { ...samples[model], ...more });
  const words = ['issue', '--model', model, '--file', file, '--external-id', 'P-1', '--external-id-in-body'];
  const { stdout } = await sandbox.invoice(...words, '-o', 'json');
  const { id } = JSON.parse(stdout) as { id: string };
  await sandbox.invoice('get', '--model', model, id, ...wait);
  return id;
}

async function issued(model: 'nfe' | 'nfce'): Promise<string> {
  const file = sandbox.put('nota.json', samples[model]);
  const { stdout } = await sandbox.invoice('issue', '--model', model, '--file', file, ...wait, '-o', 'json');
  return (JSON.parse(stdout) as { id: string }).id;
}

describe.each(['nfe', 'nfce'] as const)('xml --of rejection of an %s', (model) => {
  test('saves the XML of the rejection', async () => {
    const id = await refused(model);
    const run = await sandbox.invoice('xml', '--model', model, '--of', 'rejection', id, '--out', 'rejeicao.xml');
    expect(run.exitCode).toBe(0);
    const xml = readFileSync(join(sandbox.host.cwd, 'rejeicao.xml'), 'utf8');
    expect(xml).toMatch(/<retConsReciNFe .*<cStat>204<\/cStat>/);
  });

  test('exits 9 for an invoice that was not refused, and names the command that shows it', async () => {
    const id = await issued(model);
    const run = await sandbox.invoice('xml', '--model', model, '--of', 'rejection', id, '--error-format', 'json');
    expect([run.exitCode, errorOf(run)['hint']]).toEqual([
      9,
      expect.stringContaining(`fiscal invoice get ${id} --model ${model}`),
    ]);
  });
});
