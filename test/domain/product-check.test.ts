import { describe, expect, test } from 'vitest';
import { checkProduct } from '../../src/domain/product-check.js';
import { parseKeepingNumbers } from '../../src/domain/json-numbers.js';

const create = { forCreate: true };
const minimal = { sku: 'A-1', description: 'Coffee', origin: 'National' };

function problemsOf(raw: unknown): Readonly<Record<string, string>> {
  const { problems } = checkProduct(raw, create);
  return Object.fromEntries(problems.map(({ field, message }) => [field, message.en]));
}

describe('names and enum values', () => {
  test('names are read in any letter case at every depth and become canonical', () => {
    const written = {
      SKU: 'A-1',
      Description: 'Coffee',
      ORIGIN: 'national',
      TAX: { NCM: '09012100' },
      customtax: [
        {
          OperationCode: 121,
          ISSUER: [{ taxregime: 'realprofit', TaxProfile: 'RETAIL' }],
          recipient: [{ TAXPROFILE: 'Final_Consumer_Non_ICMS_Contributor' }],
          intrastate: { CFOP: '5102', ICMS: { CST: '00', PICMS: '18.00' }, pis: { ppis: '1.65' } },
        },
      ],
    };
    expect(checkProduct(written, create)).toEqual({
      product: {
        ...minimal,
        tax: { ncm: '09012100' },
        customTax: [
          {
            operationCode: 121,
            issuer: [{ taxRegime: 'RealProfit', taxProfile: 'retail' }],
            recipient: [{ taxProfile: 'final_consumer_non_icms_contributor' }],
            intraState: { cfop: '5102', icms: { cst: '00', pICMS: '18.00' }, pis: { pPIS: '1.65' } },
          },
        ],
      },
      problems: [],
      notes: [],
    });
  });

  test('customTax may be one object, and stays one', () => {
    const product = { ...minimal, customTax: { operationCode: 1, interState: { cfop: '6102' } } };
    expect(checkProduct(product, create)).toEqual({ product, problems: [], notes: [] });
  });

  test('a name given twice in different case is a problem', () => {
    expect(problemsOf({ ...minimal, SKU: 'B' })).toEqual({ SKU: 'is given twice, in different letter case' });
  });

  test('an unknown enum name lists the known ones', () => {
    expect(problemsOf({ ...minimal, taxRegime: 'Real' })).toEqual({
      taxRegime:
        'must be one of: NationalSimple, RealProfit, PresumedProfit, NationalSimpleSublimitExceeded, IndividualMicroEnterprise, Exempt',
    });
  });

  test('an unknown field is sent as written, with a note', () => {
    const { product, problems, notes } = checkProduct({ ...minimal, unitCode: { Kg: 1 } }, create);
    expect({ product, problems, notes: notes.map((note) => note.field) }).toEqual({
      product: { ...minimal, unitCode: { Kg: 1 } },
      problems: [],
      notes: ['unitCode'],
    });
  });

  test('a field called __proto__ changes nothing but itself', () => {
    const { product } = checkProduct(JSON.parse(`{"sku":"A","__proto__":{"origin":"National"}}`), create);
    expect(product.origin).toBeUndefined();
    expect(Object.keys(product)).toEqual(['sku', '__proto__']);
  });

  test.each(['SEM GTIN', 'sem gtin ', 'SEMGTIN', 'S/GTIN', 'Sem-Gtin', 'SEM EAN', '', ' \u00a0'])(
    'the words for a product without GTIN are left out, with a note: "%s"',
    (gtin) => {
      expect(checkProduct({ ...minimal, gtin }, create)).toEqual({
        product: minimal,
        problems: [],
        notes: [
          {
            field: 'gtin',
            message: {
              en: `is "${gtin.trim()}": the product has none, and the field is left out`,
              pt: `é "${gtin.trim()}": o produto não tem, e o campo não é enviado`,
            },
          },
        ],
      });
    },
  );

  test.each(['SEM', 'GTIN', 'SEM GTIN 7891234567895', 'N/A'])(
    'other words in place of a GTIN are a problem: "%s"',
    (gtin) => {
      expect(problemsOf({ ...minimal, gtin })).toEqual({ gtin: 'must have up to 14 digits' });
    },
  );

  test('nulls are left out, with a note', () => {
    const { product, notes } = checkProduct({ ...minimal, gtin: null, tax: { cest: null } }, create);
    expect(product).toEqual({ ...minimal, tax: {} });
    expect(notes.map((note) => `${note.field} ${note.message.en}`)).toEqual([
      'gtin is null and is left out',
      'tax.cest is null and is left out',
    ]);
  });
});

describe('values of tax groups', () => {
  function icms(json: string): unknown {
    const raw = parseKeepingNumbers(
      `{"sku":"A-1","description":"Coffee","origin":"National","customTax":[{"intraState":{"icms":${json}}}]}`,
    );
    const { product, problems } = checkProduct(raw, create);
    if (problems.length > 0) return problems.map(({ field, message }) => `${field}: ${message.en}`);
    return Array.isArray(product.customTax) ? product.customTax[0]?.intraState?.icms : product.customTax;
  }

  test('a number becomes the text of the number as it was typed', () => {
    expect(icms('{"pICMS": 18.10, "vUnit": 0.1, "cst": 41}')).toEqual({ pICMS: '18.10', vUnit: '0.1', cst: '41' });
  });

  test('text stays exactly as written', () => {
    expect(icms('{"pICMS":"07.0000","note":" x "}')).toEqual({ pICMS: '07.0000', note: ' x ' });
  });

  test.each([
    ['{"pICMS":1.8e1}', 'the number 1.8e1 must be written as a plain decimal of at most 15 digits'],
    [
      '{"pICMS":18.0000000000000001}',
      'the number 18.0000000000000001 must be written as a plain decimal of at most 15 digits',
    ],
    ['{"pICMS":"18,00"}', 'the decimal separator is a point: "18.00"'],
    ['{"pICMS":"100.01"}', 'must be between 0 and 100'],
    ['{"pICMS":"18.00001"}', 'must be a percentage as text with up to four decimals, e.g. "18.00"'],
    ['{"pICMS":-1}', 'must be a percentage as text with up to four decimals, e.g. "18.00"'],
    ['{"pICMS":true}', 'must be text or a number, e.g. "18.00"'],
  ])('%s is refused', (json, message) => {
    expect(icms(json)).toEqual([`customTax[0].intraState.icms.pICMS: ${message}`]);
  });

  test('a code without its leading zeros, as a number, is refused', () => {
    expect(icms('{"cst":0}')).toEqual([
      'customTax[0].intraState.icms.cst: a number loses the leading zeros of the code: write it as text, e.g. "00"',
    ]);
  });

  test('a margin may exceed 100 percent', () => {
    expect(icms('{"pmvast":"140.50"}')).toEqual({ pMVAST: '140.50' });
  });
});

describe('fields of the product', () => {
  test('all problems are reported at once, each with its path as written', () => {
    expect(
      problemsOf({
        sku: 'x'.repeat(61),
        Origin: 'Brazil',
        gtin: '789A',
        tax: { ncm: 9012100, cest: '123' },
        customTax: [{ operationCode: 1000 }, 7],
      }),
    ).toEqual({
      sku: 'has 61 characters; at most 60 are allowed',
      Origin: expect.stringMatching(/^must be one of: National, /),
      gtin: 'must have up to 14 digits',
      'tax.ncm': 'must be text, in quotes',
      'tax.cest': 'must have exactly 7 digits',
      'customTax[0].operationCode': 'must be a whole number from 0 to 999',
      'customTax[1]': 'must be an object',
      description: 'is required to create a product',
    });
  });

  test('a create needs sku, description and origin; an update needs at least one field', () => {
    expect(Object.keys(problemsOf({}))).toEqual(['sku', 'description', 'origin']);
    const update = { forCreate: false };
    expect(checkProduct({ gtin: '7891000315507' }, update).problems).toEqual([]);
    expect(checkProduct({}, update).problems.map((problem) => problem.message.en)).toEqual([
      'the product has no fields',
    ]);
  });

  test.each([[[]], ['text'], [7], [null]])('%j is not a product', (raw) => {
    expect(checkProduct(raw, create).problems[0]?.message.en).toBe('must be an object');
  });

  test('a length counts characters, not code units', () => {
    expect(problemsOf({ ...minimal, description: '☕️'.repeat(60) })).toEqual({});
    expect(problemsOf({ ...minimal, sku: '😀'.repeat(60) })).toEqual({});
  });
});
