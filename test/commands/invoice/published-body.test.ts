import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { invoiceSandbox } from './sandbox.js';

type Schema = Readonly<Record<string, unknown>>;

const [text, whole, number] = [{ type: 'string' }, { type: 'integer' }, { type: 'number' }];

/** An object as published: closed, with these fields required. */
function closed(required: string, properties: Schema): Schema {
  return { type: 'object', additionalProperties: false, required: required.split(' '), properties };
}

const listOf = (items: Schema): Schema => ({ type: 'array', minItems: 1, items });
const address = closed('state city district street number', {
  ...{ state: text, district: text, street: text, number: text, postalCode: text, country: text },
  city: closed('code name', { code: text, name: text }),
});
const buyer = closed('name federalTaxNumber address', { name: text, federalTaxNumber: whole, address });
const item = closed('code description ncm unit unitTax quantity unitAmount totalAmount tax', {
  ...{ code: text, description: text, ncm: text, cfop: whole, unit: text, unitTax: text },
  ...{ quantity: number, unitAmount: number, totalAmount: number },
  tax: closed('icms', { icms: closed('origin', { origin: text, csosn: text }) }),
});
const detail = closed('method amount', { method: { enum: ['Cash'] }, amount: number });
const fields = {
  operationNature: text,
  operationType: { enum: ['Outgoing', 'Incoming'] },
  items: listOf(item),
  payment: listOf(closed('paymentDetail', { paymentDetail: listOf(detail) })),
  additionalInformation: closed('order', { order: text }),
};

/** The published bodies, as far as a sample uses them; typed from the record, not from the contract. */
const bodies = {
  nfe: closed('items payment buyer', { ...fields, buyer }),
  nfce: closed('items', { ...fields, buyer }),
};

test.each(['nfe', 'nfce'] as const)(
  'the sample of %s, and what is sent of it, has the published form',
  async (model) => {
    const { invoice, put } = invoiceSandbox();
    const validate = new Ajv2020().compile(bodies[model]);
    const sample: unknown = JSON.parse((await invoice('issue', '--model', model, '--sample', '-o', 'json')).stdout);
    expect([validate(sample), validate.errors]).toEqual([true, null]);
    const order = ['--external-id', 'P-1', '--set', 'additionalInformation.order=P-1'];
    const given = [...order, '--environment', 'Production'];
    const words = ['issue', '--model', model, '--file', put('nota.json', sample), ...given];
    const sent = JSON.parse((await invoice(...words, '--dry-run', '-o', 'json')).stdout) as {
      readonly request: { readonly body: unknown };
    };
    expect([validate(sent.request.body), validate.errors]).toEqual([true, null]);
    const named = JSON.parse((await invoice(...words, '--external-id-in-body', '--dry-run', '-o', 'json')).stdout) as {
      readonly request: { readonly body: unknown };
    };
    expect(validate(named.request.body)).toBe(false);
  },
);
