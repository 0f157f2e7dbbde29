import { beforeEach, describe, expect, test } from 'vitest';
import { samples } from '../../../src/commands/invoice/samples.js';
import { errorOf, invoiceSandbox, recordsOf, wait, type InvoiceSandbox } from './sandbox.js';

let sandbox: InvoiceSandbox;

beforeEach(() => {
  sandbox = invoiceSandbox();
});

const models = [
  ['nfe', 'NFe'],
  ['nfce', 'NFCe'],
] as const;

async function register(type: string, taxNumber: string, serie: number): Promise<string> {
  const { stdout } = await sandbox.fiscal(
    ...['company', 'registration', 'create', '--state', 'SP', '--tax-number', taxNumber, '--type', type],
    ...['--environment', 'Test', '--serie', String(serie), '--number', '50', '-o', 'json'],
  );
  return (JSON.parse(stdout) as { id: string }).id;
}

describe.each(models)('%s --state-tax', (model, type) => {
  test('issues below that registration, once', async () => {
    await register(type, '110042490114', 1);
    const second = await register(type, '110042490222', 6);
    const file = sandbox.put('nota.json', samples[model]);
    const words = ['issue', '--model', model, '--file', file, '--state-tax', second];
    const run = await sandbox.invoice(...words, ...wait);
    expect(JSON.parse(run.stdout)).toMatchObject({ status: 'Issued', serie: 6, number: 50 });
    const again = await sandbox.invoice(...words);
    expect([again.exitCode, again.stderr]).toEqual([0, expect.stringContaining('nothing was sent')]);
    expect(await sandbox.issued(`${model}.stateTax.issue`)).toHaveLength(1);
    expect(await sandbox.issued(`${model}.issue`)).toEqual([]);
  });

  test('the same content below another one, or below none, needs its own externalId', async () => {
    const [first, second] = [await register(type, '110042490114', 1), await register(type, '110042490222', 6)];
    const file = sandbox.put('nota.json', samples[model]);
    const issue = (...more: string[]) =>
      sandbox.invoice('issue', '--model', model, '--file', file, '--error-format', 'json', ...more);
    await issue('--state-tax', first);
    const [other, none] = [await issue('--state-tax', second), await issue()];
    expect([errorOf(other)['code'], errorOf(none)['code']]).toEqual(['invoice.other_content', 'invoice.other_content']);
    expect((await issue('--state-tax', second, '--external-id', 'P-2')).exitCode).toBe(0);
    expect(await sandbox.issued(`${model}.stateTax.issue`)).toHaveLength(2);
  });

  test('an answer that is lost is looked up, and nothing is issued twice', async () => {
    const id = await register(type, '110042490114', 1);
    const file = sandbox.put('nota.json', samples[model]);
    await sandbox.fault('cut-after', `${model}.stateTax.issue`, '--count', '1');
    const order = ['--set', 'additionalInformation.order=P-1', '--external-id', 'P-1'];
    const words = ['issue', '--model', model, '--file', file, '--state-tax', id, ...order, ...wait];
    const run = await sandbox.invoice(...words);
    expect([run.exitCode, JSON.parse(run.stdout)]).toMatchObject([0, { status: 'Issued' }]);
    expect(await sandbox.issued(`${model}.stateTax.issue`)).toHaveLength(1);
  });

  test('--dry-run shows the path', async () => {
    const file = sandbox.put('nota.json', samples[model]);
    const { stdout } = await sandbox.invoice(
      ...['issue', '--model', model, '--file', file, '--state-tax', 'ie 1', '--dry-run'],
    );
    const path = model === 'nfe' ? 'productinvoices' : 'consumerinvoices';
    expect(JSON.parse(stdout)).toMatchObject({
      operation: `${model}.stateTax.issue`,
      request: { url: expect.stringMatching(new RegExp(`/statetaxes/ie%201/${path}$`)), body: samples[model] },
    });
    expect(await sandbox.issued(`${model}.stateTax.issue`)).toEqual([]);
  });

  test('import issues all below it, and another one is another job', async () => {
    const [first, second] = [await register(type, '110042490114', 1), await register(type, '110042490222', 6)];
    const rows = ['A-1', 'A-2'].map((externalId) => JSON.stringify({ ...samples[model], externalId }));
    const file = sandbox.put('notas.ndjson', rows.join('\n'));
    const importBelow = async (id: string) =>
      await sandbox.invoice(...['apply', '--model', model, file, '--state-tax', id, '--yes', ...wait, '-o', 'ndjson']);
    expect(recordsOf((await importBelow(first)).stdout).at(-1)).toMatchObject({ succeeded: 2 });
    const other = await importBelow(second);
    expect([other.exitCode, recordsOf(other.stdout).at(-1)]).toMatchObject([3, { skipped: 2 }]);
    expect(await sandbox.issued(`${model}.stateTax.issue`)).toHaveLength(2);
  });
});

test('import refuses a registration for the invoices of two companies', async () => {
  const made = await sandbox.fiscal(
    ...['company', 'create', '--cnpj', '11444777000161', '-o', 'json', '--file'],
    sandbox.put('filial.json', {
      ...{ name: 'Filial Ltda', taxRegime: 'LucroReal' },
      address: {
        ...{ state: 'SP', district: 'Centro', street: 'Rua A', number: '1', postalCode: '01001000' },
        ...{ country: 'BRA', city: { code: '3550308', name: 'São Paulo' } },
      },
    }),
  );
  const { id } = JSON.parse(made.stdout) as { id: string };
  const rows = [samples.nfe, { ...samples.nfe, empresa: id }].map((row) => JSON.stringify(row));
  const file = sandbox.put('notas.ndjson', rows.join('\n'));
  const words = ['apply', '--model', 'nfe', file, '--state-tax', 'ie1', '--yes', '--error-format', 'json'];
  const run = await sandbox.invoice(...words);
  expect([run.exitCode, errorOf(run)['code']]).toEqual([2, 'usage.invalid']);
  expect(await sandbox.issued('nfe.stateTax.issue')).toEqual([]);
});

test('a registration that the company does not have is a 404, with the command that lists those it has', async () => {
  const file = sandbox.put('nota.json', samples.nfe);
  const words = ['issue', '--model', 'nfe', '--file', file, '--state-tax', 'ie9', '--error-format', 'json'];
  const run = await sandbox.invoice(...words);
  const { code, hint } = errorOf(run);
  expect([run.exitCode, code, hint]).toEqual([
    9,
    'service.not_found',
    expect.stringMatching(/state registration ie9; see those it has: fiscal company registration list( |$)/),
  ]);
  const text = ['--external-id', 'P-9', '--error-format', 'text', '--lang', 'pt-BR'];
  const { stderr } = await sandbox.invoice(
    ...['issue', '--model', 'nfe', '--file', file, '--state-tax', 'ie9'],
    ...text,
  );
  expect(stderr).toMatch(/inscrição estadual ie9; veja as que ela tem: fiscal company registration list( |$)/m);
});

describe('a record that names its state registration', () => {
  const record = (externalId: string | undefined, stateTax: unknown) =>
    JSON.stringify({ ...samples.nfe, ...(externalId === undefined ? {} : { externalId }), stateTax });

  test('is issued below it, each record below its own', async () => {
    const ids = [await register('NFe', '110042490114', 1), await register('NFe', '110042490222', 6)];
    const file = sandbox.put('notas.ndjson', ids.map((id, at) => record(`A-${at}`, id)).join('\n'));
    const words = ['apply', '--model', 'nfe', file, '--yes', ...wait, '-o', 'ndjson'];
    const run = await sandbox.invoice(...words);
    expect(recordsOf(run.stdout).at(-1)).toMatchObject({ succeeded: 2 });
    const sent = await sandbox.issued('nfe.stateTax.issue');
    expect([sent.length, JSON.stringify(sent).includes('"stateTax":')]).toEqual([2, false]);
    const listed = recordsOf(
      (await sandbox.invoice('list', '--model', 'nfe', '--environment', 'Test', '-o', 'ndjson')).stdout,
    );
    expect(listed.map(({ serie }) => serie).toSorted()).toEqual([1, 6]);
    await sandbox.invoice(...words);
    expect(await sandbox.issued('nfe.stateTax.issue')).toHaveLength(2);
  });

  test('is issued below it by issue as well', async () => {
    const id = await register('NFe', '110042490114', 6);
    const file = sandbox.put('nota.json', JSON.parse(record('P-1', id)) as object);
    const run = await sandbox.invoice('issue', '--model', 'nfe', '--file', file, ...wait);
    expect(JSON.parse(run.stdout)).toMatchObject({ status: 'Issued', serie: 6 });
  });

  test.each([
    ['no externalId', undefined, 'ie1', [], 'externalId'],
    ['another one than --state-tax', 'A-1', 'ie1', ['--state-tax', 'ie2'], 'stateTax'],
    ['no id', 'A-1', {}, [], 'stateTax'],
  ] as const)('with %s is refused before anything is sent', async (...[, externalId, stateTax, more, field]) => {
    const file = sandbox.put('nota.json', JSON.parse(record(externalId, stateTax)) as object);
    const issue = await sandbox.invoice('issue', '--model', 'nfe', '--file', file, '--error-format', 'json', ...more);
    expect([issue.exitCode, errorOf(issue)['details']]).toEqual([2, [expect.objectContaining({ field })]]);
    const rows = sandbox.put('notas.ndjson', record(externalId, stateTax));
    const { exitCode } = await sandbox.invoice('apply', '--model', 'nfe', rows, '--yes', ...more);
    expect([exitCode, await sandbox.issued('nfe.stateTax.issue')]).toEqual([2, []]);
  });
});
