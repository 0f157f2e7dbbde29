import { expect, test } from 'vitest';
import { Semaphore } from '../../src/jobs/concurrency.js';

test('a closed semaphore rejects all work, including what waits', async () => {
  const semaphore = new Semaphore(1);
  let leave = (): void => undefined;
  const inside = semaphore.run(() => new Promise<void>((resolve) => (leave = resolve)));
  const waiting = semaphore.run(() => Promise.resolve('passed'));
  semaphore.close(new Error('unauthorized'));
  await expect(waiting).rejects.toThrow('unauthorized');
  leave();
  await inside;
  await expect(semaphore.run(() => Promise.resolve('passed'))).rejects.toThrow('unauthorized');
});
