import { createHmac } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testService } from '../../conformance/service.js';
import { closedPort, json, serve } from '../../client/support/server.js';
import { runFiscal, type TestHost } from '../../support/host.js';
import { configPath, keptSecrets, profileHost } from './profile-host.js';

const service = testService();
const secretForm = /^[0-9a-f]{64}$/;

function host(options: Parameters<typeof profileHost>[2] = {}): TestHost {
  const { url, invoiceKey } = service.ready();
  return profileHost(url, invoiceKey, options);
}

async function webhook(at: TestHost, ...words: string[]) {
  const result = await runFiscal(['webhook', ...words, '-o', 'json'], at);
  const data: unknown = result.stdout === '' ? undefined : JSON.parse(result.stdout);
  return { ...result, data };
}

async function created(at: TestHost, ...words: string[]): Promise<{ id: string; uri: string }> {
  const receiver = await serve(json(200, {}));
  const { data, exitCode, stderr } = await webhook(at, 'create', `${receiver.url}/hook`, ...words);
  expect([exitCode, stderr.includes('error')]).toEqual([0, false]);
  return data as { id: string; uri: string };
}

test('a webhook is created, listed, read, changed, called and deleted', async () => {
  const at = host();
  const receiver = await serve(json(200, {}));
  const uri = `${receiver.url}/hook`;
  const made = await webhook(at, 'create', uri, '--events', 'product.*,product_invoice.*');
  const { id } = made.data as { id: string };
  expect(made.data).toMatchObject({ uri, status: 'Active', filters: ['product.*', 'product_invoice.*'] });
  expect((await webhook(at, 'list')).data).toEqual([made.data]);
  expect((await webhook(at, 'get', id)).data).toEqual(made.data);
  const changed = await webhook(at, 'update', id, '--status', 'inactive', '--all-events', '--yes');
  expect(changed.stderr).toBe('filters: ["product.*","product_invoice.*"] → []\nstatus: "Active" → "Inactive"\n');
  expect((await webhook(at, 'get', id)).data).toMatchObject({ uri, status: 'Inactive', filters: [] });
  const pinged = await webhook(at, 'ping', id);
  expect([pinged.exitCode, pinged.data]).toEqual([0, { id, accepted: 204 }]);
  expect((await webhook(at, 'delete', id, '--yes')).data).toEqual({ id, deleted: true });
  expect([(await webhook(at, 'get', id)).exitCode, keptSecrets(at)]).toEqual([9, {}]);
});

test('a generated secret signs the call on creation, and appears in no output', async () => {
  const at = host();
  const receiver = await serve(json(200, {}));
  const made = await webhook(at, 'create', `${receiver.url}/hook`);
  const { id } = made.data as { id: string };
  const secret = keptSecrets(at)[id] ?? '';
  expect([secret, Object.keys(keptSecrets(at))]).toEqual([expect.stringMatching(secretForm), [id]]);
  const [ping] = receiver.seen;
  const signature = createHmac('sha1', secret)
    .update(ping?.body ?? '')
    .digest('hex');
  expect(String(ping?.headers['x-hub-signature']).toLowerCase()).toBe(`sha1=${signature}`);
  const { stdout, stderr } = at.written();
  expect([stdout.includes(secret), stderr.includes(secret)]).toEqual([false, false]);
  expect(statSync(configPath(at)).mode & 0o777).toBe(0o600);
});

test('on a terminal a generated secret is shown once, on stderr', async () => {
  const at = host({ isTerminal: true });
  const { id } = await created(at);
  const secret = keptSecrets(at)[id] ?? '?';
  const { stdout, stderr } = at.written();
  expect([stdout.includes(secret), stderr.split(secret).length]).toEqual([false, 2]);
});

test('--secret-out writes a file readable by its owner only, and never overwrites one', async () => {
  const at = host();
  const { id } = await created(at, '--secret-out', 'webhook.secret');
  const path = join(at.cwd, 'webhook.secret');
  expect(readFileSync(path, 'utf8')).toBe(`${keptSecrets(at)[id] ?? ''}\n`);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const receiver = await serve(json(200, {}));
  const again = await webhook(at, 'create', receiver.url, '--secret-out', 'webhook.secret');
  expect([again.exitCode, receiver.seen.length, again.stderr.includes('--secret-out')]).toEqual([2, 0, true]);
});

test('an address that does not answer 2xx is refused, and the secret is not stored', async () => {
  const at = host();
  const uri = `http://127.0.0.1:${await closedPort()}/hook`;
  const refused = await webhook(at, 'create', uri, '--secret-out', 'webhook.secret');
  expect([refused.exitCode, refused.stdout, keptSecrets(at)]).toEqual([6, '', {}]);
  expect(existsSync(join(at.cwd, 'webhook.secret'))).toBe(false);
});

test('a second webhook for an address is created only with --again', async () => {
  const at = host();
  const { id, uri } = await created(at);
  const twin = await webhook(at, 'create', uri);
  expect([twin.exitCode, twin.stderr.includes(id)]).toEqual([10, true]);
  const second = await webhook(at, 'create', uri, '--again');
  expect([second.exitCode, Object.keys(keptSecrets(at)).length]).toEqual([0, 2]);
});

test('a changed secret replaces the old one, and other changes keep it', async () => {
  const at = host();
  const { id, uri } = await created(at);
  const before = keptSecrets(at)[id];
  const changed = await webhook(at, 'update', id, '--new-secret', '--yes');
  expect(changed.stderr).toContain('secret: (changed)\n');
  const after = keptSecrets(at)[id];
  expect([after === before, after]).toEqual([false, expect.stringMatching(secretForm)]);
  expect((await webhook(at, 'update', id, '--uri', `${uri}2`, '--yes')).exitCode).toBe(0);
  expect(keptSecrets(at)).toEqual({ [id]: after });
});

test('the values of headers come from a file and are not shown in the difference', async () => {
  const at = host();
  const { id } = await created(at);
  writeFileSync(join(at.cwd, 'headers.txt'), '# who calls\nX-Caller: canary-7731\n');
  const changed = await webhook(at, 'update', id, '--headers-file', 'headers.txt', '--yes');
  expect(changed.stderr).toBe('headers.X-Caller: — → "***"\n');
  expect(changed.data).toMatchObject({ headers: { 'X-Caller': 'canary-7731' } });
});

test('the values of headers are shown neither by --dry-run nor by --debug-http', async () => {
  const at = host();
  writeFileSync(join(at.cwd, 'headers.txt'), 'X-Caller: canary-7732\n');
  const words = ['create', 'http://127.0.0.1:9/hook', '--headers-file', 'headers.txt', '--debug-http'];
  const planned = await webhook(at, ...words, '--dry-run');
  expect(JSON.stringify(planned.data)).toContain('"X-Caller":"***"');
  const refused = await webhook(at, ...words, '--yes');
  expect(refused.exitCode).not.toBe(0);
  const { stdout, stderr } = at.written();
  expect(stdout + stderr).toContain('"X-Caller":"***"');
  expect(stdout + stderr).not.toContain('canary-7732');
});

test('the output of webhook get can be used as a file', async () => {
  const at = host();
  const { id } = await created(at);
  const shown = await webhook(at, 'get', id);
  writeFileSync(join(at.cwd, 'hook.json'), shown.stdout);
  const same = await webhook(at, 'update', id, '--file', 'hook.json');
  expect([same.exitCode, same.stderr]).toEqual([0, 'it is already set this way; nothing was sent\n']);
  const paused = await webhook(at, 'update', id, '--file', 'hook.json', '--status', 'inactive', '--yes');
  expect(paused.data).toMatchObject({ id, status: 'Inactive' });
});

test('an update without consent writes nothing', async () => {
  const at = host();
  const { id } = await created(at);
  const asked = await webhook(at, 'update', id, '--status', 'inactive');
  expect([asked.exitCode, asked.stdout]).toEqual([2, '']);
  const shown = await webhook(at, 'update', id, '--new-secret', '--dry-run');
  expect(shown.data).toMatchObject({ type: 'dry-run', request: { body: { webHook: { secret: '***' } } } });
  expect((await webhook(at, 'get', id)).data).toMatchObject({ status: 'Active' });
});

test('the available events are listed by name', async () => {
  const result = await runFiscal(['webhook', 'events', '--types', '-o', 'id'], host());
  expect(result.stdout.split('\n')).toContain('product.active');
});

test('an unknown id is answered with the command that lists the webhooks', async () => {
  const at = host();
  const hints = { en: 'the webhooks of the account', pt: 'os webhooks da conta' };
  const told = [];
  for (const verb of ['get', 'ping', 'update', 'delete']) {
    const words = ['webhook', verb, 'nobody', ...(verb === 'update' ? ['--all-events'] : [])];
    for (const [lang, hint] of [
      ['en', hints.en],
      ['pt-BR', hints.pt],
    ] as const) {
      const given = ['--profile', 'acme', '--yes', '--error-format', 'text', '--lang', lang];
      const { exitCode, stderr } = await runFiscal([...words, ...given], at);
      told.push([exitCode, stderr.includes(`: ${hint}: fiscal webhook list\n`)]);
    }
  }
  expect(told).toEqual(Array.from({ length: 8 }, () => [9, true]));
});

test('an update keeps unlisted fields, and warns about its secret', async () => {
  const standing = { id: 'w1', uri: 'https://a.example/', status: 'Active', filters: ['a'], retries: { most: 5 } };
  const server = await serve((request, response) => {
    const status = request.method === 'PUT' ? 'Inactive' : 'Active';
    const webHook = { ...standing, createdOn: '2026-01-01', status };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ webHook }));
  });
  const at = profileHost(server.url, 'invoice-key');
  const asked = await webhook(at, 'update', 'w1', '--status', 'inactive', '--error-format', 'text');
  expect([asked.exitCode, asked.stderr]).toEqual([2, expect.stringContaining('without its secret')]);
  expect((await webhook(at, 'update', 'w1', '--status', 'inactive', '--yes')).exitCode).toBe(0);
  const { body } = server.seen.find(({ method }) => method === 'PUT') ?? { body: '' };
  const { id: _id, ...kept } = standing;
  expect(JSON.parse(body)).toEqual({ webHook: { ...kept, status: 'Inactive' } });
});

test.each([
  ['no status', {}],
  ['a status that is null', { status: null }],
])('an update of a webhook that is shown with %s asks for it, and sends what is given', async (_what, shown) => {
  const server = await serve((_request, response) => {
    const webHook = { id: 'w1', uri: 'https://a.example/', filters: ['a'], ...shown };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ webHook }));
  });
  const at = profileHost(server.url, 'invoice-key');
  const replacements = () => server.seen.filter(({ method }) => method === 'PUT');
  const asked = await webhook(at, 'update', 'w1', '--events', 'b', '--yes', '--error-format', 'text');
  expect([asked.exitCode, asked.stdout, replacements()]).toEqual([2, '', []]);
  expect(asked.stderr).toContain('an update without a status turns it off: add --status active');
  await webhook(at, 'update', 'w1', '--events', 'b', '--status', 'active', '--yes');
  expect(replacements().map(({ body }) => JSON.parse(body))).toEqual([
    { webHook: { uri: 'https://a.example/', filters: ['b'], status: 'Active' } },
  ]);
});

describe('an update is verified against the service', () => {
  const standing = { id: 'w1', uri: 'https://a.example/', status: 'Active', filters: ['b', 'a'] };
  const update = ['update', 'w1', '--status', 'inactive', '--yes', '--error-format', 'json'];

  /** A service that answers a PUT like this, and shows this of the webhook afterwards. */
  async function answering(put: { status: number; body?: object }, after: object) {
    let isWritten = false;
    const server = await serve((request, response) => {
      const isPut = request.method === 'PUT';
      isWritten ||= isPut;
      const shown = isPut ? put.body : { webHook: isWritten ? after : standing };
      response.writeHead(isPut ? put.status : 200, { 'content-type': 'application/json' });
      response.end(shown === undefined ? undefined : JSON.stringify(shown));
    });
    return profileHost(server.url, 'invoice-key');
  }

  const inactive = { ...standing, status: 'Inactive', filters: ['a', 'b'] };

  test.each([
    ['an answer with another status', { status: 200, body: { webHook: standing } }, inactive],
    ['an answer without a body, and another status read back', { status: 204 }, standing],
    ['an answer that cannot be read', { status: 200 }, inactive],
    ['other filters', { status: 200, body: { webHook: { ...inactive, filters: ['a'] } } }, inactive],
  ])('%s exits 3', async (_what, put, after) => {
    const { exitCode, stdout, stderr } = await webhook(await answering(put, after), ...update);
    expect([exitCode, stdout]).toEqual([3, '']);
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      error: { code: 'outcome.unknown', sent: 'yes', hint: expect.stringContaining('fiscal webhook get w1') },
    });
  });

  test('without a body it is read back', async () => {
    const { exitCode, data } = await webhook(await answering({ status: 204 }, inactive), ...update);
    expect([exitCode, data]).toEqual([0, inactive]);
  });
});

test('an address without a path is the one that the service shows with a slash', async () => {
  const shown = { id: 'w1', uri: 'https://a.example/', contentType: 'json', status: 'Active', filters: ['*'] };
  const { url } = await serve((request, response) => {
    response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(request.method === 'POST' ? { webHook: shown } : { webHooks: [], webHook: shown }));
  });
  const { exitCode, stderr } = await webhook(
    profileHost(url, 'invoice-key'),
    'create',
    'https://a.example',
    '--events',
    '*',
  );
  expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('shows')]);
});

test('a field that the answer to a create does not show is said not to be verified', async () => {
  const shown = { id: 'w1', uri: 'https://a.example/', status: 'Active', filters: ['*'] };
  const { url } = await serve((request, response) => {
    response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(request.method === 'POST' ? { webHook: shown } : { webHooks: [], webHook: shown }));
  });
  const words = ['create', 'https://a.example/', '--events', '*'];
  const { exitCode, stderr } = await webhook(profileHost(url, 'invoice-key'), ...words);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining('contentType')]);
});

test('a webhook that is created and shown otherwise keeps its secret under its id', async () => {
  const shown = { id: 'w1', uri: 'https://a.example/', status: 'Inactive' };
  const { url } = await serve((request, response) => {
    response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(request.method === 'POST' ? { webHook: shown } : { webHooks: [], webHook: shown }));
  });
  const at = profileHost(url, 'invoice-key');
  const { exitCode, stderr } = await webhook(at, 'create', 'https://a.example/');
  expect([exitCode, stderr]).toEqual([3, expect.stringContaining('status \\"Inactive\\" (\\"Active\\")')]);
  expect(keptSecrets(at)).toEqual({ w1: expect.stringMatching(secretForm) });
});

test.each([
  [
    'en',
    'delete the webhook w1 of the account (profile acme): https://a.example/ receives no more events of any company',
    'replace the webhook w1 of the account (profile acme), which delivers to https://a.example/, changing 1 field',
  ],
  [
    'pt-BR',
    'excluir o webhook w1 da conta (perfil acme): https://a.example/ deixa de receber eventos de todas as empresas',
    'substituir o webhook w1 da conta (perfil acme), que entrega em https://a.example/, alterando 1 campo',
  ],
])(
  'what is asked before a webhook is deleted or replaced names its address and profile (%s)',
  async (lang, deleting, replacing) => {
    const standing = { id: 'w1', uri: 'https://a.example/', status: 'Active', filters: [], secret: 's' };
    const { url } = await serve(json(200, { webHook: standing }));
    const at = profileHost(url, 'k');
    const how = ['--no-input', '--error-format', 'text', '--lang', lang, '-o', 'json'];
    const refused = [
      await runFiscal(['webhook', 'delete', 'w1', ...how], at),
      await runFiscal(['webhook', 'update', 'w1', '--status', 'inactive', ...how], at),
    ];
    expect(refused.map(({ exitCode }) => exitCode)).toEqual([2, 2]);
    expect(refused[0]?.stderr).toContain(`: ${deleting}\n`);
    expect(refused[1]?.stderr).toContain(`: ${replacing}`);
  },
);
