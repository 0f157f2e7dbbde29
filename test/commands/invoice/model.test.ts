import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { samples } from '../../../src/commands/invoice/samples.js';
import { json } from '../../client/support/server.js';
import { imitate } from '../inbound/service.js';
import { newCompany } from '../../facts/company.js';
import { runFiscal } from '../../support/host.js';
import { errorOf, invoiceSandbox, recordsOf, wait, type InvoiceSandbox } from './sandbox.js';

let sandbox: InvoiceSandbox;
beforeEach(() => {
  sandbox = invoiceSandbox();
});

/** The request that a dry run shows, or its error. */
async function asked(run: Promise<{ readonly stdout: string; readonly stderr: string; exitCode: number }>) {
  const { stdout, stderr, exitCode } = await run;
  if (exitCode !== 0) return errorOf({ stdout, stderr, exitCode });
  const { operation, request } = JSON.parse(stdout) as {
    readonly operation: string;
    readonly request: { readonly url: string };
  };
  return { operation, path: new URL(request.url).pathname };
}

const invoice = async (...words: string[]) => await asked(sandbox.invoice(...words));
const dry = ['--dry-run', '-o', 'json'];
const nfeKey = '35261011222333000181550010000001231000001230';

describe('the model of an id', () => {
  test.each(['nfe', 'nfce', 'nfse'] as const)('is known of an %s that this machine has issued', async (model) => {
    const { id } = await sandbox.issue(model, 'P-1');
    expect(await invoice('get', id, ...dry)).toMatchObject({ operation: `${model}.get` });
    const reason = ['--reason', 'Pedido desfeito pelo cliente'];
    expect(await invoice('cancel', id, ...reason, ...dry)).toMatchObject({ operation: `${model}.cancel` });
  });

  test('is known of a general invoice that this machine has issued', async () => {
    const file = sandbox.put('g.json', samples.general);
    const { stdout } = await sandbox.invoice('issue', '--file', file, ...wait, '-o', 'json');
    const { id } = JSON.parse(stdout) as { readonly id: string };
    expect(await invoice('get', id, ...dry)).toMatchObject({ operation: 'invoice.get' });
    expect(await invoice('xml', id, ...dry)).toMatchObject({
      code: 'usage.invalid',
      message: 'invoice xml is for NF-e, NFC-e or NFS-e, and this is invoice',
    });
  });

  test('is known after a sync, on a machine that has issued nothing', async () => {
    const { id } = await sandbox.issue('nfce', 'P-1');
    const elsewhere = async (...words: string[]) => await asked(sandbox.elsewhere('invoice', ...words));
    expect(await elsewhere('events', id, ...dry)).toMatchObject({ code: 'usage.missing' });
    await sandbox.elsewhere('invoice', 'sync', '--archive', join(sandbox.host.root, 'a'));
    expect(await elsewhere('events', id, ...dry)).toMatchObject({ operation: 'nfce.events' });
  });

  test('that nothing tells is asked for, with the choices and the whole command', async () => {
    const error = await invoice('cancel', 'i-1', '--reason', 'Pedido desfeito pelo cliente', ...dry);
    expect(error).toMatchObject({ code: 'usage.missing', message: 'missing: --model', exitCode: 2 });
    expect('hint' in error ? error.hint : '').toMatch(
      /^this machine does not know the invoice i-1; give --model nfe, nfce or nfse, e\.g\. fiscal invoice cancel i-1 --reason 'Pedido desfeito pelo cliente' --model nfe --profile sandbox$/,
    );
  });

  test('of which this machine knows two is asked for', async () => {
    const lists = { productinvoices: 'productInvoices', consumerinvoices: 'consumerInvoices' };
    const service = await imitate(
      Object.fromEntries(
        Object.entries(lists).flatMap(([path, list]) => [
          [`GET /v2/companies/c1/${path}`, json(200, { [list]: [], hasMore: false })],
          [`POST /v2/companies/c1/${path}`, json(202, { id: 'same', status: 'Processing' })],
        ]),
      ),
    );
    const run = async (...words: string[]) =>
      await runFiscal(['invoice', ...words, '--error-format', 'json'], service.host);
    for (const model of ['nfe', 'nfce'] as const) {
      const set = ['--set', `items=${JSON.stringify(samples[model]['items'])}`, '--unchecked', '--yes'];
      await run('issue', '--model', model, ...set);
    }
    expect(errorOf(await run('events', 'same'))).toMatchObject({
      code: 'usage.missing',
      hint: expect.stringContaining('this machine knows several invoices same; give --model nfe or nfce'),
    });
    expect(await asked(run('events', 'same', '--model', 'nfce', ...dry))).toMatchObject({ operation: 'nfce.events' });
  });

  test('that the command is not for is refused by name', async () => {
    const { id } = await sandbox.issue('nfse', 'P-1');
    expect(await invoice('events', id)).toMatchObject({
      code: 'usage.invalid',
      message: 'invoice events is for NF-e or NFC-e, and this is NFS-e',
    });
    expect(await invoice('xml', 'i-1', '--of', 'letter', '--model', 'nfce')).toMatchObject({
      code: 'usage.invalid',
      message: 'invoice xml --of letter is for NF-e, and this is NFC-e',
    });
  });

  test('of another company of the account is not used', async () => {
    const { id } = await sandbox.issue('nfe', 'P-1');
    const company = ['company', 'create', '--file', sandbox.put('c.json', newCompany)];
    const { stdout } = await sandbox.fiscal(...company, '-o', 'json');
    const { id: companyId } = JSON.parse(stdout) as { readonly id: string };
    expect(await invoice('get', id, '--company', companyId)).toMatchObject({ code: 'usage.missing' });
  });
});

describe('an access key', () => {
  test.each(['nfe', 'nfce', 'nfse'] as const)('of an %s stands for its id after a sync', async (model) => {
    const { id, accessKey } = await sandbox.issue(model, 'P-1');
    const known = { code: 'invoice.unknown_key', exitCode: 2 };
    expect(await invoice('get', accessKey)).toMatchObject({
      ...known,
      hint: expect.stringMatching(/let a sync learn it: fiscal invoice sync --profile sandbox$/),
    });
    await sandbox.invoice('sync', '--archive', join(sandbox.host.root, 'a'));
    const found = (await invoice('get', accessKey, ...dry)) as { readonly path: string };
    expect(found).toMatchObject({ operation: `${model}.get`, path: expect.stringMatching(`/${id}$`) });
    expect(JSON.parse((await sandbox.invoice('get', accessKey, '-o', 'json')).stdout)).toMatchObject({ id });
  });

  test('contradicts another --model, and is refused by commands for other models', async () => {
    expect(await invoice('get', nfeKey, '--model', 'nfce')).toMatchObject({
      code: 'usage.invalid',
      message: '--model nfce contradicts the key, which is one of an NF-e',
    });
    expect(await invoice('email', nfeKey)).toMatchObject({
      code: 'usage.invalid',
      message: 'invoice email is for NFS-e, and this is NF-e',
    });
  });

  test.each([
    ['with a wrong check digit', nfeKey.replace(/\d$/, '8'), /check digit/],
    ['of a CT-e', '35250530057049000141570010000280181030656854', /the key of an NF-e, NFC-e or NFS-e is expected/],
  ])('%s is refused', async (_name, key, sentence) => {
    expect(await invoice('xml', key)).toMatchObject({
      code: 'usage.invalid_value',
      message: expect.stringMatching(sentence),
    });
  });

  test('is printed as its id and model in the command that goes on', async () => {
    const { id, accessKey } = await sandbox.issue('nfe', 'P-1');
    await sandbox.invoice('sync', '--archive', join(sandbox.host.root, 'a'));
    await sandbox.invoice('cancel', accessKey, '--reason', 'Pedido desfeito pelo cliente', '--yes');
    const jobs = recordsOf((await sandbox.fiscal('job', 'list', '-o', 'ndjson')).stdout);
    const shown = await sandbox.fiscal('job', 'show', String(jobs[0]?.['id']), '-o', 'json');
    expect(shown.stdout).toContain(`fiscal invoice cancel ${id}`);
    expect(shown.stdout).toContain('--model nfe');
    expect(shown.stdout).not.toContain(`cancel ${accessKey}`);
  });
});

describe('the content of an invoice', () => {
  test.each(['general', 'nfse'] as const)('tells that it is %s', async (model) => {
    const file = sandbox.put('n.json', samples[model]);
    const operation = model === 'general' ? 'invoice.create' : 'nfse.issue';
    expect(await invoice('issue', '--file', file, ...dry)).toMatchObject({ operation });
  });

  test.each([
    ['nfe', samples.nfe, 'nfe or nfce'],
    ['nfce', samples.nfce, 'nfe or nfce'],
    ['two models at once', { ...samples.nfse, ...samples.general }, 'nfe, nfce, nfse or general'],
    ['none', { note: 'x' }, 'nfe, nfce, nfse or general'],
  ])('does not tell it where it is of %s', async (_name, content, choices) => {
    const file = sandbox.put('n.json', content);
    expect(await invoice('issue', '--file', file)).toMatchObject({
      code: 'usage.missing',
      hint: expect.stringContaining(
        `the content does not tell which model it is; give --model ${choices}, e.g. fiscal invoice issue --file n.json --model nfe`,
      ),
    });
  });

  test('that tells its model refuses the options of others, and a company where there is none', async () => {
    const service = sandbox.put('n.json', samples.nfse);
    expect(await invoice('issue', '--file', service, '--state-tax', 'ie1')).toMatchObject({
      message: '--state-tax has no effect with --model nfse',
    });
    const general = sandbox.put('g.json', samples.general);
    expect(await invoice('issue', '--file', general, '--company', 'c1')).toMatchObject({
      message: '--company has no effect with --model general',
    });
  });

  test('is not asked where --sample needs a model', async () => {
    expect(await invoice('issue', '--sample')).toMatchObject({
      code: 'usage.missing',
      hint: expect.stringContaining('give --model nfe, nfce, nfse or general, e.g. fiscal invoice issue --sample'),
    });
  });
});

describe('the records of a file', () => {
  const rows = `externalId,description,servicesAmount,cityServiceCode\nA-1,Consultoria,150,2690\n`;

  test('tell that they are NFS-e, from a table, a folder and standard input', async () => {
    const table = await invoice('apply', sandbox.put('n.csv', rows), ...dry);
    expect(table).toMatchObject({ operation: 'nfse.issue' });
    const stdin = await runFiscal(['--profile', 'sandbox', 'invoice', 'apply', '-', ...dry], {
      ...sandbox.host,
      stdin: { isTerminal: false, read: () => bytesOf(JSON.stringify([samples.nfse])) },
    });
    expect(JSON.parse(stdin.stdout)).toMatchObject({ operation: 'nfse.issue' });
  });

  test('of NF-e or NFC-e need --model, and general ones are refused', async () => {
    expect(await invoice('apply', sandbox.put('n.json', [samples.nfe]))).toMatchObject({
      code: 'usage.missing',
      hint: expect.stringContaining('give --model nfe or nfce, e.g. fiscal invoice apply n.json --model nfe'),
    });
    expect(await invoice('apply', sandbox.put('g.json', [samples.general]))).toMatchObject({
      code: 'usage.invalid',
      message: 'invoice apply is for NF-e, NFC-e or NFS-e, and this is invoice',
    });
  });

  test('of two models are refused before anything is sent', async () => {
    const file = sandbox.put('n.json', [samples.nfse, samples.nfe]);
    expect(await invoice('apply', file, '--unchecked', '--yes')).toMatchObject({
      code: 'input.invalid',
      details: [{ field: 'line 2', message: expect.stringContaining('one file has one model') }],
    });
    expect(await sandbox.issued('nfse.issue')).toEqual([]);
  });
});

describe('a list', () => {
  test('of the service needs --model, and --local shows every model without one', async () => {
    expect(await invoice('list')).toMatchObject({
      code: 'usage.missing',
      hint: expect.stringContaining('give --model nfe, nfce or nfse, e.g. fiscal invoice list --model nfe'),
    });
    await sandbox.issue('nfe', 'P-1');
    await sandbox.issue('nfse', 'P-2');
    const partly = await sandbox.invoice('sync', '--type', 'nfe', '--archive', join(sandbox.host.root, 'a'));
    expect(partly.exitCode).toBe(0);
    expect((await sandbox.invoice('list', '--local')).exitCode).toBe(3);
    await sandbox.invoice('sync', '--archive', join(sandbox.host.root, 'a'));
    const { exitCode, stdout } = await sandbox.invoice('list', '--local', '-o', 'ndjson');
    expect([exitCode, recordsOf(stdout).map(({ model }) => model)]).toEqual([0, ['nfe', 'nfse']]);
  });
});

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}
