import type { HostName, Operation } from '../../contract/operation.js';
import { operations } from '../../contract/operations.js';
import { type QueryParameters, queryParameters } from '../../contract/query-parameters.js';
import { componentsOf, type Json, requestBodyOf, responsesOf, type Row } from './openapi-bodies.js';

/**
 * An OpenAPI 3.1 description of the operations table: parameters, bodies, keys and refusals of each. Of answers it says
 * what an answer must have.
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
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: sandboxAddress, description: 'The sandbox' }],
    paths: Object.fromEntries([...paths.values()].map(pathItem)),
    components: { ...componentsOf(rows), securitySchemes },
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
  const rows = [row, ...others];
  const parameters = queryOf(rows);
  return {
    operationId: row.id,
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
    const isRequired = all.every(({ required = [] }) => required.includes(name));
    return { name, in: 'query', ...(isRequired ? { required: true } : {}), schema };
  });
}

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
