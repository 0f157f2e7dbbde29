import { describe, expect, test } from 'vitest';
import { detailProblems, describeDetail } from '../../src/domain/event-detail.js';

const stock = { qPerecimento: '2.5', uPerecimento: 'KG' };
const loss = { nItem: 1, vIBS: '1.00', vCBS: '0.50', gControleEstoque: stock };
const presumed = { nItem: 1, vBCCredPres: '100.00', cCredPres: '01' };

function told(code: number, detail: unknown): readonly string[] {
  return detailProblems(code, detail).map(({ field, message }) => `${field} ${message.en}`);
}

describe('a detail that matches its event has no problem', () => {
  test.each([
    [210200, {}],
    [210210, {}],
    [210220, {}],
    [210220, { justification: 'goods not received' }],
    [210240, { justification: 'goods not received' }],
    [211110, { gCredPresOper: [presumed] }],
    [211110, { gCredPresOper: [{ ...presumed, gIBSCredPres: { pCredPres: '1.5000', vCredPres: '1.50' } }] }],
    [211124, { gPerecimento: [loss, { ...loss, nItem: '990' }] }],
    [211128, { indAceitacao: 1 }],
    [212110, { indAceitacao: '0' }],
    [211150, { gCredito: [{ nItem: 3, vCredIBS: '0.01', vCredCBS: '0.00' }] }],
    [110001, { tpEventoAut: 211140, nProtEvento: '135260000000001' }],
  ])('%i %j', (code, detail) => {
    expect(told(code, detail)).toEqual([]);
  });
});

describe('a detail that does not match', () => {
  test('of another event is named field by field', () => {
    expect(told(210200, { justification: 'goods not received' })).toEqual([
      'detail.justification does not belong to the detail of event 210200',
    ]);
    expect(told(211124, { gCredito: [] })).toEqual([
      'detail.gCredito does not belong to the detail of event 211124',
      'detail.gPerecimento must be a list of 1 to 990 entries',
    ]);
  });

  test('lacks what 210240 requires', () => {
    expect(told(210240, {})).toEqual(['detail.justification is required']);
  });

  test.each([[[]], ['text'], [null], [undefined]])('is no object: %j', (detail) => {
    expect(told(210200, detail)).toEqual(['detail must be an object']);
  });

  test('has numbers where text is sent, and too many decimals', () => {
    const gControleEstoque = { qPerecimento: '2.55555', uPerecimento: '' };
    expect(told(211124, { gPerecimento: [{ nItem: 0, vIBS: 1, vCBS: '1.5', gControleEstoque }] })).toEqual([
      'detail.gPerecimento[0].nItem must be the number of an item, 1 to 990',
      'detail.gPerecimento[0].vIBS must be text with two decimals, e.g. "10.00"',
      'detail.gPerecimento[0].vCBS must be text with two decimals, e.g. "10.00"',
      'detail.gPerecimento[0].gControleEstoque.qPerecimento must be text with at most four decimals, e.g. "2.5"',
      'detail.gPerecimento[0].gControleEstoque.uPerecimento must be a unit of 1 to 6 characters',
    ]);
  });

  test('names an item twice, whether as number or text', () => {
    expect(told(211124, { gPerecimento: [loss, { ...loss, nItem: '1' }] })).toEqual([
      'detail.gPerecimento[1].nItem item 1 occurs twice',
    ]);
  });

  test('has more entries than a note has items', () => {
    const gCredito = Array.from({ length: 991 }, (_, index) => ({ nItem: index + 1 }));
    expect(told(211150, { gCredito })).toEqual(['detail.gCredito must be a list of 1 to 990 entries']);
  });

  test('has a field that the group does not know, and lacks one', () => {
    expect(told(211150, { gCredito: [{ nItem: 1, vCredIBS: '1.00', vCred: '1.00' }] })).toEqual([
      'detail.gCredito[0].vCred is not a field of this group',
      'detail.gCredito[0].vCredCBS is required',
    ]);
  });

  test('cancels an event that cannot be cancelled, or names no protocol', () => {
    expect(told(110001, { tpEventoAut: 210200, nProtEvento: '12' })).toEqual([
      'detail.tpEventoAut must be one of 211110, 211124, 211128, 211130, 211140, 211150, 212110, 212120',
      'detail.nProtEvento must be the protocol of the event: text of 15 or 17 digits',
    ]);
    expect(told(211128, { indAceitacao: 2 })).toEqual(['detail.indAceitacao must be 0 or 1']);
  });

  test('wrong in every entry is reported for the first ones', () => {
    const gCredito = Array.from({ length: 990 }, () => 'x');
    expect(told(211150, { gCredito })).toHaveLength(20);
  });
});

test('a shape is described in one line', () => {
  expect([210200, 210220, 211150, 211110].map(describeDetail)).toEqual([
    '',
    'justification?',
    'gCredito[1..990]{nItem, vCredIBS, vCredCBS}',
    'gCredPresOper[1..990]{nItem, vBCCredPres, cCredPres, gIBSCredPres?{pCredPres, vCredPres}, gCBSCredPres?{pCredPres, vCredPres}}',
  ]);
});
