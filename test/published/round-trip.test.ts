import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type Document, OpenAPIBackend } from 'openapi-backend';
import { type Document as ClientDocument, OpenAPIClientAxios } from 'openapi-client-axios';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/contract/operations.js';
import { callsOf, type Call, type World } from '../claims/arguments.js';
import { commandOf, loadCommands } from '../support/commands.js';
import { hostOf, makeWorld } from '../claims/world.js';
import { testService } from '../conformance/service.js';
import { virtualClock } from '../jobs/virtual-clock.js';
import { giveEmptyStore } from '../support/empty-store.js';
import { runFiscal } from '../support/host.js';
import { askedIn, startReplayingProxy, type Exchange, type ReplayingProxy } from '../support/replaying-proxy.js';
import { compareWithDescription } from './description.js';
import { publishedRequests, schemaOf } from './requests.js';

const service = testService();
/** Takes every delivery of a webhook. */
const taker = createServer((_incoming, outgoing) => outgoing.end());
let proxy: ReplayingProxy;
let world: World;
let definition: Definition;
let described: OpenAPIBackend;

/** The part of a description that is looked at here. */
interface Definition {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

interface Described {
  readonly operationId?: string;
  readonly 'x-also'?: readonly string[];
}

interface Recorded extends Exchange {
  readonly command: string;
  /** The id of its operation, or its address. */
  readonly operation: string;
}
let exchanges: readonly Recorded[] = [];

/** What the table of commands leaves out: other families and other flags. */
function otherCalls(): readonly (readonly [string, Call])[] {
  const { companyId, emptyCompanyId, nfeKeys, cteKey, nfseKey, stateTaxId, samples } = world;
  const [first = '', second = ''] = nfeKeys;
  const bare = ['--company', emptyCompanyId, '--yes'];
  const from = ['--start-from-nsu', '12', '--start-from-date', '2026-01-01'];
  const lines: readonly (readonly [string, readonly string[]])[] = [
    ['inbound capture enable', ['--type', 'nfe', '--minutes-to-operation-confirmation', '90', ...from, ...bare]],
    ['inbound capture enable', ['--type', 'cte', ...from, ...bare]],
    ['inbound capture enable', ['--type', 'nfse', '--webhook-url', 'https://a.invalid/', ...from, ...bare]],
    ['inbound capture update', ['--type', 'nfe', '--environment', 'Test', ...bare]],
    ['inbound capture update', ['--type', 'nfse', '--automatic-manifestation', 'true', ...bare]],
    ['inbound capture disable', ['--type', 'cte', ...bare]],
    ['inbound capture disable', ['--type', 'nfse', ...bare]],
    ['inbound capture run', ['--from-nsu', '3', '--yes']],
    ['inbound reprocess', [first, '--webhook']],
    ['inbound reprocess', [nfseKey, '--webhook']],
    ['inbound get', [first, '--content']],
    ['inbound get', [nfseKey, '--content']],
    ['inbound get', [nfseKey]],
    ['inbound pdf', [nfseKey, '--out', 'a.pdf']],
    ['inbound pdf', [cteKey]],
    ['lookup nfe', [first, '--xml', '--out', 'a.xml']],
    ['lookup nfe', [first, '--pdf', '--out', 'a.pdf']],
    ['lookup nfe', [first, '--events']],
    ['manifestation submit', [nfseKey, '--event', 'reject', '--reason', '3', '--yes']],
    ['manifestation get', [nfseKey, '--event', 'reject']],
  ];
  const below = ['nfe', 'nfce'].map((model): readonly [string, Call] => [
    `invoice issue --model ${model}`,
    {
      words: ['--file', 'body.json', '--external-id', `BELOW-${model}`, '--state-tax', stateTaxId, '--yes'],
      files: { 'body.json': samples[model] ?? '' },
    },
  ]);
  const path = `/v2/companies/${companyId}/inbound/${second}/manifest?tpEvent=210240`;
  const replaced: readonly [string, Call] = [
    'api',
    {
      words: ['POST', path, '--host', 'service', '--data-file', 'why.json'],
      files: { 'why.json': '{"justification":"Operação desconhecida"}' },
    },
  ];
  return [...lines.map(([command, words]): readonly [string, Call] => [command, { words }]), ...below, replaced];
}

/** Every command once, in the order of the table, with what it sent and got. */
beforeAll(async () => {
  await new Promise<void>((resolve) => taker.listen(0, '127.0.0.1', resolve));
  proxy = await startReplayingProxy(service.ready().url);
  world = await makeWorld(service, `http://127.0.0.1:${(taker.address() as AddressInfo).port}`);
  // The invoices of the world are issued then.
  await service.control('POST', 'clock', { advance: '5m' });
  const all: (Exchange & { readonly command: string })[] = [];
  for (const [command, call] of [...otherCalls(), ...(await commandsThatAsk())]) {
    const answers = proxy.record();
    await runAgainst(proxy.url, command, call);
    all.push(...answers().map((exchange) => ({ command, ...exchange })));
  }
  const { stdout } = await runFiscal(['schema', '--openapi', '-o', 'json']);
  definition = JSON.parse(stdout) as Definition;
  described = new OpenAPIBackend({
    definition: structuredClone(definition) as unknown as Document,
    coerceTypes: true,
    // `openapi.test.ts` checks the schemas themselves; code that runs a few times need not be optimized.
    ajvOpts: { strict: false, validateSchema: false, code: { optimize: false } },
    customizeAjv: (ajv) => addFormats.default(ajv),
    // Its own check of a description knows 3.0 only.
    quick: true,
  });
  await described.init();
  exchanges = all.map((exchange) => ({ ...exchange, operation: operationOf(exchange) }));
});

async function commandsThatAsk(): Promise<readonly (readonly [string, Call])[]> {
  const commands = await loadCommands();
  return Object.entries(callsOf(world)).flatMap(([command, call]) =>
    'left' in call || !commands.has(commandOf(command)) ? [] : [[command, call] as const],
  );
}

async function runAgainst(url: string, command: string, call: Call): Promise<void> {
  const clock = virtualClock(Date.now());
  const argv = [...command.split(' '), ...call.words, '-o', 'json', '--no-input'];
  const host = hostOf(call, { ready: service.ready(), url, clock });
  giveEmptyStore(host);
  await runFiscal(argv, host);
  clock.stop();
}

afterAll(async () => {
  await proxy.close();
  taker.closeAllConnections();
  taker.close();
});

function requestOf({ method, path, request }: Exchange) {
  const isJson = request.contentType.startsWith('application/json') && request.body !== '';
  return {
    ...{ method, path, query: Object.fromEntries(request.query) },
    headers: request.idempotencyKey === undefined ? {} : { 'idempotency-key': request.idempotencyKey },
    ...(isJson ? { body: JSON.parse(request.body) as object } : {}),
  };
}

function operationOf(exchange: Exchange): string {
  return described.router.matchOperation(requestOf(exchange))?.operationId ?? `${exchange.method} ${exchange.path}`;
}

function said(errors: readonly ErrorObject[] | null | undefined): readonly string[] {
  return (errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** The operations of the table that none of `met` stands for: several may share an address. */
function unmet(met: ReadonlySet<string>): readonly string[] {
  const rows = Object.values(definition.paths).flatMap((item) => Object.values(item));
  const also = rows.flatMap((row) => (met.has(row.operationId ?? '') ? (row['x-also'] ?? []) : []));
  return Object.keys(operations).filter((id) => !met.has(id) && !also.includes(id));
}

/** What the exchanges violate, each once. */
function violations(find: (exchange: Recorded) => readonly string[]): readonly string[] {
  const found = exchanges.flatMap((exchange) =>
    find(exchange).map((each) => `${exchange.command}: ${exchange.operation} ${each}`),
  );
  return [...new Set(found)];
}

/** The probe of a bare connection is no request of the service. */
const isProbe = ({ method, path }: Exchange): boolean => method === 'HEAD' && path === '/';

test('every body that a command sends is the published one', () => {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv);
  const published = new Map(
    Object.entries(publishedRequests).map(([id, notation]) => [id, ajv.compile(schemaOf(notation))]),
  );
  const sent = new Set<string>();
  const wrong = violations((exchange) => {
    const { body } = requestOf(exchange);
    if (body === undefined) return [];
    const validate = published.get(exchange.operation);
    if (validate === undefined) return ['has no published body'];
    sent.add(exchange.operation);
    return validate(body) ? [] : said(validate.errors);
  });
  expect(wrong).toEqual([]);
  expect(Object.keys(publishedRequests).filter((id) => !sent.has(id))).toEqual([]);
});

describe('a validator made from the OpenAPI description', () => {
  test('accepts every request of every command', () => {
    const wrong = violations((exchange) => {
      const request = requestOf(exchange);
      if (isProbe(exchange) || exchange.request.contentType.startsWith('multipart/')) return [];
      const operation = described.router.matchOperation(request);
      if (operation === undefined) return ['is unknown'];
      return said(described.validator.validateRequest(request, operation).errors);
    });
    expect(wrong).toEqual([]);
  });

  test('accepts every answer of the sandbox', () => {
    const compare = compareWithDescription();
    expect(violations((exchange) => compare({ ...exchange, text: String(exchange.body) }))).toEqual([]);
  });

  test('meets every operation', () => {
    expect(unmet(new Set(exchanges.map(({ operation }) => operation)))).toEqual([]);
  });
});

describe('a mock server made from the OpenAPI description', () => {
  const wrong: string[] = [];
  const met = new Set<string>();
  const mock = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming;
      const { searchParams: query, pathname: path } = new URL(url, 'http://mock');
      const request = { query, ...askedIn(headers), body: Buffer.concat(chunks).toString() };
      const { status, body } = answerTo({ method, path, status: 0, headers: {}, body: '', request });
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
  });

  /** Refuses what does not fit the description, and answers with the example of it that the sandbox gave. */
  function answerTo(exchange: Exchange): { readonly status: number; readonly body?: string } {
    const request = requestOf(exchange);
    const operation = described.router.matchOperation(request);
    if (operation?.operationId === undefined) return { status: 404, body: '{}' };
    met.add(operation.operationId);
    const isForm = exchange.request.contentType.startsWith('multipart/');
    const errors = isForm ? [] : [...said(described.validator.validateRequest(request, operation).errors)];
    wrong.push(...errors.map((each) => `${operation.operationId} ${each}`));
    if (errors.length > 0) return { status: 400, body: '{}' };
    const fitting = exchanges.filter((each) => each.status < 300 && each.operation === operation.operationId);
    const known = fitting.find(({ path }) => path === exchange.path) ?? fitting[0];
    const code = String(known?.status ?? 200);
    const responses = operation.responses as Record<string, { content?: Record<string, { example?: unknown }> }>;
    const media = responses[code]?.content?.['application/json'];
    if (media !== undefined && typeof known?.body === 'string' && known.body !== '')
      media.example = JSON.parse(known.body);
    const { status, mock: body } = described.mockResponseForOperation(operation.operationId, { code: Number(code) });
    return status === 204 || known?.body === '' ? { status } : { status, body: JSON.stringify(body) };
  }

  beforeAll(() => new Promise<void>((resolve) => void mock.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    mock.closeAllConnections();
    mock.close();
  });

  test('is sent by every command what it accepts', async () => {
    const url = `http://127.0.0.1:${(mock.address() as AddressInfo).port}`;
    for (const [command, call] of [...otherCalls(), ...(await commandsThatAsk())]) await runAgainst(url, command, call);
    expect([...new Set(wrong)]).toEqual([]);
    // To the program, a company whose settings the mock shows has enabled them already.
    expect(unmet(met)).toEqual(['nfe.inbound.enable', 'cte.inbound.enable', 'nfse.inbound.enable']);
  });
});

describe('a client made from the OpenAPI description', () => {
  const other = testService();
  let there: World;
  /** The last answer of each operation. */
  const answers = new Map<string, unknown>();

  /** The invoices of this world have neither a letter nor a cancellation nor a rejection. */
  const absent = new Set([
    ...['nfe.letter.xml', 'nfe.letter.pdf', 'nfse.cancellation.xml'],
    ...['nfe.rejection.xml', 'nfce.rejection.xml'],
  ]);

  /** No invoice of this world has failed. */
  const issuedOnly = 'nfe.disableInvoice';

  test('calls every operation of the sandbox with success', async () => {
    there = await makeWorld(other, world.receiverUrl);
    await other.control('POST', 'clock', { advance: '5m' });
    const api = new OpenAPIClientAxios({
      definition: structuredClone(definition) as unknown as ClientDocument,
      quick: true,
    });
    const client = await api.init();
    const refused: string[] = [];
    const first = api.getOperations().filter((each) => !('x-same-as' in each));
    const all = first.toSorted((one, two) => turnOf(one) - turnOf(two));
    for (const { operationId = '', parameters = [], method } of all) {
      const names = parameters.flatMap((each) => ('name' in each && each.required === true ? [each.name] : []));
      const values = valuesFor(operationId);
      const given = Object.fromEntries(names.map((name) => [name, String(values[name])]));
      const key = operationId.startsWith('lookup.') ? other.ready().dataKey : other.ready().invoiceKey;
      const { status, data } = (await client[operationId]?.(given, bodyFor(operationId), {
        ...{ baseURL: other.ready().url, headers: { Authorization: key } },
        ...{ validateStatus: () => true, maxRedirects: 0 },
      })) as { readonly status: number; readonly data: unknown };
      answers.set(operationId, data);
      const operation = described.router.getOperation(operationId);
      const isUsual = status === 404 ? absent.has(operationId) : status === 409 && operationId === issuedOnly;
      if (status >= 400 && !isUsual)
        refused.push(`${method} ${operationId} ${status} ${JSON.stringify({ given, data })}`);
      else if (operation !== undefined && typeof data === 'object') {
        const { errors } = described.validator.validateResponse(data, operation, status);
        refused.push(...said(errors).map((each) => `${operationId} ${each}`));
      }
    }
    expect(refused).toEqual([]);
  });

  /** What others read is made first, and what is read is deleted last. */
  function turnOf({ operationId = '', method }: { readonly operationId?: string; readonly method: string }): number {
    const first = ['certificate.upload', 'nfse.manifestation.submit'];
    return first.includes(operationId) ? 0 : 1 + ['get', 'post', 'put', 'delete'].indexOf(method);
  }

  function valuesFor(operationId: string): Readonly<Record<string, unknown>> {
    const [family = '', noun = ''] = operationId.split('.');
    const issued = { nfe: there.nfeId, nfce: there.nfceId, nfse: there.nfseInvoiceId }[family] ?? there.invoiceId;
    const nfeKey = operationId.startsWith('nfe.inbound.event') ? there.manifested : (there.nfeKeys[0] ?? '');
    const events: Readonly<Record<string, string>> = { nfe: there.eventId, nfse: idOf('nfse.manifestation.submit') };
    const ids: Readonly<Record<string, string | undefined>> = { manifestation: events[family], inbound: there.nfseId };
    return {
      ...there,
      'Idempotency-Key': operationId,
      ...{ numero: '29638438000181', cpf: '52998224725', birthDate: '1990-12-31', postalCode: '01310100' },
      ...{ list: 'operation-code', externalId: 'W-nfse', environment: 'Production', $filter: 'nsu ge 0' },
      ...{ tpEvent: 210200, eventCode: 203206, invoiceId: issued, id: ids[noun] ?? issued },
      ...{ accessKey: { cte: there.cteKey, nfse: there.nfseKey }[family] ?? nfeKey },
      ...{ idOrAccessKey: there.nfseKey, accessKeyOrNsu: nfeKey },
    };
  }

  function idOf(operationId: string): string {
    return (answers.get(operationId) as { readonly id?: string } | undefined)?.id ?? '';
  }

  /** The body that the program sent, with what differs here. */
  function bodyFor(operationId: string): object | undefined {
    if (operationId === 'certificate.upload') {
      const form = new FormData();
      form.append('file', new Blob([Buffer.from(there.pfx)]), 'a1.pfx');
      form.append('password', 'senha');
      return form;
    }
    const known = exchanges.find((each) => each.status < 300 && each.operation === operationId);
    const body = known === undefined ? undefined : requestOf(known).body;
    if (operationId === 'nfse.inbound.enable') return { ...body, companyId: there.emptyCompanyId };
    if (operationId !== 'company.update') return body;
    const { company } = answers.get('company.get') as { readonly company: { readonly federalTaxNumber: number } };
    return { company: { ...(body as { company: object }).company, federalTaxNumber: company.federalTaxNumber } };
  }
});
