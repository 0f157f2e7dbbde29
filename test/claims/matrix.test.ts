import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommandDefinition } from '../../src/cli/command.js';
import { matchOperation } from '../../src/client/prepared.js';
import { commandOf, loadCommands } from '../support/commands.js';
import { answerShapes, type AnswerShape } from '../../src/contract/answers.js';
import type { HttpMethod } from '../../src/contract/operation.js';
import type { OperationId } from '../../src/contract/operations.js';
import { formatCnpj } from '../../src/domain/tax-number.js';
import { testService } from '../conformance/service.js';
import { virtualClock } from '../jobs/virtual-clock.js';
import { realClock } from '../support/clock.js';
import { giveEmptyStore } from '../support/empty-store.js';
import { runFiscal, type RunResult, type TestHost } from '../support/host.js';
import { startReplayingProxy, type Change, type Exchange, type ReplayingProxy } from '../support/replaying-proxy.js';
import { callsOf, type Call, type World } from './arguments.js';
import { hostOf, makeWorld } from './world.js';

/** What a broken service, a gateway or a proxy answers with a success. */
const garbage = {
  '{}': { status: 200, body: '{}' },
  null: { status: 200, body: 'null' },
  '[]': { status: 200, body: '[]' },
  text: { status: 200, body: 'hello' },
  'empty body': { status: 200, body: '' },
  '204': { status: 204, body: '' },
  errors: { status: 200, body: '{"errors":[{"message":"no"}]}' },
  '{"foo":1}': { status: 200, body: '{"foo":1}' },
} as const;
type Garbage = keyof typeof garbage;

const service = testService({ validationDelayMs: 20 * 60_000 });
/** Takes every delivery of a webhook. */
const taker = createServer((_incoming, outgoing) => outgoing.end());
const receiver = { url: '' };
let proxy: ReplayingProxy;
let world: World;
let commands: ReadonlyMap<string, CommandDefinition>;
/** What the service in order answered to each command, and how that ended. */
const plain = new Map<
  string,
  { readonly call: Call; readonly exchanges: readonly Exchange[]; readonly run: RunResult }
>();
const wrong: string[] = [];
const counts: Record<string, number> = {};
/** Pairs of an operation and an answer that is none of its garbage (`isGarbage`), and so not run. */
let pruned = 0;

function hostFor(call: Call, clock = realClock): TestHost {
  const host = hostOf(call, { ready: service.ready(), url: proxy.url, clock });
  giveEmptyStore(host);
  return host;
}

beforeAll(async () => {
  commands = await loadCommands();
  await new Promise<void>((resolve) => taker.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(taker.address() as AddressInfo).port}`;
  proxy = await startReplayingProxy(service.ready().url);
  world = await makeWorld(service, receiver.url);
  for (const [name, call] of Object.entries(callsOf(world))) {
    if ('left' in call || !commands.has(commandOf(name))) continue;
    const answers = proxy.record();
    const run = await runFiscal([...name.split(' '), ...call.words, '-o', 'json', '--no-input'], hostFor(call));
    plain.set(name, { call, exchanges: answers(), run });
  }
  // What the commands began has ended: a question below waits for nothing.
  await service.control('POST', 'clock', { advance: '1h' });
});

afterAll(async () => {
  await proxy.close();
  taker.closeAllConnections();
  taker.close();
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  process.stdout.write(
    `matrix of claims: ${total} cells ${JSON.stringify(counts)}; ${pruned} left out, whose answer is a right one\n`,
  );
});

/** One cell: a run against changed answers. It is wrong when it ends 0 though a changed answer reached it. */
async function cell(kind: string, name: string, how: { readonly change: Change; readonly offsetMs?: number }) {
  const known = plain.get(name);
  if (known === undefined) throw new Error(name);
  const { call, exchanges } = known;
  proxy.replay(exchanges, how.change);
  const clock = virtualClock(Date.now() + (how.offsetMs ?? 0));
  const argv = [...name.split(' '), ...call.words, '-o', 'json', '--no-input'];
  const host = hostFor(call, clock);
  const run = await runFiscal(argv, host);
  clock.stop();
  counts[kind] = (counts[kind] ?? 0) + 1;
  const lastChanged = proxy.asked.findLastIndex(({ isChanged }) => isChanged);
  // What a garbled write left behind may be found by a read of the service: then that is the evidence.
  const isWrite = proxy.asked[lastChanged]?.method !== 'GET';
  const wasFound = isWrite && proxy.asked.slice(lastChanged + 1).some(({ method }) => method === 'GET');
  return { ...run, host, wasChanged: lastChanged !== -1, wasFound };
}

const matched = new Map<string, OperationId | undefined>();

/** Compares an address with the templates of all operations once: the cells ask for the same ones again and again. */
function operationOf({ method, path }: Pick<Exchange, 'method' | 'path'>): OperationId | undefined {
  const address = `${method} ${path}`;
  if (!matched.has(address)) matched.set(address, matchOperation(method as HttpMethod, path, { paths: {} }));
  return matched.get(address);
}

/** The operations that a command used before the service in order, each once. */
function operationsOf(name: string): readonly OperationId[] {
  const used = plain.get(name)?.exchanges.map(operationOf) ?? [];
  return [...new Set(used.filter((id) => id !== undefined))];
}

/** Where the status says it all, only text and errors are no answer. This rule is stated in `contract/answers.ts`. */
function isGarbage(kind: Garbage, operation: OperationId): boolean {
  const shape: AnswerShape = answerShapes[operation];
  if (shape.is === 'accepted') return kind === 'text' || kind === 'errors';
  if (shape.is === 'object' && shape.or === 'no-body' && kind === '204') return false;
  if (shape.is === 'object' && shape.or === 'text' && kind === 'text') return true;
  // An empty array is an empty list where the list is published as a bare array.
  if (shape.is === 'list' && shape.bare === true && kind === '[]') return false;
  // Any object may be the JSON of a document: it is shown as it came, and nothing is said of it.
  const isFree = operation === 'nfse.inbound.json' || operation === 'nfe.inbound.json';
  return !(isFree && kind === '{"foo":1}');
}

test('every command has a line in the table, and every line a command', () => {
  const named = new Set(Object.keys(callsOf(world)).map(commandOf));
  expect([...named].toSorted()).toEqual([...commands.keys()].toSorted());
});

test('against a healthy service every command exits as the table says', () => {
  const others = [...plain].flatMap(([name, { call, run }]) =>
    run.exitCode === (call.ends ?? 0) ? [] : [`${name}: ${run.exitCode} ${run.stderr.slice(0, 400)}`],
  );
  expect(others).toEqual([]);
});

test('a row that names a company includes its name and CNPJ', () => {
  const rows = [...plain].flatMap(([name, { run }]) => companyRowsOf(run.stdout).map((row) => ({ name, row })));
  // It resolves no company, and this machine has seen none: no request is made only for a name.
  const unseen = 'inbound capture show --listed';
  expect(rows.filter(({ name, row }) => name !== unseen && !isNamed(row)).map(({ name }) => name)).toEqual([]);
  expect(rows.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['inbound sync', 'inbound close', 'status --check']),
  );
});

test('a question that names a company includes its name and CNPJ', async () => {
  const { name: companyName, federalTaxNumber } = JSON.parse(plain.get('company get')?.run.stdout ?? '{}') as {
    readonly name: string;
    readonly federalTaxNumber: string;
  };
  const asking: string[] = [];
  for (const [name, { call }] of plain) {
    if (!takesCompany(name)) continue;
    const words = call.words.filter(
      (word, at) => !['--yes', '--confirm'].includes(word) && call.words[at - 1] !== '--confirm',
    );
    proxy.guard();
    const { exitCode, stderr } = await runFiscal(
      [...name.split(' '), ...words, '-o', 'json', '--no-input'],
      hostFor(call),
    );
    counts['question'] = (counts['question'] ?? 0) + 1;
    if (exitCode !== 2 || !stderr.includes('usage.confirmation_required')) continue;
    asking.push(name);
    const isNamedThere = stderr.includes(companyName) && stderr.includes(formatCnpj(federalTaxNumber));
    if (!isNamedThere) wrong.push(`${name}: asks ${stderr.slice(0, 300)}`);
  }
  expect(wrong.splice(0)).toEqual([]);
  expect(asking).toEqual(
    expect.arrayContaining([
      'inbound fetch-by-key',
      'backfill release',
      'invoice cancel --model nfe',
      'certificate delete',
    ]),
  );
});

type Row = Readonly<Record<string, unknown>>;

function companyRowsOf(stdout: string): readonly Row[] {
  const ids = [world.companyId, world.emptyCompanyId];
  return rowsOf(stdout).filter(({ companyId }) => ids.some((id) => id === companyId));
}

function isNamed({ companyName, companyTaxNumber }: Row): boolean {
  return typeof companyName === 'string' && typeof companyTaxNumber === 'string';
}

/** The records of a list; a single thing is shown as the service gave it. */
function rowsOf(stdout: string): readonly Row[] {
  try {
    const data: unknown = JSON.parse(stdout);
    return Array.isArray(data) ? (data as readonly Row[]) : [];
  } catch {
    return [];
  }
}

test('no garbled answer leads to a success', async () => {
  for (const name of plain.keys()) {
    if (name === 'api') continue;
    for (const operation of operationsOf(name)) {
      for (const kind of Object.keys(garbage) as Garbage[]) {
        if (!isGarbage(kind, operation)) {
          pruned += 1;
          continue;
        }
        const change: Change = (exchange) =>
          operationOf(exchange) === operation && exchange.status < 300 ? garbage[kind] : undefined;
        const { exitCode, wasChanged, wasFound, stdout, host } = await cell('garbage', name, { change });
        if (wasChanged && ((exitCode === 0 && !wasFound && !saysNotKnown(name, host)) || exitCode === 1)) {
          wrong.push(`${name}: ${operation} answers ${kind}: ends ${exitCode} with ${stdout.slice(0, 120)}`);
        }
      }
    }
  }
  expect(wrong.splice(0)).toEqual([]);
});

/** The plan reads statistics only to know whether the key has a role, and says for each company that it does not. */
function saysNotKnown(name: string, host: TestHost): boolean {
  if (name !== 'backfill plan') return false;
  return readFileSync(join(host.cwd, 'plan.csv'), 'utf8').includes('it is unknown whether');
}

test('no answer about another company or tenant leads to a success', async () => {
  for (const name of plain.keys()) {
    if (name === 'api') continue;
    for (const operation of operationsOf(name)) {
      const change: Change = (exchange) => foreign(exchange, operation);
      if (!(plain.get(name)?.exchanges ?? []).some((exchange) => change(exchange, 0) !== undefined)) continue;
      const { exitCode, wasChanged, stdout, host } = await cell('foreign company', name, { change });
      if (wasChanged && ![3, 10, 13].includes(exitCode) && !saysNotKnown(name, host)) {
        wrong.push(`${name}: ${operation} answers for another: ends ${exitCode} with ${stdout.slice(0, 120)}`);
      }
    }
  }
  expect(wrong.splice(0)).toEqual([]);
});

test('an event that took effect for another company is recorded as such, shown, and never sent again', async () => {
  const name = 'manifestation submit';
  const { call, exchanges } = plain.get(name) ?? { call: { words: [] }, exchanges: [] };
  const clock = virtualClock(Date.now());
  const host = hostFor(call, clock);
  const submit = async () => {
    proxy.replay(exchanges, (exchange) => foreign(exchange, 'nfe.manifestation.submit'));
    const run = await runFiscal([...name.split(' '), ...call.words, '-o', 'json', '--no-input'], host);
    return {
      exitCode: run.exitCode,
      stderr: run.stderr,
      sent: proxy.asked.filter(({ method }) => method === 'POST').length,
    };
  };
  const [once, again] = [await submit(), await submit()];
  expect([once.exitCode, once.sent, again.exitCode, again.sent]).toEqual([10, 1, 10, 0]);
  expect(once.stderr).toContain('outcome.other_company');
  const jobs = JSON.parse((await runFiscal(['job', 'list', '-o', 'json'], host)).stdout) as { readonly id: string }[];
  const shown = JSON.parse((await runFiscal(['job', 'show', jobs[0]?.id ?? '', '-o', 'json'], host)).stdout) as object;
  expect(shown).toMatchObject({
    counts: { uncertain: 1, succeeded: 0 },
    uncertain: [
      {
        errorCode: 'service.other_company',
        errorMessage: expect.stringContaining(`is about company ${world.emptyCompanyId}`) as unknown,
      },
    ],
  });
});

/** The same answer with another company or tenant in it; `undefined` where it names none, or is not one of the operation. */
function foreign(exchange: Exchange, operation: OperationId): Partial<Exchange> | undefined {
  if (operationOf(exchange) !== operation || exchange.status >= 300 || typeof exchange.body !== 'string')
    return undefined;
  // These requests are about no company: the lists of the account, a new one, and invoices by the short way (§4).
  if (/^(?:company\.(?:list|create)|nfse\.inbound\.companies|invoice\.(?:create|get))$/.test(operation))
    return undefined;
  const body = exchange.body
    .replaceAll(`"companyId":"${world.companyId}"`, `"companyId":"${world.emptyCompanyId}"`)
    .replaceAll(`"company":{"id":"${world.companyId}"`, `"company":{"id":"${world.emptyCompanyId}"`)
    .replaceAll(`"tenantId":"${world.tenantId}"`, '"tenantId":"another-tenant"');
  return body === exchange.body ? undefined : { body };
}

test('a list that ends after its first page never leads to a success', async () => {
  for (const name of plain.keys()) {
    if (name === 'api') continue;
    for (const operation of operationsOf(name)) {
      const shape: AnswerShape = answerShapes[operation];
      if (
        shape.is !== 'list' ||
        !/company\.list|nfc?e\.list|nfse\.list|companies$|tax\.codes|nfse\.inbound\.list/.test(operation)
      )
        continue;
      const change: Change = (exchange, turn) => {
        if (operationOf(exchange) !== operation || typeof exchange.body !== 'string') return undefined;
        const data = JSON.parse(exchange.body) as Record<string, unknown>;
        const list = shape.in.find((field) => Array.isArray(data[field])) ?? '';
        const more = { hasMore: true, totalPages: 9, totalResults: 999 };
        return { body: JSON.stringify({ ...data, ...more, ...(turn === 0 ? {} : { [list]: [] }) }) };
      };
      const { exitCode, wasChanged, stdout } = await cell('list cut', name, { change });
      const wasFollowed = proxy.asked.filter((asked) => operationOf(asked) === operation).length > 1;
      if (wasChanged && wasFollowed && (exitCode === 0 || exitCode === 1)) {
        wrong.push(`${name}: ${operation} breaks off: ends ${exitCode} with ${stdout.slice(0, 120)}`);
      }
    }
  }
  expect(wrong.splice(0)).toEqual([]);
});

test('an unknown company leads to no request and no claim', async () => {
  for (const name of plain.keys()) {
    if (!takesCompany(name)) continue;
    const run = await guarded('unknown company', name, 'no-such-company');
    const writes = run.asked.filter(({ method }) => method !== 'GET');
    if (writes.length > 0) wrong.push(`${name}: sends ${writes[0]?.method} ${writes[0]?.path}`);
    if (run.exitCode === 0 || run.exitCode === 1)
      wrong.push(`${name}: ends ${run.exitCode} with ${run.stdout.slice(0, 120)}`);
  }
  expect(wrong.splice(0)).toEqual([]);
});

test('two companies are both processed, or refused', async () => {
  for (const name of plain.keys()) {
    if (!takesCompany(name)) continue;
    const both = [world.companyId, world.emptyCompanyId];
    const run = await guarded('two companies', name, both.join(','));
    const odd = run.asked.filter(
      ({ path }) => path.includes(encodeURIComponent(both.join(','))) || path.includes(both.join(',')),
    );
    if (odd.length > 0) wrong.push(`${name}: asks for ${odd[0]?.path}`);
    if (run.exitCode === 1) wrong.push(`${name}: ends 1`);
    if (!companyRowsOf(run.stdout).every(isNamed)) wrong.push(`${name}: shows an id without its name`);
    if (run.exitCode !== 0) continue;
    const isSilent = both.some((id) => !run.asked.some(({ path }) => path.includes(id)) && !run.stdout.includes(id));
    if (isSilent) wrong.push(`${name}: ends 0 and is silent about one: ${run.stdout.slice(0, 120)}`);
  }
  expect(wrong.splice(0)).toEqual([]);
});

test('a company without capture and documents is never complete, and never gets rows of another company', async () => {
  const host = hostFor({ words: [] });
  proxy.guard();
  await runFiscal(['inbound', 'sync', '--archive', join(host.cwd, 'notas'), '--no-input'], host);
  for (const [name, { call }] of plain) {
    if (!takesCompany(name)) continue;
    for (const kind of ['no capture, empty world', 'store with another company’s rows'] as const) {
      const on = kind === 'no capture, empty world' ? hostFor(call) : withFiles(host, call);
      const run = await guarded(kind, name, world.emptyCompanyId, on);
      if (run.exitCode === 1) wrong.push(`${name}: ends 1: ${run.stderr.slice(0, 200)}`);
      const claims =
        run.exitCode === 0 && /"verdict":\s*"complete"|"state":\s*"(?:complete|succeeded)"/.test(run.stdout);
      if (claims) wrong.push(`${name} (${kind}): claims ${run.stdout.slice(0, 200)}`);
      const isTyped = (key: string): boolean =>
        call.words.includes(key) || JSON.stringify(call.files ?? {}).includes(key);
      const leaked = world.nfeKeys.find((key) => !isTyped(key) && run.stdout.includes(key));
      if (leaked !== undefined) wrong.push(`${name} (${kind}): shows ${leaked} of another company`);
      const foreignWrite = run.asked.find(({ method, path }) => method !== 'GET' && path.includes(world.companyId));
      if (foreignWrite !== undefined) wrong.push(`${name} (${kind}): writes ${foreignWrite.path}`);
    }
  }
  expect(wrong.splice(0)).toEqual([]);
});

test('a clock that is two hours off changes no exit code', async () => {
  for (const [name, { run: before, exchanges }] of plain) {
    if (exchanges.length === 0) continue;
    for (const hours of [-2, 2]) {
      const how = { change: () => undefined, offsetMs: hours * 3_600_000 };
      const { exitCode, stderr } = await cell('clock off', name, how);
      // It is asked for just this, and tells it.
      const isExpected = name === 'doctor' && exitCode === 13;
      if (exitCode !== before.exitCode && !isExpected)
        wrong.push(`${name} (${hours} h): ends ${exitCode}, not ${before.exitCode}: ${stderr.slice(0, 200)}`);
    }
  }
  expect(wrong.splice(0)).toEqual([]);
});

/** A command whose help says that it works on a company, and that asks the service about it. */
function takesCompany(name: string): boolean {
  const { scope = [], modelWithoutCompany } = commands.get(commandOf(name)) ?? {};
  return scope.includes('company') && !name.endsWith(`--model ${modelWithoutCompany}`);
}

function withFiles(host: TestHost, call: Call): TestHost {
  for (const [name, content] of Object.entries(call.files ?? {})) writeFileSync(join(host.cwd, name), content);
  return host;
}

/** A run against the service itself, of which writes are kept away. */
async function guarded(kind: string, name: string, company: string, on?: TestHost) {
  const call = plain.get(name)?.call ?? { words: [] };
  proxy.guard();
  const words = call.words.map((word) => (word === world.companyId ? company : word));
  const argv = [...name.split(' '), ...words, '--company', company, '-o', 'json', '--no-input'];
  const run = await runFiscal(argv, on ?? hostFor(call));
  counts[kind] = (counts[kind] ?? 0) + 1;
  return { ...run, asked: proxy.asked };
}
