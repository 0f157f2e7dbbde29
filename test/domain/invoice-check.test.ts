import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkInvoice, type CheckedModel } from '../../src/domain/invoice-check.js';
import { checkTaxCalculation } from '../../src/domain/tax-calculation-check.js';
import { samples } from '../../src/commands/invoice/samples.js';
import { replaceIn } from '../fuzz/hostile.js';

function findings(model: CheckedModel, body: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(checkInvoice(model, body).map(({ field, message }) => [field, message.en]));
}

const item = { description: 'Café', quantity: 2, unitAmount: '18.90' };
const buyer = { federalTaxNumber: '11222333000181' };
const service = { description: 'Consultoria', servicesAmount: 100, cityServiceCode: '2690' };

describe('the samples', () => {
  test.each(['general', 'nfe', 'nfce', 'nfse'] as const)('of %s pass', (model) => {
    expect(findings(model, samples[model])).toEqual({});
  });
});

describe('an NF-e', () => {
  test('gets all problems at once, by field', () => {
    const body = {
      buyer: { federalTaxNumber: '11222333000182', address: { state: 'XX', postalCode: '123' } },
      items: [
        { ...item, quantity: -1, totalAmount: '1.123' },
        { ...item, quantity: 0, unitAmount: '1,5', cfop: 9102 },
        { quantity: '1.00001', unitAmount: 1, description: ' ' },
      ],
    };
    expect(findings('nfe', body)).toEqual({
      'buyer.federalTaxNumber': 'is not a valid CPF or CNPJ (the last two digits are check digits)',
      'buyer.address.state': expect.stringMatching(/^must be one of: AC/),
      'buyer.address.postalCode': 'must be a CEP of 8 digits',
      'items[0].quantity': 'must not be negative',
      'items[0].totalAmount': 'has 3 decimals; the maximum is 2',
      'items[1].quantity': 'must be more than zero',
      'items[1].unitAmount': 'must be a decimal with a point, such as 12.50, not "1,5"',
      'items[1].cfop': 'must be a CFOP of 4 digits',
      'items[2].quantity': 'has 5 decimals; the maximum is 4',
      'items[2].description': 'must have 1 to 120 characters',
    });
  });

  test.each([
    ['no items', { buyer }, { items: 'is required' }],
    ['an empty list', { buyer, items: [] }, { items: 'must have at least one entry' }],
    ['no buyer', { items: [item] }, { buyer: 'is required' }],
    ['a nameless buyer', { buyer: { name: 'X' }, items: [item] }, { 'buyer.federalTaxNumber': 'is required' }],
  ])('with %s is refused', (_name, body, expected) => {
    expect(findings('nfe', body)).toEqual(expected);
  });

  test('for a buyer abroad needs no tax number, and unknown fields pass', () => {
    const abroad = { name: 'Example Inc', address: { country: 'USA', state: 'EX' } };
    expect(findings('nfe', { buyer: abroad, items: [item], exportation: { place: 'Santos' } })).toEqual({});
  });

  test('accepts a numeric tax number without its leading zeros', () => {
    const odd = { federalTaxNumber: 191 };
    expect(findings('nfe', { buyer: odd, items: [item] })).toEqual({});
  });
});

describe('an NFS-e', () => {
  test('needs an amount, a description and a code of service', () => {
    expect(findings('nfse', {})).toEqual({
      description: 'is required',
      servicesAmount: 'is required',
      cityServiceCode: 'is required unless federalServiceCode is given',
    });
  });

  test('has two decimals in every amount', () => {
    expect(findings('nfse', { ...service, deductionsAmount: 1.005, pisAmountX: 1.005 })).toEqual({
      deductionsAmount: 'has 3 decimals; the maximum is 2',
    });
  });
});

describe('the short form', () => {
  test('names its fields as the service document does', () => {
    const body = { cliente: { cpf: '52998224726' }, itens: [{ descricao: 'X', quantidade: 1 }] };
    expect(findings('general', body)).toEqual({
      'cliente.nome': 'is required',
      'cliente.cpf': expect.stringContaining('is not a valid CPF'),
      'itens[0].valorUnitario': 'is required',
    });
  });
});

test('a unit price of at most ten decimals passes as text and as a number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_999 }), fc.integer({ min: 0, max: 9_999 }), (whole, part) => {
      const text = `${whole}.${String(part).padStart(4, '0')}`;
      for (const unitAmount of [text, Number(text)]) {
        expect(findings('nfe', { buyer, items: [{ ...item, unitAmount }] })).toEqual({});
        const isMoney = Object.keys(findings('general', generalWith(unitAmount))).length === 0;
        expect(isMoney).toBe(typeof unitAmount === 'number' ? part % 100 === 0 : false);
      }
    }),
  );
});

function generalWith(valorUnitario: unknown): unknown {
  return { cliente: { nome: 'Maria' }, itens: [{ descricao: 'X', quantidade: 1, valorUnitario }] };
}

test('an object that cannot become text is refused wherever it stands', () => {
  const value = { toString: null };
  for (const at of Array.from({ length: 200 }, (_, index) => index)) {
    for (const model of ['general', 'nfe', 'nfce', 'nfse'] as const) {
      const body = replaceIn(samples[model], { at, value });
      expect(() => checkInvoice(model, body), JSON.stringify(body)).not.toThrow();
      expect(() => checkTaxCalculation(body)).not.toThrow();
    }
  }
  const item = { operationCode: 1, origin: value, cfop: value };
  expect(() => checkTaxCalculation({ issuer: { taxRegime: value }, items: [item] })).not.toThrow();
});
