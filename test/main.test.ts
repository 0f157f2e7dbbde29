import { spawn as spawnTerminal } from '@lydell/node-pty';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtProgram, isBuilt } from './support/built-program.js';
import { temporaryFolder } from './support/temporary-folder.js';

const nfe = '35250530057049000141550010000280181030656857';

function environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const root = temporaryFolder();
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: root,
    FISCAL_CONFIG_DIR: join(root, 'config'),
    FISCAL_STATE_DIR: join(root, 'state'),
    FISCAL_DATA_DIR: join(root, 'data'),
    ...more,
  };
}

/** Runs the built program on a terminal; `typed` is written when its words are shown. */
async function onTerminal(
  argv: readonly string[],
  options: { env?: Record<string, string>; typed?: readonly (readonly [shown: string, text: string])[] } = {},
): Promise<{ readonly screen: string; readonly exitCode: number }> {
  const terminal = spawnTerminal(process.execPath, [builtProgram, ...argv], {
    cols: 100,
    rows: 30,
    env: environment({ TERM: 'xterm', ...options.env }),
  });
  const waiting = [...(options.typed ?? [])];
  let screen = '';
  terminal.onData((data) => {
    screen += data;
    const [next] = waiting;
    if (next === undefined || !screen.includes(next[0])) return;
    waiting.shift();
    terminal.write(next[1]);
  });
  const exitCode = await new Promise<number>((resolve) => {
    terminal.onExit((end) => resolve(end.exitCode));
  });
  return { screen, exitCode };
}

describe.skipIf(!isBuilt)('the process (skipped where nothing is built)', () => {
  test('writes data to a pipe without colour, and returns the exit code', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [builtProgram, 'key', 'check', nfe, '1'], {
      env: environment(),
      encoding: 'utf8',
    });
    expect({ status, stderr, lines: stdout.split('\n').length }).toEqual({ status: 2, stderr: '', lines: 3 });
  });

  test('shows a long table in the pager, in colour and without the keys, and starts none without one', async () => {
    const got = join(temporaryFolder(), 'got');
    const keys = Array.from({ length: 40 }, () => nfe);
    const env = { PAGER: `sh -c "(env; cat) > ${got}"`, FISCAL_INVOICE_KEY: 'canary' };
    const paged = await onTerminal(['key', 'check', ...keys, '-o', 'table'], { env });
    expect(paged.exitCode).toBe(0);
    expect(paged.screen).not.toContain(nfe);
    const text = readFileSync(got, 'utf8');
    expect(text).toContain(`${nfe}  nfe  \u001b[32mvalid`);
    expect(text).not.toContain('canary');
    const early = await onTerminal(['key', 'check', ...keys], { env: { PAGER: 'true' } });
    expect(early.exitCode).toBe(0);
    const missing = await onTerminal(['key', 'check', ...keys], { env: { PAGER: 'no-such-pager -x' } });
    expect(missing.screen.split(nfe)).toHaveLength(41);
    expect(missing.exitCode).toBe(0);
  });

  test('uses colour on a terminal, and none with NO_COLOR', async () => {
    const cep = '01310100';
    const both = ['key', 'check', nfe, cep];
    const colored = await onTerminal(both);
    const plain = await onTerminal(both, { env: { NO_COLOR: '1' } });
    const good = '\u001b[32mvalid\u001b[39m';
    expect(colored).toEqual({ screen: `${nfe}  nfe  ${good}\r\n${cep}  cep  ${good}\r\n`, exitCode: 0 });
    expect(plain).toEqual({ screen: `${nfe}  nfe  valid\r\n${cep}  cep  valid\r\n`, exitCode: 0 });
  });

  test('asks on a terminal, and Ctrl-C at the question exits 130', async () => {
    const { screen, exitCode } = await onTerminal(['auth', 'login', '--profile', 'new', '--preset', 'nfe.io'], {
      typed: [['?', '\u0003']],
    });
    expect(exitCode).toBe(130);
    expect(screen).toContain('cancelled at the prompt; nothing was done');
  });

  test('exits quietly when the reader closes the pipe', async () => {
    const child = spawn(process.execPath, [builtProgram, 'key', 'check', '-'], { env: environment() });
    child.stdin.on('error', () => undefined);
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.stdin.write(`${nfe}\n`);
    await once(child.stdout, 'data');
    child.stdout.destroy();
    child.stdin.end(`${nfe}\n`.repeat(200_000));
    const [exitCode] = await once(child, 'exit');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('stops at a checkpoint on %s and exits %i', async (signal, expected) => {
    const child = spawn(process.execPath, [builtProgram, 'key', 'check', '-'], { env: environment() });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.stdin.write(`${nfe}\n`);
    await once(child.stdout, 'data');
    child.kill(signal);
    const [exitCode] = await once(child, 'exit');
    expect({ exitCode, code: (JSON.parse(stderr) as { error: { code: string } }).error.code }).toEqual({
      exitCode: expected,
      code: 'job.interrupted',
    });
  });

  test('reports a defect in one line, never with a stack', () => {
    const script = `require(${JSON.stringify(builtProgram)}); setImmediate(() => { throw new Error('one\\ntwo'); });`;
    const { status, stderr } = spawnSync(process.execPath, ['-e', script, 'fiscal', 'key', 'check', '-'], {
      env: environment(),
      encoding: 'utf8',
      input: '',
    });
    expect({ status, stderr }).toEqual({ status: 1, stderr: 'fiscal: internal error in fiscal: one\n' });
  });
});
