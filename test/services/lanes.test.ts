import { expect, test } from 'vitest';
import { Gate } from '../../src/services/lanes.js';

test('a gate that is closed lets nobody pass, those who wait included', async () => {
  const gate = new Gate(1);
  let leave = (): void => undefined;
  const inside = gate.pass(() => new Promise<void>((resolve) => (leave = resolve)));
  const waiting = gate.pass(() => Promise.resolve('passed'));
  gate.close(new Error('unauthorized'));
  await expect(waiting).rejects.toThrow('unauthorized');
  leave();
  await inside;
  await expect(gate.pass(() => Promise.resolve('passed'))).rejects.toThrow('unauthorized');
});
