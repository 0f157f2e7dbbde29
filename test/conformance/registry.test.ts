import { describe, expect, it } from 'vitest';
import { cnpjPath } from '../facts/authentication.js';
import { testService } from './service.js';

const service = testService();
const lettered = testService({ alphanumericKeys: true });

/** facts §8: an alphanumeric CNPJ. */
const alphanumeric = '12ABC34501DE35';

async function read(number: string, from = service) {
  return await from.send('GET', cnpjPath(number), { key: from.ready().dataKey });
}

describe('GET /v1/cnpj/{numero} (§4)', () => {
  it('returns the same company every time', async () => {
    const [first, second] = [await read('12345678000195'), await read('12345678000195')];
    expect([first.status, first.json.federalTaxNumber]).toEqual([200, '12345678000195']);
    expect(second.text).toBe(first.text);
  });

  it.each(['12345678000190', '1234567800019', '00000000000000', 'abc', alphanumeric, alphanumeric.toLowerCase()])(
    'answers 400 for %s',
    async (number) => {
      expect((await read(number)).status).toBe(400);
    },
  );

  it('answers 404 for a valid number that is not registered', async () => {
    expect((await read('99999999000191')).status).toBe(404);
  });

  it('accepts letters only if a test enables them', async () => {
    expect((await read(alphanumeric, lettered)).status).toBe(200);
  });
});
