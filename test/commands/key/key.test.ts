import { describe, expect, test } from 'vitest';
import { runFiscal } from '../../support/host.js';

const nfe = '35250530057049000141550010000280181030656857';
const wrong = '35170358716523000119550010000000301000000306';

const nfeParts = {
  ...{ stateCode: '35', state: 'SP', yearMonth: '2025-05', registration: '30057049000141' },
  ...{ registrationOf: 'issuer', model: '55', series: '001', number: '000028018', emission: '1' },
  ...{ random: '03065685', checkDigit: '7' },
};

describe('key check', () => {
  test('determines the kind by the length, offline, one record per line', async () => {
    const { exitCode, stdout, stderr } = await runFiscal([
      'key',
      'check',
      nfe,
      '529.982.247-25',
      '12ABC34501DE35',
      '01310-100',
    ]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { type: 'key', value: nfe, kind: 'nfe', valid: true, parts: nfeParts, issues: [] },
      { ...{ type: 'key', value: '52998224725', kind: 'cpf', valid: true, issues: [] }, parts: { cpf: '52998224725' } },
      {
        ...{ type: 'key', value: '12ABC34501DE35', kind: 'cnpj', valid: true, issues: [] },
        parts: { cnpj: '12ABC34501DE35', formatted: '12.ABC.345/01DE-35' },
      },
      {
        ...{ type: 'key', value: '01310100', kind: 'cep', valid: true, issues: [] },
        parts: { cep: '01310100', formatted: '01310-100' },
      },
    ]);
  });

  test('gives the code, the field and the reason of each problem', async () => {
    const { exitCode, stdout } = await runFiscal(['key', 'check', wrong, '-o', 'json']);
    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout)).toEqual([
      {
        type: 'key',
        value: wrong,
        kind: 'nfe',
        valid: false,
        issues: [
          {
            code: 'check-digit',
            severity: 'error',
            field: 'checkDigit',
            message: { en: 'the check digit is 6, expected 0', pt: 'o dígito verificador é 6, esperado 0' },
          },
        ],
      },
    ]);
  });

  test.each(['pt-BR', 'pt'])('exits 2 if a key is invalid, and shows the reason with --lang %s', async (lang) => {
    expect(
      await runFiscal(['key', 'check', nfe, wrong, '--lang', lang, '--color', 'never'], { isTerminal: true }),
    ).toEqual({
      exitCode: 2,
      stdout: `${nfe}  nfe  válido\n${wrong}  nfe  inválido\n  checkDigit: o dígito verificador é 6, esperado 0\n`,
      stderr: '',
    });
  });

  test('reads stdin, and a query selects the invalid ones', async () => {
    const result = await runFiscal(['key', 'check', '-', '--query', '[?!valid].value', '-o', 'json'], {
      stdin: `${nfe}\n\n${wrong}\r\n`,
    });
    expect(result).toEqual({ exitCode: 2, stdout: `[\n  "${wrong}"\n]\n`, stderr: '' });
  });
});

test('the parts of a single key stand below it on a terminal', async () => {
  const { stdout } = await runFiscal(['key', 'check', nfe, '--color', 'never'], { isTerminal: true });
  expect(stdout.split('\n').slice(0, 4)).toEqual([
    `${nfe}  nfe  valid`,
    '  stateCode:      35',
    '  state:          SP',
    '  yearMonth:      2025-05',
  ]);
});
