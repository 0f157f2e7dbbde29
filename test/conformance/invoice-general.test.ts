import { describe, expect, it } from 'vitest';
import { badRequest, notFound, unprocessable, validationCode } from '../facts/errors.js';
import { acceptedStatus, general, generalOnePath, generalPath, idempotencyHeader } from '../facts/invoice.js';
import { testService } from './service.js';

const service = testService({ idempotencyKeys: 'honoured' });

const create = (body: unknown, key?: string) =>
  service.send('POST', generalPath, { body, ...(key === undefined ? {} : { headers: { [idempotencyHeader]: key } }) });

async function issuedCount(): Promise<number> {
  const { entries } = await service.control('GET', 'ledger?operation=invoice.create&effects=true');
  return entries.length;
}

describe('§4 POST /v2/nota-fiscal', () => {
  it('accepts with an id, and the invoice is issued in the background', async () => {
    const answer = await create(general);
    expect([answer.status, typeof answer.json.id]).toEqual([acceptedStatus, 'string']);
    expect(answer.headers.get('location')).toContain(generalOnePath(answer.json.id));
    await service.control('POST', 'clock', { advance: '2m' });
    const read = await service.send('GET', generalOnePath(answer.json.id));
    expect(read.json).toMatchObject({ id: answer.json.id, status: 'Issued', valorTotal: '21.00', ...general });
  });

  it('creates an invoice for each request without a key', async () => {
    await service.control('POST', 'reset');
    const [one, other] = [await create(general), await create(general)];
    expect(one.json.id).not.toBe(other.json.id);
    expect(await issuedCount()).toBe(2);
  });

  it('issues a repeat again unless a test enables deduplication: §4 only requires the header', async () => {
    await service.control('POST', 'reset');
    await service.control('POST', 'mode', { idempotencyKeys: 'ignored' });
    await create(general, 'k-0');
    await create(general, 'k-0');
    expect(await issuedCount()).toBe(2);
  });

  it('returns the same invoice for the same key and body, whatever the order of fields', async () => {
    await service.control('POST', 'reset');
    const first = await create(general, 'k-1');
    const second = await create({ itens: general.itens, cliente: general.cliente }, 'k-1');
    expect([second.status, second.json.id]).toEqual([acceptedStatus, first.json.id]);
    expect(await issuedCount()).toBe(1);
  });

  it('answers 422 for the same key with a different body, and issues nothing', async () => {
    await service.control('POST', 'reset');
    await create(general, 'k-2');
    const answer = await create({ ...general, cliente: { nome: 'José' } }, 'k-2');
    expect([answer.status, answer.json.error.details[0].field]).toEqual([unprocessable, idempotencyHeader]);
    expect(await issuedCount()).toBe(1);
  });

  it('returns the same invoice after a 500 that followed the issue', async () => {
    await service.control('POST', 'reset');
    await service.control('POST', 'faults', { kind: '500-after', count: 1 });
    expect((await create(general, 'k-3')).status).toBe(500);
    expect((await create(general, 'k-3')).status).toBe(acceptedStatus);
    expect(await issuedCount()).toBe(1);
  });

  it('issues twice if a deployment ignores the key: the caution of the table', async () => {
    await service.control('POST', 'reset');
    await service.control('POST', 'faults', { kind: '500-after', count: 1 });
    await service.control('POST', 'faults', { kind: 'ignore-key' });
    await create(general, 'k-4');
    await create(general, 'k-4');
    expect(await issuedCount()).toBe(2);
  });

  it('does not keep the key of a refused request', async () => {
    await service.control('POST', 'reset');
    expect((await create({ ...general, itens: [] }, 'k-5')).status).toBe(badRequest);
    expect((await create(general, 'k-5')).status).toBe(acceptedStatus);
  });

  it.each([
    ['cliente', { itens: general.itens }],
    ['cliente.nome', { ...general, cliente: { cpf: general.cliente.cpf } }],
    ['cliente.cpf', { ...general, cliente: { nome: 'Maria', cpf: '52998224724' } }],
    ['cliente.cnpj', { ...general, cliente: { nome: 'Loja', cnpj: '11222333000182' } }],
    ['itens', { ...general, itens: [] }],
    ['itens', { cliente: general.cliente }],
    ['itens[0].descricao', { ...general, itens: [{ quantidade: 1, valorUnitario: 1 }] }],
    ['itens[0].quantidade', { ...general, itens: [{ descricao: 'x', quantidade: -1, valorUnitario: 1 }] }],
    ['itens[0].quantidade', { ...general, itens: [{ descricao: 'x', quantidade: 0, valorUnitario: 1 }] }],
    ['itens[0].valorUnitario', { ...general, itens: [{ descricao: 'x', quantidade: 1, valorUnitario: 1.001 }] }],
    ['itens[0].valorUnitario', { ...general, itens: [{ descricao: 'x', quantidade: 1, valorUnitario: '1,00' }] }],
  ])('answers 400 that names %s', async (field, body) => {
    const answer = await create(body);
    expect([answer.status, answer.json.error.code]).toEqual([badRequest, validationCode]);
    expect(answer.json.error.details.map((detail: { field: string }) => detail.field)).toEqual([field]);
  });

  it('answers 400 for a body nested a hundred thousand levels deep', async () => {
    const raw = `{"cliente":{"nome":"M"},"itens":[],"more":${'['.repeat(1e5)}${']'.repeat(1e5)}}`;
    expect((await service.send('POST', generalPath, { raw })).status).toBe(badRequest);
  });

  it('answers 404 for an unknown invoice', async () => {
    const answer = await service.send('GET', generalOnePath('00000000-0000-4000-8000-000000000000'));
    expect(answer.status).toBe(notFound);
  });
});
