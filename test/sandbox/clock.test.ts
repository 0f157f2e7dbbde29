import { afterEach, describe, expect, it, vi } from 'vitest';
import { testService } from '../conformance/service.js';

const service = testService();
const move = (change: object) => service.control('POST', 'clock', change);
const now = async () => Date.parse((await service.control('GET', 'clock')).now);

afterEach(async () => {
  vi.useRealTimers();
  await service.control('POST', 'reset');
});

describe('the clock of the sandbox', () => {
  it('advances by a duration', async () => {
    await move({ freeze: true });
    const before = await now();
    expect(Date.parse((await move({ advance: '10d' })).now) - before).toBe(864_000_000);
    expect(Date.parse((await move({ advance: '1h30m' })).now) - before).toBe(869_400_000);
  });

  it('stops while it is frozen, and continues from there', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1) });
    const start = Date.UTC(2030, 0, 1);
    await move({ set: '2030-01-01T00:00:00Z' });
    await move({ freeze: true });
    vi.setSystemTime(Date.UTC(2026, 0, 2));
    expect(await now()).toBe(start);
    expect(Date.parse((await move({ freeze: false })).now)).toBe(start);
    vi.setSystemTime(Date.UTC(2026, 0, 3));
    expect(await now()).toBe(start + 86_400_000);
  });

  it('can be set to any time, the past included', async () => {
    await move({ freeze: true });
    expect(await move({ set: '2026-06-01T00:00:00Z' })).toMatchObject({
      now: '2026-06-01T00:00:00.000Z',
      frozen: true,
      workDone: 0,
    });
  });

  it('finishes all work due by the new time before the response', async () => {
    const body = { sku: 'A', customTax: [{ operationCode: 1, intraState: { cfop: '5102' } }] };
    await service.send('POST', `/${service.ready().tenantId}/products`, { body });
    // Created → CustomTaxPending, and the step that this one causes.
    expect((await move({ advance: '10d' })).workDone).toBe(2);
    expect((await service.control('GET', 'status')).products).toEqual({ Active: 1 });
  });

  it.each([
    {},
    { advance: '10' },
    { advance: '-1d' },
    { advance: 10 },
    { set: 'tomorrow' },
    { set: '2026-06-01T00:00:00' },
    { set: '99999-01-01' },
    { freeze: 'yes' },
    { advance: '1d', freeze: true },
    { advance: '9999999d' },
  ])('refuses %j and does not change', async (change) => {
    const before = await service.control('GET', 'clock');
    expect((await move(change)).error.code).toBe('validation_error');
    expect((await service.control('GET', 'clock')).frozen).toBe(before.frozen);
  });
});
