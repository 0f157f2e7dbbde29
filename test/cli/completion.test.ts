import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { describe, expect, test } from 'vitest';
import { builtProgram, isBuilt } from '../support/built-program.js';
import { groups } from '../../src/commands/groups.js';
import { openStore } from '../../src/store/sqlite/open.js';
import { runFiscal, testHost, type TestHost } from '../support/host.js';
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
    expect(await offered(['key', ''])).toEqual(['check']);
    expect(await offered(['-o', 'json', 'key', 'c'])).toEqual(['check']);
    expect(await offered(['key', 'check', '--dry'])).toEqual(['--dry-run']);
    expect(await offered(['key', 'check', '--output', ''])).toEqual([
      'table',
      'json',
      'ndjson',
      'yaml',
      'csv',
      'xlsx',
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

  test('offers the jobs, uncertain items, products and companies that this machine knows', async () => {
    const host = await machineWithRows();
    expect(await offered(['job', 'show', '2611'], host)).toEqual(['261123-0520-24f889']);
    expect(await offered(['product', 'get', 'TEA-'], host)).toEqual(['TEA-100']);
    expect(await offered(['company', 'get', ''], host)).toEqual(['33000167000101', '29638438000181']);
    expect(await offered(['inbound', 'list', '--company', 'padaria'], host)).toEqual(['padaria']);
    expect(await offered(['inbound', 'list', '--company=pa'], host)).toEqual(['padaria']);
    const { stdout } = await runFiscal(['complete', '--', 'job', 'show', ''], host);
    expect(stdout).toBe('261123-0520-24f889\tproduct-create, open\n:4\n');
  });

  test('offers no value that a shell would evaluate, and no control character', async () => {
    const host = await machineWithRows();
    const { stdout } = await runFiscal(['complete', '--', 'product', 'get', ''], host);
    expect(stdout).toBe('TEA-100\tActive \\u001b[31m\\nx\n:4\n');
  });

  test('changes no file of a store, and is silent about one that it cannot read', async () => {
    const host = await machineWithRows();
    const folder = join(host.root, 'state');
    const before = readdirSync(folder);
    await offered(['job', 'show', ''], host);
    expect(readdirSync(folder)).toEqual(before);
    writeFileSync(join(folder, 'state.db'), 'no database at all'.repeat(100));
    expect(await runFiscal(['complete', '--', 'job', 'show', ''], host)).toEqual({
      exitCode: 0,
      stdout: ':4\n',
      stderr: '',
    });
  });

  test('offers events, and leaves files and folders to the shell', async () => {
    const { stdout } = await runFiscal(['complete', '--', 'manifestation', 'submit', '--event', 'aw']);
    expect(stdout).toBe('awareness\tThe recipient knows of the document; no decision yet\n:4\n');
    const answer = async (words: readonly string[]) => (await runFiscal(['complete', '--', ...words])).stdout;
    expect(await answer(['product', 'apply', '--create-only', ''])).toBe(':0\n');
    expect(await answer(['product', 'create', '--file', 'x'])).toBe(':0\n');
    expect(await answer(['inbound', 'sync', '--archive', ''])).toBe(':16\n');
  });

  test('describes the parts of a noun by their own text', async () => {
    const { stdout } = await runFiscal(['complete', '--', 'company', 'r']);
    expect(stdout).toBe('registration\tState and municipal registrations\n:4\n');
    for (const { load } of Object.values(groups)) {
      const { verbs, parts = {} } = (await load()).group;
      const used = Object.keys(verbs).flatMap((verb) => (verb.includes(' ') ? verb.split(' ', 1) : []));
      expect(Object.keys(parts).toSorted()).toEqual([...new Set(used)].toSorted());
    }
  });

  test('offers nothing for unknown words', async () => {
    expect(await offered(['nonsense', 'more', ''])).toEqual([]);
  });

  test('describes in the language of the user', async () => {
    const { stdout } = await runFiscal(['complete', '--', 'prod'], { env: { LANG: 'pt_BR.UTF-8' } });
    expect(stdout).toBe('product\tO cadastro de produtos\n:4\n');
  });

  test('of PowerShell is a completer of the program that asks it for candidates, and quotes each typed word', async () => {
    const { stdout } = await runFiscal(['completion', 'powershell']);
    expect(stdout).toMatch(/param\(\s*\$WordToComplete,\s*\$CommandAst,\s*\$CursorPosition\s*\)/);
    expect(stdout).toContain('$RequestComp = "& fiscal complete \'--\' $QuotedArgs"');
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(
      "Register-ArgumentCompleter -CommandName 'fiscal' -ScriptBlock $__fiscalCompleterBlock",
    );
    const code = stdout.replaceAll(/^\s*#.*$/gm, '');
    const count = (sign: string) => code.split(sign).length;
    expect([count('{'), count('(')]).toEqual([count('}'), count(')')]);
    const [, pattern = ''] = /\$_ -replace '((?:''|[^'])+)', '\$0\$0'/.exec(stdout) ?? [];
    const quoted = (word: string) => word.replace(new RegExp(pattern.replaceAll("''", "'"), 'g'), '$&$&');
    expect(['café', "d'água", 'a’; calc', '‘x‚‛'].map(quoted)).toEqual(['café', "d''água", 'a’’; calc', '‘‘x‚‚‛‛']);
  });

  test('exits 2 for an unknown shell', async () => {
    expect(await runFiscal(['completion', 'tcsh', '--error-format', 'text'])).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: 'fiscal: the value "tcsh" of <shell> is not valid: one of bash, zsh, fish, powershell is expected\n',
    });
  });
});

/** A machine that has read companies and products, and that has a job. */
async function machineWithRows(): Promise<TestHost> {
  const host = testHost({ env: { FISCAL_PROFILE: 'acme' } });
  mkdirSync(join(host.root, 'config'));
  writeFileSync(join(host.root, 'config/config.json'), '{"profiles":{"acme":{}}}');
  const store = await openStore({ path: join(host.root, 'state/state.db'), clock: host.clock });
  const known = { profile: 'acme', scope: '', data: {}, seenAt: 1 };
  const company = (id: string, label: string, taxNumber: string) =>
    store.known.put({ ...known, kind: 'company', id, label, data: { taxNumber } });
  await company('c1', 'Padaria São João', '29638438000181');
  await company('c2', 'Açougue $(touch marker)', '33000167000101');
  const products = {
    'TEA-100': 'Active \u001b[31m\nx',
    'TEA-$(touch marker)': 'Active',
    '-rf': 'Active',
    'a b': 'Active',
  };
  for (const [label, status] of Object.entries(products))
    await store.known.put({ ...known, kind: 'product', id: label, label, status });
  const job = { id: '261123-0520-24f889', kind: 'product-create', operation: 'product.create' } as const;
  const loaded = { profile: 'acme', inputDigest: 'd', commandLine: 'fiscal', scope: {}, loaderId: 'l', at: 1 };
  await store.jobs.create({ ...job, ...loaded }, []);
  await store.jobs.seal(job.id, 2);
  await store.close();
  return host;
}

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

/** A folder in which the built program is called `fiscal`, and an environment that finds it there. */
function installed(host = testHost()): Readonly<Record<string, string>> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'products.csv'), 'sku\n');
  mkdirSync(join(folder, 'archive'));
  const script = `#!/bin/sh\nexec "${process.execPath}" "${builtProgram}" "$@"\n`;
  writeFileSync(join(folder, 'fiscal'), script, { mode: 0o755 });
  return {
    PATH: `${folder}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    FISCAL_CONFIG_DIR: join(host.root, 'config'),
    FISCAL_STATE_DIR: join(host.root, 'state'),
    ...(host.env['FISCAL_PROFILE'] && { FISCAL_PROFILE: host.env['FISCAL_PROFILE'] }),
    PS1: 'ready> ',
    TERM: 'xterm',
  };
}

/** Types into a real shell and waits for what it shows. */
async function typeInto(
  shell: string,
  args: string[],
  steps: readonly (readonly [typed: string, shown: RegExp])[],
  host = testHost(),
): Promise<string> {
  const env = installed(host);
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
  test.skipIf(!isBuilt || !has('bash'))('bash completes verbs and choices, and executes no typed text', async () => {
    const screen = await typeInto(
      'bash',
      ['--norc', '--noprofile', '-i'],
      [
        ['source <(fiscal completion bash); source <(fiscal completion bash); echo so""urced\r', /sourced[^]*ready> /],
        ['fiscal key ch\t', /fiscal key check /],
        ['--output nd\t', /--output ndjson /],
        ['\u0015fiscal key $(touch marker; echo ch)\t', /echo ch\)/],
        ['\u0015ls marker\r', /No such file[^]*ready> /],
      ],
    );
    expect(screen).not.toContain('readonly');
  });

  test.skipIf(!isBuilt || !has('zsh'))('zsh completes verbs and choices', async () => {
    const screen = await typeInto(
      'zsh',
      ['-f', '-i'],
      [
        [
          'autoload -U compinit; compinit -u -D; source <(fiscal completion zsh); echo so""urced\r',
          /sourced[^]*ready> /,
        ],
        ['fiscal key ch\t', /check/],
        ['--output nd\t', /ndjson/],
      ],
    );
    expect(screen).toContain('ndjson');
  });

  test.skipIf(!isBuilt || !has('fish'))('fish completes verbs', () => {
    const script = "fiscal completion fish | source; complete -C 'fiscal key ch'";
    const { stdout } = spawnSync('fish', ['--no-config', '-c', script], { env: installed(), encoding: 'utf8' });
    expect(stdout).toBe('check\tCheck access keys, CNPJ, CPF and CEP, and show their parts\n');
  });

  const values: readonly (readonly [string, RegExp])[] = [
    ['fiscal job show 2611\t', /show 261123-0520-24f889/],
    ['\u0015fiscal product get TEA\t', /get TEA-100/],
    ['\u0015fiscal inbound list --company pad\t', /--company padaria/],
    ['\u0015fiscal product apply pro\t', /apply products\.csv/],
    ['\u0015fiscal inbound sync --archive ar\t', /--archive archive/],
    ['\u0015ls marker\r', /(?:No such file|cannot access)/],
  ];

  test.skipIf(!isBuilt || !has('bash'))('bash completes jobs, SKUs, companies, files and folders', async () => {
    const load: readonly [string, RegExp] = [
      'source <(fiscal completion bash); echo so""urced\r',
      /sourced[^]*ready> /,
    ];
    await typeInto('bash', ['--norc', '--noprofile', '-i'], [load, ...values], await machineWithRows());
  });

  test.skipIf(!isBuilt || !has('zsh'))('zsh completes jobs, SKUs, companies, files and folders', async () => {
    const setup = 'autoload -U compinit; compinit -u -D; source <(fiscal completion zsh); echo so""urced\r';
    await typeInto('zsh', ['-f', '-i'], [[setup, /sourced[^]*ready> /], ...values], await machineWithRows());
  });

  test.skipIf(!isBuilt || !has('fish'))('fish completes jobs, SKUs, companies, files and folders', async () => {
    const env = installed(await machineWithRows());
    const lines = [
      'job show 2611',
      'product get TEA',
      'inbound list --company pad',
      'product apply pro',
      'inbound sync --archive ar',
    ];
    const script = ['fiscal completion fish | source', ...lines.map((line) => `complete -C 'fiscal ${line}'`)];
    const { stdout } = spawnSync('fish', ['--no-config', '-c', script.join('; ')], {
      ...{ env, cwd: env['HOME'] ?? '', encoding: 'utf8' },
    });
    expect(stdout.split('\n').map((line) => line.split('\t', 1)[0])).toEqual([
      ...['261123-0520-24f889', 'TEA-100', 'padaria', 'products.csv', 'archive/', ''],
    ]);
  });
});
