import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packOrder, unpackOrder } from '../../src/archive/intake-order.js';

const candidate = fc.record({
  path: fc.string(),
  bytes: fc.uint8Array({ maxLength: 40 }),
  expected: fc.record({ accessKey: fc.string() }),
});

test('an order gives the candidates that went into it, in memory old or new', () => {
  fc.assert(
    fc.property(fc.array(candidate), fc.option(fc.nat(400), { nil: undefined }), (all, spareSize) => {
      const spare = spareSize === undefined ? undefined : new Uint8Array(spareSize).fill(7);
      const order = packOrder(3, all, spare);
      const shown = (given: typeof all) => given.map((each) => ({ ...each, bytes: [...each.bytes] }));
      expect(unpackOrder(order).map((each) => ({ ...each, bytes: [...each.bytes] }))).toEqual(shown(all));
      const size = all.reduce((sum, { bytes }) => sum + bytes.length, 0);
      expect(order.bytes === spare).toBe(spare !== undefined && spare.length >= size);
    }),
  );
});
