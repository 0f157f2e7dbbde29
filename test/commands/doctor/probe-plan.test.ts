import { describe, expect, test } from 'vitest';
import {
  harmlessReads,
  hostQuestions,
  manifestationRoutes,
  mayBeFilled,
  operationOf,
  otherRoutes,
  parametersOf,
  sourceOf,
} from '../../../src/commands/doctor/probe-plan.js';
import { parsePath } from '../../../src/config/hosts.js';
import type { OperationId } from '../../../src/contract/operations.js';

describe('what the probe may ask', () => {
  test('are reads that nothing bills, and no query of a registry', () => {
    const reads = harmlessReads();
    expect(reads.filter((id) => operationOf(id).method !== 'GET' || operationOf(id).billed !== null)).toEqual([]);
    expect(reads.filter((id) => operationOf(id).key === 'data')).toEqual([]);
    expect(reads).toEqual(
      expect.arrayContaining(['company.list', 'nfe.inbound.list', 'nfse.statistics', 'webhook.list']),
    );
  });

  test('at each host is a read that nothing bills, with a value for every parameter', () => {
    for (const [host, { operation, values }] of Object.entries(hostQuestions)) {
      const row = operationOf(operation);
      expect([row.host, row.method, row.billed]).toEqual([host, 'GET', null]);
      expect(Object.keys(values)).toEqual(parametersOf(row.path));
    }
  });

  test('of look-ups is only the number 0, which nobody has', () => {
    const lookups = Object.values(hostQuestions).filter(({ operation }) => operation.startsWith('lookup.'));
    const asked = lookups.map(({ values }) => Object.values(values)[0]);
    expect(asked).toEqual(['0', '0', '0', '0']);
  });
});

test('a parameter comes from the row of a list, or the operation is not asked', () => {
  expect(sourceOf('webhook.get', 'webhookId')).toEqual({ list: 'webhook.list', fields: ['id'] });
  expect(sourceOf('nfce.get', 'invoiceId')).toEqual({ list: 'nfce.list', fields: ['id'] });
  expect(sourceOf('cte.inbound.get', 'accessKey')).toEqual({ list: 'cte.inbound.list', fields: ['accessKey'] });
  expect(sourceOf('product.get', 'productId')).toBeUndefined();
  const asked = (id: OperationId) => mayBeFilled(id, operationOf(id).path);
  expect([asked('stateTax.get'), asked('tax.codes'), asked('product.get'), asked('invoice.get')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('every other route can be stored in a profile', () => {
  const routes = Object.entries(otherRoutes).flatMap(([id, paths]) =>
    paths.map((path) => [id as OperationId, path] as const),
  );
  const all = [...routes, ...manifestationRoutes.map((path) => ['nfe.manifestation.submit', path] as const)];
  expect(all.filter(([id, path]) => parsePath(id, path) !== path)).toEqual([]);
});
