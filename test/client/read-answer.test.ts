import { describe, expect, test } from 'vitest';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import type { CallInput } from '../../src/client/client.js';
import { rowsOf } from '../../src/client/read-answer.js';
import { answerShapes, type ListOperationId } from '../../src/contract/answers.js';
import { operations } from '../../src/contract/operations.js';
import { bench, failureOf, secret } from './support/client.js';
import { json, serve, type Reply } from './support/server.js';

/** What a broken service, a gateway or a proxy answers with a success. */
const misshapen: readonly (readonly [string, Reply])[] = [
  ['an empty object', json(200, {})],
  ['null', json(200, null)],
  ['an empty array', json(200, [])],
  ['a bare list of texts', json(200, ['a'])],
  ['a JSON string', json(200, 'ok')],
  ['no content', { status: 204 }],
  ['errors', json(200, { errors: [{ message: 'no' }] })],
  ['another object', json(200, { foo: 1 })],
];
const garbled: readonly (readonly [string, Reply])[] = [
  ['text', { status: 200, body: 'hello' }],
  ['a page of a proxy', { status: 200, body: '<html><title>Login</title></html>' }],
  ['a cut body', { status: 200, body: '{"companies":[{"id":"a"' }],
  ['nothing at all', { status: 200, body: '' }],
];

async function thrown(work: Promise<unknown>): Promise<FiscalError> {
  const error: unknown = await work.then(
    () => undefined,
    (it: unknown) => it,
  );
  if (error instanceof FiscalError) return error;
  throw new Error('the call did not fail as it should', { cause: error });
}

describe.each([
  ['company.list', { path: {} }],
  ['company.get', { path: { companyId: 'c' } }],
  ['nfse.inbound.list', { path: { companyId: 'c' } }],
  ['nfse.backfill.summary', { path: { companyId: 'c' } }],
  ['certificate.list', { path: { companyId: 'c' } }],
  ['webhook.eventTypes', { path: {} }],
  ['nfe.inbound.settings', { path: { companyId: 'c' } }],
  ['product.get', { path: { tenantId: 't', productId: 'p' } }],
] as const)('%s', (operation, input) => {
  test.each(misshapen)('%s is permanent: exit 6, one request', async (_name, reply) => {
    const server = await serve(reply);
    const { client } = bench(server.url);
    const error = await thrown(client.call(operation, input as never));
    expect([error.code, error.exitCode, server.seen.length]).toEqual(['service.unreadable', 6, 1]);
    expect(error.facts).toMatchObject({ retryable: false, sent: 'yes', operation });
  });

  test.each(garbled)('%s is temporary: retried, then exit 5', async (_name, reply) => {
    const server = await serve(reply);
    const { client } = bench(server.url);
    const error = await thrown(client.call(operation, input as never));
    expect([error.code, error.exitCode, server.seen.length]).toEqual(['service.unreadable', 5, 5]);
    expect(error.facts).toMatchObject({ retryable: true, sent: 'yes', operation, attempts: 5 });
  });
});

/** A row that every list accepts. */
const row = { id: 'i1', accessKey: 'K1', type: 't', code: 'c', thumbprint: 'T' };
const lists = Object.entries(answerShapes).flatMap(([id, shape]) =>
  shape.is === 'list' ? [{ id: id as ListOperationId, names: shape.in, isBare: 'bare' in shape }] : [],
);

test.each(lists)('$id is read in each published envelope and as a bare array', async ({ id, names, isBare }) => {
  const envelopes = [...new Set([...names, 'value', 'items'])];
  const replies = [json(200, [row]), ...envelopes.map((name) => json(200, { [name]: [row] }))];
  const server = await serve(...replies);
  const hosts = { product: server.url, query: server.url, service: server.url };
  const { client } = bench(server.url, { settings: { hosts } });
  const named = { invoiceId: 'i', tenantId: 't', list: 'operation-code' };
  const input = { path: { ...named, companyId: 'c', accessKey: 'K1' } } as unknown as CallInput<ListOperationId>;
  const read: unknown[] = [];
  for (const _reply of replies) {
    const { body } = await client.call(id, input);
    read.push(rowsOf(id, body));
  }
  expect(read).toEqual([[row], ...envelopes.map(() => [row])]);
  const empty = await serve(json(200, []));
  const away = { product: empty.url, query: empty.url, service: empty.url };
  const call = bench(empty.url, { settings: { hosts: away } }).client.call(id, input);
  expect(await call.then(() => true).catch(() => false)).toBe(isBare);
});

test.each(lists)(
  '$id takes null for no rows in each envelope, but where that proves something only beside a count of 0',
  async ({ id, names }) => {
    const envelopes = [...new Set([...names, 'value', 'items'])];
    const replies = envelopes.flatMap((name) => [
      json(200, { [name]: null }),
      json(200, { [name]: null, totalCount: 0 }),
    ]);
    const server = await serve(...replies);
    const hosts = { product: server.url, query: server.url, service: server.url };
    const { client } = bench(server.url, { settings: { hosts } });
    const named = { invoiceId: 'i', tenantId: 't', list: 'operation-code' };
    const input = { path: { ...named, companyId: 'c', accessKey: 'K1' } } as unknown as CallInput<ListOperationId>;
    const read: unknown[] = [];
    for (const _reply of replies) {
      const called = client.call(id, input).then(({ body }) => rowsOf(id, body));
      read.push(await called.catch((error: unknown) => (error instanceof FiscalError ? error.code : error)));
    }
    const shape = answerShapes[id];
    const alone = 'proves' in shape ? 'service.unreadable' : [];
    expect(read).toEqual(envelopes.flatMap(() => [alone, []]));
  },
);

describe('a list that the profile puts elsewhere', () => {
  const listed = async (listAt: string, reply: Reply, id: 'company.list' | 'nfse.inbound.list') => {
    const server = await serve(reply);
    const { client } = bench(server.url, { settings: { shapes: { [id]: listAt } } });
    const { body } = await client.call(id, { path: { companyId: 'c' } });
    return [rowsOf(id, body), body];
  };

  test('is read in the field of the profile, whatever the published fields hold', async () => {
    const body = { companies: [], rows: [row], page: 1 };
    expect(await listed('rows', json(200, body), 'company.list')).toEqual([[row], { companies: [row], page: 1 }]);
    expect(await listed('documents', json(200, { value: [], documents: [row] }), 'nfse.inbound.list')).toEqual([
      [row],
      { documents: [row] },
    ]);
  });

  test('takes null for no rows there as in a published field', async () => {
    expect(await listed('rows', json(200, { rows: null, page: 1 }), 'company.list')).toEqual([
      [],
      { companies: [], page: 1 },
    ]);
    expect(await listed('rows', json(200, { rows: null, totalResults: 0 }), 'nfse.inbound.list')).toEqual([
      [],
      { value: [], totalResults: 0 },
    ]);
    const error = await thrown(listed('rows', json(200, { rows: null }), 'nfse.inbound.list'));
    expect([error.code, error.exitCode]).toEqual(['service.unreadable', 6]);
  });

  test('is read as a bare array, also an empty one', async () => {
    expect(await listed('array', json(200, [row]), 'company.list')).toEqual([[row], { companies: [row] }]);
    expect(await listed('array', json(200, []), 'company.list')).toEqual([[], { companies: [] }]);
  });

  test.each([
    ['rows', json(200, { companies: [row] }), 'it has no list in rows, where "shapes" of the profile puts it'],
    ['rows', json(200, [row]), 'it has no list in rows, where "shapes" of the profile puts it'],
    ['rows', json(200, { rows: { id: 'a' } }), 'it has no list in rows, where "shapes" of the profile puts it'],
    ['array', json(200, { companies: [row] }), 'it is not an array, as "shapes" of the profile says'],
    ['rows', json(200, { rows: [{}] }), 'row 1: the object is empty'],
    ['rows', json(200, { rows: [row], errors: [{}] }), 'it carries errors instead of a result'],
  ])('in %s is refused when it is not there', async (listAt, reply, reason) => {
    const error = await thrown(listed(listAt, reply, 'company.list'));
    expect([error.code, error.exitCode]).toEqual(['service.unreadable', 6]);
    expect(error.text.en).toContain(reason);
  });
});

test('a list with errors, and two lists without the right name, are refused', async () => {
  const server = await serve(
    json(200, { companies: [], errors: [{ message: 'no' }] }),
    json(200, { value: [], items: [{ id: 'a' }] }),
    json(200, [{ message: 'no' }]),
  );
  const { client } = bench(server.url);
  const codes: string[] = [];
  for (let time = 0; time < 3; time += 1) {
    codes.push((await thrown(client.call('company.list', { path: {} }))).code);
  }
  expect(codes).toEqual(Array(3).fill('service.unreadable'));
});

test('a bare array about another company is refused', async () => {
  const server = await serve(json(200, [{ accessKey: 'K1', company: { id: 'other' } }]));
  const { client } = bench(server.url);
  const error = await thrown(client.call('nfe.inbound.list', { path: { companyId: 'c' } }));
  expect([error.code, error.exitCode]).toEqual(['service.other_company', 10]);
});

test('a read recovers from a proxy page that is temporary', async () => {
  const server = await serve({ status: 200, body: '<html>' }, json(200, { companies: [], hasMore: false }));
  const { client } = bench(server.url);
  const answer = await client.call('company.list', { path: {} });
  expect([answer.attempts, answer.body]).toEqual([2, { companies: [], hasMore: false }]);
});

test('an unsafe write whose answer is not JSON is not sent again: its outcome is unknown', async () => {
  const server = await serve({ status: 201, body: '<html>' });
  const { client } = bench(server.url);
  const failure = await failureOf(client.call('webhook.create', { path: {}, body: { webHook: { uri: 'https://a' } } }));
  expect([failure.code, failure.facts.retryable, server.seen.length]).toEqual(['service.unreadable', false, 1]);
});

test('a 202 in plain text is accepted, and its Location is kept', async () => {
  const location = '/productinvoices/manifestation-events/ev-1';
  const server = await serve({ status: 202, headers: { 'content-type': 'text/plain', location }, body: 'accepted' });
  const { client } = bench(server.url);
  const answer = await client.call('nfe.manifestation.submit', {
    path: { accessKey: '35261111444777000161550010000000011000000014' },
    body: { eventCode: 210200, nSequencia: 1, detail: {} },
  });
  expect([server.seen.length, answer.status, answer.body]).toEqual([1, 202, undefined]);
  expect(answer.location).toContain('ev-1');
});

test('an invalid row is named by its number', async () => {
  const server = await serve(json(200, { companies: [{ id: 'a' }, null], hasMore: false }));
  const { client } = bench(server.url);
  const error = await thrown(client.call('company.list', { path: {} }));
  expect(error.text.en).toContain('row 2: it is not an object');
  expect(error.text.pt).toContain('linha 2: não é um objeto');
});

test('the text shows the request id and the first 200 characters, without secrets and control characters', async () => {
  const body = { secret: 'hunter2hunter2', note: `\u001b[31m${secret}`, cpf: '52998224725', rest: 'x'.repeat(500) };
  const server = await serve(json(200, body, { 'x-request-id': 'req-9' }));
  const { client } = bench(server.url);
  const error = await thrown(client.call('company.list', { path: {} }));
  const [, shown = ''] = error.text.en.split('it begins with ');
  expect(error.facts.requestId).toBe('req-9');
  expect(shown.length).toBe(201);
  expect(shown).toContain('\\u001b[31m***');
  for (const canary of ['hunter2', secret, '52998224725', '\u001b']) expect(error.text.en).not.toContain(canary);
});

test('a secret in a truncated body is masked too', async () => {
  const server = await serve({ status: 200, body: '{"webHook":{"secret":"hunter2hunter2hunt' });
  const { client } = bench(server.url);
  const error = await thrown(client.call('webhook.get', { path: { webhookId: 'w' } }));
  expect(error.text.en).toContain('"secret":"***"');
  expect(error.text.en).not.toContain('hunter2');
});

test('the credentials of a city hall in an answer that is not JSON are masked', async () => {
  const body = '{"municipalTax":{"loginPassword":"PWLEAK9",}';
  const server = await serve({ status: 200, body });
  const { client, lines } = bench(server.url);
  const error = await thrown(client.call('municipalTax.get', { path: { companyId: 'c', municipalTaxId: 'm' } }));
  expect(error.text.en).toContain('"loginPassword":"***"');
  expect(error.text.en + lines.join('\n')).not.toContain('PWLEAK9');
});

test('unknown fields and unknown statuses are accepted', async () => {
  const product = { id: 'p', status: 'Blessed', moon: { phase: 'full' } };
  const server = await serve(json(200, product));
  const { client } = bench(server.url);
  const path = { tenantId: 't', productId: 'p' };
  expect((await client.call('product.get', { path })).body).toEqual(product);
});

test('if only the status matters, the body may be anything but errors', async () => {
  const server = await serve({ status: 204 }, json(200, 'sent'), json(200, { errors: [{ message: 'no' }] }));
  const { client } = bench(server.url);
  const ping = async () => await client.call('webhook.ping', { path: { webhookId: 'w' } });
  const answers = [await ping(), await ping()];
  expect(answers.map(({ body, said }) => [body, said])).toEqual([
    [undefined, undefined],
    [undefined, 'sent'],
  ]);
  expect((await thrown(ping())).code).toBe('service.unreadable');
});

test.each([
  ['company.get', { companyId: 'c1' }, 'company', { id: 'c1', name: 'Padaria' }],
  ['company.update', { companyId: 'c1' }, 'company', { id: 'c1', name: 'Padaria' }],
  ['certificate.get', { companyId: 'c1', thumbprint: 'AB' }, 'certificate', { thumbprint: 'AB', status: 'Active' }],
] as const)('%s is read with and without its envelope', async (operation, path, envelope, thing) => {
  const server = await serve(json(200, { [envelope]: thing }), json(200, thing));
  const { client } = bench(server.url);
  const read = async () => (await client.call(operation, { path, body: {} } as never)).body;
  expect([await read(), await read()]).toEqual([{ [envelope]: thing }, { [envelope]: thing }]);
});

test('another company without an envelope is refused as well', async () => {
  const server = await serve(json(200, { id: 'other', name: 'Padaria' }));
  const { client } = bench(server.url);
  const error = await thrown(client.call('company.get', { path: { companyId: 'c1' } }));
  expect([error.code, error.exitCode]).toEqual(['service.other_company', 10]);
});

test('every operation has a shape, and no garbled answer matches that of a read', () => {
  expect(Object.keys(answerShapes).toSorted()).toEqual(Object.keys(operations).toSorted());
  const reads = Object.entries(operations).filter(([, { method }]) => method === 'GET');
  const shapes: Readonly<Record<string, { readonly is: string }>> = answerShapes;
  expect(reads.filter(([id]) => shapes[id]?.is === 'accepted')).toEqual([]);
});
