import { expect, test } from 'vitest';
import { compareWithDescription, type ReceivedAnswer } from './description.js';

const compare = compareWithDescription();
const json = { 'content-type': 'application/json; charset=utf-8' };
const company = '/v2/companies/c1';

function contradictions(answer: Partial<ReceivedAnswer>): readonly string[] {
  return compare({ method: 'GET', path: company, status: 200, headers: json, text: '', ...answer });
}

test('accepts what the description says, whatever the case of the path', () => {
  expect(contradictions({ text: '{"company":{"id":"c1"}}' })).toEqual([]);
  expect(contradictions({ path: '/v2/WEBHOOKS/EventTypes?a=b', text: '{"eventTypes":[]}' })).toEqual([]);
  expect(contradictions({ method: 'DELETE', status: 204, headers: {} })).toEqual([]);
  const refused = '{"error":{"code":"not_found","message":"No."}}';
  expect(contradictions({ status: 404, text: refused })).toEqual([]);
  expect(contradictions({ method: 'HEAD', path: '/', text: '<p>' })).toEqual([]);
});

test('names the status, the body, its type, its fields and the header that contradict the description', () => {
  expect(contradictions({ status: 203, text: '{}' })).toEqual(['Status 203 is not described.']);
  expect(contradictions({})).toEqual(['The body is missing.']);
  const html = { 'content-type': 'text/html' };
  expect(contradictions({ headers: html, text: '<p>' })).toEqual(['A body of type "text/html" is not described.']);
  expect(contradictions({ text: '{"company":{}}' })).toContain("/company must have required property 'id'");
  expect(contradictions({ status: 404, text: '{"message":"No."}' })).toEqual([" must have required property 'error'"]);
  expect(contradictions({ method: 'DELETE', status: 204, text: '{}' })).toEqual([
    'A body of type "application/json" is not described.',
  ]);
  expect(contradictions({ path: `${company}/productinvoices/i1/xml`, status: 302 })).toEqual([
    'The header Location is missing.',
  ]);
});
