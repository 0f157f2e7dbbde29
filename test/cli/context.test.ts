import { describe, expect, test } from 'vitest';
import { createContext } from '../../src/cli/context.js';
import { createResources } from '../../src/cli/resources.js';
import type { GoOn } from '../../src/services/context.js';
import { createIo } from '../../src/io/create.js';
import { FakeClock } from '../support/clock.js';
import { noSandbox } from '../support/commands.js';
import { FakeTerminal } from '../support/terminal.js';
import { testHost, type TestHost } from '../support/host.js';

const what = { en: '3 products, 3 billed calls', pt: '3 produtos, 3 chamadas cobradas' };

async function contextOf(host: TestHost, yes = false) {
  const io = createIo(host, { language: 'en', color: 'never', quiet: false, noInput: false, statsMs: 1 });
  const resources = createResources(host, {}, noSandbox);
  const goOn: GoOn = {
    byJobOnly: () => undefined,
    found: () => undefined,
    commandFor: () => Promise.resolve((id: string) => id),
    again: () => Promise.resolve('fiscal'),
    inText: (text) => Promise.resolve(text),
    inSentence: (sentence) => Promise.resolve(sentence),
  };
  const directories = await resources.directories();
  return createContext({
    host,
    io,
    resources,
    directories,
    goOn,
    flags: {},
    yes,
    writeRecord: undefined,
    resourcesFor: () => resources,
  });
}

describe('consent', () => {
  test('given by a flag is not asked for', async () => {
    const context = await contextOf(testHost(), true);
    await expect(context.consent({ what })).resolves.toBeUndefined();
  });

  test('without a terminal exits 2 and names --yes', async () => {
    const context = await contextOf(testHost());
    await expect(context.consent({ what })).rejects.toMatchObject({
      code: 'usage.confirmation_required',
      exitCode: 2,
      text: {
        en: 'this needs your consent: 3 products, 3 billed calls',
        pt: 'confirmação necessária: 3 produtos, 3 chamadas cobradas',
      },
      facts: { hint: { en: 'add --yes to give it beforehand' } },
    });
  });

  test.each([
    ['y\n', undefined],
    ['n\n', 'usage.declined'],
    ['\n', 'usage.declined'],
  ])('on a terminal, answered %j, results in %s', async (answer, code) => {
    const terminal = new FakeTerminal();
    const context = await contextOf(testHost({ isTerminal: true, terminal: () => terminal }));
    const outcome = context.consent({ what }).then(
      () => undefined,
      (error: { code: string }) => error.code,
    );
    await terminal.shows('3 billed calls. Go on?');
    terminal.type(answer);
    expect(await outcome).toBe(code);
  });
});

describe('consent that names the company', () => {
  const confirmWith = { value: 'acme', given: undefined };

  test('is given by both flags', async () => {
    const context = await contextOf(testHost(), true);
    const given = { value: 'acme', given: 'acme' };
    await expect(context.consent({ what, confirmWith: given })).resolves.toBeUndefined();
  });

  test('is refused for another name, with or without --yes', async () => {
    for (const yes of [true, false]) {
      const context = await contextOf(testHost(), yes);
      const other = { value: 'acme', given: 'other' };
      await expect(context.consent({ what, confirmWith: other })).rejects.toMatchObject({
        code: 'usage.invalid_value',
        text: { en: 'the value "other" of --confirm is not valid: acme is expected' },
      });
    }
  });

  test.each([
    [false, 'add --yes --confirm acme to give it beforehand'],
    [true, 'add --confirm acme to give it beforehand'],
  ])('without a terminal names every missing flag (--yes given: %s)', async (yes, en) => {
    const context = await contextOf(testHost(), yes);
    await expect(context.consent({ what, confirmWith })).rejects.toMatchObject({
      code: 'usage.confirmation_required',
      facts: { hint: { en } },
    });
  });

  test.each([
    ['acme\n', undefined],
    ['y\n', 'usage.declined'],
  ])('on a terminal, answered %j, results in %s', async (answer, code) => {
    const terminal = new FakeTerminal();
    const context = await contextOf(testHost({ isTerminal: true, terminal: () => terminal }));
    const outcome = context.consent({ what, confirmWith }).then(
      () => undefined,
      (error: { code: string }) => error.code,
    );
    await terminal.shows('Type acme to continue:');
    terminal.type(answer);
    expect(await outcome).toBe(code);
  });
});

test('progress with a new label is shown immediately', async () => {
  const clock = new FakeClock();
  const host = testHost({ clock });
  const { progress } = await contextOf(host);
  progress.report({ label: { en: 'Sending', pt: 'Enviando' }, done: 1, total: 4 });
  clock.advance(1);
  progress.report({ label: { en: 'Sending', pt: 'Enviando' }, done: 2, total: 4 });
  progress.report({ label: { en: 'Waiting', pt: 'Aguardando' }, done: 7 });
  clock.advance(1);
  progress.stop();
  expect(host.written().stderr).toBe('Sending: 2/4 (50 %)\nWaiting: 7\n');
});

test('progress within the item at work moves the bar, and is all that is shown of a single item', async () => {
  const clock = new FakeClock();
  const host = testHost({ clock });
  const { progress } = await contextOf(host);
  const several = { label: { en: 'Packing', pt: 'Empacotando' }, done: 1, total: 4 };
  progress.report({ ...several, within: { done: 300, total: 600 } });
  clock.advance(1);
  progress.report({ ...several, label: { en: 'One', pt: 'Um' }, done: 0, total: 1, within: { done: 5, total: 20 } });
  clock.advance(1);
  progress.stop();
  expect(host.written().stderr).toBe('Packing: 1/4, 300/600 (37 %)\nOne: 5/20 (25 %)\n');
});

test('a resource is created once, on first use', async () => {
  const resources = createResources(testHost(), {}, noSandbox);
  expect(await resources.directories()).toBe(await resources.directories());
  await resources.close();
});
