import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { json } from '../../client/support/server.js';
import { imitate } from '../inbound/service.js';
import { runFiscal, testHost } from '../../support/host.js';
import { keptSecrets, profileHost } from './profile-host.js';

const uri = 'https://erp.example.com/hooks';
const secret = 'canary-of-a-secret-0123456789-abcdefgh';

test.each([
  [['create'], 'missing: the address'],
  [['create'], 'such as fiscal webhook create https://'],
  [['create', 'http://erp.example.com/hooks'], 'https address'],
  [['create', 'https://u:p@erp.example.com/hooks'], 'without user or password'],
  [['create', uri, '--events', 'a b'], 'name of an event'],
  [['create', uri, '--file', 'no.json'], 'there is no file no.json'],
  [['create', uri, '--file', 'secret.json'], '--secret-file'],
  [['create', uri, '--file', 'odd.json'], 'no field colour'],
  [['create', uri, '--headers-file', 'headers.txt'], 'line 1 of headers.txt'],
  [['create', uri, '--headers-file', 'reserved.txt'], 'X-Hub-Signature is set by the service'],
  [['create', uri, '--secret-file', 'short.txt'], '32 to 64 characters'],
  [['create', uri, '--secret-file', 'good.txt', '--secret-out', 'x'], '--secret-out'],
  [['update', 'w1'], 'a field to change'],
  [['update', 'w1', '--events', 'a', '--all-events'], 'cannot be given together'],
  [['update', 'w1', '--new-secret', '--secret-file', 'good.txt'], 'cannot be given together'],
  [['update', 'w1', '--status', 'active', '--secret-out', 'x'], '--secret-out'],
  [['get', '../companies'], 'id of a webhook'],
  [['delete', '..', '--yes'], 'id of a webhook'],
  [['ping', 'a/b'], 'id of a webhook'],
  [['missed'], 'missing: --since'],
  [['missed', '--since', 'soon'], '--since'],
  [['resend'], '<id> | --since'],
  [['resend', 'x', '--failed'], 'an id selects one event'],
  [['events', '--failed', '--state', 'kept'], 'cannot be given together'],
  [['events', '--since', 'soon'], '--since'],
])('%j is refused with one sentence before any request', async (words, sentence) => {
  const service = await imitate({});
  const host = profileHost(service.url, 'k');
  writeFileSync(join(host.cwd, 'secret.json'), JSON.stringify({ webHook: { uri, secret } }));
  writeFileSync(join(host.cwd, 'odd.json'), JSON.stringify({ uri, colour: 'red' }));
  writeFileSync(join(host.cwd, 'headers.txt'), `canary ${secret}\n`);
  writeFileSync(join(host.cwd, 'reserved.txt'), 'X-Hub-Signature: x\n');
  writeFileSync(join(host.cwd, 'short.txt'), secret.slice(0, 20));
  writeFileSync(join(host.cwd, 'good.txt'), secret);
  const result = await runFiscal(['webhook', ...words, '--error-format', 'text'], host);
  expect([result.exitCode, result.stdout, service.seen]).toEqual([2, '', []]);
  expect(result.stderr).toContain(sentence);
  expect(result.stderr).not.toContain(secret.slice(0, 20));
});

test('without a profile a generated secret would be lost, so nothing is sent', async () => {
  const service = await imitate({ 'GET /v2/webhooks': json(200, { webHooks: [] }) });
  const result = await runFiscal(['webhook', 'create', uri], service.host);
  expect([result.exitCode, service.seen]).toEqual([2, []]);
  expect(result.stderr).toContain('--secret-out');
});

test('an answer that is not a list of webhooks is reported as unreadable', async () => {
  const service = await imitate({ 'GET /v2/webhooks': json(200, { webHooks: [{ id: 1 }] }) });
  const result = await runFiscal(['webhook', 'list'], service.host);
  expect([result.exitCode, result.stdout]).toEqual([6, '']);
  expect(result.stderr).toContain('service.unreadable');
});

test('a secret that a deployment shows in a list is omitted', async () => {
  const webHooks = [{ id: 'w1', uri, secret }];
  const service = await imitate({
    'GET /v2/webhooks': json(200, { webHooks }),
    'GET /v2/webhooks/w1': json(200, { webHook: webHooks[0] }),
  });
  const list = await runFiscal(['webhook', 'list', '-o', 'json'], service.host);
  const one = await runFiscal(['webhook', 'get', 'w1', '-o', 'json'], service.host);
  expect([JSON.parse(list.stdout), JSON.parse(one.stdout)]).toEqual([[{ id: 'w1', uri }], { id: 'w1', uri }]);
});

test('a create with a lost answer is found by its address, with the secret that was sent', async () => {
  let sent = '';
  const service = await imitate({
    'GET /v2/webhooks': () => json(200, { webHooks: sent === '' ? [] : [{ id: 'w9', uri }] }),
    'POST /v2/webhooks': () => {
      sent = 'yes';
      return json(500, { error: { code: 'internal', message: 'broken' } });
    },
  });
  const host = profileHost(service.url, 'k');
  const result = await runFiscal(['webhook', 'create', uri, '-o', 'json'], host);
  expect([result.exitCode, JSON.parse(result.stdout)]).toEqual([0, { id: 'w9', uri }]);
  const posts = service.seen.filter(({ method }) => method === 'POST');
  const body = JSON.parse(posts[0]?.body ?? '{}') as { webHook: { secret: string } };
  expect([posts.length, keptSecrets(host)]).toEqual([1, { w9: body.webHook.secret }]);
});

test('a create without an answer keeps its secret, and the same command finds the webhook', async () => {
  const answers = { list: [] as unknown[] };
  const service = await imitate({
    'GET /v2/webhooks': () => json(200, { webHooks: answers.list }),
    'POST /v2/webhooks': json(503, { error: { code: 'unavailable', message: 'later' } }),
  });
  const host = profileHost(service.url, 'k', { env: { FISCAL_MAX_RETRY_WAIT: '0s' } });
  const first = await runFiscal(['webhook', 'create', uri], host);
  expect(first.exitCode).toBe(5);
  const kept = keptSecrets(host)[`uri ${uri}`];
  expect(kept).toMatch(/^[0-9a-f]{64}$/);
  answers.list = [{ id: 'w9', uri }];
  const second = await runFiscal(['webhook', 'create', uri, '-o', 'json'], host);
  expect([second.exitCode, JSON.parse(second.stdout)]).toEqual([0, { id: 'w9', uri }]);
  expect(keptSecrets(host)).toEqual({ w9: kept });
});

test('without a key the command explains how to log in', async () => {
  const host = testHost();
  mkdirSync(join(host.root, 'config'), { recursive: true });
  expect((await runFiscal(['webhook', 'list'], host)).exitCode).toBe(4);
});

test.each([
  ['https://other.example/hook', 10],
  [`${uri}/`, 10],
  ['https://erp.example.com/HOOKS', 10],
  ['https://ERP.example.com/hooks', 0],
])('an answer of a create about the address %s: exit %i', async (answered, exitCode) => {
  const service = await imitate({
    'GET /v2/webhooks': json(200, { webHooks: [] }),
    'POST /v2/webhooks': json(201, { webHook: { id: 'w1', uri: answered } }),
  });
  const run = await runFiscal(['webhook', 'create', uri, '--secret-out', 's.txt'], service.host);
  expect([run.exitCode, run.stdout === '']).toEqual([exitCode, exitCode !== 0]);
});
