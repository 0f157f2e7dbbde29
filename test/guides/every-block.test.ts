import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import yaml from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ended } from '../e2e/program.js';
import { accountVariables, openAccount, type Account } from './account.js';
import { guideBlocks, guides, type GuideBlock } from './guide-blocks.js';
import { isSchedule, readCrontab } from './crontab.js';
import { enter, notRun, scenes } from './scenes.js';

/** `export` lines of the blocks before, which hold for a reader who goes on in the same shell. */
function exported(blocks: readonly GuideBlock[]): string {
  return blocks.flatMap(({ text }) => text.match(/^export .*$/gm) ?? []).join('\n');
}

const isShell = ({ language }: GuideBlock): boolean => language === 'sh';

/** Each line of these has a test with its own machine. */
const ownTests = ['guides/ci', 'guides/cron', 'guides/monitoring'];

const isRun = (block: GuideBlock): boolean => isShell(block) && !notRun.some(({ mark }) => block.text.includes(mark));

/** What goes on until it is stopped takes the place of its shell. */
const untilStopped = (script: string): string => script.replaceAll(/^(?=fiscal webhook listen )/gm, 'exec ');

/** Folders of the machine that a guide names; a test has its own below the home of the reader. */
const roots = ['/run/secrets', '/srv', '/var/lib', '/var/log/fiscal', '/backup', '/etc/fiscal'];

describe.each(guides.filter((guide) => guideBlocks(guide).length > 0))('%s', (guide) => {
  const blocks = guideBlocks(guide);
  let account: Account;
  let leave: () => Promise<void> | void;
  const running: (() => Promise<Ended>)[] = [];
  const own = (text: string): string =>
    roots.reduce((all, root) => all.replaceAll(root, join(account.home, root)), text);
  beforeAll(async () => {
    account = await openAccount();
    for (const root of roots) mkdirSync(join(account.home, root), { recursive: true });
    leave = await enter(guide, account);
  });
  afterAll(async () => {
    for (const end of running) expect(await end()).toMatchObject({ exitCode: 0 });
    account.stop();
    await leave();
  });

  test.each(blocks.map((block, index) => [block.line, index, block] as const).filter(([, , block]) => isRun(block)))(
    'line %d',
    async (_line, index, { text }) => {
      const script = own(`${exported(blocks.slice(0, index))}\n${text}`);
      const env = scenes[guide]?.env?.(account, text) ?? accountVariables(account);
      const goesOn = /^fiscal webhook listen /m.test(text);
      if (goesOn) for (const end of running.splice(0)) expect(await end()).toMatchObject({ exitCode: 0 });
      if (goesOn) return void running.push(await account.begin(['sh', '-e', '-c', untilStopped(script)], env));
      const { exitCode, stderr, stdout } = await account.run(['timeout', '100', 'sh', '-e', '-c', script], env);
      if (exitCode !== 0) throw new Error(`exit ${exitCode}\n${text}\n${stderr}${stdout}`);
    },
  );

  const tables = ownTests.includes(guide) ? [] : blocks.filter(({ language }) => language === 'crontab');
  test.each(tables.map((block) => [block.line, block] as const))('the crontab of line %d', async (_line, { text }) => {
    const { env: given, lines } = readCrontab(own(text));
    // The first run of the table finds an empty store.
    const { FISCAL_REQUIRE_STORE: _later, ...vars } = given;
    for (const { schedule, command } of lines) {
      const env = { ...accountVariables(account), ...vars };
      const { exitCode, stderr, stdout } = await account.run(['timeout', '100', '/bin/sh', '-c', command], env);
      expect([command, isSchedule(schedule), exitCode === 0 ? 0 : [exitCode, stderr, stdout]]).toEqual([
        command,
        true,
        0,
      ]);
    }
  });

  test('what it shows is data that a program reads', () => {
    for (const { language, text } of blocks) {
      if (language === 'yaml') expect(yaml.parse(text)).toBeTypeOf('object');
      if (language === 'json') expect(JSON.parse(text)).toBeTypeOf('object');
      if (language === 'csv')
        expect(
          new Set(
            text
              .trim()
              .split('\n')
              .map((line) => line.split(',').length),
          ).size,
        ).toBe(1);
    }
  });
});

test('every block of every guide is counted', () => {
  const all = guides.flatMap((guide) => guideBlocks(guide).map((block) => ({ guide, ...block })));
  const counts: Record<string, number> = {};
  for (const block of all) {
    const how = isShell(block) && !isRun(block) ? 'not run' : block.language;
    counts[how] = (counts[how] ?? 0) + 1;
  }
  // `console` and `text` show what the program prints; `ini` and `js` have tests of their own.
  expect(counts).toEqual({
    ...{ sh: 149, crontab: 11, 'not run': 5, yaml: 16, json: 3, csv: 3, console: 4, text: 2, ini: 3, js: 1 },
  });
  expect(notRun.filter(({ mark }) => !all.some(({ text }) => text.includes(mark)))).toEqual([]);
  // A reader who copies such a word opens a file.
  const shells = all.filter(isShell);
  expect(shells.filter(({ text }) => /<[a-z]+>/.test(text)).map(({ guide, line }) => [guide, line])).toEqual([]);
});
