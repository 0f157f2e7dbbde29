import { afterEach, beforeEach, expect, test } from 'vitest';
import { runFiscal, testHost, type TestHost, type TestHostOptions } from '../../support/host.js';
import { FakeTerminal } from '../../support/terminal.js';
import { Authority } from './authority.js';
import { nfeKey, nfseKey } from './keys.js';

let authority: Authority;
let url = '';

beforeEach(async () => {
  authority = new Authority();
  authority.fault = ({ method, path }) =>
    method === 'GET' && path.endsWith(`/inbound/nfe/${nfeKey}`) ? { status: 200, body: note } : undefined;
  url = await authority.start();
});

afterEach(async () => {
  await authority.stop();
});

const note = {
  accessKey: nfeKey,
  companyId: 'c1',
  issuer: { federalTaxNumber: '30057049000141', name: 'Moinho \u001B[31mAzul' },
  totalInvoiceAmount: '1234.56',
};

function hostOf(options: TestHostOptions = {}): TestHost {
  const env = { FISCAL_PRODUCT_URL: url, FISCAL_INVOICE_KEY: 'invoice-key', FISCAL_COMPANY: 'c1' };
  return testHost({ ...options, env: { ...env, ...options.env } });
}

const text = ['--error-format', 'text'];
const reason = ['--justification', 'the goods never came here'];
const credit = JSON.stringify({ tpEventoAut: 211150, nProtEvento: '135260000000001' });

test.each([
  ['210220', [nfeKey, '--event', 'disavowal'], '210220 (disavowal)'],
  ['210220 by its other word', [nfeKey, '--event', 'unknown'], '210220 (disavowal)'],
  ['210240', [nfeKey, '--event', 'not-performed', ...reason], '210240 (not-performed)'],
  ['203206', [nfseKey, '--event', 'reject', '--reason', '3'], '203206 (reject)'],
  ['110001', [nfeKey, '--event', '110001', '--detail', credit], '110001 (event-cancellation), which cancels 211150'],
])('%s alone is not sent without consent, and is with it', async (_name, words, named) => {
  const host = hostOf();
  const run = async (...more: string[]) => await runFiscal(['manifestation', 'submit', ...words, ...more], host);
  const refused = await run(...text);
  expect([refused.exitCode, authority.posts]).toEqual([2, []]);
  expect(refused.stderr.replaceAll(/\s+/g, ' ')).toContain(`submitting ${named}`);
  expect(refused.stderr).toContain('company c1');
  expect(refused.stderr).toContain('--yes');
  expect([(await run('--yes')).exitCode, authority.posts.length]).toEqual([0, 1]);
});

test('supplier, value and company are named, in both languages and without control characters', async () => {
  const argv = ['manifestation', 'submit', nfeKey, '--event', 'desconhecimento', ...text];
  const en = await runFiscal(argv, hostOf());
  const pt = await runFiscal([...argv, '--lang', 'pt-BR'], hostOf());
  expect(en.stderr).toContain(`NF-e ${nfeKey} of supplier 30.057.049/0001-41 Moinho`);
  expect(en.stderr).toContain('value 1234.56, for company c1');
  expect(pt.stderr).toContain(`a NF-e ${nfeKey} do fornecedor 30.057.049/0001-41 Moinho`);
  expect(pt.stderr).toContain('210220 (Desconhecimento da Operacao)');
  expect(en.stderr + pt.stderr).not.toContain('\u001B');
});

test('a terminal is asked, and "no" sends nothing', async () => {
  const terminal = new FakeTerminal();
  const host = hostOf({ isTerminal: true, terminal: () => terminal });
  const running = runFiscal(['manifestation', 'submit', nfeKey, '--event', 'disavowal'], host);
  await terminal.shows('Go on?');
  terminal.type('n\r');
  const { exitCode } = await running;
  expect([exitCode, terminal.drawn.includes('1234.56'), authority.posts]).toEqual([2, true, []]);
});

test('an active event needs no consent, nor do other events', async () => {
  const host = hostOf();
  const submit = async (...more: string[]) => await runFiscal(['manifestation', 'submit', nfeKey, ...more], host);
  await submit('--event', 'disavowal', '--yes');
  const again = await submit('--event', 'disavowal');
  const other = await submit('--event', 'awareness');
  expect([again.exitCode, other.exitCode, authority.posts.length]).toEqual([0, 0, 2]);
});

test('an answer that is not a note proves nothing, and nothing is sent', async () => {
  for (const body of [{}, null, [], 'x', { errors: [] }, { accessKey: nfseKey, companyId: 'c1' }]) {
    authority.fault = ({ method }) => (method === 'GET' ? { status: 200, body } : undefined);
    const { exitCode } = await runFiscal(['manifestation', 'submit', nfeKey, '--event', 'awareness'], hostOf());
    expect([exitCode === 0, authority.posts]).toEqual([false, []]);
  }
});
