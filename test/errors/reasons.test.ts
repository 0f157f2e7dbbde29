import { expect, test } from 'vitest';
import { answerReasons } from '../../src/errors/answer-reasons.js';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import {
  codedReason,
  isReason,
  type Reason,
  reasonOfError,
  reasonWords,
  rowReasons,
  said,
} from '../../src/errors/reasons.js';
import { filled, namesIn } from '../../src/errors/text-template.js';

const unreachable = { host: 'api.example', reason: 'ECONNREFUSED' };

test.each<readonly [Reason, en: string, pt: string]>([
  [said('Rejeição: Prazo vencido'), 'Rejeição: Prazo vencido', 'Rejeição: Prazo vencido'],
  [{ is: 'held-up' }, 'held up before it was sent', 'ficou retido antes do envio'],
  [
    { is: 'several-alike', about: ['a', 'b'] },
    'the service has an invoice that may be this one, and nothing that it shows tells for sure: a, b',
    'o serviço tem uma nota que pode ser esta, e nada do que ele mostra permite ter certeza: a, b',
  ],
  [
    { is: 'perhaps-billed', looks: 3, seconds: 61 },
    'nothing of it is found at the service, but the send may have been billed (3 looks over 61 s)',
    'nada dela foi encontrado no serviço, mas o envio pode ter sido cobrado (3 consultas em 61 s)',
  ],
  [
    { is: 'target-fault', fault: 'ECONNREFUSED' },
    'nothing accepts connections there (ECONNREFUSED)',
    'nada aceita conexões nesse endereço (ECONNREFUSED)',
  ],
  [
    { is: 'unusable-file', code: 'empty', words: { en: 'the file is empty', pt: 'o arquivo está vazio' } },
    'the file is empty',
    'o arquivo está vazio',
  ],
  [
    reasonOfError(new FiscalError('network.unreachable', unreachable)),
    'cannot reach api.example: nothing accepts connections there (ECONNREFUSED)',
    'não foi possível alcançar api.example: nada aceita conexões nesse endereço (ECONNREFUSED)',
  ],
])('the reason %j is a sentence in both languages', (reason, en, pt) => {
  expect(reasonWords(reason)).toEqual({ en, pt });
});

test('an error is the same sentence again when its row is read, also where a value is a text', () => {
  const values = { operation: 'nfe.get', status: 200, reason: filled(answerReasons.lacks, { name: 'id' }) };
  const error = new FiscalError('service.unreadable', { ...values, unnamed: 'x'.repeat(10_000) });
  const stored: unknown = JSON.parse(JSON.stringify(reasonOfError(error)));
  expect(stored).toEqual({ is: 'error', code: 'service.unreadable', values });
  expect(isReason(stored) && reasonWords(stored)).toEqual(error.text);
});

test.each(Object.entries(rowReasons))(
  'the reason %s is known with its values, and not without one',
  (is, { en, pt }) => {
    const names = namesIn(en);
    const whole = { is, ...Object.fromEntries(names.map((name) => [name, 1])) };
    expect([isReason(whole), isReason({ ...whole, about: ['a'] })]).toEqual([true, true]);
    expect(names.map((name) => isReason({ ...whole, [name]: undefined }))).toEqual(names.map(() => false));
    expect(namesIn(pt).toSorted()).toEqual(names.toSorted());
  },
);

test.each([
  null,
  'held-up',
  {},
  { is: 'toString' },
  { is: 'held-up', about: 'a' },
  { is: 'said' },
  { is: 'error', code: 'no.such' },
  { is: 'error', code: 'service.busy', values: { a: [] } },
  { is: 'unusable-file', code: 'empty', words: 'empty' },
])('%j is no reason', (value) => {
  expect(isReason(value)).toBe(false);
});

test.each([
  [undefined, undefined, 'no reason was given', 'nenhum motivo foi informado'],
  ['539', undefined, '539', '539'],
  ['539', said('Duplicidade'), '539: Duplicidade', '539: Duplicidade'],
  [undefined, said('Duplicidade'), 'Duplicidade', 'Duplicidade'],
] as const)('the code %j with the reason %j', (code, reason, en, pt) => {
  expect(codedReason(code, reason)).toEqual({ en, pt });
});
