import { describe, expect, it } from 'vitest';
import { badRequest, detailFields, errorFields, notFound } from '../facts/errors.js';
import { createPath } from '../facts/product-registry.js';
import { testService } from './service.js';

const service = testService();
const path = () => createPath(service.ready().tenantId);

describe('§7 errors', () => {
  it('have the documented shape, with field and message in the details', async () => {
    const { json, headers } = await service.send('POST', path(), { body: { sku: 5, gtin: 'x'.repeat(15) } });
    expect(Object.keys(json)).toEqual(['error']);
    expect(Object.keys(json.error)).toEqual(errorFields);
    expect(json.error.details.map(Object.keys)).toEqual([detailFields, detailFields]);
    expect(headers.get('x-request-id')).toBe(json.error.requestId);
  });

  it('have a request id of their own', async () => {
    const answers = await Promise.all([service.send('GET', '/v2/companies'), service.send('GET', '/v2/companies')]);
    const ids = answers.map((answer) => answer.headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => /^[0-9a-f-]{36}$/.test(id ?? ''))).toBe(true);
  });

  it.each([
    ['malformed_json', { raw: '{"sku": ' }],
    ['malformed_json', { raw: 'sku=1' }],
    ['unsupported_content_type', { raw: '{}', headers: { 'Content-Type': 'text/plain' } }],
    ['validation_error', { raw: '[]' }],
    ['validation_error', { raw: '"text"' }],
    ['validation_error', {}],
    ['body_too_large', { raw: JSON.stringify({ sku: 'x'.repeat(1024 * 1024) }) }],
    ['validation_error', { raw: `{"sku":"a","x":${'['.repeat(100)}${']'.repeat(100)}}` }],
  ])('are 400 %s', async (code, sending) => {
    const answer = await service.send('POST', path(), sending);
    expect([answer.status, answer.json.error.code]).toEqual([badRequest, code]);
  });

  it.each([
    ['/v2/companies/{companyId}/inbound/productinvoices', '{"automaticManifesting":{deep}}'],
    ['/v2/webhooks', '{"webHook":{"uri":"http://127.0.0.1:1/","properties":{deep}}}'],
    ['/__sandbox/deliveries', '{"event":"product.active","payload":{deep}}'],
  ])('are 400 for thousands of levels in a free part of a body (%s)', async (template, body) => {
    const raw = body.replace('{deep}', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`);
    const { status, json } = await service.send('POST', template.replace('{companyId}', service.ready().companyId), {
      raw,
    });
    const details = [{ field: '', message: 'Must have at most 50 levels.' }];
    expect([status, json.error.code, json.error.details]).toEqual([badRequest, 'validation_error', details]);
  });

  it('are 404 for an unknown route and for an unsupported method of a known one (§7 has no 405)', async () => {
    const unknown = await service.send('GET', '/v9/everything');
    const wrong = await service.send('PUT', '/v2/companies', { body: {} });
    expect([unknown.status, unknown.json.error.code]).toEqual([notFound, 'not_found']);
    expect([wrong.status, wrong.json.error.code]).toEqual([notFound, 'not_found']);
    expect(wrong.json.error.message).toContain('GET, POST');
  });

  it('name a field called __proto__ like any other', async () => {
    const raw = '{"sku":"P","customTax":[],"__proto__":{"admin":true}}';
    const { json } = await service.send('POST', path(), { raw });
    const { text } = await service.send('GET', `${path()}/${json.id}`);
    expect(text).toContain('"__proto__":{"admin":true}');
  });
});
