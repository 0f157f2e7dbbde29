import { expect, test } from 'vitest';
import { createForwarder, forwardAddress } from '../../src/client/forward.js';
import { serve } from './support/server.js';

test('a forwarded event comes from this program, unless the event names another sender', async () => {
  const target = await serve({ status: 204 });
  const forwarder = await createForwarder({ proxy: undefined, caCert: undefined, timeoutMs: 5_000 }, {});
  const { signal } = new AbortController();
  const url = forwardAddress(target.url);
  const body = Buffer.from('{"id":1}');
  for (const headers of [{}, { 'user-agent': 'hub/1' }])
    expect(await forwarder.post({ url, headers, body }, signal)).toEqual({ status: 204, retryAfterMs: undefined });
  forwarder.close();
  expect(target.seen.map(({ method, headers, body: text }) => [method, headers['user-agent'], text])).toEqual([
    ['POST', 'fiscal-cli', '{"id":1}'],
    ['POST', 'hub/1', '{"id":1}'],
  ]);
});
