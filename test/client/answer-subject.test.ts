import { expect, test } from 'vitest';
import type { CallInput, Client } from '../../src/client/client.js';
import { answerShapes, repeatedFields, type AnswerShape } from '../../src/contract/answers.js';
import { operations, type OperationId } from '../../src/contract/operations.js';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import { bench } from './support/client.js';
import { json, serve } from './support/server.js';

const key = '35250530057049000141550010000280181030656857';
const ids = Object.keys(operations) as OperationId[];

/** One case for every field that an answer repeats, made of the table itself. */
const cases = ids.flatMap((id) =>
  (repeatedFields[id] ?? []).flatMap(({ asked, shown, in: place, when, of }) =>
    shown.map((field) => ({
      ...{ id, asked, field, place, isKey: when === 'key' || asked === 'accessKey' },
      code: of === 'company' ? 'service.other_company' : 'service.other_subject',
    })),
  ),
);

const numberOf = (isKey: boolean) => (isKey ? key : '12345678');
const otherThan = (word: string) => `9${word.slice(1)}`;

/** A request that names everything by the same word. */
function inputOf(id: OperationId, word: string): CallInput<OperationId> {
  const names = [...operations[id].path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const path = Object.fromEntries(names.map((name) => [name, word]));
  const body = {
    sku: word,
    accessKey: word,
    serie: word,
    beginNumber: word,
    lastNumber: word,
    authorizer: word,
    company: { federalTaxNumber: word },
    stateTax: { code: word, taxNumber: word, type: word },
    municipalTax: { taxNumber: word, city: { code: word } },
    webHook: { uri: word },
  };
  return { path, ...(operations[id].method === 'GET' ? {} : { body }) } as unknown as CallInput<OperationId>;
}

/** A readable answer of the operation in which one field holds the word. */
function answerOf(id: OperationId, field: string, word: string, place: 'rows' | undefined): unknown {
  const shape: AnswerShape = answerShapes[id];
  const entry = field.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), word);
  if (shape.is === 'list') {
    const row = Object.fromEntries((shape.rows ?? []).flat().map((name) => [name, 'x']));
    const list = shape.in[0] ?? '';
    return place === 'rows' ? { [list]: [{ ...row, ...(entry as object) }] } : { [list]: [], ...(entry as object) };
  }
  if (shape.is !== 'object') return entry;
  const needed = Object.fromEntries(shape.has.map((names) => [[names].flat().at(-1) ?? '', 'x']));
  const thing = { ...needed, ...(entry as object) };
  return shape.in === undefined ? thing : { [shape.in]: thing };
}

async function outcome(client: Client, id: OperationId, input: CallInput<OperationId>): Promise<unknown> {
  return await client.call(id, input).then(
    () => 'taken',
    (error: unknown) => (error instanceof FiscalError ? [error.code, error.exitCode] : error),
  );
}

test('the table covers more than thirty operations', () => {
  expect(new Set(cases.map(({ id }) => id)).size).toBeGreaterThan(30);
});

test.each(cases)('$id: an answer with another $field is exit 10', async ({ id, field, place, isKey, code }) => {
  const word = numberOf(isKey);
  const server = await serve(
    json(200, answerOf(id, field, otherThan(word), place)),
    json(200, answerOf(id, field, word, place)),
  );
  const hosts = { product: server.url, query: server.url, service: server.url };
  const { client } = bench(server.url, { settings: { hosts } });
  expect(await outcome(client, id, inputOf(id, word))).toEqual([code, 10]);
  expect(await outcome(client, id, inputOf(id, word))).toBe('taken');
  expect(server.seen).toHaveLength(2);
});

test('every read of one object named in its path repeats that name', () => {
  const unnamed = ids.filter((id) => {
    const shape: AnswerShape = answerShapes[id];
    const { method, path } = operations[id];
    const last = /\{(\w+)\}(?:\.\w+)?$/.exec(path)?.[1] ?? 'companyId';
    const isByOwner = last === 'companyId' || last === 'tenantId';
    return method === 'GET' && shape.is === 'object' && !isByOwner && repeatedFields[id] === undefined;
  });
  expect(unnamed).toEqual([]);
});

test('a different spelling, a masked value and an absent one are accepted', async () => {
  const server = await serve(
    json(200, { federalTaxNumber: 191, name: 'x' }),
    json(200, { federalTaxNumber: '***.456.789-**', name: 'x' }),
    json(200, { status: 'Active' }),
  );
  const { client } = bench(server.url);
  const taken = [
    await outcome(client, 'lookup.cnpj', { path: { numero: '00000000000191' } } as CallInput<OperationId>),
    await outcome(client, 'lookup.cpf', {
      path: { cpf: '12345678909', birthDate: '1990-01-01' },
    } as CallInput<OperationId>),
    await outcome(client, 'product.get', { path: { tenantId: 't', productId: 'p' } } as CallInput<OperationId>),
  ];
  expect(taken).toEqual(['taken', 'taken', 'taken']);
});

test('the error repeats no CPF', async () => {
  const server = await serve(json(200, { cpf: '52998224725', name: 'x' }));
  const call = bench(server.url).client.call('lookup.cpf', { path: { cpf: '11144477735', birthDate: '1990-01-01' } });
  const error: unknown = await call.catch((it: unknown) => it);
  if (!(error instanceof FiscalError)) throw new Error('the answer was taken');
  const shown = JSON.stringify([error.text, error.facts]);
  expect(shown).not.toMatch(/52998224725|11144477735/);
});
