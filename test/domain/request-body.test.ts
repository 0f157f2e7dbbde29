import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OperationId } from '../../src/contract/operations.js';
import { exactJson, parseKeepingNumbers } from '../../src/domain/json-numbers.js';
import { type BodyForms, requestBody } from '../../src/domain/request-body.js';

const published: BodyForms = { taxNumbers: 'integer', decimals: 'number' };
const asText: BodyForms = { taxNumbers: 'text', decimals: 'text' };

function sent(operation: OperationId, json: string, forms: BodyForms = published): string {
  const { body, problems } = requestBody(operation, parseKeepingNumbers(json), forms);
  expect(problems).toEqual([]);
  return exactJson(body);
}

describe('a body is sent in its published form', () => {
  test.each<readonly [OperationId, string, string]>([
    [
      'nfe.issue',
      '{"items":[{"quantity":"2","unitAmount":"18.90","cfop":"5102","tax":{"icms":{"rate":"18.00"}}}]}',
      '{"items":[{"quantity":2,"unitAmount":18.90,"cfop":5102,"tax":{"icms":{"rate":18.00}}}]}',
    ],
    ['nfce.issue', '{"payment":[{"payBack":"0.00"}]}', '{"payment":[{"payBack":0.00}]}'],
    [
      'nfe.issue',
      '{"items":[{"tax":{"icms":{"baseTaxSTReduction":33.30},"ii":{"baseTax":"10.50"}}}]}',
      '{"items":[{"tax":{"icms":{"baseTaxSTReduction":"33.30"},"ii":{"baseTax":"10.50"}}}]}',
    ],
    [
      'nfse.issue',
      '{"servicesAmount":"1500.00","borrower":{"federalTaxNumber":"01.234.567/0001-95"},"issRate":"0.0500"}',
      '{"servicesAmount":1500.00,"borrower":{"federalTaxNumber":1234567000195},"issRate":0.0500}',
    ],
    [
      'nfe.issue',
      '{"items":[{"tax":{"IBSCBS":{"classCode":"000001","basis":"100.00","state":{"rate":"0.1","deferment":{"amount":"7"}}}}}]}',
      '{"items":[{"tax":{"IBSCBS":{"classCode":"000001","basis":100.00,"state":{"rate":0.1,"deferment":{"amount":7}}}}}]}',
    ],
    [
      'nfce.stateTax.issue',
      '{"items":[{"tax":{"IS":{"unit":"1.5","quantity":"2"},"IBSCBS":{"gIBSCBS":{"vBC":"1.00","pIBSUF":"0.10","CST":"000"}}}}]}',
      '{"items":[{"tax":{"IS":{"unit":"1.5","quantity":2},"IBSCBS":{"gIBSCBS":{"vBC":1.00,"pIBSUF":0.10,"CST":"000"}}}}]}',
    ],
    [
      'nfse.issue',
      '{"rateCode":"01.05","ownTaxAmount":"3.10","ibsCbs":{"monophase":{"list":[{"ibsAmount":"1.00","note":"1.00"}]}}}',
      '{"rateCode":"01.05","ownTaxAmount":3.10,"ibsCbs":{"monophase":{"list":[{"ibsAmount":1.00,"note":"1.00"}]}}}',
    ],
    [
      'invoice.create',
      '{"valorTotal":"18.90","pagamento":[{"forma":"01","valor":"18.90","troco":"0"}]}',
      '{"valorTotal":18.90,"pagamento":[{"forma":"01","valor":18.90,"troco":0}]}',
    ],
    ['webhook.create', '{"webHook":{"properties":{"amount":"1.00"}}}', '{"webHook":{"properties":{"amount":"1.00"}}}'],
    [
      'product.create',
      '{"customTax":[{"intraState":{"icms":{"pICMS":"18.00","vBC":"1"}}}]}',
      '{"customTax":[{"intraState":{"icms":{"pICMS":"18.00","vBC":"1"}}}]}',
    ],
    ['tax.calculate', '{"items":[{"quantity":"007.50","id":1}]}', '{"items":[{"quantity":7.50,"id":"1"}]}'],
    ['nfe.inbound.enable', '{"startFromNsu":"000123"}', '{"startFromNsu":123}'],
    [
      'nfe.inbound.update',
      '{"automaticManifesting":{"minutesToOperationConfirmation":"60"}}',
      '{"automaticManifesting":{"minutesToOperationConfirmation":60}}',
    ],
    [
      'nfse.inbound.enable',
      '{"companyId":"1","initialNsu":"0","startFromDate":"2026-01-01"}',
      '{"companyId":"1","initialNsu":0,"startFromDate":"2026-01-01T03:00:00Z"}',
    ],
    ['nfse.resetNsu', '{"nsu":"999999999999999"}', '{"nsu":999999999999999}'],
    [
      'company.update',
      '{"company":{"name":1,"federalTaxNumber":"12ABC34501DE35"}}',
      '{"company":{"name":1,"federalTaxNumber":"12ABC34501DE35"}}',
    ],
  ])('%s %s', (operation, given, body) => {
    expect(sent(operation, given)).toBe(body);
  });
});

test('a profile that sends text sends text, with the leading zeros of a CNPJ or CPF', () => {
  const given =
    '{"servicesAmount":1500.00,"rpsNumber":7,"borrower":{"federalTaxNumber":1234567000195},' +
    '"provider":{"federalTaxNumber":191}}';
  expect(sent('nfse.issue', given, asText)).toBe(
    '{"servicesAmount":"1500.00","rpsNumber":7,"borrower":{"federalTaxNumber":"01234567000195"},' +
      '"provider":{"federalTaxNumber":"00000000000191"}}',
  );
  expect(sent('nfse.resetNsu', '{"nsu":12}', asText)).toBe('{"nsu":"12"}');
  expect(sent('nfe.issue', '{"buyer":{"federalTaxNumber":"12ABC34501DE35"}}', asText)).toContain('"12ABC');
});

test('text that is no decimal is refused where an amount goes, with its place and value', () => {
  const body = {
    items: [
      { unitAmount: '18,90', tax: { icms: { rate: '' }, IBSCBS: { basis: 'R$ 1.234,56', state: { rate: 'isento' } } } },
    ],
    totals: { icms: { invoiceAmount: 'dezoito' } },
  };
  const written = (value: string) => ({
    en: `must be a decimal with a point, such as 12.50, not "${value}"`,
    pt: `deve ser um decimal com ponto, como 12.50, não "${value}"`,
  });
  expect(requestBody('nfe.issue', body, published)).toEqual({
    body,
    problems: [
      { field: 'items[0].unitAmount', message: written('18,90') },
      { field: 'items[0].tax.IBSCBS.basis', message: written('R$ 1.234,56') },
      { field: 'totals.icms.invoiceAmount', message: written('dezoito') },
    ],
  });
  const general = requestBody('invoice.create', { pagamento: [{ valor: '12,5%' }] }, published);
  expect(general.problems).toEqual([{ field: 'pagamento[0].valor', message: written('12,5%') }]);
});

test('letters in a CNPJ fit no integer, and the problem names the field and the setting', () => {
  const given = { items: [], buyer: { federalTaxNumber: '12.ABC.345/01DE-35' } };
  const { body, problems } = requestBody('nfe.issue', given, published);
  expect(body).toEqual(given);
  expect(problems).toEqual([
    {
      field: 'buyer.federalTaxNumber',
      message: expect.objectContaining({ en: expect.stringContaining('sends.taxNumbers text') }),
    },
  ]);
});

test('what has no published form stays as it is', () => {
  const strange =
    '{"items":[{"quantity":"","unitAmount":null,"tax":null,"other":"1.50","ownRate":"none"}],"free":18.10}';
  expect(sent('nfe.issue', strange)).toBe(strange);
  expect(sent('nfe.inbound.enable', '{"startFromDate":"2026-02-31"}')).toBe('{"startFromDate":"2026-02-31"}');
  expect(sent('nfe.inbound.enable', '{"startFromDate":"2026-01-01T00:00:00Z"}')).toContain('T00:00:00Z');
});

test('no digit of a decimal changes, and its form does not depend on how it was typed', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 15 });
  fc.assert(
    fc.property(digits, fc.nat({ max: 14 }), (all, decimals) => {
      const whole = all.slice(decimals).replace(/^0+(?=\d)/, '') || '0';
      const text = decimals === 0 ? whole : `${whole}.${all.slice(0, decimals)}`;
      expect(sent('nfse.issue', `{"servicesAmount":"${text}"}`)).toBe(`{"servicesAmount":${text}}`);
      expect(sent('nfse.issue', `{"servicesAmount":${text}}`)).toBe(`{"servicesAmount":${text}}`);
      expect(sent('nfse.issue', `{"servicesAmount":${text}}`, asText)).toBe(`{"servicesAmount":"${text}"}`);
    }),
  );
});
