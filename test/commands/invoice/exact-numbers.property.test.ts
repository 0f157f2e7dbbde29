import fc from 'fast-check';
import { expect, test } from 'vitest';
import { invoiceSandbox } from './sandbox.js';

/** Ten or eleven digits may be a CPF, which `--debug-http` masks. */
const isShown = (number: string) => !/^\d{10,11}(?:\.|$)/.test(number);

/** A decimal of up to 15 digits, as JSON writes it: no zero in front, any zeros at the end. */
const decimal = fc
  .tuple(fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 15 }), fc.nat({ max: 15 }))
  .map(([digits, decimals]) => {
    const at = Math.max(0, digits.length - decimals);
    const whole = digits.slice(0, at).replace(/^0+(?=\d)/, '') || '0';
    return at === digits.length ? whole : `${whole}.${digits.slice(at)}`;
  })
  .filter(isShown);

/** Money: above zero, with none to two decimals. */
const money = fc
  .tuple(fc.integer({ min: 1, max: 9_999_999_999_999 }), fc.constantFrom('', '.0', '.5', '.10', '.99', '.00'))
  .map(([whole, decimals]) => `${whole}${decimals}`)
  .filter(isShown);

const invoice = fc.record({
  amount: money,
  /** Fields of the layout of a city, which the program does not know. */
  free: fc.array(fc.tuple(decimal, fc.boolean()), { minLength: 20, maxLength: 20 }),
});

test('no digit of a number changes from file to request, service, answer and output', async () => {
  const sandbox = invoiceSandbox();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(invoice, fc.boolean(), async ({ amount, free }, isText) => {
      count += 1;
      const fields = free.map(([number, asText], index) => `"n${index}":${asText ? `"${number}"` : number}`);
      const start = `"externalId":"P-${count}","cityServiceCode":"2690","description":"Consultoria"`;
      const file = sandbox.put(
        'nfse.json',
        `{${start},"servicesAmount":${isText ? `"${amount}"` : amount},${fields.join(',')}}`,
      );
      const issued = await sandbox.invoice('issue', '--model', 'nfse', '--file', file, '--debug-http', '-o', 'json');
      const { id } = JSON.parse(issued.stdout) as { id: string };
      const request = issued.stderr.split('\n').find((line) => line.startsWith(`> {${start}`));
      expect(request).toBe(`> {${start},"servicesAmount":${amount},${fields.join(',')}}`);
      const read = await sandbox.invoice('get', '--model', 'nfse', id, '-o', 'ndjson');
      for (const field of [`"servicesAmount":${amount}`, ...fields]) {
        expect(read.stdout).toMatch(new RegExp(`${field.replaceAll('.', String.raw`\.`)}[,}]`));
      }
      const yaml = await sandbox.invoice('get', '--model', 'nfse', id, '-o', 'yaml');
      expect(yaml.stdout).toContain(`servicesAmount: ${amount}\n`);
    }),
    { numRuns: 10 },
  );
}, 120_000);
