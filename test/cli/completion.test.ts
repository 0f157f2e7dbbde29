import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { describe, expect, test } from 'vitest';
import { builtProgram, isBuilt } from '../support/built-program.js';
import { runFiscal, testHost } from '../support/host.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** What the shell would offer for these words, the last one being under the cursor. */
async function offered(words: readonly string[], host = testHost()): Promise<readonly string[]> {
  const { stdout } = await runFiscal(['complete', '--', ...words], host);
  return stdout
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(':'))
    .map((line) => line.split('\t', 1)[0] ?? '');
}

describe('completion', () => {
  test('offers commands, verbs, options, choices and topics', async () => {
    expect(await offered(['pro'])).toEqual(['product']);
    expect(await offered(['key', ''])).toEqual(['check', 'parse']);
    expect(await offered(['-o', 'json', 'key', 'p'])).toEqual(['parse']);
    expect(await offered(['key', 'check', '--dry'])).toEqual(['--dry-run']);
    expect(await offered(['key', 'check', '--output', ''])).toEqual([
      'table',
      'json',
      'ndjson',
      'yaml',
      'csv',
      'id',
    ]);
    expect(await offered(['key', 'check', '-o', 'js'])).toEqual(['json']);
    expect(await offered(['help', 'ex'])).toEqual(['exit-codes']);
    expect(await offered(['completion', ''])).toEqual(['bash', 'zsh', 'fish', 'powershell']);
  });

  test('offers an alias of a verb, and its options', async () => {
    expect(await offered(['lookup', 'ce'])).toEqual(['cep']);
    expect(await offered(['lookup', 'cep', '--max-a'])).toEqual(['--max-age']);
  });

  test('offers the profiles of this machine', async () => {
    const host = testHost();
    mkdirSync(join(host.root, 'config'));
    writeFileSync(join(host.root, 'config/config.json'), '{"profiles":{"acme":{},"other":{}}}');
    expect(await offered(['product', 'list', '--profile', 'ac'], host)).toEqual(['acme']);
  });

  test('offers nothing for unknown words', async () => {
    expect(await offered(['nonsense', 'more', ''])).toEqual([]);
  });

  test('describes in the language of the user', async () => {
    const { stdout } = await runFiscal(['complete', '--', 'prod'], { env: { LANG: 'pt_BR.UTF-8' } });
    expect(stdout).toBe('product\tO cadastro de produtos\n:4\n');
  });

  test('exits 2 for an unknown shell', async () => {
    expect(await runFiscal(['completion', 'tcsh', '--error-format', 'text'])).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr:
        'fiscal: the value "tcsh" of <shell> is not valid: one of bash, zsh, fish, powershell is expected\n',
    });
  });
});

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

/** A folder in which the built program is called `fiscal`, and an environment that finds it there. */
function installed(): Readonly<Record<string, string>> {
  const folder = temporaryFolder();
  const script = `#!/bin/sh\nexec "${process.execPath}" "${builtProgram}" "$@"\n`;
  writeFileSync(join(folder, 'fiscal'), script, { mode: 0o755 });
  return {
    PATH: `${folder}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    FISCAL_CONFIG_DIR: join(folder, 'config'),
    PS1: 'ready> ',
    TERM: 'xterm',
  };
}

/** Types into a real shell and waits for what it shows. */
async function typeInto(
  shell: string,
  args: string[],
  steps: readonly (readonly [typed: string, shown: RegExp])[],
): Promise<string> {
  const env = installed();
  const terminal = spawn(shell, args, { cols: 200, rows: 40, env, cwd: env['HOME'] ?? '' });
  let screen = '';
  let look = (): void => undefined;
  terminal.onData((data) => {
    screen += data;
    look();
  });
  try {
    for (const [typed, shown] of steps) {
      screen = '';
      terminal.write(typed);
      await new Promise<void>((resolve) => {
        look = () => (shown.test(screen) ? resolve() : undefined);
        look();
      });
    }
    return screen;
  } finally {
    terminal.kill();
  }
}

describe('a real shell, over the built program (skipped where it is not installed or nothing is built)', () => {
  test.skipIf(!isBuilt || !has('bash'))(
    'bash completes verbs and choices, and executes no typed text',
    async () => {
      const screen = await typeInto(
        'bash',
        ['--norc', '--noprofile', '-i'],
        [
          [
            'source <(fiscal completion bash); source <(fiscal completion bash); echo so""urced\r',
            /sourced[^]*ready> /,
          ],
          ['fiscal key pa\t', /fiscal key parse /],
          ['--output nd\t', /--output ndjson /],
          ['\u0015fiscal key $(touch marker; echo pa)\t', /echo pa\)/],
          ['\u0015ls marker\r', /No such file[^]*ready> /],
        ],
      );
      expect(screen).not.toContain('readonly');
    },
  );

  test.skipIf(!isBuilt || !has('zsh'))('zsh completes verbs and choices', async () => {
    const screen = await typeInto(
      'zsh',
      ['-f', '-i'],
      [
        [
          'autoload -U compinit; compinit -u -D; source <(fiscal completion zsh); echo so""urced\r',
          /sourced[^]*ready> /,
        ],
        ['fiscal key pa\t', /parse/],
        ['--output nd\t', /ndjson/],
      ],
    );
    expect(screen).toContain('ndjson');
  });

  test.skipIf(!isBuilt || !has('fish'))('fish completes verbs', () => {
    const script = "fiscal completion fish | source; complete -C 'fiscal key pa'";
    const { stdout } = spawnSync('fish', ['--no-config', '-c', script], {
      env: installed(),
      encoding: 'utf8',
    });
    expect(stdout).toBe('parse\tShow what a key says\n');
  });
});
