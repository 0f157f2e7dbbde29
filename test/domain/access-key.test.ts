import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bareKey, checkInvoiceKey, checkKey, checkServiceKey } from '../../src/domain/access-key.js';
import { mod11, weights2To9 } from '../../src/domain/tax-number.js';

// Published test keys, typed by hand: key, kind, whether it is valid.
const published44 = [
  ['35250530057049000141550010000280181030656857', 'nfe', true],
  ['35150271780456000160550010000253101000253101', 'nfe', true],
  ['15231207933914000154550010006643501427015088', 'nfe', true],
  ['35170458716523000119550010000000121000123458', 'nfe', true],
  ['41180678393592000146558900000006041028190697', 'nfe', true],
  ['23190811820016000167650010000000221100000227', 'nfce', true],
  ['41170410422724000187650010000005101000010235', 'nfce', true],
  ['35150268252816000146570010000016161002008472', 'cte', true],
  ['35240781583054000129570010000057411040645890', 'cte', true],
  ['52060412ABC34501DE35550120000007801267301610', 'nfe', true],
  ['35170358716523000119550010000000301000000306', 'nfe', false],
] as const;

const published50 = [
  '21113002200574753000100000000000146726037032711025',
  '33045572211905971000105000000000014625124504258429',
] as const;

describe('a key of 44 characters', () => {
  test.each(published44)('%s is %s, valid: %s', (key, kind, valid) => {
    const check = checkInvoiceKey(key);
    expect({ kind: check.parts?.kind, valid: check.valid }).toEqual({ kind, valid });
  });

  test('has its fields', () => {
    expect(checkInvoiceKey('35250530057049000141550010000280181030656857')).toEqual({
      value: '35250530057049000141550010000280181030656857',
      valid: true,
      parts: {
        kind: 'nfe',
        stateCode: '35',
        state: 'SP',
        yearMonth: '2025-05',
        registration: '30057049000141',
        registrationOf: 'issuer',
        model: '55',
        series: '001',
        number: '000028018',
        emission: '1',
        random: '03065685',
        checkDigit: '7',
      },
      issues: [],
    });
  });

  test('names no issuer if the tax office issued it', () => {
    const { parts } = checkInvoiceKey('41180678393592000146558900000006041028190697');
    expect({ series: parts?.series, of: parts?.registrationOf }).toEqual({ series: '890', of: 'tax-office' });
  });

  test('with letters in the CNPJ is valid with a warning', () => {
    const check = checkInvoiceKey('52060412ABC34501DE35550120000007801267301610');
    expect(check.issues.map(({ code, severity }) => ({ code, severity }))).toEqual([
      { code: 'letters', severity: 'warning' },
    ]);
  });

  test('with a wrong check digit shows the expected one', () => {
    const { issues } = checkInvoiceKey('35170358716523000119550010000000301000000306');
    expect(issues.map(({ code, message }) => ({ code, message: message.en }))).toEqual([
      { code: 'check-digit', message: expect.stringMatching(/^the check digit is 6, expected \d$/) },
    ]);
  });

  test.each([
    ['3525053005704900014155001000028018103065685', 'length'],
    ['3525053005704900014155001000028018103065685A', 'characters'],
    ['3525053005704900014155001000028018103065685_', 'characters'],
  ])('%s has a wrong form: %s', (key, code) => {
    const check = checkInvoiceKey(key);
    expect({ valid: check.valid, parts: check.parts, codes: check.issues.map((issue) => issue.code) }).toEqual({
      valid: false,
      parts: undefined,
      codes: [code],
    });
  });

  test('with an impossible state, month and number names each', () => {
    const base = '9925133005704900014155001000000000103065685';
    const check = checkInvoiceKey(base + mod11(base, weights2To9));
    expect({ valid: check.valid, codes: check.issues.map((issue) => issue.code) }).toEqual({
      valid: false,
      codes: ['state', 'month', 'number'],
    });
  });

  test('with the number zero is valid with a warning if its check digit fits, and wrong otherwise', () => {
    const base = '3525053005704900014155001000000000103065685';
    const digit = mod11(base, weights2To9);
    const issues = (key: string) => checkInvoiceKey(key).issues.map(({ code, severity }) => [code, severity]);
    expect(issues(base + digit)).toEqual([['number', 'warning']]);
    expect(checkInvoiceKey(base + digit).valid).toBe(true);
    expect(issues(`${base}${(Number(digit) + 1) % 10}`)).toEqual([
      ['number', 'error'],
      ['check-digit', 'error'],
    ]);
  });

  test('never passes with one digit changed to another', () => {
    const position = fc.nat({ max: 42 });
    const step = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(
        fc.constantFrom(...published44.filter(([key]) => /^\d+$/.test(key))),
        position,
        step,
        (row, at, by) => {
          const [key, , valid] = row;
          fc.pre(valid);
          const digit = (Number(key.charAt(at)) + by) % 10;
          const changed = key.slice(0, at) + String(digit) + key.slice(at + 1);
          const { issues } = checkInvoiceKey(changed);
          // A change of remainder 0 to 1 or back gives the digit 0 twice: the rule itself cannot see it.
          const blind = mod11(changed.slice(0, 43), weights2To9) === key.charAt(43);
          expect(issues.some((issue) => issue.code === 'check-digit')).toBe(!blind);
          expect(blind && key.charAt(43) !== '0').toBe(false);
        },
      ),
    );
  });

  test.each([
    ...['NFe', 'nfe', 'NFE', 'NF-e '],
    ...["'", '’', '"', '="', '\u200B', '\uFEFF', '\u2060', '\u00AD', '\u034F', '\u3164', '\u2800', '\u{E0020}'],
  ])('is read without what print, XML and people put around it: %j', (added) => {
    const key = '52060412ABC34501DE35550120000007801267301610';
    const groups = key.replaceAll(/(.{4})(?=.)/g, '$1 ');
    const written = [
      `${added}${key}`,
      `${added}${groups}`,
      `${key}${added}`,
      key.toLowerCase().replace('abc', `abc${added}`),
    ];
    const isPrefix = /^[A-Z]/i.test(added);
    expect(written.slice(0, isPrefix ? 2 : 4).map((text) => bareKey(text))).toEqual(
      Array.from({ length: isPrefix ? 2 : 4 }, () => key),
    );
  });

  const ofModel = (model: string): string => {
    const base = `35250530057049000141${model}001000028018103065685`;
    return base + mod11(base, weights2To9);
  };

  test.each([
    ['NFe', '55 65'],
    ['NFC-e ', '65'],
    ['CTe', '57 67 64'],
    ['ct-e ', '57 67 64'],
    ['CTeOS', '67'],
    ['GTVe', '64'],
    ['MDFe', '58'],
    ['cfe', '59'],
    ['NFCom', '62'],
    ['BPe', '63'],
    ['NF3e', '66'],
    ['NFSe', ''],
    ['NFS', ''],
  ])('is refused after the name of another document: %s', (name, models) => {
    const all = ['55', '57', '58', '59', '62', '63', '64', '65', '66', '67'];
    const passes = all.filter((model) => checkKey(name + ofModel(model)).valid);
    expect(passes).toEqual(all.filter((model) => models.split(' ').includes(model)));
    expect(passes).toEqual(all.filter((model) => bareKey(name + ofModel(model)) === ofModel(model)));
    const service = '21113002200574753000100000000000146726037032711025';
    expect(checkKey(name + service).valid).toBe(name.startsWith('NFS'));
    expect(bareKey(name + service) === service).toBe(name.startsWith('NFS'));
  });

  test('is refused when a spreadsheet has rounded it, whatever its check digit', () => {
    const fits = '35250530057049000000000000000000000000000000';
    const service = `211130022005747${'0'.repeat(35)}`;
    expect([fits, service].map((key) => [checkKey(key).valid, checkKey(key).issues[0]?.code])).toEqual([
      [false, 'rounded'],
      [false, 'rounded'],
    ]);
  });

  test('is read with digits as wide as letters of another script', () => {
    const key = '52060412ABC34501DE35550120000007801267301610';
    const wide = key.replaceAll(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
    expect(bareKey(wide)).toBe(key);
  });

  test('a text that is no key keeps its letters', () => {
    expect(['65f1c2a9b0d4e8f7a1b2c3d4', 'nfe', 'nfe-ab'].map((text) => bareKey(text))).toEqual([
      ...['65f1c2a9b0d4e8f7a1b2c3d4', 'nfe', 'nfeab'],
    ]);
  });

  test('has a CPF only where it begins with 000, whatever its series', () => {
    const of = (key: string) => {
      const { registration, registrationOf } = checkInvoiceKey(key).parts ?? {};
      return [registration, registrationOf];
    };
    expect([
      of('41180600052998224725559200000006041028190690'),
      of('41180678393592000146559200000006041028190690'),
      of('41180600000000000191550010000006041028190690'),
    ]).toEqual([
      ['52998224725', 'issuer-cpf'],
      ['78393592000146', 'issuer'],
      ['00000000000191', 'issuer'],
    ]);
  });

  test('any text gives a verdict, never an exception', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 120 }), (text) => {
        expect(typeof checkInvoiceKey(text).valid).toBe('boolean');
        expect(typeof checkServiceKey(text).valid).toBe('boolean');
      }),
    );
  });
});

describe('a key of 50 characters', () => {
  test.each(published50)('%s is a valid NFS-e key', (key) => {
    const check = checkServiceKey(key);
    expect({ valid: check.valid, kind: check.parts?.kind, issues: check.issues }).toEqual({
      valid: true,
      kind: 'nfse',
      issues: [],
    });
  });

  test('has its fields', () => {
    expect(checkServiceKey('21113002200574753000100000000000146726037032711025').parts).toEqual({
      kind: 'nfse',
      municipality: '2111300',
      state: 'MA',
      generator: 'national',
      registrationKind: 'cnpj',
      registration: '00574753000100',
      number: '0000000001467',
      yearMonth: '2026-03',
      random: '703271102',
      checkDigit: '5',
    });
  });

  test('with a wrong check digit is valid with a warning: the rule is not published', () => {
    const check = checkServiceKey('21113002200574753000100000000000146726037032711024');
    expect({ valid: check.valid, issues: check.issues.map(({ code, severity }) => ({ code, severity })) }).toEqual({
      valid: true,
      issues: [{ code: 'check-digit', severity: 'warning' }],
    });
  });
});
