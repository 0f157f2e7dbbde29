import { answerShapes, type AnswerShape, type NeededFields } from '../../contract/answers.js';
import type { Operation } from '../../contract/operation.js';
import type { OperationId } from '../../contract/operations.js';
import { requestSchemas } from '../../contract/request-schemas.js';
import { listOf, open, type Schema, text } from '../../contract/schema.js';

export type Json = Readonly<Record<string, unknown>>;
export type Row = Operation & { readonly id: string };

/** Any JSON: the table knows no more of it. */
const anything: Json = {};

const schemas: Partial<Readonly<Record<string, Schema>>> = requestSchemas;

/** A body that may be left out: the service document or the public record knows the operation without it. */
const optional: readonly OperationId[] = [
  ...(['nfe.manifestation.legacy', 'nfe.inbound.enable', 'cte.inbound.enable'] as const),
  'nfse.fetchNow',
];

export function requestBodyOf({ id, form }: Row): Json {
  if (form === true) {
    const parts = {
      type: 'object',
      required: ['file', 'password'],
      properties: { file: {}, password: text },
    };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema: parts } } } };
  }
  if (schemas[id] === undefined) return {};
  const isOptional = optional.some((each) => each === id);
  const schema = { $ref: `#/components/schemas/${nameOf(id)}` };
  return { requestBody: { required: !isOptional, content: { 'application/json': { schema } } } };
}

/** `nfe.issue` is `NfeIssue`. Operations with the same body share the name of the first. */
function nameOf(id: string): string {
  const first = Object.keys(schemas).find((each) => schemas[each] === schemas[id]) ?? id;
  return first.replaceAll(/(?:^|\.)(\w)/g, (_all, letter: string) => letter.toUpperCase());
}

/** The error body of §7. */
const refusal = open(
  {
    error: open(
      {
        ...{ code: text, message: text, requestId: text },
        details: listOf(open({ field: text, message: text }, 'field message')),
      },
      'code message',
    ),
  },
  'error',
);

/** The named schemas and answers that the operations refer to. */
export function componentsOf(rows: readonly Row[]): Json {
  const bodies = rows.flatMap(({ id }) => (schemas[id] === undefined ? [] : [[nameOf(id), schemas[id]]]));
  const refused = { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } };
  return {
    schemas: { Refusal: refusal, ...Object.fromEntries(bodies) },
    responses: { Refusal: { description: 'Refused (§7)', content: refused } },
  };
}

export function responsesOf(rows: readonly Row[]): Json {
  const statuses = new Set(rows.flatMap(({ success }) => success));
  const successes = [...statuses].map((status) => {
    const answering = rows.filter(({ success }) => success.includes(status));
    return [String(status), { description: 'Success', ...contentOf(answering, status) }] as const;
  });
  const isDocument = rows.some(({ id }) => shapes[id]?.is === 'bytes');
  return {
    ...Object.fromEntries(successes),
    ...(isDocument ? { '302': redirect } : {}),
    '4XX': { $ref: '#/components/responses/Refusal' },
    '5XX': { $ref: '#/components/responses/Refusal' },
  };
}

const shapes: Readonly<Record<string, AnswerShape>> = answerShapes;

/** The bytes of a document may be at another address (public). */
const redirect: Json = {
  description: 'The address of the bytes',
  headers: { Location: { required: true, schema: text } },
};

/** JSON with the address of the bytes, in one of three fields (public). */
const byteAddress: Json = {
  type: 'object',
  anyOf: ['url', 'uri', 'publicTemporaryUri'].map((name) => fieldWith(name, { type: 'string' })),
};

function contentOf(rows: readonly Row[], status: number): Json {
  if (status === 204) return {};
  const known = rows.map(({ id }) => shapes[id]).filter((shape) => shape !== undefined);
  const bytes = known.find((shape) => shape.is === 'bytes');
  if (bytes !== undefined && status === 200) {
    return {
      content: { [`application/${bytes.form}`]: {}, 'application/json': { schema: byteAddress } },
    };
  }
  const schemas = known.map((shape) => (status === 200 ? schemaOf(shape) : anything));
  return { content: { 'application/json': { schema: oneOrMore(schemas) } } };
}

function schemaOf(shape: AnswerShape): Json {
  if (shape.is === 'object') {
    const bare = objectWith(shape.has);
    const wrapped = shape.in === undefined ? [] : [fieldWith(shape.in, bare)];
    const text = shape.or === 'text' ? [{ type: 'string' }] : [];
    return oneOrMore([...wrapped, bare, ...text]);
  }
  if (shape.is !== 'list') return anything;
  const list = { type: 'array', items: shape.rows === undefined ? anything : objectWith(shape.rows) };
  return oneOrMore([...shape.in.map((field) => fieldWith(field, list)), list]);
}

function fieldWith(name: string, schema: Json): Json {
  return { type: 'object', required: [name], properties: { [name]: schema } };
}

function objectWith(has: NeededFields): Json {
  const needed = has.map((entry) =>
    typeof entry === 'string'
      ? { required: [entry] }
      : { anyOf: entry.map((name) => ({ required: [name] })) },
  );
  return { type: 'object', ...(needed.length === 0 ? {} : { allOf: needed }) };
}

function oneOrMore(schemas: readonly Json[]): Json {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [only = anything] = different;
  return different.length === 1 ? only : { anyOf: different };
}
