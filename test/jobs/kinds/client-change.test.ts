import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/field-changes.js';
import { changeKind, type Resource } from '../../../src/jobs/kinds/client-change.js';
import { noClient } from '../no-client.js';

const wanted = { tradeName: 'Sol' };
const changes = [{ field: 'tradeName', from: 'Lua', to: 'Sol' }];

/** A resource of which the service shows this. */
function showing(shown: JsonObject | undefined): ReturnType<typeof changeKind> {
  const resource: Resource = {
    ...{ replay: 'natural', wanted, changes },
    read: async () => await Promise.resolve(shown),
    write: async () => await Promise.resolve({ status: 200, body: undefined, headers: {} } as never),
    idOf: () => 'c1',
  };
  return changeKind(resource);
}

const asking = { client: noClient, signal: new AbortController().signal } as never;

test.each([
  ['as the plan saw it', { tradeName: 'Lua' }, 'absent'],
  ['as the file wants it', { tradeName: 'Sol' }, { state: 'succeeded', resourceId: 'c1' }],
  [
    'as somebody else has left it',
    { tradeName: 'Estrela' },
    {
      ...{ state: 'failed', errorCode: 'client.changed' },
      errorMessage: 'someone else changed tradeName after the plan was made; nothing was sent',
    },
  ],
])('before a send, a resource that is %s', async (_name, shown, expected) => {
  expect(await showing(shown).findBefore?.(asking, {} as never)).toEqual(expected);
});

test('a write that does not read back is not done', async () => {
  const send = async (shown: JsonObject) =>
    await showing(shown).send(noClient, {} as never, { signal: new AbortController().signal });
  expect(await send({ tradeName: 'Sol' })).toMatchObject({ state: 'succeeded' });
  expect(await send({ tradeName: 'Lua' })).toMatchObject({
    state: 'uncertain',
    errorMessage: 'the service accepted it and does not show it as written: tradeName',
  });
});
