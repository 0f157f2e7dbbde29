import { expect, test } from 'vitest';
import { createdId } from '../../src/client/read-answer.js';

const hosts = [new URL('https://api.example.com'), new URL('https://read.example.com/gate')];
const issue = {
  ...{ operation: 'nfe.issue', hosts, paths: {}, path: { companyId: 'c1' } },
  url: new URL('https://api.example.com/v2/companies/c1/productinvoices'),
};
const submit = {
  ...{ operation: 'nfe.manifestation.submit', hosts, paths: {}, path: { accessKey: '1' } },
  url: new URL('https://api.example.com/productinvoices/by-access-key/1/manifestation-events'),
};

test.each([
  [issue, 'https://api.example.com/v2/companies/c1/productinvoices/i-1', 'i-1'],
  [issue, 'https://api.example.com/v2/companies/C1/productinvoices/i-1/?x=1', 'i-1'],
  [issue, 'https://api.example.com/v1/companies/c1/productinvoices/i-1', 'i-1'],
  [issue, 'https://read.example.com/v2/companies/c1/productinvoices/i-1', 'i-1'],
  [issue, 'http://api.example.com:8080/v2/companies/c1/productinvoices/i-1', 'i-1'],
  [issue, 'https://evil.example/v2/companies/c1/productinvoices/i-1', undefined],
  [issue, 'https://api.example.com/v2/companies/c2/productinvoices/i-1', undefined],
  [issue, 'https://api.example.com/v2/companies/c1/consumerinvoices/i-1', undefined],
  [issue, 'https://api.example.com/v2/companies/c1/productinvoices', undefined],
  [issue, 'https://api.example.com/v2/companies/c1/productinvoices/i-1/xml', undefined],
  [issue, 'https://api.example.com/login', undefined],
  [issue, 'https://api.example.com/', undefined],
  [issue, 'https://api.example.com/v2/companies/c1/productinvoices/..%2Fi', undefined],
  [submit, 'https://api.example.com/productinvoices/manifestation-events/e-1', 'e-1'],
  [submit, 'https://read.example.com/gate/productinvoices/manifestation-events/e-1', 'e-1'],
  [submit, 'https://api.example.com/productinvoices/e-1', undefined],
  [submit, 'https://api.example.com/manifestation-events/e-1', undefined],
] as const)('%o: the id in %s is %s', (request, location, id) => {
  expect(createdId(location, request)).toBe(id);
});

test('a path of the profile counts as well', () => {
  const paths = { 'nfe.manifestation.get': '/events/{id}' };
  expect(createdId('https://api.example.com/events/e-1', { ...submit, paths })).toBe('e-1');
});
