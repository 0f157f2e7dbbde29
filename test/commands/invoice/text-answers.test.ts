import { expect, test } from 'vitest';
import { json } from '../../client/support/server.js';
import { runFiscal } from '../../support/host.js';
import { imitate, type Answers } from '../inbound/service.js';

const services = '/v1/companies/c1/serviceinvoices';

async function run(answers: Answers, ...words: readonly string[]) {
  const service = await imitate(answers);
  const host = { ...service.host, env: { ...service.host.env, FISCAL_SERVICE_URL: service.url } };
  const { exitCode, stdout, stderr } = await runFiscal([...words, '--yes', '-o', 'json'], host);
  return { exitCode, shown: stdout === '' ? undefined : JSON.parse(stdout), stderr, asked: service.asked() };
}

const emailed = (reply: unknown) =>
  run({ [`PUT ${services}/i-1/sendemail`]: json(200, reply) }, 'invoice', 'email', 'i-1');

test.each(['The e-mail is being sent.', { sent: true, message: 'The e-mail is being sent.' }])(
  'the e-mail command shows what the service says: %j',
  async (reply) => {
    const { exitCode, shown } = await emailed(reply);
    expect([exitCode, shown]).toEqual([0, { id: 'i-1', accepted: 200, message: 'The e-mail is being sent.' }]);
  },
);

test('a text of the service is one short line without control characters and secrets', async () => {
  const { shown } = await emailed(`one\ntwo \u001b[31m sbx_invoice_1234 ${'x'.repeat(400)}`);
  expect(shown.message).toMatch(/^one two \\u001b\[31m \*\*\* x{100,200}…$/);
});

test.each([
  ['', { id: 'i-1', accepted: 200 }],
  [null, { id: 'i-1', accepted: 200 }],
])('an answer without words shows none: %j', async (reply, expected) => {
  expect((await emailed(reply)).shown).toEqual(expected);
});

test('an answer that says that no e-mail was sent is no success', async () => {
  const { exitCode, shown, stderr, asked } = await emailed({ sent: false, message: 'No address.' });
  expect([exitCode, shown, asked.length]).toEqual([13, undefined, 1]);
  expect(stderr).toContain('the e-mail of NFS-e i-1 ended as sent: false: No address.');
});

test('a cancelled NFS-e shows the text of the answer, and the job keeps it', async () => {
  const answers = {
    [`DELETE ${services}/i-1`]: json(200, 'Cancellation requested.'),
    [`GET ${services}/i-1`]: json(200, { id: 'i-1', flowStatus: 'WaitingSendCancel' }),
  };
  const service = await imitate(answers);
  const host = { ...service.host, env: { ...service.host.env, FISCAL_SERVICE_URL: service.url } };
  const words = ['invoice', 'cancel', '--model', 'nfse', 'i-1', '--yes', '-o', 'json'];
  const { exitCode, stdout } = await runFiscal(words, host);
  const shown = JSON.parse(stdout);
  expect([exitCode, shown]).toMatchObject([0, { id: 'i-1', state: 'pending', message: 'Cancellation requested.' }]);
  const job = await runFiscal(['job', 'items', '--full', shown.jobId, '-o', 'ndjson'], host);
  expect(job.stdout).toContain('the service says: Cancellation requested.');
});
