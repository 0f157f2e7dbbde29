import { beforeEach, describe, expect, test } from 'vitest';
import { samples } from '../../../src/commands/invoice/samples.js';
import { errorOf, invoiceSandbox, recordsOf, wait, type InvoiceSandbox } from './sandbox.js';

let sandbox: InvoiceSandbox;

beforeEach(() => {
  sandbox = invoiceSandbox();
});

const models = ['nfe', 'nfce', 'nfse'] as const;

/** How an order is named on the wire: an NFS-e by its externalId, the others by one of two ways, or not at all. */
const named = [
  ['nfe', 'its externalId', ['--external-id-in-body']],
  ['nfe', 'its order number', ['--set', 'additionalInformation.order=P-1']],
  ['nfce', 'its externalId', ['--external-id-in-body']],
  ['nfce', 'its order number', ['--set', 'additionalInformation.order=P-1']],
  ['nfse', 'its externalId', []],
] as const;

/** The service takes what its published bodies do not have. */
async function takesExternalIds(): Promise<void> {
  await sandbox.fiscal('sandbox', 'mode', '--lenient');
}

describe('the sample of each model', () => {
  test.each(models)('%s is issued as printed', async (model) => {
    const { stdout } = await sandbox.invoice('issue', '--model', model, '--sample', '-o', 'yaml');
    const file = sandbox.put('nota.yaml', stdout);
    const ended = await sandbox.invoice('issue', '--model', model, '--file', file, ...wait);
    expect({ exitCode: ended.exitCode, data: JSON.parse(ended.stdout) }).toEqual({
      exitCode: 0,
      data: {
        type: 'invoice',
        id: expect.any(String),
        externalId: expect.stringMatching(/^fiscal-[0-9a-f]{32}$/),
        status: 'Issued',
        ...(model === 'nfse' ? {} : { serie: 1, protocol: expect.any(String), lookup: 'not-possible' }),
        number: 1,
        accessKey: expect.any(String),
        jobId: expect.any(String),
      },
    });
  });

  test('of invoice issue --model general is issued too', async () => {
    const file = sandbox.put('nota.json', samples.general);
    const ended = await sandbox.invoice('issue', '--model', 'general', '--file', file, ...wait);
    expect({ exitCode: ended.exitCode, data: JSON.parse(ended.stdout) }).toMatchObject({
      exitCode: 0,
      data: { status: 'Issued', number: 1 },
    });
  });
});

describe('the same content', () => {
  test.each(models)('is issued once as %s, and the second time found at the service', async (model) => {
    const file = sandbox.put('nota.json', samples[model]);
    const words = ['issue', '--model', model, '--file', file, '--external-id', 'P-1'];
    const first = await sandbox.invoice(...words, ...wait);
    const second = await sandbox.invoice(...words);
    expect(second.stderr).toContain('nothing was sent');
    expect(JSON.parse(second.stdout)).toEqual(JSON.parse(first.stdout));
    expect((await sandbox.issued(`${model}.issue`)).length).toBe(1);
  });

  test('is issued again with --again', async () => {
    const file = sandbox.put('nota.json', samples.nfe);
    await sandbox.invoice('issue', '--model', 'nfe', '--file', file);
    const again = await sandbox.invoice('issue', '--model', 'nfe', '--file', file, '--again');
    expect(again.exitCode).toBe(0);
    expect((await sandbox.issued('nfe.issue')).length).toBe(2);
  });

  test('by invoice issue --model general is issued once, and again only with --again', async () => {
    const file = sandbox.put('nota.json', samples.general);
    await sandbox.invoice('issue', '--model', 'general', '--file', file);
    const second = await sandbox.invoice('issue', '--model', 'general', '--file', file);
    expect(second.stderr).toContain('nothing was sent');
    expect((await sandbox.issued('invoice.create')).length).toBe(1);
    await sandbox.invoice('issue', '--model', 'general', '--file', file, '--again');
    expect((await sandbox.issued('invoice.create')).length).toBe(2);
  });
});

describe('one content in two spellings', () => {
  const spelled = (quantidade: unknown, valorUnitario: unknown) => ({
    itens: [{ quantidade, valorUnitario, descricao: 'Café torrado 500 g' }],
    cliente: { nome: 'Maria da Silva', cpf: '52998224725' },
  });

  test.each([
    ['2', '9.90'],
    [2, 9.9],
    ['2.0', '9.90'],
  ])('by invoice issue --model general is issued once: %j, %j', async (quantidade, valorUnitario) => {
    await sandbox.invoice('issue', '--model', 'general', '--file', sandbox.put('a.json', spelled(2, '9.9')));
    const file = sandbox.put('b.json', spelled(quantidade, valorUnitario));
    const second = await sandbox.invoice('issue', '--model', 'general', '--file', file);
    expect([second.exitCode, second.stderr]).toEqual([0, expect.stringContaining('nothing was sent')]);
    expect(await sandbox.issued('invoice.create')).toHaveLength(1);
    const other = sandbox.put('c.json', spelled(3, valorUnitario));
    await sandbox.invoice('issue', '--model', 'general', '--file', other);
    expect(await sandbox.issued('invoice.create')).toHaveLength(2);
  });

  test('under one --idempotency-key is the same invoice', async () => {
    const key = ['--idempotency-key', 'PEDIDO-9'];
    await sandbox.invoice('issue', '--model', 'general', '--file', sandbox.put('a.json', spelled(2, '9.9')), ...key);
    const again = await sandbox.invoice(
      'issue',
      '--model',
      'general',
      '--file',
      sandbox.put('b.json', spelled('2.0', 9.9)),
      ...key,
    );
    expect([again.exitCode, await sandbox.issued('invoice.create')]).toEqual([0, [expect.any(String)]]);
  });
});

test('different content with the same externalId is not sent', async () => {
  const file = sandbox.put('nota.json', samples.nfse);
  const words = ['issue', '--model', 'nfse', '--file', file, '--external-id', 'P-1'];
  await sandbox.invoice(...words);
  const other = await sandbox.invoice(...words, '--set', 'servicesAmount=9.99');
  expect([other.exitCode, errorOf(other)['code']]).toEqual([10, 'invoice.other_content']);
  expect((await sandbox.issued('nfse.issue')).length).toBe(1);
});

describe('an order that another machine issued', () => {
  beforeEach(takesExternalIds);

  test.each(named)('as %s is found by %s before anything is sent', async (model, name, way) => {
    const file = sandbox.put('nota.json', samples[model]);
    const words = ['invoice', 'issue', '--model', model, '--file', file, '--external-id', 'P-1', ...way];
    await sandbox.fiscal(...words, ...wait);
    const before = await sandbox.issued(`${model}.issue`);
    const ended = await sandbox.elsewhere(...words, ...wait);
    expect([ended.exitCode, JSON.parse(ended.stdout)]).toMatchObject([0, { id: before[0], status: 'Issued' }]);
    expect(ended.stderr).toContain(
      `with this ${name.slice(4)} and content: ${String(before[0])} (Issued); nothing was sent`,
    );
    expect(await sandbox.issued(`${model}.issue`)).toEqual(before);
  });

  test.each(['nfe', 'nfce'] as const)('as %s without either stays unknown, which is reported', async (model) => {
    const file = sandbox.put('nota.json', samples[model]);
    const words = ['invoice', 'issue', '--model', model, '--file', file, '--external-id', 'P-1', ...wait];
    await sandbox.fiscal(...words);
    const there = await sandbox.elsewhere(...words);
    expect([there.exitCode, JSON.parse(there.stdout)]).toMatchObject([0, { lookup: 'not-possible' }]);
    expect(there.stderr).toContain('published body has no externalId, and this one has no order number');
    expect(await sandbox.issued(`${model}.issue`)).toHaveLength(2);
  });

  test.each(named)('as %s by %s with different content is a conflict, not a success', async (model, name, way) => {
    const file = sandbox.put('nota.json', samples[model]);
    const words = ['invoice', 'issue', '--model', model, '--file', file, '--external-id', 'P-1', ...way];
    await sandbox.fiscal(...words, ...wait);
    const [id] = await sandbox.issued(`${model}.issue`);
    const changed =
      model === 'nfse'
        ? ['--set', 'servicesAmount=9.99']
        : ['--set', 'items[0].totalAmount=75.60', '--set', 'items[0].quantity=4', '--unchecked'];
    const ended = await sandbox.elsewhere(...words, ...changed, ...wait);
    expect([ended.exitCode, ended.stdout, errorOf(ended)]).toMatchObject([
      10,
      '',
      {
        code: 'invoice.external_id_taken',
        message: expect.stringContaining(`${name.slice(4)} P-1: ${String(id)}`),
        sent: 'no',
        hint: expect.stringContaining('its content differs from ours'),
      },
    ]);
    expect(await sandbox.issued(`${model}.issue`)).toEqual([id]);
  });

  test('that was refused is reported as refused, and not sent again', async () => {
    await sandbox.outcome('--family', 'nfe', '--outcome', 'failed', '--count', '1');
    const file = sandbox.put('nota.json', samples.nfe);
    const inBody = ['--external-id-in-body', ...wait];
    const words = ['invoice', 'issue', '--model', 'nfe', '--file', file, '--external-id', 'P-1', ...inBody];
    const [here, there] = [await sandbox.fiscal(...words), await sandbox.elsewhere(...words)];
    expect([here.exitCode, there.exitCode]).toEqual([13, 13]);
    expect(await sandbox.issued('nfe.issue')).toHaveLength(1);
  });

  test('that is still pending is followed to its end: a failure is not a success', async () => {
    const outcome = ['--family', 'nfse', '--outcome', 'failed', '--delay', '2s', '--count', '2'];
    await sandbox.outcome(...outcome);
    const file = sandbox.put('nota.json', { ...samples.nfse, externalId: 'P-1' });
    const batch = sandbox.put('notas.json', [{ ...samples.nfse, externalId: 'P-2' }]);
    await sandbox.invoice('issue', '--model', 'nfse', '--file', file);
    await sandbox.invoice('apply', '--model', 'nfse', batch, '--yes');
    const words = ['invoice', 'issue', '--model', 'nfse', '--file', file];
    const under = await sandbox.elsewhere(...words);
    expect([under.exitCode, JSON.parse(under.stdout)]).toMatchObject([0, { lookup: 'found' }]);
    expect(under.stderr).toMatch(/content: \S+ \((?!Issued)\w+\); nothing was sent/);
    const first = await sandbox.elsewhere('invoice', 'apply', '--model', 'nfse', batch, '--yes', '-o', 'ndjson');
    expect(recordsOf(first.stdout)[0]).toMatchObject({ state: 'pending', lookup: 'found' });
    const waited = ['--wait', '--interval', '300ms', '-o', 'ndjson'];
    const second = await sandbox.elsewhere('invoice', 'apply', '--model', 'nfse', batch, '--yes', ...waited);
    expect([second.exitCode, recordsOf(second.stdout)[0]]).toMatchObject([
      3,
      { state: 'rejected', status: 'IssueFailed', lookup: 'found' },
    ]);
    expect((await sandbox.elsewhere(...words, ...wait)).exitCode).toBe(13);
    expect(await sandbox.issued('nfse.issue')).toHaveLength(2);
  });

  test('cannot be searched for without permission to read the list, which is reported', async () => {
    await sandbox.fault('404', 'nfe.list');
    const file = sandbox.put('nota.json', samples.nfe);
    const single = await sandbox.invoice('issue', '--model', 'nfe', '--file', file, '--external-id', 'P-1');
    expect([single.exitCode, JSON.parse(single.stdout)]).toMatchObject([0, { lookup: 'not-possible' }]);
    expect(single.stderr).toContain('could not say whether another machine has sent the same');
    const batch = sandbox.put(
      'notas.json',
      [2, 3].map((n) => ({ ...samples.nfe, externalId: `P-${n}` })),
    );
    const words = ['apply', '--model', 'nfe', batch, '--yes', '-o', 'ndjson', '--lang', 'pt-BR'];
    const many = await sandbox.invoice(...words);
    expect(many.stderr.match(/não foi possível perguntar ao serviço se outra máquina/g)).toHaveLength(1);
    expect(recordsOf(many.stdout)).toMatchObject([
      { lookup: 'not-possible' },
      { lookup: 'not-possible' },
      { type: 'summary', lookupNotPossible: 2 },
    ]);
  });

  test.each([
    ['nfe', 'nfe.list'],
    ['nfse', 'nfse.getByExternalId'],
  ])('as %s is found even if the first look-up is answered with 500', async (model, look) => {
    const file = sandbox.put('nota.json', samples[model as 'nfe']);
    const inBody = model === 'nfe' ? ['--external-id-in-body'] : [];
    const words = ['invoice', 'issue', '--model', model, '--file', file, '--external-id', 'P-1', ...inBody, ...wait];
    await sandbox.fiscal(...words);
    await sandbox.fault('500', look, '--count', '1');
    expect((await sandbox.elsewhere(...words)).stderr).toContain('nothing was sent');
    expect(await sandbox.issued(`${model}.issue`)).toHaveLength(1);
  });

  test.each(named)(
    'as %s is found by %s even if it was issued after our own send was postponed',
    async (model, _name, way) => {
      await sandbox.fault('429', `${model}.issue`, '--count', '1', '--retry-after', '1');
      const file = sandbox.put('nota.json', samples[model]);
      const words = ['invoice', 'issue', '--model', model, '--file', file, '--external-id', 'P-1', ...way, ...wait];
      expect((await sandbox.elsewhere(...words, '--max-retry-wait', '0s')).exitCode).toBe(12);
      await sandbox.fiscal(...words);
      const there = await sandbox.elsewhere(...words);
      expect([there.exitCode, there.stderr]).toEqual([0, expect.stringContaining('nothing was sent')]);
      expect(await sandbox.issued(`${model}.issue`)).toHaveLength(1);
    },
  );

  test('by invoice issue --model general is found if the service honours the Idempotency-Key', async () => {
    await sandbox.fiscal('sandbox', 'mode', '--idempotency-keys', 'honoured');
    const file = sandbox.put('nota.json', samples.general);
    const here = await sandbox.invoice('issue', '--model', 'general', '--file', file);
    const there = await sandbox.elsewhere('invoice', 'issue', '--model', 'general', '--file', file);
    expect(JSON.parse(there.stdout).id).toBe(JSON.parse(here.stdout).id);
    expect(await sandbox.issued('invoice.create')).toHaveLength(1);
  });
});

describe('--idempotency-key', () => {
  test('is sent as given, and issues one invoice', async () => {
    const file = sandbox.put('nota.json', samples.general);
    const words = ['issue', '--model', 'general', '--file', file, '--idempotency-key', 'PEDIDO-7'];
    const first = await sandbox.invoice(...words);
    const again = await sandbox.invoice(...words);
    expect([again.exitCode, JSON.parse(again.stdout).id]).toEqual([0, JSON.parse(first.stdout).id]);
    const { stdout } = await sandbox.fiscal('sandbox', 'ledger', '--operation', 'invoice.create', '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject([{ idempotencyKey: 'PEDIDO-7' }]);
    const other = await sandbox.invoice(...words, '--set', 'itens[0].quantidade=3');
    expect([other.exitCode, errorOf(other)]).toMatchObject([10, { code: 'invoice.other_content', sent: 'no' }]);
    await sandbox.invoice('issue', '--model', 'general', '--file', file, '--idempotency-key', 'PEDIDO-8');
    expect(await sandbox.issued('invoice.create')).toHaveLength(2);
  });

  test.each([['two words'], ['não'], ['']])('%j is refused before anything is sent', async (key) => {
    const file = sandbox.put('nota.json', samples.general);
    const { exitCode } = await sandbox.invoice(
      'issue',
      '--model',
      'general',
      '--file',
      file,
      `--idempotency-key=${key}`,
    );
    expect([exitCode, await sandbox.issued('invoice.create')]).toEqual([2, []]);
  });
});

describe('a missing answer', () => {
  const consumer = ['--set', 'buyer.federalTaxNumber=52998224725'];
  const order = ['--set', 'additionalInformation.order=P-1', '--external-id', 'P-1'];

  test.each([
    ['nfe', 'cut-after', 'its content', []],
    ['nfe', '500-after', 'its content', []],
    ['nfe', '500-after', 'its externalId', ['--external-id-in-body']],
    ['nfce', 'cut-body', 'its content', consumer],
    ['nfce', '500-after', 'its content', consumer],
    ['nfce', '500-after', 'its order number', order],
    ['nfce', 'cut-body', 'its externalId', ['--external-id-in-body']],
    ['nfse', 'cut-after', 'its externalId', []],
    ['nfse', '500-after', 'its externalId', []],
    ['nfse', 'broken-json', 'its externalId', []],
  ])('to %s by %s is looked up by %s, and one invoice is issued', async (model, kind, _name, words) => {
    await takesExternalIds();
    await sandbox.fault(kind, `${model}.issue`, '--count', '1');
    const file = sandbox.put('nota.json', samples[model as 'nfe']);
    const ended = await sandbox.invoice('issue', '--model', model, '--file', file, ...words, ...wait);
    const ids = await sandbox.issued(`${model}.issue`);
    expect({ exitCode: ended.exitCode, id: JSON.parse(ended.stdout).id }).toEqual({ exitCode: 0, id: ids[0] });
    expect(ids.length).toBe(1);
  });

  test.each([
    ['an NFC-e of an unnamed consumer', samples.nfce, 1],
    ['one of two NF-e of the same content', samples.nfe, 2],
  ])('to %s is asked about: what is found may be another', async (_name, sample, issued) => {
    const model = sample === samples.nfe ? 'nfe' : 'nfce';
    const rows = Array.from({ length: issued }, (_, index) => ({ ...sample, externalId: `P-${index}` }));
    await sandbox.fault('500-after', `${model}.issue`, '--count', String(issued));
    const file = sandbox.put('notas.json', rows);
    const settling = ['--settle-time', '1s', '--resend-absent', '--yes', '-o', 'ndjson'];
    const ended = await sandbox.invoice('apply', '--model', model, file, ...wait, ...settling);
    const states = recordsOf(ended.stdout).map(({ state }) => state);
    expect([ended.exitCode, states.slice(0, -1)]).toEqual([3, rows.map(() => 'uncertain')]);
    expect(recordsOf(ended.stdout)[0]?.['error']).toContain('nothing that it shows tells for sure');
    expect(await sandbox.issued(`${model}.issue`)).toHaveLength(issued);
  });

  test.each([
    ['is asked about', [], 3, 0],
    ['is sent again where that is wanted', ['--resend-absent'], 0, 1],
  ] as const)('to an NFS-e that did not arrive %s', async (_name, words, exitCode, issued) => {
    await sandbox.fault('500', 'nfse.issue', '--count', '1');
    const file = sandbox.put('nota.json', samples.nfse);
    const settling = ['--settle-time', '1s', ...words];
    const ended = await sandbox.invoice('issue', '--model', 'nfse', '--file', file, ...wait, ...settling);
    expect([ended.exitCode, (await sandbox.issued('nfse.issue')).length]).toEqual([exitCode, issued]);
    if (exitCode === 3) expect(errorOf(ended)['message']).toMatch(/does not prove .* \(\d+ looks over \d s\)/);
  });

  test('to invoice issue --model general is uncertain, and nothing is sent again: no service promises to honour its key', async () => {
    await sandbox.fault('500-after', 'invoice.create', '--count', '1');
    const file = sandbox.put('nota.json', samples.general);
    const ended = await sandbox.invoice('issue', '--model', 'general', '--file', file, ...wait);
    const again = await sandbox.invoice('issue', '--model', 'general', '--file', file, ...wait);
    for (const run of [ended, again]) {
      expect([run.exitCode, errorOf(run)['code']]).toEqual([3, 'outcome.unknown']);
    }
    expect((await sandbox.issued('invoice.create')).length).toBe(1);
  });
});

describe('bad input', () => {
  test('is reported completely, by field, and nothing is sent', async () => {
    const body = { buyer: { federalTaxNumber: '52998224726' }, items: [] };
    const ended = await sandbox.invoice('issue', '--model', 'nfe', '--file', sandbox.put('nota.json', body));
    expect(ended.exitCode).toBe(2);
    expect(errorOf(ended)).toMatchObject({
      code: 'input.invalid',
      message: 'nota.json is not valid; nothing was sent',
      details: [{ field: 'buyer.federalTaxNumber' }, { field: 'items', message: 'must have at least one entry' }],
    });
    expect(await sandbox.issued('nfe.issue')).toEqual([]);
  });

  test.each([
    ['a path that leaves a gap', ['--set', 'items[2].quantity=1'], 'usage.invalid_value'],
    ['no path', ['--set', '=1'], 'usage.invalid_value'],
    ['broken JSON', ['--set', 'items=[1'], 'usage.invalid_value'],
    ['a missing file', ['--file', 'none.json'], 'input.not_found'],
    ['nothing', [], 'usage.missing'],
    ['--again with an externalId', ['--again', '--external-id', 'X'], 'input.invalid'],
    ['a test environment that is not sent', ['--environment', 'Test', '--unchecked'], 'input.invalid'],
  ])('with %s is refused with one sentence', async (_name, words, code) => {
    const file = code === 'input.not_found' || words.length === 0 ? [] : ['--file', sandbox.put('n.json', {})];
    const ended = await sandbox.invoice('issue', '--model', 'nfe', ...file, ...words);
    expect([ended.exitCode, errorOf(ended)['code'], ended.stdout]).toEqual([2, code, '']);
  });

  test('is reported in Portuguese', async () => {
    const file = sandbox.put('nota.json', { ...samples.nfse, servicesAmount: '1.005' });
    const ended = await sandbox.invoice(
      ...['issue', '--model', 'nfse', '--file', file, '--lang', 'pt-BR', '--error-format', 'text'],
    );
    expect(ended.stderr).toContain('nada foi enviado');
    expect(ended.stderr).toContain('tem 3 casas decimais; o máximo é 2');
  });
});

test('--dry-run shows the published request, or the one with the externalId, and sends nothing', async () => {
  const file = sandbox.put('nota.json', samples.nfe);
  const words = ['issue', '--model', 'nfe', '--file', file, '--dry-run', '--external-id', 'P-1'];
  const bodyOf = async (...more: string[]): Promise<unknown> => {
    const { stdout } = await sandbox.invoice(...words, ...more);
    const preview = JSON.parse(stdout) as { request: { body: unknown } };
    expect(preview).toMatchObject({ type: 'dry-run', operation: 'nfe.issue', billedCalls: 0 });
    return preview.request.body;
  };
  expect(await bodyOf('--environment', 'Production')).toEqual(samples.nfe);
  const whole = { ...samples.nfe, environment: 'Test', externalId: 'P-1' };
  expect(await bodyOf('--environment', 'Test', '--external-id-in-body')).toEqual(whole);
  await sandbox.fiscal('config', 'set', 'sends.externalId', 'true');
  expect(await bodyOf('--environment', 'Test')).toEqual(whole);
  expect(await sandbox.issued('nfe.issue')).toEqual([]);
});

test('no list of jobs, requests or billed calls shows the CPF of a taker', async () => {
  const cpf = '52998224725';
  const set = ['--set', `borrower.federalTaxNumber=${cpf}`];
  const file = sandbox.put('nota.json', samples.nfse);
  const { stdout } = await sandbox.invoice('issue', '--model', 'nfse', '--file', file, ...set, ...wait);
  const { jobId } = JSON.parse(stdout) as { jobId: string };
  const lists = [['job', 'list'], ['job', 'show', jobId], ['job', 'items', jobId], ['history'], ['usage']];
  for (const words of lists) {
    const shown = await sandbox.fiscal(...words, '-o', 'json');
    expect([shown.exitCode, shown.stdout + shown.stderr]).toEqual([0, expect.not.stringContaining(cpf)]);
  }
});
