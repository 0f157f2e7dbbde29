import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { samples } from '../../../src/commands/invoice/samples.js';
import { runFiscal, testHost } from '../../support/host.js';
import { errorOf } from './sandbox.js';

/** One issue without --yes, where nobody can be asked. */
async function asked(model: keyof typeof samples, fields: object = {}, ...words: string[]) {
  const host = testHost();
  writeFileSync(join(host.cwd, 'nota.json'), JSON.stringify({ ...samples[model], ...fields }));
  const argv = ['--profile', 'sandbox', 'invoice', 'issue', '--model', model, '--file', 'nota.json', ...words];
  const run = await runFiscal(argv, host);
  const ledger = await runFiscal(['--profile', 'sandbox', 'sandbox', 'ledger', '--effects', '-o', 'ndjson'], host);
  return { ...run, effects: ledger.stdout };
}

const set = 'in production, unless its registration at the service is set to test';

test.each([
  ['nfe', {}, [], `issue an NF-e of R$ 37.80 to Comércio Exemplo Ltda (11.222.333/0001-81) ${set}`],
  ['nfce', {}, [], `issue an NFC-e of R$ 37.80 to a recipient who is not named ${set}`],
  ['nfse', {}, [], `issue an NFS-e of R$ 1,500.00 to Comércio Exemplo Ltda (11.222.333/0001-81) ${set}`],
  [
    'general',
    {},
    [],
    'issue an invoice of R$ 37.80 to Maria da Silva (***.***.***-25) in production, unless the account is set to test',
  ],
  [
    'nfe',
    { environment: 'Production' },
    ['--external-id-in-body'],
    'issue an NF-e of R$ 37.80 to Comércio Exemplo Ltda (11.222.333/0001-81) in production (',
  ],
] as const)(
  'an issue of %s with %j says amount, recipient and environment, and sends nothing without --yes',
  async (model, fields, words, what) => {
    const run = await asked(model, fields, ...words);
    expect([run.exitCode, run.stdout, run.effects]).toEqual([2, '', '']);
    expect(errorOf(run)).toMatchObject({
      code: 'usage.confirmation_required',
      message: expect.stringContaining(what),
      hint: 'add --yes to give it beforehand',
      sent: 'no',
    });
  },
);

/** What a person sees who has agreed, in a sandbox that takes the published body and more. */
async function issuedBy(fields: object, ...words: string[]) {
  const host = testHost({ isTerminal: true });
  writeFileSync(join(host.cwd, 'nota.json'), JSON.stringify({ ...samples.nfe, ...fields }));
  await runFiscal(['--profile', 'sandbox', 'sandbox', 'mode', '--lenient'], host);
  const argv = ['--profile', 'sandbox', 'invoice', 'issue', '--model', 'nfe', '--file', 'nota.json', '--no-input'];
  return await runFiscal([...argv, '--wait', '--interval', '300ms', ...words], host);
}

test('an issue whose body says that it is a test needs no consent, and says so in the end', async () => {
  const { exitCode, stdout, stderr } = await issuedBy({ environment: 'Test' }, '--external-id-in-body');
  expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('consent')]);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'issued: R$ 37.80 to Comércio Exemplo Ltda (11.222.333/0001-81), as a test, without fiscal value',
  );
});

test('an issue that was agreed to says amount, recipient and environment', async () => {
  const { exitCode, stdout } = await issuedBy({}, '--yes', '--lang', 'pt-BR');
  expect(exitCode).toBe(0);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'emitida: R$ 37,80 para Comércio Exemplo Ltda (11.222.333/0001-81), em produção',
  );
});
