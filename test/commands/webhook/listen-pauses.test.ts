import { describe, expect, it } from 'vitest';
import { Outage } from '../../../src/commands/webhook/listen-pauses.js';

describe('an outage', () => {
  it('of many that were under way at once is one outage, with the shortest rest', () => {
    const outage = new Outage();
    for (let count = 0; count < 16; count += 1) outage.failed(1_000);
    expect([outage.isOn, outage.restUntil]).toEqual([true, 1_250]);
    expect([
      outage.allowance(1_249, 16, 0),
      outage.allowance(1_250, 16, 0),
      outage.allowance(1_250, 16, 1),
    ]).toEqual([0, 1, 0]);
  });

  it('rests twice as long after each probe that fails, and ends with the first that does not', () => {
    const outage = new Outage();
    for (let count = 0; count < 5; count += 1) outage.failed(0);
    const rests = Array.from({ length: 9 }, () => {
      const probeAt = outage.restUntil;
      outage.failed(probeAt);
      return outage.restUntil - probeAt;
    });
    expect(rests).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    outage.succeeded();
    expect([outage.isOn, outage.allowance(0, 16, 3)]).toEqual([false, 13]);
  });
});
