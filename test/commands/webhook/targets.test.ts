import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { execTarget } from '../../../src/commands/webhook/targets.js';
import type { HeldDelivery } from '../../../src/store/deliveries.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const event: HeldDelivery = {
  ...{ seq: 1, id: 'e-1', profile: 'p', receivedAt: 0, scheme: 'hub-sha1', hookId: 'h', digest: '', bytes: 0 },
  ...{ event: 'product.active', resource: 'r', state: 'forwarding', attempts: 2, copies: 1, doneBy: [] },
  body: Buffer.from('{"action":"x","payload":{"a": "$(touch hacked)"}}'),
};

/** A program, as an operator has one, in a folder of its own. */
function program(code: string): { readonly folder: string; readonly command: string } {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'handle'), `#!${process.execPath}\n${code}\n`);
  chmodSync(join(folder, 'handle'), 0o755);
  return { folder, command: './handle' };
}

const keepsAll = `
const { writeFileSync, readFileSync } = require('node:fs');
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => /^FISCAL_/.test(name)));
writeFileSync('seen.json', JSON.stringify({ words: process.argv.slice(2), env, body: readFileSync(0, 'utf8') }));
`;

const quiet = new AbortController().signal;

async function deliver(code: string, more: { readonly event?: HeldDelivery; readonly limitMs?: number } = {}) {
  const { folder, command } = program(code);
  const env = { PATH: process.env['PATH'], FISCAL_WEBHOOK_SECRET: 'canary', FISCAL_LANG: 'en' };
  const { limitMs = 60_000 } = more;
  const target = await execTarget({ cwd: folder, env }, { command: `${command} 'a b'`, limitMs });
  return { folder, failure: await target.deliver(more.event ?? event, quiet) };
}

describe('a command that receives events', () => {
  it('gets the variables that are named, and no other that is not known', async () => {
    const folder = temporaryFolder();
    const script = 'require("node:fs").writeFileSync("names", Object.keys(process.env).sort().join())';
    writeFileSync(join(folder, 'names.cjs'), script);
    const env = {
      ...{ PATH: process.env['PATH'], HOME: folder, FISCAL_STATE_DIR: folder, DATABASE_URL: 'db' },
      ...{ FISCAL_INVOICE_KEY: 'canary', FISCAL_DATA_KEY_COMMAND: 'cat key', AWS_SECRET_ACCESS_KEY: 'canary' },
      ...{ FISCAL_PROXY: 'http://u:canary@proxy', NODE_OPTIONS: '--no-warnings', FISCAL_JWT_FILE: 'jwt' },
    };
    const command = `${process.execPath} names.cjs`;
    const variables = ['DATABASE_URL', 'NOT_SET'];
    const target = await execTarget({ cwd: folder, env }, { command, limitMs: 60_000, variables });
    expect(await target.deliver(event, quiet)).toBeUndefined();
    expect(
      readFileSync(join(folder, 'names'), 'utf8')
        .split(',')
        .filter((name) => !name.startsWith('__')),
    ).toEqual([
      'DATABASE_URL',
      'FISCAL_EVENT',
      'FISCAL_EVENT_ATTEMPT',
      'FISCAL_EVENT_ID',
      'FISCAL_STATE_DIR',
      'HOME',
      'PATH',
    ]);
  });

  it('gets the body on stdin, byte for byte, a few facts in its environment, and no secret', async () => {
    const { folder, failure } = await deliver(keepsAll);
    expect(failure).toBeUndefined();
    expect(JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8'))).toEqual({
      words: ['a b'],
      body: '{"action":"x","payload":{"a": "$(touch hacked)"}}',
      env: { FISCAL_LANG: 'en', FISCAL_EVENT: 'product.active', FISCAL_EVENT_ID: 'e-1', FISCAL_EVENT_ATTEMPT: '3' },
    });
  });

  it('does not get an event name with special characters', async () => {
    const { folder } = await deliver(keepsAll, { event: { ...event, event: '() { :; }; touch hacked' } });
    const seen: unknown = JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8'));
    expect(seen).toMatchObject({ env: { FISCAL_EVENT: '' } });
  });

  it('that fails has not accepted the event', async () => {
    const { failure } = await deliver('process.exit(3);');
    expect(failure).toEqual({ reason: { is: 'target-exit', exitCode: 3 } });
  });

  it('that is killed has not accepted the event', async () => {
    const { failure } = await deliver("process.kill(process.pid, 'SIGKILL');");
    expect(failure).toEqual({ reason: { is: 'target-signal', signal: 'SIGKILL' } });
  });

  it('need not read its stdin', async () => {
    const large = { ...event, body: Buffer.alloc(2_000_000, 32) };
    const { failure } = await deliver('process.exit(0);', { event: large });
    expect(failure).toBeUndefined();
  });

  it('that ignores SIGTERM is killed', async () => {
    const stubborn = "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1_000);";
    const { failure } = await deliver(stubborn, { limitMs: 500 });
    expect(failure).toEqual({ reason: { is: 'target-slow', seconds: 0.5 } });
  });

  it('is stopped if another process has taken over the event', async () => {
    const { folder, command } = program('setInterval(() => undefined, 1_000);');
    const target = await execTarget({ cwd: folder, env: process.env }, { command, limitMs: 60_000 });
    const taken = new AbortController();
    const failure = target.deliver(event, taken.signal);
    taken.abort();
    expect(await failure).toEqual({ reason: { is: 'target-aborted' } });
    expect(await target.deliver(event, taken.signal)).toEqual({ reason: { is: 'target-aborted' } });
  });

  it('is identified by its program, not by its arguments', async () => {
    const { folder, command } = program('');
    const options = { command: `${command} --token canary`, limitMs: 1_000 };
    const { name } = await execTarget({ cwd: folder, env: {} }, options);
    expect(name).toMatch(/^exec handle [0-9a-f]{8}$/);
  });

  it.each(['./missing', 'no-such-program-here', 'a | b', "'open"])(
    '%s is refused before anything starts',
    async (command) => {
      const context = { cwd: temporaryFolder(), env: { PATH: process.env['PATH'] } };
      await expect(execTarget(context, { command, limitMs: 1_000 })).rejects.toMatchObject({
        code: 'usage.invalid_value',
      });
    },
  );

  it('without a time to run is refused too', async () => {
    const { folder, command } = program('');
    await expect(execTarget({ cwd: folder, env: {} }, { command, limitMs: 0 })).rejects.toMatchObject({
      code: 'usage.invalid_value',
    });
  });
});
