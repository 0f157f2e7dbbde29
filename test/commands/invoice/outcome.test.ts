import { beforeEach, describe, expect, test } from 'vitest';
import { samples } from '../../../src/commands/invoice/samples.js';
import { errorOf, invoiceSandbox, wait, type InvoiceSandbox } from './sandbox.js';

let sandbox: InvoiceSandbox;

beforeEach(() => {
  sandbox = invoiceSandbox();
});

/** Issues the sample and gives back its id. */
async function issued(model: 'nfe' | 'nfce' | 'nfse'): Promise<string> {
  const file = sandbox.put(`${model}.json`, samples[model]);
  const { stdout } = await sandbox.invoice('issue', '--model', model, '--file', file, ...wait);
  return String(JSON.parse(stdout).id);
}

const reason = ['--reason', 'Pedido desfeito pelo cliente'];

describe('an issue that fails', () => {
  test.each([
    ['nfe', 'failed', 'Error'],
    ['nfe', 'denied', 'IssueDenied'],
    ['nfce', 'denied', 'IssueDenied'],
    ['nfse', 'failed', 'IssueFailed'],
    ['general', 'failed', 'Error'],
  ] as const)('as %s %s exits 13 with the reason, and stdout stays empty', async (model, end, status) => {
    await sandbox.outcome('--outcome', end, '--code', '610', '--message', 'Total da NF difere');
    const file = sandbox.put('nota.json', samples[model]);
    const verb = ['issue', '--model', model];
    const ended = await sandbox.invoice(...verb, '--file', file, ...wait);
    expect({ exitCode: ended.exitCode, stdout: ended.stdout, error: errorOf(ended) }).toMatchObject({
      exitCode: 13,
      stdout: '',
      error: {
        code: 'outcome.ended_badly',
        message: expect.stringMatching(new RegExp(`ended as ${status}: .*Total da NF difere`)),
        hint: expect.stringContaining('--again'),
      },
    });
  });

  test('about taxes points to the codes', async () => {
    await sandbox.outcome('--outcome', 'denied', '--message', 'CFOP de operação inválido');
    const file = sandbox.put('nota.json', samples.nfe);
    const ended = await sandbox.invoice('issue', '--model', 'nfe', '--file', file, ...wait);
    expect(errorOf(ended)['hint']).toContain('fiscal tax codes');
  });

  test('about the NCM points to the NCM table', async () => {
    await sandbox.outcome('--outcome', 'denied', '--message', 'NCM inexistente');
    const file = sandbox.put('nota.json', samples.nfe);
    const ended = await sandbox.invoice('issue', '--model', 'nfe', '--file', file, ...wait);
    expect(errorOf(ended)['hint']).toContain('NCM table');
  });

  test('is sent again only with --again', async () => {
    await sandbox.outcome('--outcome', 'denied', '--count', '1');
    const words = ['issue', '--model', 'nfe', '--file', sandbox.put('nota.json', samples.nfe)];
    await sandbox.invoice(...words, ...wait);
    const second = await sandbox.invoice(...words, ...wait);
    expect([second.exitCode, (await sandbox.issued('nfe.issue')).length]).toEqual([13, 1]);
    const again = await sandbox.invoice(...words, '--again', ...wait);
    expect([again.exitCode, JSON.parse(again.stdout).status]).toEqual([0, 'Issued']);
  });
});

describe('an issue that stays pending', () => {
  test.each(['pending', 'unlisted'])('(%s) exits 8 at --timeout, and is never a success', async (end) => {
    await sandbox.outcome('--outcome', end);
    const file = sandbox.put('nota.json', samples.nfse);
    const ended = await sandbox.invoice('issue', '--model', 'nfse', '--file', file, '--wait', '--timeout', '2s');
    expect([ended.exitCode, errorOf(ended)]).toMatchObject([
      8,
      {
        code: 'outcome.still_pending',
        resume: expect.stringMatching(/^fiscal invoice get \S+ --model nfse --wait --profile sandbox$/),
      },
    ]);
  });
});

describe('a cancellation', () => {
  test.each(['nfe', 'nfce', 'nfse'] as const)('of an %s needs consent and is followed', async (model) => {
    const id = await issued(model);
    const asked = await sandbox.invoice('cancel', '--model', model, id, ...reason);
    expect([asked.exitCode, errorOf(asked)['code']]).toEqual([2, 'usage.confirmation_required']);
    const done = await sandbox.invoice('cancel', '--model', model, id, ...reason, '--yes', ...wait);
    expect([done.exitCode, JSON.parse(done.stdout)]).toMatchObject([0, { id, status: 'Cancelled' }]);
    const again = await sandbox.invoice('cancel', '--model', model, id, ...reason, '--yes', ...wait);
    expect([again.exitCode, again.stderr]).toEqual([0, expect.stringContaining('nothing was sent')]);
  });

  test.each(['nfe', 'nfse'] as const)(
    'of an %s that is refused exits 13, and may be requested again',
    async (model) => {
      const id = await issued(model);
      await sandbox.outcome('--outcome', 'cancel-failed', '--count', '1', '--message', 'Prazo superior ao previsto');
      const words = ['cancel', '--model', model, id, ...reason, '--yes', ...wait];
      const refused = await sandbox.invoice(...words);
      expect([refused.exitCode, errorOf(refused)['message']]).toEqual([13, expect.stringContaining('Prazo superior')]);
      const done = await sandbox.invoice(...words);
      expect([done.exitCode, JSON.parse(done.stdout).status]).toEqual([0, 'Cancelled']);
    },
  );

  test.each(['nfe', 'nfse'] as const)('of an %s without an answer is looked up, and requested once', async (model) => {
    const id = await issued(model);
    await sandbox.fault('cut-after', `${model}.cancel`, '--count', '1');
    const done = await sandbox.invoice('cancel', '--model', model, id, ...reason, '--yes', ...wait);
    expect([done.exitCode, JSON.parse(done.stdout).status]).toEqual([0, 'Cancelled']);
    const { stdout } = await sandbox.fiscal('sandbox', 'ledger', '--operation', `${model}.cancel`, '-o', 'ndjson');
    expect(stdout.trim().split('\n').length).toBe(1);
  });

  test('of an NF-e needs a reason of the length of the layout', async () => {
    const short = await sandbox.invoice('cancel', '--model', 'nfe', 'x', '--reason', 'curto');
    const none = await sandbox.invoice('cancel', '--model', 'nfce', 'x');
    expect([short.exitCode, none.exitCode]).toEqual([2, 2]);
  });

  test('of an unknown invoice exits 9', async () => {
    const { exitCode } = await sandbox.invoice('cancel', '--model', 'nfe', 'nothing', ...reason, '--yes');
    expect(exitCode).toBe(9);
  });
});

describe('a correction letter', () => {
  const letter = ['--text', 'Onde se lê rua A, leia-se rua B', '--yes'];

  test('is registered, and shown among the events', async () => {
    const id = await issued('nfe');
    const done = await sandbox.invoice('correct', id, ...letter, ...wait);
    expect([done.exitCode, JSON.parse(done.stdout)]).toMatchObject([0, { id, status: 'Accepted' }]);
    const { stdout } = await sandbox.invoice('events', '--model', 'nfe', id, '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject([{ type: 'CorrectionLetter', sequence: 1, status: 'Accepted' }]);
  });

  test('without an answer is found among the events, and sent once', async () => {
    const id = await issued('nfe');
    await sandbox.fault('cut-after', 'nfe.correct', '--count', '1');
    const done = await sandbox.invoice('correct', id, ...letter, ...wait);
    expect(done.exitCode).toBe(0);
    const { stdout } = await sandbox.invoice('events', '--model', 'nfe', id, '-o', 'json');
    expect(JSON.parse(stdout).length).toBe(1);
  });

  test('has 15 to 1000 characters', async () => {
    const ended = await sandbox.invoice('correct', 'x', '--text', 'curta');
    expect([ended.exitCode, errorOf(ended)['code']]).toEqual([2, 'input.invalid']);
  });
});

describe('disabling a range of numbers', () => {
  const words = ['--serie', '1', '--state', 'sp', '--reason', 'Falha na numeração do sistema'];

  test('is answered immediately, and its numbers are used from then on', async () => {
    const range = ['--from', '10', '--to', '12', '--environment', 'Test', '--yes'];
    const done = await sandbox.invoice('disable', '--model', 'nfe', ...words, ...range);
    expect([done.exitCode, JSON.parse(done.stdout)]).toMatchObject([
      0,
      { serie: 1, state: 'SP', beginNumber: 10, lastNumber: 12, environment: 'Test', status: 'Disabled' },
    ]);
    const other = await sandbox.invoice(
      'disable',
      '--model',
      'nfe',
      ...words,
      ...['--from', '12', '--environment', 'Test', '--yes'],
    );
    expect([other.exitCode, errorOf(other)['code']]).toEqual([10, 'service.conflict']);
  });

  test('reports all problems of the range at once', async () => {
    const range = ['--from', '10', '--to', '9', '--state', 'XX'];
    const ended = await sandbox.invoice('disable', '--model', 'nfce', ...words, ...range);
    expect([ended.exitCode, errorOf(ended)['details']]).toMatchObject([2, [{ field: 'state' }, { field: 'to' }]]);
  });
});
