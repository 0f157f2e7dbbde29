import { afterEach, describe, expect, it } from 'vitest';
import { cnpjPath, companiesPath } from '../facts/authentication.js';
import { newCompany } from '../facts/company.js';
import { addressPath, cpf, cpfPath } from '../facts/lookup.js';
import { testService } from './service.js';

const service = testService();
const read = (path: string) => service.send('GET', path, { key: service.ready().dataKey });

afterEach(() => service.control('POST', 'reset'));

describe('the status of a CPF (public)', () => {
  it('is consistent for a person, with the date of birth that was sent', async () => {
    await service.control('POST', 'clock', { freeze: true });
    const first = await read(cpfPath(cpf, '1980-12-31'));
    const { name, status, createdOn } = first.json;
    expect([first.status, first.json]).toEqual([
      200,
      { federalTaxNumber: cpf, name, birthOn: '1980-12-31T00:00:00.000Z', status, createdOn },
    ]);
    expect([typeof name, typeof status, (await read(cpfPath(cpf, '1980-12-31'))).text]).toEqual([
      'string',
      'string',
      first.text,
    ]);
  });

  it.each([
    ['cpf', '11144477734', '1980-12-31'],
    ['cpf', '1114447773', '1980-12-31'],
    ['cpf', '11111111111', '1980-12-31'],
    ['cpf', '111.444.777-35', '1980-12-31'],
    ['birthDate', cpf, '1980-02-30'],
    ['birthDate', cpf, '31-12-1980'],
    ['birthDate', cpf, '2999-01-01'],
  ])('answers 400 for a wrong %s: %s %s', async (field, number, birthDate) => {
    const { status, json } = await read(cpfPath(number, birthDate));
    expect([status, json.error.details[0].field]).toEqual([400, field]);
  });

  it('distinguishes an unknown number from a source that does not answer', async () => {
    const answers = await Promise.all([
      read(cpfPath('99999900020', '1980-12-31')),
      read(cpfPath(cpf, '1900-01-01')),
      read(cpfPath('88888800034', '1980-12-31')),
    ]);
    expect(answers.map(({ status, json }) => [status, json.error.code])).toEqual([
      [404, 'not_found'],
      [404, 'not_found'],
      [503, 'source_unavailable'],
    ]);
  });

  it('is recorded in the ledger without the person', async () => {
    await read(cpfPath(cpf, '1980-12-31'));
    const ledger = await service.control('GET', 'ledger');
    expect(ledger.entries[0].path).toBe('/v1/naturalperson/status/*********35/****-**-**');
    expect(JSON.stringify(ledger)).not.toContain(cpf);
  });

  it('requires the data key', async () => {
    expect((await service.send('GET', cpfPath(cpf, '1980-12-31'))).status).toBe(401);
  });
});

// Seen live: one address under `address`, its CEP with a hyphen. The published description shows a list.
describe('the address of a CEP (seen live)', () => {
  it('is in the region of the CEP, requested with or without the hyphen', async () => {
    const plain = await read(addressPath('01310100'));
    const { address } = plain.json;
    expect([plain.status, plain.json]).toEqual([
      200,
      {
        address: {
          state: 'SP',
          city: { code: '3550308', name: 'São Paulo' },
          district: address.district,
          streetSuffix: address.streetSuffix,
          street: address.street,
          postalCode: '01310-100',
          country: 'BRA',
        },
      },
    ]);
    expect((await read(addressPath('01310-100'))).text).toBe(plain.text);
  });

  it('of a whole town has no street', async () => {
    const { json } = await read(addressPath('69900000'));
    expect(json).toEqual({
      address: { state: 'AC', city: { code: '1200401', name: 'Rio Branco' }, postalCode: '69900-000', country: 'BRA' },
    });
  });

  it.each([
    ['0131010', 400, 'validation_error'],
    ['013101000', 400, 'validation_error'],
    ['0131-0100', 400, 'validation_error'],
    ['rua', 400, 'validation_error'],
    ['00999999', 404, 'not_found'],
    ['99999999', 404, 'not_found'],
    ['88888888', 503, 'source_unavailable'],
  ])('%s answers %i %s', async (postalCode, status, code) => {
    const answer = await read(addressPath(postalCode));
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
  });
});

describe('the registry of companies (§4)', () => {
  it('returns the name of a company of the account', async () => {
    await service.send('POST', companiesPath, { body: { company: newCompany } });
    const { json } = await read(cnpjPath(String(newCompany.federalTaxNumber)));
    expect([json.name, json.status]).toEqual([newCompany.name, 'Active']);
  });

  it('distinguishes an unknown number from a source that does not answer', async () => {
    const answers = await Promise.all([read(cnpjPath('99999999000191')), read(cnpjPath('88888888000191'))]);
    expect(answers.map(({ status, json }) => [status, json.error.code])).toEqual([
      [404, 'not_found'],
      [503, 'source_unavailable'],
    ]);
  });
});
