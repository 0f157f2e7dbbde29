import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { samples } from '../../../src/commands/invoice/samples.js';
import type { Environment } from '../../../src/domain/world.js';
import { serve } from '../../client/support/server.js';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';
import { machineBefore } from '../../support/service-host.js';
import { errorOf, invoiceSandbox, recordsOf, wait, type InvoiceSandbox } from './sandbox.js';

let sandbox: InvoiceSandbox;

beforeEach(() => {
  sandbox = invoiceSandbox();
});

async function issued(model: 'nfe' | 'nfce' | 'nfse', externalId = 'P-1'): Promise<string> {
  const file = sandbox.put(`${model}.json`, samples[model]);
  const { stdout } = await sandbox.invoice(
    'issue',
    '--model',
    model,
    '--file',
    file,
    '--external-id',
    externalId,
    ...wait,
  );
  return String(JSON.parse(stdout).id);
}

const models = ['nfe', 'nfce', 'nfse'] as const;

describe('one invoice', () => {
  test.each(models)('(%s) is printed unchanged', async (model) => {
    const id = await issued(model);
    const { exitCode, stdout } = await sandbox.invoice('get', '--model', model, id, '--exit-status');
    expect([exitCode, JSON.parse(stdout)]).toMatchObject([0, { id, ...samples[model] }]);
  });

  test('that this machine issued without --wait finishes its job when it is read', async () => {
    const file = sandbox.put('nfe.json', samples.nfe);
    const { stdout } = await sandbox.invoice('issue', '--model', 'nfe', '--file', file);
    const { id, jobId } = JSON.parse(stdout) as { id: string; jobId: string };
    await sandbox.invoice('get', '--model', 'nfe', id, ...wait);
    const items = await sandbox.fiscal('job', 'items', jobId, '-o', 'ndjson');
    expect(recordsOf(items.stdout)).toMatchObject([{ state: 'succeeded', remoteStatus: 'Issued' }]);
  });

  test('(NFS-e) is found by its externalId', async () => {
    const id = await issued('nfse');
    const found = await sandbox.invoice('get', '--model', 'nfse', '--external-id', 'P-1', '-o', 'id');
    expect(found.stdout.trim()).toBe(id);
    const none = await sandbox.invoice('get', '--model', 'nfse', '--external-id', 'P-2');
    expect(none.exitCode).toBe(9);
    expect(errorOf(await sandbox.invoice('get', '--model', 'nfse'))['code']).toBe('usage.missing');
  });
});

describe('a correction letter', () => {
  test('is given as XML and PDF once it is accepted, and 9 without one says where to look', async () => {
    const id = await issued('nfe');
    const none = await sandbox.invoice('xml', '--model', 'nfe', '--of', 'letter', id);
    expect([none.exitCode, errorOf(none)['hint']]).toEqual([
      9,
      expect.stringContaining(`invoice events ${id} --model nfe`),
    ]);
    await sandbox.invoice('correct', id, '--text', 'Onde se le Cafe, leia-se Cha', '--yes', ...wait);
    const xml = await sandbox.invoice('xml', '--model', 'nfe', '--of', 'letter', id);
    const { stdout } = await sandbox.invoice('get', '--model', 'nfe', id);
    const { accessKey } = (JSON.parse(stdout) as { authorization: { accessKey: string } }).authorization;
    expect(xml.stdout).toContain('<procEventoNFe');
    expect(xml.stdout).toContain(`ID110110${accessKey}01`);
    const pdf = await sandbox.invoice('pdf', '--model', 'nfe', '--of', 'letter', id, '--out', 'carta.pdf');
    expect([pdf.exitCode, JSON.parse(pdf.stdout)]).toMatchObject([0, { contentType: 'application/pdf' }]);
  });

  test('is refused when the XML is another event of the invoice', async () => {
    const id = await issued('nfe');
    await sandbox.invoice('correct', id, '--text', 'Onde se le Cafe, leia-se Cha', '--yes', ...wait);
    const good = await sandbox.invoice('xml', '--model', 'nfe', '--of', 'letter', id);
    const { stdout } = await sandbox.invoice('get', '--model', 'nfe', id);
    const other = good.stdout.replaceAll('110110', '110111');
    const { url } = await serve(
      { status: 200, headers: { 'content-type': 'application/json' }, body: stdout },
      { status: 200, headers: { 'content-type': 'application/xml' }, body: other },
    );
    const { companyId } = JSON.parse(stdout) as { companyId?: string };
    const machine = machineBefore(
      { url, invoiceKey: 'k', dataKey: 'k', tenantId: 't', companyId: companyId ?? 'c' },
      { companies: [companyId ?? 'c'] },
    );
    const run = await machine.fiscal('invoice', 'xml', '--model', 'nfe', '--of', 'letter', id, '--out', 'carta.xml');
    expect([run.exitCode, errorOf(run)['code']]).toEqual([10, 'service.other_subject']);
  });
});

describe('the cancellation of an NFS-e', () => {
  test('is given as XML once it is cancelled, and 9 before says that this is usual', async () => {
    const id = await issued('nfse');
    const none = await sandbox.invoice('xml', '--model', 'nfse', '--of', 'cancellation', id);
    expect([none.exitCode, errorOf(none)['hint']]).toEqual([9, expect.stringContaining('is usual')]);
    await sandbox.invoice('cancel', '--model', 'nfse', id, '--yes', ...wait);
    const xml = await sandbox.invoice('xml', '--model', 'nfse', '--of', 'cancellation', id);
    const { stdout } = await sandbox.invoice('get', '--model', 'nfse', id);
    const { accessKey } = JSON.parse(stdout) as { readonly accessKey: string };
    expect([xml.exitCode, xml.stdout.includes(`EVT${accessKey}101101001`)]).toEqual([0, true]);
  });
});

describe('a list', () => {
  test.each([
    ['nfe', ['--environment', 'Production']],
    ['nfse', []],
  ] as const)('of %s has each invoice once, newest first, and reports a limit', async (model, where) => {
    const issuedIds: string[] = [];
    for (const name of ['A', 'B', 'C']) issuedIds.push(await issued(model, name));
    const all = await sandbox.invoice('list', '--model', model, ...where, '--all', '-o', 'ndjson');
    expect(recordsOf(all.stdout).map(({ id }) => id)).toEqual(issuedIds.toReversed());
    const two = await sandbox.invoice('list', '--model', model, ...where, '--limit', '2', '-o', 'ndjson');
    expect(recordsOf(two.stdout).length).toBe(2);
  });
});

test('NF-e are searched by a text, and no match says nothing of the environment', async () => {
  const [first] = [await issued('nfe', 'A'), await issued('nfe', 'B')];
  const search = async (text: string) => await sandbox.invoice('list', '--model', 'nfe', '--search', text, '-o', 'id');
  expect((await search(first)).stdout).toBe(`${first}\n`);
  const none = await search('nothing has this text');
  expect([none.exitCode, none.stdout, none.stderr]).toEqual([0, '', '']);
});

test('an empty list points to the other environment', async () => {
  await issued('nfe', 'A');
  const { stdout, stderr, exitCode } = await sandbox.invoice('list', '--model', 'nfe', '--environment', 'Test');
  expect([exitCode, stdout, stderr.trim()]).toEqual([
    0,
    '',
    'none in the environment Test; those of the other: --environment Production',
  ]);
});

describe('the bytes of an issued invoice', () => {
  test.each(models)('(%s) are available as XML, and as PDF in a file', async (model) => {
    const id = await issued(model);
    const xml = await sandbox.invoice('xml', '--model', model, id);
    expect([xml.exitCode, xml.stdout]).toEqual([0, expect.stringMatching(/^<\?xml/)]);
    const pdf = await sandbox.invoice('pdf', '--model', model, id, '--out', 'nota.pdf');
    expect([pdf.exitCode, JSON.parse(pdf.stdout).path]).toEqual([0, join(sandbox.host.cwd, 'nota.pdf')]);
    expect(readFileSync(join(sandbox.host.cwd, 'nota.pdf'), 'latin1')).toMatch(/^%PDF/);
  });

  test('are opened on the desktop from the file of --out, and without a desktop nothing is fetched', async () => {
    const id = await issued('nfe');
    const words = ['--profile', 'sandbox', 'invoice', 'pdf', id, '--open', '--out', 'aberta.pdf'];
    const { host } = sandbox;
    const refused = await runFiscal(words, host);
    expect([refused.exitCode, existsSync(join(host.cwd, 'aberta.pdf'))]).toEqual([2, false]);
    const env = { ...host.env, DISPLAY: ':0', AWS_SECRET_ACCESS_KEY: 'canary' };
    const started: (readonly string[])[] = [];
    let given: Environment = {};
    const at: TestHost = {
      ...testHost({ isTerminal: true, env, cwd: host.cwd }),
      platform: 'linux',
      startProgram: async (program, itsEnv) => {
        given = itsEnv;
        return started.push(program) > 0;
      },
    };
    expect((await runFiscal(words, at)).exitCode).toBe(0);
    expect(started).toEqual([['xdg-open', join(host.cwd, 'aberta.pdf')]]);
    expect([given['DISPLAY'], given['AWS_SECRET_ACCESS_KEY']]).toEqual([':0', undefined]);
    expect((await runFiscal(words.slice(0, 6), at)).exitCode).toBe(2);
  });

  test.each(['nfe', 'nfce'] as const)('(%s) are made anew as a PDF with --force', async (model) => {
    const id = await issued(model);
    const shown = await sandbox.invoice('pdf', '--model', model, id, '--force', '--dry-run', '-o', 'json');
    expect(JSON.parse(shown.stdout).request.url).toMatch(/\/pdf\?force=true$/);
    expect((await sandbox.invoice('pdf', '--model', model, id, '--force')).stdout).toMatch(/^%PDF/);
  });

  test('of an unknown invoice exit 9, and leave no file', async () => {
    const { exitCode } = await sandbox.invoice('xml', '--model', 'nfe', 'nothing', '--out', 'x.xml');
    expect(exitCode).toBe(9);
    expect(() => readFileSync(join(sandbox.host.cwd, 'x.xml'))).toThrow(/ENOENT/);
  });
});

test('an e-mail is sent to a taker with an address', async () => {
  const id = await issued('nfse');
  const { exitCode, stdout } = await sandbox.invoice('email', id);
  expect([exitCode, JSON.parse(stdout)]).toEqual([0, { id, accepted: 200, message: 'The e-mail is being sent.' }]);
});

test.each(models)('--dry-run of the reads of %s shows the request', async (model) => {
  for (const verb of ['get', 'xml', 'pdf']) {
    const { stdout } = await sandbox.invoice(verb, 'i1', '--model', model, '--dry-run');
    expect(JSON.parse(stdout)).toMatchObject({ type: 'dry-run', operation: `${model}.${verb}` });
  }
  const { stdout } = await sandbox.invoice('list', '--model', model, '--dry-run', '-o', 'json');
  expect(JSON.parse(stdout)).toMatchObject({ type: 'dry-run', operation: `${model}.list` });
});
