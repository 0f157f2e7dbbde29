import { expect, test } from 'vitest';
import type { OutputStream } from '../../../src/io/io.js';
import { testService } from '../../conformance/service.js';
import { runFiscal, type TestHost } from '../../support/host.js';
import { keptSecrets, profileHost } from './profile-host.js';

const service = testService();

/** Resolves with the words when they have been written to the stream. */
function written(stream: OutputStream, pattern: RegExp): Promise<string> {
  let text = '';
  const write = stream.write.bind(stream);
  return new Promise((resolve) => {
    Object.assign(stream, {
      write: async (more: string) => {
        text += more;
        const found = pattern.exec(text);
        if (found !== null) resolve(found[1] ?? '');
        await write(more);
      },
    });
  });
}

test('a listener that started without a secret accepts events of a webhook created afterwards', async () => {
  const { url, invoiceKey } = service.ready();
  const stop = new AbortController();
  const listener = profileHost(url, invoiceKey, { interruption: stop.signal });
  const address = written(listener.stdout, /"url":"([^"]+)"/);
  const event = written(listener.stdout, /"event":"(ping)"/);
  const listening = runFiscal(['webhook', 'listen', '--port', '0', '-o', 'ndjson'], listener);
  const uri = await address;
  // Another process of the same user: the folders are the same.
  const user: TestHost = { ...listener, interruption: new AbortController().signal };
  const created = await runFiscal(['webhook', 'create', uri, '-o', 'json'], user);
  expect([created.exitCode, Object.keys(keptSecrets(listener)).length]).toEqual([0, 1]);
  expect(await event).toBe('ping');
  stop.abort(new Error('the test is over'));
  await listening;
  const events = await runFiscal(['webhook', 'events', '-o', 'json', '--query', '[].event'], user);
  expect(JSON.parse(events.stdout)).toEqual(['ping']);
});
