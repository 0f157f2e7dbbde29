import { expect, test } from 'vitest';
import { companyCreate } from '../../src/jobs/resources/company.js';
import { observeTaken } from '../../src/jobs/kinds/invoice-answer.js';
import { observeAccepted, observeEvent } from '../../src/jobs/kinds/manifestation-answer.js';
import { productCreate } from '../../src/jobs/kinds/product.js';
import type { Text } from '../../src/contract/text.js';
import { answerReasons } from '../../src/errors/answer-reasons.js';
import { errorCatalogue } from '../../src/errors/catalogue.js';
import { inBothLanguages, knownText } from '../../src/errors/known-text.js';
import { reasons } from '../../src/errors/reasons.js';
import { filled } from '../../src/errors/text-template.js';
import { xmlReasons } from '../../src/errors/xml-reasons.js';

const event = { accessKey: 'K', eventCode: 210200, nSequencia: 1 };
const nameless = { status: 202, body: {}, location: undefined, requestId: undefined };
const answer = nameless as unknown as Parameters<typeof observeAccepted>[0];
const product = { tenantId: 't1', product: { sku: 'A' } };
const company = { company: { federalTaxNumber: '11222333000181', name: 'A' } };

test.each([
  ['an event without an id', observeAccepted(answer, event)],
  ['another event', observeEvent({ accessKey: 'L' }, event)],
  ['an invoice without an id', observeTaken(answer)],
  ['a product without an id', productCreate.observeSubmit(answer, product)],
  ['a company without an id', companyCreate.observeSubmit(answer, company)],
])('the reason why %s is uncertain is in both languages', (_what, { state, errorMessage = '' }) => {
  expect({ state, reason: knownText(errorMessage) }).toEqual({
    state: 'uncertain',
    reason: { en: errorMessage, pt: expect.stringMatching(/^(?:o serviço|a resposta) /) },
  });
});

test.each([
  [
    'an error with a value that is a reason with a code',
    'cannot reach api.example: nothing accepts connections there (ECONNREFUSED)',
    'não foi possível alcançar api.example: nada aceita conexões nesse endereço (ECONNREFUSED)',
  ],
  [
    'an error whose value holds separators of the service',
    'the service refused the request (HTTP 400): bad: a (b); c',
    'o serviço recusou a requisição (HTTP 400): bad: a (b); c',
  ],
  [
    'reasons after each other, of which one has a semicolon',
    '12 hidden NFS-e, billed as history when captured; the connection to h was cut before the answer was complete',
    '12 NFS-e ocultas, cobradas como histórico na captura; a conexão com h caiu antes do fim da resposta',
  ],
  [
    'a reason with a command',
    'its item of job 1-2 has not ended; fiscal job resume 1-2 --wait',
    'o item do lote 1-2 que ele repete não terminou; fiscal job resume 1-2 --wait',
  ],
  [
    'a reason with names',
    'its content differs from ours: name, price',
    'o conteúdo dela é diferente do nosso: name, price',
  ],
  [
    'targets with their failures',
    'http://a.example/x: ECONNREFUSED; exec mail 12ab: exit code 3',
    'http://a.example/x: nada aceita conexões nesse endereço (ECONNREFUSED); exec mail 12ab: código de saída 3',
  ],
  [
    'looks over a time',
    'nothing of it is found at the service, but the send may have been billed (3 looks over 61 s)',
    'nada dela foi encontrado no serviço, mas o envio pode ter sido cobrado (3 consultas em 61 s)',
  ],
])('%s is known in both languages', (_what, en, pt) => {
  expect(inBothLanguages(en).pt).toBe(pt);
});

test.each(['Rejeição: Prazo vencido', 'no: known (text); of: ours', '', 'x'.repeat(5_000)])(
  'the words of others stay as they came',
  (text) => {
    expect(knownText(text)).toBe(text);
  },
);

test('every reason and every error is found again by what it says in English', () => {
  // Its English is that of service.other_subject, with an id that may be missing.
  const { 'service.other_company': _company, ...errors } = errorCatalogue();
  const texts = [reasons, answerReasons, xmlReasons, errors].flatMap((of): Text[] => Object.values(of));
  for (const text of texts) {
    const names = [...text.en.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    if (text.en === `{${names[0] ?? ''}}`) continue;
    const values = Object.fromEntries(names.map((name, index) => [name, `v${index}`]));
    const { en, pt } = filled(text, values);
    expect({ en, pt: inBothLanguages(en).pt }).toEqual({ en, pt });
  }
});

test('a hostile text of many parts is read in no time to speak of', () => {
  const text = 'its content differs from ours: x; '.repeat(58);
  expect(knownText(text)).toBe(text);
});
