import { beforeEach, expect, test } from 'vitest';
import { samples } from '../../../src/commands/invoice/samples.js';
import { invoiceSandbox, type InvoiceSandbox } from './sandbox.js';

let sandbox: InvoiceSandbox;

beforeEach(() => {
  sandbox = invoiceSandbox();
});

test.each([
  ['an externalId made here', [], '(--again issues another one with the same content)'],
  [
    'an externalId of the user',
    ['--external-id', 'P-1'],
    '(another --external-id issues another one with the same content)',
  ],
])('the notice for %s names only options that are allowed with it', async (_name, words, expected) => {
  const file = sandbox.put('nota.json', samples.nfse);
  await sandbox.invoice('issue', '--model', 'nfse', '--file', file, ...words);
  const second = await sandbox.invoice('issue', '--model', 'nfse', '--file', file, ...words);
  expect(second.stderr).toContain(expected);
});

test('the advice after an unknown outcome is in Portuguese too', async () => {
  await sandbox.fault('500-after', 'invoice.create', '--count', '1');
  const file = sandbox.put('nota.json', samples.general);
  const words = ['issue', '--model', 'general', '--file', file, '-o', 'table', '--lang', 'pt-BR'];
  const { exitCode, stderr } = await sandbox.invoice(...words);
  expect([exitCode, stderr.split('\n').slice(0, 2)]).toEqual([
    3,
    [
      'fiscal: a requisição foi enviada, mas o resultado é desconhecido: o serviço está temporariamente indisponível (HTTP 500): internal_error: A simulated fault.',
      '  dica: verifique no serviço se a requisição de Maria da Silva chegou e informe com --as succeeded, --as failed ou --as not-sent',
    ],
  ]);
});
