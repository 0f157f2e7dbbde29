import { beforeEach, describe, expect, it } from 'vitest';
import { badRequest } from '../facts/errors.js';
import { consumerInvoicesPath, merchandise, productInvoicesPath } from '../facts/invoice.js';
import { testService } from './service.js';

const service = testService();
const path = () => `${productInvoicesPath(service.ready().companyId)}/disablement`;
const range = {
  ...{ environment: 'Test', serie: 1, state: 'SP', beginNumber: 900, lastNumber: 910 },
  reason: 'Numeração saltada por engano',
};
const effects = async () => (await service.control('GET', 'ledger?effects=true')).entries.length;

beforeEach(() => service.control('POST', 'reset'));

describe('a closed body', () => {
  it.each([
    ['an NF-e', productInvoicesPath],
    ['an NFC-e', consumerInvoicesPath],
  ])('of %s has neither externalId nor environment', async (_name, pathOf) => {
    const send = async (body: object) =>
      await service.send('POST', pathOf(service.ready().companyId), { body: { ...merchandise, ...body } });
    const named = { externalId: 'P-1', environment: 'Test' };
    const { status, json } = await send(named);
    expect([status, json.error.details]).toEqual([
      badRequest,
      [
        { field: 'externalId', message: 'Is unknown.' },
        { field: 'environment', message: 'Is unknown.' },
      ],
    ]);
    expect(await effects()).toBe(0);
    expect((await send({ additionalInformation: { order: 'P-1' } })).json).toMatchObject({ status: 'Created' });
    await service.control('POST', 'mode', { lenient: true });
    expect((await send(named)).json).toMatchObject(named);
  });

  it('is refused with each unknown field and each other type named, and has no effect', async () => {
    const body = { ...range, serie: '1', series: 1, last: 910 };
    const { status, json } = await service.send('POST', path(), { body });
    expect([status, json.error.code, json.error.details]).toEqual([
      badRequest,
      'validation_error',
      [
        { field: 'serie', message: 'Must be a whole number.' },
        { field: 'series', message: 'Is unknown.' },
        { field: 'last', message: 'Is unknown.' },
      ],
    ]);
    expect(await effects()).toBe(0);
  });

  it('is accepted with unknown fields in the lenient mode, until the usual one is back', async () => {
    const body = { ...range, series: 1 };
    await service.control('POST', 'mode', { lenient: true });
    expect((await service.send('POST', path(), { body })).status).toBe(200);
    await service.control('DELETE', 'mode');
    expect((await service.send('POST', path(), { body })).status).toBe(badRequest);
  });

  it('is checked after the key', async () => {
    expect((await service.send('POST', path(), { body: { x: 1 }, key: null })).status).toBe(401);
  });
});
