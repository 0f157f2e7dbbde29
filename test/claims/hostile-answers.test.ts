import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { answerShapes, type AnswerShape } from '../../src/contract/answers.js';
import { virtualClock } from '../jobs/virtual-clock.js';
import { giveEmptyStore } from '../support/empty-store.js';
import { runFiscal } from '../support/host.js';
import { callsOf, type World } from './arguments.js';
import { hostOf } from './world.js';

const id = '5a1d6d5e-0f3c-4c6e-9b6f-0123456789ab';
const nfeKey = '35250530057049000141550010000280181030656857';
const cteKey = '35250530057049000141570010000280181030656851';
const nfseKey = '35503082211222333000181000000000000125055123456780';

/** Nearly three times as deep as any function of Node can call itself. */
const deep = `${'['.repeat(40_000)}${']'.repeat(40_000)}`;
const listFields = [
  ...new Set(Object.values(answerShapes).flatMap((shape: AnswerShape) => (shape.is === 'list' ? shape.in : []))),
];

/** Every list of every operation, with these rows. */
function lists(rows: readonly unknown[]): string {
  return JSON.stringify({ ...Object.fromEntries(listFields.map((field) => [field, rows])), hasMore: false });
}

const rows = [
  ...[null, 'text', 7, true, [], [null], {}],
  { id: null, accessKey: null, status: null, name: null },
  { id: {}, accessKey: [], status: 7, name: {} },
];

/** What a hostile service answers to every request. The matrix of claims has the small ones, such as `null` and nothing. */
const hostile: readonly { readonly name: string; readonly status: number; readonly body: string }[] = [
  { name: 'forty thousand arrays', status: 200, body: deep },
  { name: 'rows of every kind', status: 200, body: lists(rows) },
  { name: 'a deep field in an error', status: 422, body: `{"errors":[{"message":${deep}}]}` },
];

let answer: { readonly status: number; readonly body: string };
const server = createServer((incoming, outgoing) => {
  incoming.resume();
  outgoing.writeHead(answer.status, { 'content-type': 'application/json' });
  outgoing.end(answer.body);
});
let url: string;
let world: World;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sampleOf = async (...words: string[]) => (await runFiscal([...words, '--sample', '-o', 'json'])).stdout;
  world = {
    ...{ companyId: id, emptyCompanyId: id, tenantId: id, nfeKeys: [nfeKey, nfeKey, nfeKey], cteKey, nfseKey },
    ...{ nfseId: id, manifested: nfeKey, eventKey: id, productId: id, invoiceId: id, nfeId: id, nfceId: id },
    ...{ nfseInvoiceId: id, eventId: id, webhookId: id, receiverUrl: url, stateTaxId: id, municipalTaxId: id },
    ...{ thumbprint: 'A'.repeat(40), month: '2025-05', pfx: new Uint8Array() },
    samples: {
      general: await sampleOf('invoice', 'issue', '--model', 'general'),
      nfe: await sampleOf('invoice', 'issue', '--model', 'nfe'),
      nfce: await sampleOf('invoice', 'issue', '--model', 'nfce'),
      nfse: await sampleOf('invoice', 'issue', '--model', 'nfse'),
      tax: await sampleOf('tax', 'calculate'),
    },
  };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test.each(hostile)('$name in every answer is a defect of no command', async (body) => {
  answer = body;
  const keys = { invoiceKey: 'invoice-key', dataKey: 'data-key', tenantId: id, companyId: id };
  const defects: string[] = [];
  for (const [name, call] of Object.entries(callsOf(world))) {
    if ('left' in call) continue;
    const clock = virtualClock(Date.now());
    const host = hostOf(call, { ready: { url, ...keys } as never, url, clock });
    giveEmptyStore(host);
    const argv = [...name.split(' '), ...call.words, '-o', 'json', '--no-input'];
    const { exitCode, stderr } = await runFiscal(argv, host);
    if (exitCode === 1) defects.push(`${name}: ${stderr.slice(0, 300)}`);
  }
  expect(defects).toEqual([]);
});
