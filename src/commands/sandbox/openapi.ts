import { answerShapes, type AnswerShape, type NeededFields } from '../../contract/answers.js';
import type { HostName, Operation } from '../../contract/operation.js';
import { operations } from '../../contract/operations.js';

type Json = Readonly<Record<string, unknown>>;
type Row = Operation & { readonly id: string };

/** Any JSON: the table knows no more of it. */
const anything: Json = {};

/**
 * An OpenAPI 3.1 description of the operations table. It knows what the table knows: of bodies that is little, so that
 * most schemas take any JSON.
 */
export function openApiDocument(): Json {
  const rows = Object.entries<Operation>(operations).map(([id, row]) => ({ id, ...row }));
  const paths = groupBy(rows, ({ path }) => path.replaceAll(/\{\w+\}/g, '{}'));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fiscal documents',
      version: '1',
      description: 'Generated from the operations that fiscal and its sandbox know.',
    },
    paths: Object.fromEntries([...paths.values()].map(pathItem)),
    components: { securitySchemes },
  };
}

/** Rows whose paths differ only in the names of parameters are one path in OpenAPI; the first row names it. */
function pathItem(rows: readonly Row[]): readonly [string, Json] {
  const path = rows[0]?.path ?? '/';
  const byMethod = groupBy(rows, ({ method }) => method.toLowerCase());
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: 'path', required: true },
    schema: { type: 'string' },
  }));
  const methods = [...byMethod].map(([method, same]) => [method, operationObject(same)] as const);
  return [path, { ...(parameters.length === 0 ? {} : { parameters }), ...Object.fromEntries(methods) }];
}

/** The operation of one method and path. Where several share it, each later id stands in `x-also`. */
function operationObject([row, ...others]: readonly Row[]): Json {
  if (row === undefined) return {};
  return {
    operationId: row.id,
    summary: [row, ...others].map(({ summary }) => summary.en).join('; '),
    servers: [serverOf(row.host)],
    security: securityOf(row),
    ...bodyOf(row),
    responses: responsesOf([row, ...others]),
    'x-mark': row.mark,
    'x-billed': row.billed,
    'x-replay': row.replay,
    ...(row.role === null ? {} : { 'x-role': row.role }),
    ...(others.length === 0 ? {} : { 'x-also': others.map(({ id }) => id) }),
  };
}

/** The default is this machine, so that no generated client meets a real service by mistake. */
function serverOf(host: HostName): Json {
  const description = 'The sandbox answers every host at the address that "fiscal sandbox start" prints.';
  return {
    url: `{${host}}`,
    description: `Host ${host}`,
    variables: { [host]: { default: 'http://127.0.0.1:8080', description } },
  };
}

const header = { type: 'apiKey', in: 'header', name: 'Authorization' };
const query = { type: 'apiKey', in: 'query', name: 'apikey' };
const securitySchemes: Json = {
  invoiceKey: { ...header, description: 'The key for invoices, as it is' },
  dataKey: { ...header, description: 'The key for data, as it is' },
  invoiceKeyInQuery: { ...query, description: 'The key for invoices' },
  dataKeyInQuery: { ...query, description: 'The key for data' },
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
};

function securityOf({ key, queryKey }: Row): readonly Json[] {
  return [{ [`${key}Key`]: [] }, ...(queryKey ? [{ [`${key}KeyInQuery`]: [] }] : []), { bearer: [] }];
}

function bodyOf({ method, form }: Row): Json {
  if (method === 'GET' || method === 'DELETE') return {};
  const type = form === true ? 'multipart/form-data' : 'application/json';
  return { requestBody: { required: false, content: { [type]: { schema: anything } } } };
}

function responsesOf(rows: readonly Row[]): Json {
  const statuses = new Set(rows.flatMap(({ success }) => success));
  const successes = [...statuses].map((status) => {
    const answering = rows.filter(({ success }) => success.includes(status));
    return [String(status), { description: 'Success', ...contentOf(answering, status) }] as const;
  });
  return {
    ...Object.fromEntries(successes),
    default: { description: 'Refusal', content: { 'application/json': { schema: anything } } },
  };
}

function contentOf(rows: readonly Row[], status: number): Json {
  if (status === 204) return {};
  const shapes: Readonly<Record<string, AnswerShape>> = answerShapes;
  const known = rows.map(({ id }) => shapes[id]).filter((shape) => shape !== undefined);
  const bytes = known.find((shape) => shape.is === 'bytes');
  if (bytes !== undefined && status === 200) return { content: { [`application/${bytes.form}`]: {} } };
  const schemas = known.map((shape) => (status === 200 ? schemaOf(shape) : anything));
  const schema = schemas.length === 1 ? schemas[0] : { anyOf: schemas };
  return { content: { 'application/json': { schema } } };
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
  const [only = anything] = schemas;
  return schemas.length === 1 ? only : { anyOf: schemas };
}

function groupBy<Value>(values: readonly Value[], keyOf: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value)) ?? [];
    groups.set(keyOf(value), [...group, value]);
  }
  return groups;
}
