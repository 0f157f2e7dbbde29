import { answerShapes, type AnswerShape, type NeededFields } from '../contract/answers.js';
import type { HostName, Operation } from '../contract/operation.js';
import { type OperationId, operations, pathsOf } from '../contract/operations.js';
import { type QueryParameters, queryParameters } from '../contract/query-parameters.js';
import { requestSchemas } from '../contract/request-schemas.js';
import { listOf, open, type Schema, text, wholeFrom } from '../contract/schema.js';

/**
 * An OpenAPI 3.1 description of the operations table: parameters, bodies, keys and refusals of each. Of answers it says
 * what an answer must have.
 */
export function openApiDocument(): Json {
  const rows = Object.keys(operations).flatMap(rowsOf);
  const paths = groupBy(rows, ({ path }) => path.replaceAll(/\{\w+\}/g, '{}'));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fiscal documents',
      version: '1',
      description: 'Generated from the operations that fiscal and its sandbox know.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: sandboxAddress, description: 'The sandbox' }],
    paths: Object.fromEntries([...paths.values()].map(pathItem)),
    components: { ...componentsOf(rows), securitySchemes },
  };
}

/** A row at each path of the operation. */
function rowsOf(id: string): readonly Row[] {
  // `Object.keys` loses the type of the names; the table is closed.
  const known = id as OperationId;
  return pathsOf(known).map((path, at) => ({
    ...operations[known],
    path,
    id,
    operationId: at === 0 ? id : `${id}.${at + 1}`,
  }));
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
  const rows = [row, ...others];
  const parameters = [...queryOf(rows), ...(row.replay === 'keyed' ? [idempotencyKey] : [])];
  return {
    operationId: row.operationId,
    tags: [tagOf(row)],
    summary: rows.map(({ summary }) => summary.en).join('; '),
    ...(parameters.length === 0 ? {} : { parameters }),
    servers: [serverOf(row.host)],
    security: securityOf(row),
    ...requestBodyOf(row),
    responses: responsesOf(rows),
    'x-mark': row.mark,
    'x-billed': row.billed,
    'x-replay': row.replay,
    ...(row.role === null ? {} : { 'x-role': row.role }),
    ...(row.operationId === row.id ? {} : { 'x-same-as': row.id }),
    ...(others.length === 0 ? {} : { 'x-also': others.map(({ id }) => id) }),
  };
}

/** The noun of an operation, e.g. `nfse` of `nfse.inbound.list`. */
function tagOf({ id }: Row): string {
  return id.split('.')[0] ?? id;
}

/** What one of several rows does not need is not required. */
function queryOf(rows: readonly Row[]): readonly Json[] {
  const known: Readonly<Record<string, QueryParameters>> = queryParameters;
  const all = rows.map(({ id }) => known[id] ?? { properties: {} });
  const properties = Object.assign({}, ...all.map((each) => each.properties));
  return Object.entries(properties).map(([name, schema]) => {
    const isListed = all.every(({ required = [] }) => required.includes(name));
    // Published for each list under this path.
    const isRequired = isListed || (name === '$filter' && rows.every(({ path }) => path.includes('/odata/')));
    return { name, in: 'query', ...(isRequired ? { required: true } : {}), schema };
  });
}

/** Unique for each creation (§4). */
const idempotencyKey: Json = { name: 'Idempotency-Key', in: 'header', required: true, schema: text };

const sandboxAddress = 'http://127.0.0.1:8080';

/** The default is this machine, so that no generated client meets a real service by mistake. */
function serverOf(host: HostName): Json {
  const description = 'The sandbox answers every host at the address that "fiscal sandbox start" prints.';
  return {
    url: `{${host}}`,
    description: `Host ${host}`,
    variables: { [host]: { default: sandboxAddress, description } },
  };
}

const header = { type: 'apiKey', in: 'header', name: 'Authorization' };
const query = { type: 'apiKey', in: 'query', name: 'apikey' };
const securitySchemes: Json = {
  invoiceKey: { ...header, description: 'The key for invoices, as it is' },
  dataKey: { ...header, description: 'The key for data, as it is' },
  invoiceKeyInQuery: { ...query, description: 'The key for invoices' },
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
};

function securityOf({ key, queryKey }: Row): readonly Json[] {
  const inQuery = queryKey && key === 'invoice' ? [{ invoiceKeyInQuery: [] }] : [];
  return [{ [`${key}Key`]: [] }, ...inQuery, { bearer: [] }];
}

function groupBy<Value>(values: readonly Value[], keyOf: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value)) ?? [];
    groups.set(keyOf(value), [...group, value]);
  }
  return groups;
}

type Json = Readonly<Record<string, unknown>>;
type Row = Operation & { readonly id: string; readonly operationId: string };

/** Any JSON: the table knows no more of it. */
const anything: Json = {};

const schemas: Partial<Readonly<Record<string, Schema>>> = requestSchemas;

/** A body that may be left out: the service document or the public record knows the operation without it. */
const optional: readonly OperationId[] = [
  ...(['nfe.manifestation.legacy', 'nfe.inbound.enable', 'cte.inbound.enable'] as const),
  'nfse.fetchNow',
];

function requestBodyOf({ id, form }: Row): Json {
  if (form === true) {
    const parts = { type: 'object', required: ['file', 'password'], properties: { file: {}, password: text } };
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

/** The body of 202 (§2, `AsyncAcceptedResource`); the message is public. */
const accepted = open({ documentId: text, companyId: text, message: text }, 'documentId companyId');

/** Seconds (§8). */
const retryAfter = { schema: wholeFrom(0) };

/** The named schemas and answers that the operations refer to. */
function componentsOf(rows: readonly Row[]): Json {
  const bodies = rows.flatMap(({ id }) => (schemas[id] === undefined ? [] : [[nameOf(id), schemas[id]]]));
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } };
  return {
    schemas: { Refusal: refusal, AsyncAccepted: accepted, ...Object.fromEntries(bodies) },
    responses: {
      Refusal: { description: 'Refused (§7)', headers: { 'Retry-After': retryAfter }, content },
      RateLimited: {
        description: 'Too many requests (§8)',
        headers: { 'Retry-After': { required: true, ...retryAfter } },
        content,
      },
    },
  };
}

function responsesOf(rows: readonly Row[]): Json {
  const statuses = new Set(rows.flatMap(({ success }) => success));
  const successes = [...statuses].map((status) => {
    const answering = rows.filter(({ success }) => success.includes(status));
    return [
      String(status),
      { description: 'Success', ...locationOf(answering), ...contentOf(answering, status) },
    ] as const;
  });
  const isDocument = rows.some(({ id }) => shapes[id]?.is === 'bytes');
  return {
    ...Object.fromEntries(successes),
    ...(isDocument ? { '302': redirect } : {}),
    '429': { $ref: '#/components/responses/RateLimited' },
    '4XX': { $ref: '#/components/responses/Refusal' },
    '5XX': { $ref: '#/components/responses/Refusal' },
  };
}

/** The operations that issue an invoice. */
const issues: readonly OperationId[] = [
  ...(['invoice.create', 'nfe.issue', 'nfe.stateTax.issue', 'nfce.issue', 'nfce.stateTax.issue'] as const),
  'nfse.issue',
];

/** Promised for the manifestations (§4), seen live for an NFS-e, expected by public clients for every invoice. */
const locations: Partial<Readonly<Record<string, 'promised' | 'possible'>>> = {
  'nfe.manifestation.submit': 'promised',
  'nfse.manifestation.submit': 'promised',
  ...Object.fromEntries([...issues, 'nfse.cancel'].map((id) => [id, 'possible'])),
};

function locationOf([row]: readonly Row[]): Json {
  const location = locations[row?.id ?? ''];
  if (location === undefined) return {};
  return { headers: { Location: { ...(location === 'promised' ? { required: true } : {}), schema: text } } };
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
    return { content: { [`application/${bytes.form}`]: {}, 'application/json': { schema: byteAddress } } };
  }
  const schemas = rows.map(({ id }) => schemaAt(id, status));
  return { content: { 'application/json': { schema: oneOrMore(schemas) } } };
}

/** What the answer must have where a resource was created or accepted, and the status is otherwise enough for the client. */
const created: Partial<Readonly<Record<string, AnswerShape & { readonly is: 'object' }>>> = {
  'company.create': answerShapes['company.get'],
  'nfe.manifestation.submit': { is: 'object', has: ['id', 'status'] },
  'nfse.manifestation.submit': { is: 'object', has: ['id', 'status'] },
  ...Object.fromEntries(['product.create', ...issues].map((id) => [id, { is: 'object', has: ['id'] }])),
};

function schemaAt(id: string, status: number): Json {
  const made = created[id];
  if (status === 202) {
    const standard = { $ref: '#/components/schemas/AsyncAccepted' };
    return made === undefined ? standard : { allOf: [standard, objectWith(made.has)] };
  }
  const shape = (status === 201 ? made : undefined) ?? shapes[id];
  return shape === undefined ? anything : schemaOf(shape);
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
    typeof entry === 'string' ? { required: [entry] } : { anyOf: entry.map((name) => ({ required: [name] })) },
  );
  return { type: 'object', ...(needed.length === 0 ? {} : { allOf: needed }) };
}

function oneOrMore(schemas: readonly Json[]): Json {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [only = anything] = different;
  return different.length === 1 ? only : { anyOf: different };
}
