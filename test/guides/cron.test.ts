import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { blocksOf, blockWith } from './blocks.js';
import { isSchedule, readCrontab } from './crontab.js';
import { openPlace, type Place } from './place.js';

const blocks = blocksOf('cron');

let place: Place;

beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.stop());

test('every block is a crontab that cron can read', () => {
  expect(blocks.map(({ language }) => language)).toEqual(['crontab', 'crontab', 'crontab']);
  const lines = blocks.flatMap(({ text }) => readCrontab(text).lines);
  expect(lines.map(({ schedule }) => isSchedule(schedule))).toEqual([true, true]);
});

describe('after a login of the same user', () => {
  /** What a login with the words of the guide leaves, and the tenant of the account. */
  async function loggedIn(): Promise<{ readonly root: string; readonly env: Readonly<Record<string, string>> }> {
    const root = place.folder();
    const login = `printf '%s' "$KEY" | fiscal auth login --profile acme --stdin --product-url "$URL"`;
    const { exitCode, stderr } = await place.run(['bash', '-e', '-c', login], {
      cwd: root,
      env: { KEY: place.ready.invoiceKey, URL: place.ready.url },
    });
    expect([exitCode, exitCode === 0 ? '' : stderr]).toEqual([0, '']);
    return { root, env: { FISCAL_TENANT: place.ready.tenantId } };
  }

  test('the import of the guide works repeatedly, and so does the housekeeping', async () => {
    const { root, env } = await loggedIn();
    const commands = blocks.flatMap(({ text }) => readCrontab(place.moved(text, root)).lines);
    expect(blockWith(blocks, '/srv/erp')).toContain('--profile acme');
    writeFileSync(join(root, 'srv/erp/products.csv'), 'sku,description,origin\nC1,Tea,National\nC2,Bread,National\n');
    for (const { command } of [...commands, ...commands]) {
      const end = await place.run(['/bin/sh', '-c', command], { cwd: root, env });
      expect([command, end.exitCode]).toEqual([command, 0]);
    }
    const written = readFileSync(join(root, 'var/log/fiscal/products.ndjson'), 'utf8').trim().split('\n');
    const summaries = written.filter((line) => line.includes('"type":"summary"'));
    expect(summaries.map((line): unknown => JSON.parse(line))).toMatchObject([
      { total: 2, succeeded: 2, exitCode: 0 },
      { total: 2, succeeded: 2, exitCode: 0 },
    ]);
    expect(existsSync(join(root, 'var/log/fiscal/products.err'))).toBe(true);

    const { env: required } = readCrontab(blockWith(blocks, 'REQUIRE_STORE'));
    expect(required).toEqual({ FISCAL_REQUIRE_STORE: '1' });
    const again = ['/bin/sh', '-c', commands[0]?.command ?? ''];
    const known = await place.run(again, { cwd: root, env: { ...env, ...required } });
    expect(known.exitCode).toBe(0);
    const lost = { FISCAL_STATE_DIR: join(root, 'another-state') };
    writeFileSync(join(root, 'srv/erp/products.csv'), 'sku,description,origin\nC3,Salt,National\n');
    const empty = await place.run(again, { cwd: root, env: { ...env, ...required, ...lost } });
    expect(empty.exitCode).toBe(2);
    expect(readFileSync(join(root, 'var/log/fiscal/products.err'), 'utf8')).toContain('--require-store');
  });
});
