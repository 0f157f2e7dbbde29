import { expect, test } from 'vitest';
import { companyCreate } from '../../src/jobs/kinds/company.js';
import { observeTaken } from '../../src/jobs/kinds/invoice-answer.js';
import { observeAccepted, observeEvent } from '../../src/jobs/kinds/manifestation-answer.js';
import { productCreate } from '../../src/jobs/kinds/product.js';
import { reasonText } from '../../src/jobs/known-reasons.js';

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
  expect({ state, reason: reasonText(errorMessage) }).toEqual({
    state: 'uncertain',
    reason: { en: errorMessage, pt: expect.stringMatching(/^(?:o serviço|a resposta) /) },
  });
});
