import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsOf, type Call } from '../claims/arguments.js';
import { hostOf, makeWorld } from '../claims/world.js';
import { operationsAt, testService } from '../conformance/service.js';
import { virtualClock } from '../jobs/virtual-clock.js';
import { type AnswerSchema, answerSchemas, identified } from '../published/answer-schemas.js';
import { giveEmptyStore } from '../support/empty-store.js';
import { runFiscal } from '../support/host.js';
import { startReplayingProxy, type Exchange, type ReplayingProxy } from '../support/replaying-proxy.js';
import { fuzz, removeHost } from './fuzz.js';
import { brokenRules, finish } from './rules.js';

/** The reads whose answers are generated, by the command that shows what came. */
const reads = new Set([
  'product get',
  'company get',
  'company list',
  'company registration get',
  'company registration get --kind municipal',
  'company registration list --kind municipal',
  'certificate list',
  'certificate list --company',
  'webhook get',
  'webhook list',
  'webhook events --types',
  'inbound capture show',
  'inbound capture show --listed',
  'inbound capture show --notices',
  'inbound list',
  'invoice list --model nfe',
  'invoice get --model nfe',
  'invoice events --model nfe',
  'invoice list --model nfce',
  'invoice get --model nfce',
  'invoice events --model nfce',
  'invoice list --model nfse',
  'invoice get --model nfse',
  'tax codes',
  'lookup cnpj',
  'lookup cpf',
  'lookup address',
  'lookup nfe',
]);

interface Recorded {
  readonly name: string;
  readonly call: Call;
  readonly exchanges: readonly Exchange[];
  readonly operation: string;
  readonly exchange: Exchange;
}

/** A field that the described output promises may be null here. */
const anyNull = { isServiceHostile: true };

const recorded: Recorded[] = [];
const service = testService({ validationDelayMs: 20 * 60_000 });
const taker = createServer((_incoming, outgoing) => outgoing.end());
let proxy: ReplayingProxy;

beforeAll(async () => {
  await new Promise<void>((resolve) => taker.listen(0, '127.0.0.1', resolve));
  const world = await makeWorld(service, `http://127.0.0.1:${(taker.address() as AddressInfo).port}`);
  proxy = await startReplayingProxy(service.ready().url);
  const calls: Readonly<Record<string, Call>> = {
    ...Object.fromEntries(
      Object.entries(callsOf(world)).flatMap(([name, call]) =>
        reads.has(name) && !('left' in call) ? [[name, call]] : [],
      ),
    ),
    'company registration list --kind state': { words: [] },
    'inbound list --type cte': { words: ['--all'] },
    'inbound list --type nfse': { words: ['--all'] },
    'inbound capture show --type cte': { words: [] },
    'inbound capture show --type nfse': { words: [] },
  };
  for (const [name, call] of Object.entries(calls)) {
    const answers = proxy.record();
    const clock = virtualClock(Date.now());
    const host = hostOf(call, { ready: service.ready(), url: proxy.url, clock });
    await runFiscal([...name.split(' '), ...call.words, '-o', 'json', '--no-input'], host);
    clock.stop();
    for (const exchange of answers()) {
      const [operation] = operationsAt(exchange.method, exchange.path);
      if (operation !== undefined && operation in answerSchemas)
        recorded.push({ name, call, exchanges: answers(), operation, exchange });
    }
  }
});

afterAll(async () => {
  await proxy.close();
  taker.closeAllConnections();
  taker.close();
});

/** The command that asks for least besides it. */
function usedFor(operation: string): Recorded | undefined {
  return recorded
    .filter((each) => each.operation === operation)
    .toSorted((one, other) => one.exchanges.length - other.exchanges.length)[0];
}

interface PublishedCase {
  readonly operation: string;
  readonly schema: number;
  readonly answer: unknown;
}

const cases: fc.Arbitrary<PublishedCase> = fc.oneof(
  ...Object.entries(answerSchemas).flatMap(([operation, schemas]) =>
    schemas.map(({ answer }, schema) =>
      fc.record({ operation: fc.constant(operation), schema: fc.constant(schema), answer }),
    ),
  ),
);

test('a command shows the answers of every read that has a schema', () => {
  expect([...new Set(recorded.map(({ operation }) => operation))].toSorted()).toEqual(
    Object.keys(answerSchemas).toSorted(),
  );
});

fuzz({
  kind: 'published',
  cases,
  corpus: [],
  runs: 2_000,
  async violations({ operation, schema, answer }) {
    const used = usedFor(operation);
    const described = answerSchemas[operation]?.[schema];
    if (used === undefined || described === undefined) throw new Error(`${operation} is not asked for`);
    const body = identified(answer, { path: used.exchange.path, companyId: service.ready().companyId });
    let isFirst = true;
    proxy.replay(used.exchanges, ({ path, headers }) => {
      if (path !== used.exchange.path) return undefined;
      const content = isFirst || described.list === undefined ? body : emptied(body, described);
      isFirst = false;
      return { status: 200, headers, body: JSON.stringify(content) };
    });
    const clock = virtualClock(Date.now());
    const host = hostOf(used.call, { ready: service.ready(), url: proxy.url, clock });
    giveEmptyStore(host);
    const argv = [...used.name.split(' '), ...used.call.words, '-o', 'json', '--no-input'];
    const finished = await finish(host, 'json', async () => await runFiscal(argv, host, anyNull));
    clock.stop();
    const broken = [
      ...brokenRules({ ...finished, isForeign: true }),
      ...(finished.exitCode === 0
        ? lostFrom(body, finished.stdout, described)
        : [`exit ${finished.exitCode}: ${finished.stderr}`]),
    ].map((rule) => `fiscal ${argv.join(' ')}: ${rule}`);
    removeHost(host);
    return broken;
  },
});

function rowsIn(body: unknown, [name]: readonly string[]): unknown {
  return name === undefined ? body : (body as Readonly<Record<string, unknown>>)[name];
}

/** The page behind the last one. */
function emptied(body: unknown, { list = [] }: AnswerSchema): unknown {
  const [name] = list;
  return name === undefined ? [] : { ...(body as object), [name]: [] };
}

/** What the answer says and the command does not: a row, or a field that only the next version knows. */
function lostFrom(body: unknown, stdout: string, { list }: AnswerSchema): readonly string[] {
  const shown: unknown = JSON.parse(stdout);
  // What stands beside the rows of a list is for its reader.
  const things = list === undefined ? body : rowsIn(body, list);
  if (Array.isArray(things)) {
    const printed = Array.isArray(shown) ? shown.length : Number.NaN;
    if (printed !== things.length) return [`${printed} of ${things.length} rows: ${stdout.slice(0, 300)}`];
  }
  const left = new Set(unknownIn(shown).map((each) => JSON.stringify(each)));
  return unknownIn(things)
    .filter((each) => !left.has(JSON.stringify(each)))
    .map((each) => `lost ${JSON.stringify(each)}`);
}

/** Each field of the next version with its value, at any depth. */
function unknownIn(value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) =>
    /^x[A-Z]/.test(name) ? [[name, each] as const] : unknownIn(each),
  );
}
