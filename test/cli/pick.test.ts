import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { json, serve } from '../client/support/server.js';
import { seed } from '../commands/seed.js';
import { newItem, newJob, newWorker, noon, openJob, step } from '../store/samples.js';
import { FakeClock } from '../support/clock.js';
import { runFiscal, testHost, type TestHostOptions } from '../support/host.js';
import { FakeTerminal } from '../support/terminal.js';
import { said } from '../../src/errors/reasons.js';

const nfe = '35250530057049000141550010000280181030656857';
const down = '\u001b[B';

function atTerminal(options: TestHostOptions = {}) {
  const terminal = new FakeTerminal();
  const host = testHost({
    ...options,
    isTerminal: true,
    terminal: () => ({ input: terminal.input, output: terminal.output }),
  });
  return { terminal, host };
}

/** Two jobs: of the second, three items have failed. */
async function withJobs(options: TestHostOptions = {}) {
  const { terminal, host } = atTerminal({ ...options, clock: new FakeClock(noon + 10) });
  await seed(host, async (store) => {
    await openJob(store, [newItem(1)], newJob({ profile: 'environment' }));
    const items = [11, 12, 13].map((number) => ({ ...newItem(number), jobId: 'job-2' }));
    await openJob(store, items, newJob({ id: 'job-2', profile: 'environment', inputDigest: 'other' }));
    await store.workers.register({ ...newWorker({ id: 'w', jobId: 'job-2' }), expiresAt: noon + 1 });
    const claim = { workerId: 'w', jobId: 'job-2', limit: 9, now: noon, states: ['prepared'] } as const;
    for (const item of await store.items.claim(claim)) {
      const fence = { id: item.id, workerId: 'w', epoch: item.epoch };
      const patch = step('failed', { sentAt: noon, reason: said(`bad row ${item.ordinal}`) });
      await store.items.transition(fence, patch, { at: noon, step: { is: 'sent', attempt: 1 } });
    }
  });
  return { terminal, host };
}

test('a job without an id is chosen from a list, and its command is shown', async () => {
  const { terminal, host } = await withJobs({ env: { LANG: 'pt_BR.UTF-8' } });
  const show = runFiscal(['job', 'show'], host);
  await terminal.shows('Lote');
  await terminal.shows('0/1');
  terminal.type('job-1');
  await terminal.shows('Lote job-1');
  terminal.type('\r');
  const { exitCode, stdout, stderr } = await show;
  expect([exitCode, stderr]).toEqual([0, '→ fiscal job show job-1\n']);
  expect(stdout).toContain('job-1');
  expect(terminal.drawn).not.toMatch(/navigate|select\b/);
});

test('of a retry the failed rows are ticked one by one', async () => {
  const { terminal, host } = await withJobs();
  const retry = runFiscal(['job', 'resume', '--failed', '--dry-run'], host);
  await terminal.shows('Job');
  await terminal.shows('job-2');
  expect(terminal.drawn).not.toContain('job-1');
  terminal.type('\r');
  await terminal.shows('bad row 13');
  terminal.type(' ');
  await terminal.shows('◯');
  terminal.type('\r');
  const { exitCode, stdout, stderr } = await retry;
  expect(exitCode).toBe(0);
  expect(stderr).toContain('→ fiscal job resume --failed --dry-run job-2 --items item-12,item-13\n');
  expect(stripVTControlCharacters(stdout)).toMatch(/sends: +2\n/);
});

test('a row that is not one of those to send again is refused', async () => {
  const { host } = await withJobs();
  const words = ['job', 'resume', '--failed', 'job-2', '--items', 'item-11,item-1', '--no-input'];
  const { exitCode, stderr } = await runFiscal(words, host);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('the value "item-1" of --items')]);
});

const account = () =>
  serve(
    json(200, {
      companies: [
        { id: 'c1', name: 'Padaria Sol Ltda', federalTaxNumber: 12345678000195 },
        { id: 'c2', name: 'Mercado Azul Ltda', federalTaxNumber: 11222333000181 },
      ],
      hasMore: false,
    }),
  );

test('the company of a command is chosen by name and CNPJ', async () => {
  const server = await account();
  const env = { FISCAL_PRODUCT_URL: server.url, FISCAL_SERVICE_URL: server.url, FISCAL_INVOICE_KEY: 'k' };
  const { terminal, host } = atTerminal({ env });
  const list = runFiscal(['certificate', 'list'], host);
  await terminal.shows('Padaria Sol Ltda   12.345.678/0001-95');
  terminal.type('azul');
  await terminal.shows('Company azul');
  terminal.type('\r');
  expect((await list).stderr).toContain('→ fiscal certificate list --company 11.222.333/0001-81\n');
  const several = runFiscal(['inbound', 'capture', 'show', '--type', 'nfe'], host);
  await terminal.shows('All companies of the account');
  terminal.type('\r');
  expect((await several).stderr).toContain('→ fiscal inbound capture show --type nfe --all-companies\n');
});

test.each(['get', 'delete --dry-run', 'update --trade-name Azul --dry-run'])(
  'the company of company %s is chosen as well',
  async (verb) => {
    const server = await account();
    const env = { FISCAL_PRODUCT_URL: server.url, FISCAL_SERVICE_URL: server.url, FISCAL_INVOICE_KEY: 'k' };
    const { terminal, host } = atTerminal({ env });
    const running = runFiscal(['company', ...verb.split(' ')], host);
    await terminal.shows('Mercado Azul Ltda');
    terminal.type('azul');
    await terminal.shows('Company azul');
    terminal.type('\r');
    expect((await running).stderr).toContain(`→ fiscal company ${verb} 11.222.333/0001-81\n`);
  },
);

const tenant = '5a0dbe11-7e57-4c0d-9a6e-00000000c0de';

/** Three products, two of which have the same SKU, and one of another tenant. */
async function withProducts() {
  const { terminal, host } = atTerminal({ env: { FISCAL_INVOICE_KEY: 'k', FISCAL_TENANT: tenant } });
  await seed(host, async ({ known }) => {
    const row = { profile: 'environment', kind: 'product', status: 'Active', seenAt: noon };
    for (const [id, label, scope] of [
      ['p-1', 'CAFE-1', tenant],
      ['p-2', 'PAO', tenant],
      ['p-3', 'PAO', tenant],
      ['p-4', 'ELSEWHERE', 'other'],
    ] as const)
      await known.put({ ...row, id, label, scope, data: { description: `this is ${id}` } });
  });
  return { terminal, host };
}

test.each([
  ['get', 'cafe', 'CAFE-1'],
  ['update --file - --dry-run', 'cafe', undefined],
  ['update --description Torrado --dry-run', 'this is p-2', 'p-2'],
])('the product of product %s is one that this machine knows: %s', async (verb, typed, word) => {
  const { terminal, host } = await withProducts();
  const running = runFiscal(['product', ...verb.split(' ')], host);
  if (word !== undefined) {
    await terminal.shows('this is p-1');
    expect(terminal.drawn).not.toContain('ELSEWHERE');
    terminal.type(typed);
    await terminal.shows(`Product ${typed}`);
    terminal.type('\r');
  }
  const { stderr } = await running;
  expect(stderr).toContain(word === undefined ? 'missing: <product>' : `→ fiscal product ${verb} ${word}\n`);
});

test('an uncertain item to decide about is chosen from those of every job', async () => {
  const { terminal, host } = atTerminal({ clock: new FakeClock(noon + 10), env: { LANG: 'pt_BR.UTF-8' } });
  await seed(host, async (store) => {
    const job = newJob({ id: 'job-2', profile: 'environment' });
    await openJob(
      store,
      [11, 12, 13].map((number) => ({ ...newItem(number), jobId: 'job-2' })),
      job,
    );
    await store.workers.register({ ...newWorker({ id: 'w', jobId: 'job-2' }), expiresAt: noon + 1 });
    const claim = { workerId: 'w', jobId: 'job-2', limit: 2, now: noon, states: ['prepared'] } as const;
    for (const item of await store.items.claim(claim)) {
      const fence = { id: item.id, workerId: 'w', epoch: item.epoch };
      await store.items.transition(fence, step('uncertain', { sentAt: noon }), {
        at: noon,
        step: { is: 'sent', attempt: 1 },
      });
    }
  });
  const resolve = runFiscal(['job', 'resolve', '--as', 'failed', '--dry-run'], host);
  await terminal.shows('Item sem confirmação do serviço');
  await terminal.shows('item-12');
  expect(terminal.drawn).not.toContain('item-13');
  terminal.type(`${down}\r`);
  const { exitCode, stderr } = await resolve;
  expect(exitCode).toBe(0);
  expect(stderr).toContain('→ fiscal job resolve --as failed --dry-run item-12\n');
});

test('the event of a plan without rules is one that needs no text of its own', async () => {
  const { terminal, host } = atTerminal({ env: { FISCAL_INVOICE_KEY: 'k' } });
  const plan = runFiscal(['manifestation', 'plan', '--new'], host);
  await terminal.shows('awareness');
  expect(terminal.drawn).not.toContain('not-performed');
  terminal.type('aware');
  await terminal.shows('Event aware');
  terminal.type('\r');
  expect((await plan).stderr).toContain('→ fiscal manifestation plan --new --event awareness\n');
});

test('the event of a manifestation is one of the document of its key', async () => {
  const { terminal, host } = atTerminal({ env: { FISCAL_PROFILE: 'sandbox', LANG: 'pt_BR.UTF-8' } });
  const submit = runFiscal(['manifestation', 'submit', nfe, '--company-unchecked', '--dry-run'], host);
  await terminal.shows('confirmacao');
  expect(terminal.drawn).not.toContain('203206');
  terminal.type(`${down}\r`);
  const { stderr } = await submit;
  expect(stderr).toContain(`→ fiscal manifestation submit ${nfe} --company-unchecked --dry-run --event ciencia\n`);
});

test.each<[string, readonly string[], TestHostOptions]>([
  ['with -o json', ['-o', 'json'], {}],
  ['with -o ndjson', ['-o', 'ndjson'], {}],
  ['with --no-input', ['--no-input'], {}],
  ['in CI', [], { env: { CI: 'true' } }],
])('nobody is asked %s, and the error stays', async (_how, words, options) => {
  const { terminal, host } = await withJobs(options);
  const { exitCode, stderr } = await runFiscal(['job', 'show', ...words], host);
  expect([exitCode, terminal.drawn]).toEqual([2, '']);
  expect(stderr).toContain('missing: <id>');
});

test('without a job to choose the error stays', async () => {
  const { host } = atTerminal();
  const { exitCode, stderr } = await runFiscal(['job', 'resume'], host);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('missing: <id>')]);
});
