import { afterEach, describe, expect, it } from 'vitest';
import { nfeEventPath, nfeKey, nfeSubmitPath } from '../../facts/manifestation.js';
import { testService } from '../../conformance/service.js';

const service = testService();
const otherKey = '35150271780456000160550010000253101000253101';
const rule = (body: object) => service.control('POST', 'authority', body);
const wait = (advance = '1m') => service.control('POST', 'clock', { advance });

async function submit(sequence = 1, key = nfeKey, eventCode = 211128): Promise<string> {
  const body = { eventCode, nSequencia: sequence, detail: eventCode === 211128 ? { indAceitacao: 1 } : {} };
  return (await service.send('POST', nfeSubmitPath(key), { body })).json.id;
}

const read = async (id: string) => (await service.send('GET', nfeEventPath(id))).json;
const statusOf = async (id: string) => (await read(id)).status;

/** Several events of one note, one after the other. */
async function series(length: number): Promise<string[]> {
  const ids: string[] = [];
  for (let sequence = 1; sequence <= length; sequence += 1) ids.push(await submit(sequence));
  await wait();
  return await Promise.all(ids.map(statusOf));
}

afterEach(() => service.control('POST', 'reset'));

describe('outcomes chosen by a test', () => {
  it('reject with the code and text given', async () => {
    await rule({ outcome: 'reject', code: '217', message: 'NF-e \u001b[31mnão consta' });
    const id = await submit();
    await wait();
    expect(await read(id)).toMatchObject({
      status: 'Rejected',
      errorCode: '217',
      errorMessage: 'NF-e \u001b[31mnão consta',
    });
  });

  it('accept what the rules would reject', async () => {
    await rule({ outcome: 'accept' });
    const id = await submit(9, nfeKey, 210210);
    await wait();
    expect(await statusOf(id)).toBe('Accepted');
  });

  it('register the event before failing, so that the next attempt is a duplicate', async () => {
    await rule({ outcome: 'fail-after', count: 1 });
    const first = await submit();
    await wait();
    const second = await submit();
    await wait();
    const { status, errorCode } = await read(second);
    expect([await statusOf(first), status, errorCode]).toEqual(['Failed', 'Rejected', '573']);
    expect(await service.control('GET', 'authority')).toMatchObject({ sendings: 2, registered: 1 });
  });

  it('leave the event Pending if the authority never answers', async () => {
    await rule({ outcome: 'never' });
    const id = await submit();
    await wait('400d');
    expect(await statusOf(id)).toBe('Pending');
  });

  it('can be limited to one document or one event', async () => {
    await rule({ outcome: 'fail', accessKey: otherKey });
    await rule({ outcome: 'reject', eventCode: 210200 });
    const ids = [await submit(), await submit(1, otherKey), await submit(1, nfeKey, 210200)];
    await wait();
    expect(await Promise.all(ids.map(statusOf))).toEqual(['Accepted', 'Failed', 'Rejected']);
  });

  it('skip the first requests and apply a limited number of times', async () => {
    await rule({ outcome: 'fail', skip: 1, count: 2 });
    expect(await series(4)).toEqual(['Accepted', 'Failed', 'Failed', 'Accepted']);
  });

  it('apply at a rate, determined by the seed', async () => {
    const play = async (seed: number) => {
      await service.control('POST', 'reset');
      await service.control('POST', 'seed', { seed });
      await rule({ outcome: 'fail', rate: 0.5 });
      return await series(20);
    };
    const first = await play(3);
    expect(await play(3)).toEqual(first);
    expect(await play(4)).not.toEqual(first);
    expect(new Set(first)).toEqual(new Set(['Accepted', 'Failed']));
  });

  it('can delay an answer that then follows the rules', async () => {
    await rule({ delayMs: 3_600_000, count: 1 });
    const id = await submit();
    await wait('59m');
    expect(await statusOf(id)).toBe('Pending');
    await wait('3m');
    expect(await statusOf(id)).toBe('Accepted');
    // Struck once, though the sending took two steps.
    expect((await service.control('GET', 'authority')).rules[0]).toMatchObject({ seen: 1, applied: 1 });
  });

  it('are listed and cleared', async () => {
    const stored = await rule({ outcome: 'reject', code: '596', accessKey: nfeKey, count: 1 });
    expect(stored).toEqual({
      id: 1,
      outcome: 'reject',
      code: '596',
      accessKey: nfeKey,
      count: 1,
      rate: 1,
      skip: 0,
      seen: 0,
      applied: 0,
    });
    expect((await service.control('GET', 'authority')).rules).toEqual([stored]);
    expect(await service.control('DELETE', 'authority')).toEqual({ cleared: 1 });
    expect((await service.control('GET', 'authority')).rules).toEqual([]);
  });

  it.each([
    ['outcome', {}],
    ['outcome', { outcome: 'perhaps' }],
    ['accessKey', { outcome: 'fail', accessKey: '1' }],
    ['eventCode', { outcome: 'fail', eventCode: '210200' }],
    ['code', { outcome: 'fail', code: '596' }],
    ['code', { outcome: 'reject', code: 'late' }],
    ['rate', { outcome: 'fail', rate: 2 }],
    ['count', { outcome: 'fail', count: 0 }],
    ['delayMs', { delayMs: -1 }],
    ['often', { outcome: 'fail', often: 1 }],
  ])('are refused with a wrong %s', async (field, body) => {
    expect((await rule(body)).error.details[0].field).toBe(field);
  });
});
