import { Ajv2020 } from 'ajv/dist/2020.js';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { operations } from '../../../src/contract/operations.js';
import { runFiscal } from '../../support/host.js';

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly required?: boolean }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, object>> };
  readonly security: readonly object[];
  readonly servers: readonly { readonly url: string }[];
  readonly responses: Readonly<Record<string, Answered>>;
  readonly 'x-mark': string;
  readonly 'x-billed': string | null;
  readonly 'x-replay': string;
  readonly 'x-role'?: string;
  readonly 'x-also'?: readonly string[];
  readonly 'x-same-as'?: string;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly securitySchemes: object;
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, Answered>>;
  };
}

async function describeOperations(): Promise<Description> {
  const { exitCode, stdout } = await runFiscal(['schema', '--openapi', '-o', 'json']);
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

/** Each operation of a description with its method and path. */
function operationsOf({ paths }: Description): (Described & { readonly at: string })[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => method !== 'parameters')
      .map(([method, operation]) => ({
        ...(operation as Described),
        at: `${method.toUpperCase()} ${path}`.replaceAll(/\{\w+\}/g, '{}'),
      })),
  );
}

test('a validator of OpenAPI 3.1 accepts the description, and not a broken one', async () => {
  const description = await describeOperations();
  const validator = new Validator();
  expect(await validator.validate({ ...description })).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
  const broken = { ...description, paths: { '/x': { get: { parameters: [{ name: 'x' }] } } } };
  expect((await new Validator().validate(broken)).valid).toBe(false);
});

test('a linter finds nothing in the description', async () => {
  // The service has addresses like /inbound/nfe/{key} beside /inbound/{key}/xml, and answers say only what they must have.
  const rules = { 'no-ambiguous-paths': 'off', 'no-required-schema-properties-undefined': 'off' } as const;
  const config = await createConfig({ extends: ['recommended'], rules });
  const lint = (source: object) =>
    lintFromString({ source: JSON.stringify(source), absoluteRef: 'openapi.json', config });
  const description = await describeOperations();
  expect((await lint(description)).map(({ ruleId, message }) => [ruleId, message])).toEqual([]);
  const broken = { ...description, components: {} };
  expect((await lint(broken)).map(({ ruleId }) => ruleId)).toContain('no-unresolved-refs');
});

test('every schema in the description is one of JSON Schema', async () => {
  const schemas = schemasIn(await describeOperations());
  const ajv = new Ajv2020({ strict: false });
  expect(schemas.length).toBeGreaterThan(100);
  expect(schemas.filter((schema) => ajv.validateSchema(schema) !== true)).toEqual([]);
  expect(ajv.validateSchema({ required: 'x' })).toBe(false);
});

/** The named schemas, and those of parameters, headers and bodies. */
function schemasIn(value: unknown, name = ''): readonly object[] {
  if (typeof value !== 'object' || value === null) return [];
  if (name === 'schema') return [value];
  if (name === 'schemas') return Object.values(value);
  return Object.entries(value).flatMap(([key, inner]) => schemasIn(inner, key));
}

/** The operations of a description, without those that repeat one at another path. */
function firstOf(description: Description) {
  return operationsOf(description).filter((row) => row['x-same-as'] === undefined);
}

test('every operation is described once at its path in the table, and once at each other published path', async () => {
  const all = operationsOf(await describeOperations());
  const described = all.flatMap(({ operationId, at, ...row }) =>
    [row['x-same-as'] ?? operationId, ...(row['x-also'] ?? [])].map((id) => `${id} ${at}`),
  );
  const known = Object.entries(operations).map(
    ([id, { method, path }]) => `${id} ${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
  );
  expect(known.filter((each) => !described.includes(each))).toEqual([]);
  expect(new Set(described).size).toBe(described.length);
  expect(described.filter((each) => !known.includes(each))).toEqual(
    expect.arrayContaining([
      'nfe.manifestation.legacy POST /{}/manifest',
      'nfe.inbound.list GET /v2/companies/{}/inbound/odata/ProductInvoices',
      'nfe.inbound.get GET /v2/companies/{}/inbound/productinvoice/{}',
      'nfe.rejection.xml GET /v2/companies/{}/productinvoices/{}/xml/rejection',
      'nfe.stateTax.issue POST /v3/companies/{}/statetaxes/{}/productinvoices',
      'lookup.nfe.xml GET /v3/productinvoices/serpro/{}.xml',
    ]),
  );
  expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
});

test('no two paths differ only in the names of parameters, and each parameter is declared', async () => {
  const { paths } = await describeOperations();
  const bare = Object.keys(paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'));
  expect(new Set(bare).size).toBe(bare.length);
  for (const [path, { parameters = [] }] of Object.entries(paths)) {
    const names = (parameters as { readonly name: string }[]).map(({ name }) => `{${name}}`);
    expect(names).toEqual(path.match(/\{\w+\}/g) ?? []);
  }
});

test('the security of each operation is that of its row, among the declared schemes', async () => {
  const description = await describeOperations();
  const schemes = Object.keys(description.components.securitySchemes);
  const used = operationsOf(description).map(({ operationId, security }) => [
    operationId,
    security.flatMap((entry) => Object.keys(entry)),
  ]);
  expect(used.flatMap(([, names = []]) => names).filter((name) => !schemes.includes(name))).toEqual([]);
  expect(Object.fromEntries(used)).toMatchObject({
    'product.create': ['invoiceKey', 'invoiceKeyInQuery', 'bearer'],
    'lookup.cnpj': ['dataKey', 'bearer'],
  });
});

test('an operation has a body where its type has one, closed where the service closes it', async () => {
  const description = await describeOperations();
  const { schemas } = description.components;
  const described = new Map(operationsOf(description).map((each) => [each.operationId, each]));
  const bodyOf = (id: string) => described.get(id)?.requestBody;
  expect([bodyOf('nfe.get'), bodyOf('nfe.cancel'), bodyOf('webhook.ping')]).toEqual([undefined, undefined, undefined]);
  expect(bodyOf('nfe.issue')).toEqual({
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/NfeIssue' } } },
  });
  expect(bodyOf('company.update')?.content).toEqual(bodyOf('company.create')?.content);
  expect(Object.keys(bodyOf('certificate.upload')?.content ?? {})).toEqual(['multipart/form-data']);
  const isClosed = (name: string) => 'additionalProperties' in (schemas[name] ?? {});
  expect(Object.keys(schemas).filter(isClosed).toSorted()).toEqual([
    'CompanyCreate',
    'CteInboundEnable',
    'MunicipalTaxCreate',
    'NfceIssue',
    'NfeCorrect',
    'NfeDisable',
    'NfeIssue',
    'StateTaxCreate',
    'StateTaxSwitchAuthorizer',
    'TaxCalculate',
  ]);
});

test('the query and the headers of an operation name what it requires', async () => {
  const described = operationsOf(await describeOperations());
  const required = described.flatMap(({ operationId, parameters = [] }) =>
    parameters.filter((each) => each.required === true).map(({ name }) => `${operationId} ${name}`),
  );
  expect(required.toSorted()).toEqual([
    'cte.inbound.events $filter',
    'cte.inbound.list $filter',
    'invoice.create Idempotency-Key',
    'nfce.list environment',
    'nfce.list.2 environment',
    'nfe.inbound.events $filter',
    'nfe.inbound.list.2 $filter',
    'nfe.list environment',
    'nfe.list.2 environment',
    'nfse.manifestation.submit eventCode',
  ]);
});

interface Answered {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly content?: Readonly<Record<string, { readonly schema: object }>>;
}

/** §2, §4, §8. */
test('what was created or accepted has its body and its address, and too many requests a time to wait', async () => {
  const description = await describeOperations();
  const { responses, schemas } = description.components;
  const described = new Map(operationsOf(description).map((each) => [each.operationId, each.responses]));
  const headersOf = (id: string, status: string) => described.get(id)?.[status]?.headers;
  const bodyOf = (id: string, status: string) => described.get(id)?.[status]?.content?.['application/json']?.schema;
  const standard = { $ref: '#/components/schemas/AsyncAccepted' };
  const withFields = (...names: string[]) => ({ type: 'object', allOf: names.map((name) => ({ required: [name] })) });
  expect(schemas['AsyncAccepted']).toMatchObject({ required: ['documentId', 'companyId'] });
  expect(bodyOf('product.create', '201')).toEqual(withFields('id'));
  expect(bodyOf('invoice.create', '201')).toEqual(withFields('id'));
  expect(bodyOf('invoice.create', '202')).toEqual({ allOf: [standard, withFields('id')] });
  expect(bodyOf('nfe.manifestation.submit', '202')).toEqual({ allOf: [standard, withFields('id', 'status')] });
  expect(bodyOf('nfse.inbound.reprocess', '202')).toEqual(standard);
  expect(bodyOf('nfse.inbound.pdf', '202')).toEqual(standard);
  expect(bodyOf('webhook.create', '201')).toEqual(bodyOf('webhook.create', '200'));
  expect(headersOf('nfe.manifestation.submit', '202')).toMatchObject({ Location: { required: true } });
  expect(headersOf('nfse.manifestation.submit', '202')).toMatchObject({ Location: { required: true } });
  expect(headersOf('nfe.issue', '202')).toEqual({ Location: { schema: { type: 'string' } } });
  expect([headersOf('product.create', '201'), headersOf('nfe.get', '200')]).toEqual([undefined, undefined]);
  expect(responses['RateLimited']?.headers).toMatchObject({ 'Retry-After': { required: true } });
  expect(responses['Refusal']?.headers).toEqual({ 'Retry-After': { schema: { type: 'integer', minimum: 0 } } });
  expect([...described.values()].map((each) => each['429'])).toEqual(
    [...described].map(() => ({ $ref: '#/components/responses/RateLimited' })),
  );
});

test('each operation says its host, mark, bill, replay and role', async () => {
  const known = new Map(Object.entries(operations));
  const described = firstOf(await describeOperations());
  expect(
    described.map(({ operationId, servers: [server], ...row }) => ({
      ...{ operationId, url: server?.url, mark: row['x-mark'], billed: row['x-billed'] },
      ...{ replay: row['x-replay'], role: row['x-role'] ?? null },
    })),
  ).toEqual(
    described.map(({ operationId }) => {
      const { host, mark, billed, replay, role } = known.get(operationId) ?? {};
      return { operationId, url: `{${host}}`, mark, billed, replay, role };
    }),
  );
});
