import { expect, onTestFinished, test } from 'vitest';
import { join } from 'node:path';
import { clearFaults, control, inProcess as fiscal, newWorld, records, withSandbox } from './program.js';

test('XML that temporarily answers 404, events included, is fetched by a later sync and never silently missing', async () => {
  const { world, ready, stop } = await withSandbox(newWorld());
  onTestFinished(stop);
  await control(ready, 'seed', { documents: 12, family: 'nfe', seed: 4 });
  const { accessKey } = await control(ready, 'documents', { family: 'nfe', cancelled: true });
  const archive = join(world.root, 'archive');
  const sync = async () => {
    // No window: a later run does not meet the documents in the list again.
    const words = ['inbound', 'sync', '--type', 'nfe', '--window', '0s', '--archive', archive, '-o', 'ndjson'];
    const end = await fiscal(world, ...words);
    return { exitCode: end.exitCode, summary: records(end).at(-1) };
  };
  await control(ready, 'faults', { kind: '404', operation: 'nfe.inbound.xml', count: 3 });
  await control(ready, 'faults', { kind: '404', operation: 'nfe.inbound.event.xml', rate: 1 });
  const first = await sync();
  expect(first.exitCode).toBe(3);
  const outstanding = Number(first.summary?.['outstanding']);
  expect(outstanding).toBeGreaterThanOrEqual(4);
  const listed = records(await fiscal(world, 'inbound', 'outstanding', '-o', 'ndjson'));
  expect(listed.length).toBe(outstanding);
  expect(listed).toContainEqual(expect.objectContaining({ key: accessKey, event: expect.any(String), tries: 1 }));
  const second = await sync();
  expect([second.exitCode, Number(second.summary?.['outstanding'])]).toEqual([3, outstanding - 3]);
  await clearFaults(ready);
  // Now they wait for their time, and are counted all the same.
  expect((await sync()).exitCode).toBe(3);
  const words = ['inbound', 'sync', '--type', 'nfe', '--full', '--archive', archive, '-o', 'ndjson'];
  const last = await fiscal(world, ...words);
  expect([last.exitCode, records(last).at(-1)?.['outstanding']]).toEqual([0, 0]);
  expect(records(await fiscal(world, 'inbound', 'outstanding', '-o', 'ndjson'))).toEqual([]);
});
